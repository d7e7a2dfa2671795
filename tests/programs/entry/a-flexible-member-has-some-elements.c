// A structure with a flexible member comes with no element or a few behind it, and the array's length is its own.
//@ flags: --entry sum --max-array 2
//@ signature: int sum(const struct numbers *numbers)
//@ labels: empty three
#include <stddef.h>
#include <taw.h>

struct numbers {
  unsigned n;
  int data[];
};

int sum(const struct numbers *numbers) {
  if (!numbers || numbers->n > 2) return -1;
  int total = 0;
  for (unsigned i = 0; i < numbers->n; i++)
    total += numbers->data[i]; //~ BUG out-of-bounds-read
  if (numbers->n == 0) taw_target("empty");
  if (numbers->n == 2 && total == 3 && numbers->data[0] == 1) taw_target("three");
  return total;
}
