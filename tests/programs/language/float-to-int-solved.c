// What only a float beyond the range of the integer type does is found, by every kind of conversion.
//@ labels: u32 u16 i8 u64 x87 none
#include <taw.h>

int main(void) {
  double d = taw_double("d");
  switch (taw_choose(6)) {
    case 0: /* 17179869189.0 */
      if (d > 1e10 && (unsigned)d == 5) taw_target("u32");
      break;
    case 1:
      if (d < -100000.0 && (unsigned short)d == 3) taw_target("u16");
      break;
    case 2:
      if (d > 1000.0 && (signed char)d == -7) taw_target("i8");
      break;
    case 3: /* a negative number keeps its bits */
      if ((unsigned long)d == -3ul) taw_target("u64");
      break;
    case 4: {
      long double x = taw_long_double("x");
      if (x > 1e30L && (unsigned long)x == 0) taw_target("x87");
      break;
    }
    default: /* beyond the machine's range there is one result */
      if (d > 1e30 && (unsigned)d != 0) taw_target("never");
      if (d > 1e30 && (int)d == -2147483647 - 1) taw_target("none");
  }
  return 0;
}
