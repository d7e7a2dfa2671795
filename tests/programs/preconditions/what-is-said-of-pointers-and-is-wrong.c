// Mistakes are told with what was probably meant.
//@ revisions: name float pointer mixed member type arrow text predicate takes twice
//@[name] flags: --array dta=len
//@[name] error: `f` has no parameter `dta`; did you mean `data`?
//@[float] flags: --array data=x
//@[float] error: `x` is no whole number of 8 to 64 bits but `double`
//@[pointer] flags: --array data=s
//@[pointer] error: `s` is no whole number of 8 to 64 bits but `struct s *`
//@[mixed] flags: --array data=s.count
//@[mixed] error: both must be parameters, or members of one structure
//@[member] flags: --array s.p=s.cuont
//@[member] error: `struct s` has no member `cuont`; did you mean `count`?
//@[type] flags: --string t.p
//@[type] error: the program uses no structure `t`; did you mean `s`?
//@[arrow] flags: --string s->p
//@[arrow] error: `s->p` is no name
//@[text] flags: --string data
//@[text] error: `data` points at `int`; text is made of `char`
//@[predicate] flags: --invariant s=len
//@[predicate] error: len
//@[takes] flags: --invariant s=f
//@[takes] error: does not take a pointer to the structure and nothing else
//@[twice] flags: --array data=len --array data=other
//@[twice] error: `data` has a length already: --array data=len
//@ flags: --entry f
//@ exit: 2
struct s {
  char *p;
  int count;
};

int f(int *data, int len, long other, double x, struct s *s) { return data[0] + len + (int)other + (int)x + s->count; }
