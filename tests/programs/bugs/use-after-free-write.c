// Through an alias that outlives the block.
//@ paths: 0 completed, 1 errored
#include <stdlib.h>

struct node {
  struct node *next;
  int value;
};

int main(void) {
  struct node *a = calloc(1, sizeof *a), *alias = a;
  free(a);
  alias->value = 3;  //~ BUG use-after-free: write of 4 bytes
  return 0;
}
