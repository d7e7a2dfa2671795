// Without `main` nobody knows how a function is called.
//@ flags: --entry f --alias points-to
//@ exit: 2
//@ error: --alias points-to needs the whole program, and there is no `main`
int f(int *p) { return p != 0; }
