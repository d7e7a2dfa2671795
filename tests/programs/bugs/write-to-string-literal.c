// Literals are read-only.
//@ paths: 1 completed, 1 errored
#include <taw.h>

int main(void) {
  char local[] = "abc";
  char *p = taw_bool("literal") ? (char *)"xyz" : local;
  p[1] = '-';  //~ BUG write-to-constant
               //~| WITNESS literal == 1
  return 0;
}
