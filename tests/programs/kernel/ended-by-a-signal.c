// A signal that nobody handles ends the program: no error, no exit code, and no handler of the end runs.
//@ paths: 5 completed, 0 errored
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <taw.h>

static void never(void) { puts("the end"); }

int main(void) {
  static const int signals[] = {SIGTERM, SIGPIPE, SIGSEGV, SIGUSR1, SIGCHLD};
  atexit(never);
  puts("before"), fflush(stdout);
  raise(signals[taw_choose(5)]);
  return 3; // the last is ignored
}
