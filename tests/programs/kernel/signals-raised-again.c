// A handler that raises its own signal again runs again when it has returned, not inside itself.
//@ revisions: O0 m32
//@ paths: 1 completed, 0 errored
//@ output: begin
//@ output: end
//@ output: begin
//@ output: end
//@ output: begin
//@ output: end
//@ output: after
#include <signal.h>
#include <stdio.h>

static int left = 3;

static void again(int signal) {
  puts("begin");
  if (--left > 0) raise(signal);
  puts("end");
}

int main(void) {
  signal(SIGUSR1, again);
  raise(SIGUSR1);
  puts("after");
  return 0;
}
