// A name that the program does not export is refused, with what was probably meant.
//@ revisions: typed hidden main pattern
//@[typed] flags: --entry f --build-with box_mak
//@[typed] error: --build-with box_mak: the program exports no such function; did you mean `box_make`?
//@[hidden] flags: --entry f --build-with inner
//@[hidden] error: --build-with inner: `inner` is static (or `main`): no caller outside of its file can use it
//@[main] flags: --build-with box_make
//@[main] error: it is about what callers pass to a function: name that with --entry
//@[pattern] flags: --entry f --build-with x_*
//@[pattern] error: the program exports no such function
//@ exit: 2
struct box {
  int a;
};

static int inner(struct box *b) { return b->a; }

void box_make(struct box *b) { b->a = 1; }

int f(struct box *b) { return inner(b); }

int main(void) { return 0; }
