// A flag that clang refuses.
//@ flags: --cflag=-fno-such-flag-exists
//@ exit: 2
//@ error: -fno-such-flag-exists
int main(void) { return 0; }
