// No terminator within the block.
//@ paths: 3 completed, 1 errored
#include <stdlib.h>
#include <string.h>
#include <taw.h>

int main(void) {
  char *s = malloc(3);
  taw_symbolic(s, 3, "s");
  size_t n = strlen(s);  //~ BUG out-of-bounds-read
  free(s);
  return (int)n;
}
