// A strategy that does not exist.
//@ flags: --search no-such-strategy
//@ exit: 2
//@ error: no-such-strategy
int main(void) { return 0; }
