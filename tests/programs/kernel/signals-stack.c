// A stack for handlers: what is wrong is refused, and a handler on it knows.
//@ revisions: O0 m32
//@ paths: 1 completed, 0 errored
//@ output: flags 2
//@ output: small -1 ENOMEM
//@ output: wrong -1 EINVAL
//@ output: good 0
//@ output: in the handler: flags 1, change EPERM
//@ output: after: flags 0
#include <errno.h>
#include <signal.h>
#include <stdio.h>

static char memory[65536];

static const char *name(int number) {
  return number == ENOMEM ? "ENOMEM" : number == EINVAL ? "EINVAL" : number == EPERM ? "EPERM" : "other";
}

static void handle(int signal) {
  stack_t now, other = {.ss_sp = memory, .ss_size = sizeof memory};
  (void)signal;
  sigaltstack(NULL, &now);
  sigaltstack(&other, NULL);
  printf("in the handler: flags %d, change %s\n", now.ss_flags, name(errno));
}

int main(void) {
  stack_t now, stack = {.ss_sp = memory, .ss_size = 100};
  struct sigaction action = {.sa_handler = handle, .sa_flags = SA_ONSTACK};
  sigaltstack(NULL, &now);
  printf("flags %d\n", now.ss_flags);
  int result = sigaltstack(&stack, NULL);
  printf("small %d %s\n", result, name(errno));
  stack.ss_size = sizeof memory;
  stack.ss_flags = 64;
  result = sigaltstack(&stack, NULL);
  printf("wrong %d %s\n", result, name(errno));
  stack.ss_flags = 0;
  printf("good %d\n", sigaltstack(&stack, NULL));
  sigaction(SIGUSR1, &action, NULL);
  raise(SIGUSR1);
  sigaltstack(NULL, &now);
  printf("after: flags %d\n", now.ss_flags);
  return 0;
}
