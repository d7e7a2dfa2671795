// Pointers as parameters of the entry come later: said so, with the way out.
//@ flags: --entry f
//@ exit: 2
//@ error: `p`
int f(int *p) { return *p; }
