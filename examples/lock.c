/* A door that opens for few codes. How codes are mixed is in a library (mix.c), of which often only the binary is there. */
#include <taw.h>

unsigned mix(unsigned code, unsigned char salt);

int main(void) {
  unsigned code = taw_uint("code");
  if (code % 10 == 7 && mix(code, 42) == 0x7e5)
    taw_target("open");
  return 0;
}
