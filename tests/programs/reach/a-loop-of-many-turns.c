// The target needs most of the turns of a loop whose every turn forks.
//@ target: label:twelfth reached
#include <taw.h>

int main(void) {
  int count = 0;
  for (int i = 0; i < 16; i++) {
    if (taw_bool("on")) count++;
    if (count == 12) taw_target("twelfth");
  }
  return 0;
}
