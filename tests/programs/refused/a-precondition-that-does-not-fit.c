// A predicate takes what the entry takes, and an expression is one of C.
//@ revisions: parameters result name expression
//@[parameters] flags: --requires other
//@[parameters] error: `other` does not take the parameters that `f` takes
//@[result] flags: --requires nothing
//@[result] error: `nothing` returns no truth value
//@[name] flags: --requires nowhere
//@[name] error: --requires:1:1: error: call to undeclared function 'nowhere'
//@[expression] flags: --assume=n<1&&m
//@[expression] error: --assume:1:6: error: use of undeclared identifier 'm'
//@ flags: --entry f
//@ exit: 2
int other(long n) { return n != 0; }
void nothing(int n) { (void)n; }
int f(int n) { return n; }
