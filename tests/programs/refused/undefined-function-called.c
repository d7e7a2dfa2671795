// An undefined function that is really called: named, with the way out.
//@ exit: 2
//@ error: `missing_function`
int missing_function(int);
int main(void) { return missing_function(3); }
