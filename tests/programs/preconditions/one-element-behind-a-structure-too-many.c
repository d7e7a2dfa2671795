// One element more than the number says is an error, whatever the caller passes.
//@ flags: --entry last --array numbers.data=numbers.n --assume numbers&&numbers->n<3
//@ signature: int last(struct numbers *numbers)
//@ rests-on: `numbers.data` leads to exactly `numbers.n` elements
//@ rests-on: `numbers&&numbers->n<3` holds where `last` starts
struct numbers {
  unsigned n;
  int data[];
};

int last(struct numbers *numbers) {
  return numbers->data[numbers->n]; //~ BUG out-of-bounds-read
}
