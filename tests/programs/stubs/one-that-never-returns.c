// What is declared to never return ends the program.
//@ flags: --stub die
//@ rests-on: `die`, which is defined nowhere, ends the program
//@ paths: 2 completed, 0 errored
#include <stdio.h>
#include <taw.h>

_Noreturn void die(const char *why);

int main(void) {
  if (taw_bool("bad")) {
    puts("before");
    die("bad");
  }
  return 0;
}
