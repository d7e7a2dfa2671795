// From `main` on, variables have their initial values: the option is refused.
//@ flags: --globals unknown
//@ exit: 2
//@ error: `main` starts with the variables as the program begins with them
int limit = 3;
int main(void) { return limit; }
