// A finding that rests on the value of a variable says so, and is confirmed with that value.
//@ flags: --entry average --globals unknown
//@ signature: int average(int x)
static int count = 1;
static int total;

int average(int x) {
  total = x;
  return total / count;  //~ BUG division-by-zero
                         //~| WITNESS count == 0
                         //~ BUG division-overflow
}
