// As clang shows it.
//@ exit: 2
//@ error: use of undeclared identifier 'undeclared'
int main(void) { return undeclared; }
