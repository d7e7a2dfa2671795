// --marker makes an undefined function a marker.
//@ flags: --marker reach
//@ paths: 2 completed, 0 errored
//@ labels: here
#include <taw.h>

void reach(const char *label);

int main(void) {
  if (taw_int("x") == 3) reach("here");
  return 0;
}
