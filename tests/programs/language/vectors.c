// Vectors: arithmetic, comparison, shuffles, conversion.
//@ revisions: O0 O2
//@ paths: 1 completed, 0 errored
#include <taw.h>

typedef int v4 __attribute__((vector_size(16)));
typedef float f4 __attribute__((vector_size(16)));
typedef short s8 __attribute__((vector_size(16)));

int main(void) {
  int x = taw_i16("x");
  v4 a = {x, 2, 3, 4}, b = {10, 20, 30, 40};
  v4 c = a * 2 + b;
  taw_assert(c[0] == 2 * x + 10 && c[3] == 48);
  v4 m = a < b;
  taw_assert(m[1] == -1 && m[2] == -1);
  v4 r = __builtin_shufflevector(a, b, 7, 0, 3, 4);
  taw_assert(r[0] == 40 && r[1] == x && r[2] == 4 && r[3] == 10);
  f4 f = __builtin_convertvector(a, f4);
  taw_assert(f[2] == 3.0f);
  s8 s = (s8)b;
  taw_assert(s[2] == 20 && s[1] == 0);
  unsigned i = taw_u32("i");
  taw_assume(i < 4);
  b[i] = 99;
  taw_assert(b[i] == 99);
  return 0;
}
