// A flexible member has just as many elements as a number beside it says; what is longer than what is tried is named.
//@ flags: --entry sum --array numbers.data=numbers.n --max-array 2
//@ signature: int sum(const struct numbers *numbers)
//@ rests-on: `numbers.data` leads to exactly `numbers.n` elements
//@ exhaustive: false
//@ labels: three
#include <stddef.h>
#include <taw.h>

struct numbers {
  int n;
  int data[];
};

int sum(const struct numbers *numbers) {
  if (!numbers) return 0;
  int total = 0;
  for (int i = 0; i < numbers->n; i++)
    total += numbers->data[i];
  if (numbers->n == 2 && total == 3) taw_target("three");
  return total;
}
