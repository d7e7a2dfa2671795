// The target needs the 40th turn of a loop whose every turn forks.
//@ target: label:fortieth reached
#include <taw.h>

int main(void) {
  int count = 0;
  for (int i = 0; i < 60; i++) {
    if (taw_bool("on")) count++;
    if (count == 40) taw_target("fortieth");
  }
  return 0;
}
