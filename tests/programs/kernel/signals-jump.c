// `siglongjmp` blocks again what `sigsetjmp` noted; a jump without a mask leaves the handler's in force.
//@ revisions: O0 m32
//@ paths: 1 completed, 0 errored
//@ output: with a mask: 0
//@ output: without: 1
//@ output: then 12
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>

static sigjmp_buf place;
static void leave(int signal) { siglongjmp(place, signal); }
static void say(int signal) { printf("then %d\n", signal); }

static int blocked(int signal) {
  sigset_t now;
  sigprocmask(SIG_BLOCK, NULL, &now);
  return sigismember(&now, signal);
}

int main(void) {
  signal(SIGUSR1, leave);
  if (sigsetjmp(place, 1) == 0) raise(SIGUSR1);
  printf("with a mask: %d\n", blocked(SIGUSR1));
  if (sigsetjmp(place, 0) == 0) raise(SIGUSR1);
  printf("without: %d\n", blocked(SIGUSR1));

  /* What is due when the mask comes back is delivered before the jump arrives. */
  sigset_t two;
  sigemptyset(&two);
  sigaddset(&two, SIGUSR2);
  signal(SIGUSR2, say);
  if (sigsetjmp(place, 1) == 0) {
    sigprocmask(SIG_BLOCK, &two, NULL);
    raise(SIGUSR2);
    siglongjmp(place, 1);
  }
  return 0;
}
