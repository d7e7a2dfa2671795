// The path leaves one value to x, so the function is called and not searched through.
//@ flags: --max-time 60s
#include <math.h>
#include <taw.h>

int main(void) {
  int x = taw_int("x");
  if (x != 3) return 0;
  if (sin(x) > 0.5)
    return 1;  //~ UNREACHABLE
  return 2;    //~ REACHED
}
