// A signal that nobody handles ends the program, as the shell tells it: 128 and its number.
//@ native: none
//@ paths: 2 completed, 0 errored
#include <signal.h>
#include <taw.h>

int main(void) {
  if (taw_bool("kill")) raise(SIGTERM);
  return 0;
}
