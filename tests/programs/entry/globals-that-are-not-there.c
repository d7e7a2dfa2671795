// A name that was probably meant is said; constants are none to choose.
//@ revisions: near constant inner
//@[near] flags: --entry f --globals limits=unknown
//@[near] error: did you mean `limit`?
//@[constant] flags: --entry f --globals fixed=unknown
//@[constant] error: `fixed` is constant, and keeps its value
//@[inner] flags: --entry f --globals calls=unknown
//@[inner] error: did you mean `f.calls`?
//@ exit: 2
int limit = 3;
const int fixed = 4;
int f(int x) {
  static int calls;
  return x + limit + fixed + calls++;
}
