// The determinant of a product is the product of the determinants, on small numbers.
//@ paths: 1 completed, 0 errored
#include <taw.h>

typedef unsigned char m2[2][2];

static unsigned char det(m2 a) { return (unsigned char)(a[0][0] * a[1][1] - a[0][1] * a[1][0]); }

int main(void) {
  m2 a, b = {{3, 5}, {7, 2}}, c;
  taw_symbolic(a, sizeof a, "a");
  for (int i = 0; i < 4; i++) taw_assume(a[i / 2][i % 2] < 8);
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++) c[i][j] = (unsigned char)(a[i][0] * b[0][j] + a[i][1] * b[1][j]);
  taw_assert(det(c) == (unsigned char)(det(a) * det(b)));
  return 0;
}
