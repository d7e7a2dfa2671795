//@ flags: --entry f -- @sym:2
//@ exit: 2
//@ error: the run starts at `f`
int f(int x) { return x; }
int main(void) { return f(0); }
