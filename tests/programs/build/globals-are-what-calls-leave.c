// The entry starts with globals of any value, calls of the API with those that the program begins with.
//@ flags: --entry ratio --globals unknown --build-with lower --build-calls 2
//@ native: none
//@ exhaustive: any
static int count = 2;

void lower(void) {
  if (count > 0) count--;
}

int ratio(void) {
  if (count == -5) return 1 / (count + 5); //~ BUG division-by-zero
  //~| API none: no sequence of up to 2 calls of `lower` leads to it
  return 10 / count; //~ BUG division-by-zero
  //~| API lower(); lower(); ratio();
}
