// A vector of 16 bytes comes in one register, of which each element is any number.
//@ revisions: numbers mixed
//@[numbers] flags: --entry numbers
//@[numbers] target: label:found reached
//@[numbers] signature: int numbers(eight v)
//@[mixed] flags: --entry mixed
//@[mixed] target: label:mixed reached
//@[mixed] target: label:never unreachable
//@[mixed] signature: four mixed(four a, floats b, int n)
//@[numbers] labels: found
//@[mixed] labels: mixed
//@ native: none
#include <taw.h>

typedef short eight __attribute__((vector_size(16)));
typedef int four __attribute__((vector_size(16)));
typedef float floats __attribute__((vector_size(16)));

int numbers(eight v) {
  if (v[5] == 1234 && v[0] == -3) taw_target("found");
  return v[7];
}

four mixed(four a, floats b, int n) {
  four sum = a + n;
  if (sum[3] == 9 && n == 7 && b[1] > 2.5f) taw_target(a[3] == 2 ? "mixed" : "never");
  return sum;
}
