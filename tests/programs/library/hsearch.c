// The hash table of <search.h>.
//@ revisions: O0 m32
//@ paths: 1 completed, 0 errored
//@ output: 1 2 absent
#include <search.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  static int one = 1, two = 2;
  hcreate(10);
  hsearch((ENTRY){.key = "one", .data = &one}, ENTER);
  hsearch((ENTRY){.key = "two", .data = &two}, ENTER);
  ENTRY *a = hsearch((ENTRY){.key = "one"}, FIND), *b = hsearch((ENTRY){.key = "two"}, FIND);
  ENTRY *c = hsearch((ENTRY){.key = "three"}, FIND);
  printf("%d %d %s\n", *(int *)a->data, *(int *)b->data, c ? "there" : "absent");
  hdestroy();
  return 0;
}
