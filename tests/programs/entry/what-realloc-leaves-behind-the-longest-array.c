// What an array that is longer than those that are tried has behind their end goes to its new place, too: nobody knows it.
//@ flags: --entry f
//@ signature: int f(int *p)
//@ exhaustive: false
//@ target: label:near reached
//@ target: label:far unknown
#include <stdlib.h>
#include <taw.h>

int f(int *p) {
  if (!p) return 0;
  int *q = realloc(p, 100 * sizeof *p);
  if (!q) return 0;
  if (q[0] == 7) taw_target("near");
  if (q[50] == 7) taw_target("far");
  free(q);
  return 1;
}
