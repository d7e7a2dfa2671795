// A check that does not exist.
//@ flags: --check everything
//@ exit: 2
//@ error: everything
int main(void) { return 0; }
