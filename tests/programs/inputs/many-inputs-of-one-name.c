// Inputs of one name are numbered; names that the program gives itself are not taken twice, before and after there are many.
//@ paths: 3 completed, 0 errored
#include <taw.h>

int main(void) {
  unsigned char x[200], early, late;
  taw_symbolic(&early, 1, "x_7");
  for (int i = 0; i < 200; i++) taw_symbolic(&x[i], 1, "x");
  taw_symbolic(&late, 1, "x_150");
  if ((early == 1) & (x[7] == 2) & (x[149] == 3) & (x[150] == 4) & (x[199] == 5) & (late == 6)) return 1;
  if (early + x[7] == 300) return 2;
  return 0;
}
