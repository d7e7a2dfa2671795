// System calls that are not modelled are answered as by a kernel without them; the path goes on, and nothing is exhaustive.
//@ paths: 1 completed, 0 errored
//@ exhaustive: false
//@ native: none
//@ output: eventfd ENOSYS
//@ output: timerfd ENOSYS
//@ output: signalfd ENOSYS
//@ output: shmget ENOSYS
//@ output: semget ENOSYS
//@ output: msgget ENOSYS
//@ output: inotify ENOSYS
//@ output: 0
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

static void say(const char *name, int result) {
  printf("%s %s\n", name, result == -1 && errno == ENOSYS ? "ENOSYS" : "something else");
}

int main(void) {
  sigset_t none;
  sigemptyset(&none);
  say("eventfd", eventfd(0, 0));
  say("timerfd", timerfd_create(0, 0));
  say("signalfd", signalfd(-1, &none, 0));
  say("shmget", shmget(IPC_PRIVATE, 4096, 0600));
  say("semget", semget(IPC_PRIVATE, 1, 0600));
  say("msgget", msgget(IPC_PRIVATE, 0600));
  say("inotify", inotify_init());
  unsigned char there[1];
  void *page = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  printf("%d\n", mincore(page, 4096, there));
  return 0;
}
