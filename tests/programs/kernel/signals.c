// A program sends signals to itself: handlers run, blocked ones wait, an alarm ends a wait.
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static volatile int count, last;

static void handler(int signal) { count++, last = signal; }

static void informed(int signal, siginfo_t *info, void *context) {
  (void)context;
  count++, last = info->si_signo == signal && info->si_pid == getpid() ? signal : -1;
}

int main(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  sigaction(SIGUSR1, &action, NULL);
  raise(SIGUSR1);
  printf("%d %d\n", count, last == SIGUSR1);
  sigset_t set, old, pending;
  sigemptyset(&set), sigaddset(&set, SIGUSR1);
  sigprocmask(SIG_BLOCK, &set, &old);
  kill(getpid(), SIGUSR1), kill(getpid(), SIGUSR1);
  sigpending(&pending);
  printf("%d %d\n", count, sigismember(&pending, SIGUSR1));
  sigprocmask(SIG_SETMASK, &old, NULL);
  printf("%d\n", count);
  action.sa_sigaction = informed, action.sa_flags = SA_SIGINFO;
  sigaction(SIGUSR2, &action, NULL);
  kill(getpid(), SIGUSR2);
  printf("%d %d\n", count, last == SIGUSR2);
  signal(SIGALRM, handler);
  alarm(1);
  printf("%d %d\n", pause(), errno == EINTR);
  printf("%d %d\n", count, last == SIGALRM);
  signal(SIGPIPE, SIG_IGN);
  int ends[2];
  if (pipe(ends)) return 1;
  close(ends[0]);
  printf("%d", (int)write(ends[1], "x", 1));
  printf(" %d\n", errno == EPIPE);
  signal(SIGPIPE, handler);
  printf("%d", (int)write(ends[1], "x", 1));
  printf(" %d %d\n", count, last == SIGPIPE);
  sigjmp_buf place;
  if (sigsetjmp(place, 1) == 0) {
    raise(SIGUSR1);
    siglongjmp(place, 1);
  }
  printf("%d %d\n", count, kill(getpid(), 0));
  return 0;
}
