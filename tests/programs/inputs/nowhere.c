//@ flags: --sym-arg 2
//@ exit: 2
//@ error: `main` takes no arguments
int main(void) { return 0; }
