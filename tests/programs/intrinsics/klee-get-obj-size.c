// The size of the whole object, on the heap and elsewhere.
//@ paths: 1 completed, 0 errored
//@ native: none
#include <klee/klee.h>
#include <stdlib.h>

static int global[3];

int main(void) {
  char local[7], *heap = malloc(21);
  klee_assert(klee_get_obj_size(global) == 12);
  klee_assert(klee_get_obj_size(local) == 7);
  klee_assert(klee_get_obj_size(heap) == 21);
  free(heap);
  return 0;
}
