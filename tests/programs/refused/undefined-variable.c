// A variable that nobody defines.
//@ exit: 2
//@ error: `missing_variable`
extern int missing_variable;
int main(void) { return missing_variable; }
