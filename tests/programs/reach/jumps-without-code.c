// Lines that are nothing but a jump have no code of their own in the native program, or nearly none.
#include <taw.h>

int main(void) {
  unsigned n = taw_u8("n"), i;
  for (i = 0; i < 10; i++) {
    if (i == n)
      break;  //~ REACHED
    if (i == 3)
      continue;  //~ REACHED
    if (n > 200)
      goto out;  //~ REACHED
  }
  switch (n) {
  case 7:
    i++;
    break;  //~ REACHED
  default:
    break;  //~ REACHED
  }
out:
  return (int)i;  //~ REACHED
}
