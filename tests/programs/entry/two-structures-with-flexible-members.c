// What is written behind a structure is seen afterwards; two structures with flexible members are one or apart.
//@ flags: --entry copy --max-array 2
//@ signature: int copy(struct numbers *to, const struct numbers *from)
//@ labels: same apart
#include <taw.h>

struct numbers {
  int n;
  int data[];
};

int copy(struct numbers *to, const struct numbers *from) {
  if (!to || !from || from->n != 1) return 0;
  int before = from->data[0]; //~ BUG out-of-bounds-read
  to->data[0] = before + 1;   //~ BUG out-of-bounds-write
  if (from->data[0] == before + 1)
    taw_target("same");
  else
    taw_target("apart");
  return to->data[0];
}
