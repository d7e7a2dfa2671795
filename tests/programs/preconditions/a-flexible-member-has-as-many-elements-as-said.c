// The flexible member of a structure is tied as a pointer is, and invariants hold of its elements.
//@ flags: --entry sum --array numbers.data=numbers.n --invariant number=positive
//@ flags: --assume=numbers&&numbers->n<=2
//@ signature: int sum(const struct numbers *numbers)
//@ rests-on: `numbers.data` leads to exactly `numbers.n` elements
//@ rests-on: `positive` holds of every `number` that is passed
//@ rests-on: `numbers&&numbers->n<=2` holds where `sum` starts
//@ labels: empty three
#include <stddef.h>
#include <taw.h>

struct number {
  int value;
};
struct numbers {
  short n;
  struct number data[];
};

static int positive(const struct number *number) { return number->value > 0; }

int sum(const struct numbers *numbers) {
  int total = 0;
  taw_assert(numbers->n >= 0 && numbers->n <= 2);
  for (int i = 0; i < numbers->n; i++) total += numbers->data[i].value;
  if (numbers->n == 0) taw_target("empty");
  if (numbers->n == 2 && total == 3 && numbers->data[0].value == 1) taw_target("three");
  return numbers->n ? numbers->data[numbers->n - 1].value > 0 : 2;
}
