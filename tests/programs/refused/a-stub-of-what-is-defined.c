// Only what is defined nowhere can be stood in for.
//@ revisions: own library unknown
//@[own] flags: --stub helper
//@[own] error: the program defines `helper` itself
//@[library] flags: --stub malloc
//@[library] error: Taw knows what `malloc` does
//@[unknown] flags: --stub outsid=return
//@[unknown] error: did you mean `outside`?
//@ exit: 2
#include <stdlib.h>

int outside(void);
int helper(void) { return outside(); }
int main(void) { return malloc(1) == 0 && helper(); }
