// Signals that were blocked are all delivered when they are unblocked; each interrupts the handler of the one before it.
//@ revisions: O0 m32
//@ paths: 1 completed, 0 errored
//@ output: handler 12
//@ output: handler 10
//@ output: two
//@ output: handler 10
//@ output: handler 12
//@ output: four
#include <signal.h>
#include <stdio.h>

static int count;

static void handle(int signal) {
  count++;
  printf("handler %d\n", signal);
}

int main(void) {
  sigset_t both, before;
  struct sigaction action = {.sa_handler = handle};
  sigaction(SIGUSR1, &action, NULL);
  sigaction(SIGUSR2, &action, NULL);
  sigemptyset(&both);
  sigaddset(&both, SIGUSR1);
  sigaddset(&both, SIGUSR2);
  sigprocmask(SIG_BLOCK, &both, &before);
  raise(SIGUSR2);
  raise(SIGUSR1);
  raise(SIGUSR1);
  sigprocmask(SIG_SETMASK, &before, NULL);
  puts(count == 2 ? "two" : "not two");
  /* Where the first blocks the second, they run one after the other. */
  action.sa_mask = both;
  sigaction(SIGUSR1, &action, NULL);
  sigaction(SIGUSR2, &action, NULL);
  sigprocmask(SIG_BLOCK, &both, &before);
  raise(SIGUSR2);
  raise(SIGUSR1);
  sigprocmask(SIG_SETMASK, &before, NULL);
  puts(count == 4 ? "four" : "not four");
  return 0;
}
