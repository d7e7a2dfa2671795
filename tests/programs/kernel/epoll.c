// Sets of descriptors: what is ready is reported always, once, or when it changes; a wait has an end.
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/time.h>
#include <unistd.h>

static int set, ends[2];

static void report(const char *what) {
  struct epoll_event found[4];
  int n = epoll_wait(set, found, 4, 0);
  printf("%s %d", what, n);
  for (int i = 0; i < n; i++) printf(" %u:%u", found[i].data.u32, found[i].events);
  printf("\n");
}

static void want(int operation, unsigned events) {
  struct epoll_event event = {.events = events, .data.u32 = 7};
  printf("%d ", epoll_ctl(set, operation, ends[0], &event));
}

int main(void) {
  char byte;
  set = epoll_create1(0);
  if (pipe(ends)) return 1;
  want(EPOLL_CTL_ADD, EPOLLIN), report("empty");
  want(EPOLL_CTL_ADD, EPOLLIN), report("twice");
  if (write(ends[1], "ab", 2) != 2) return 1;
  report("level"), report("again");
  want(EPOLL_CTL_MOD, EPOLLIN | EPOLLET), report("edge"), report("no change");
  if (write(ends[1], "c", 1) != 1) return 1;
  report("more"), report("no change");
  want(EPOLL_CTL_MOD, EPOLLIN | EPOLLONESHOT), report("once"), report("never");
  want(EPOLL_CTL_MOD, EPOLLIN), report("level");
  while (read(ends[0], &byte, 1) == 1 && byte != 'c') {
  }
  report("drained");
  close(ends[1]), report("closed");
  want(EPOLL_CTL_DEL, 0), report("gone");
  struct timeval limit = {0, 1000};
  fd_set readable;
  FD_ZERO(&readable);
  FD_SET(ends[0], &readable);
  printf("%d %d\n", select(ends[0] + 1, &readable, NULL, NULL, &limit), FD_ISSET(ends[0], &readable));
  if (pipe(ends)) return 1;
  FD_ZERO(&readable);
  FD_SET(ends[0], &readable);
  printf("%d %d\n", select(ends[0] + 1, &readable, NULL, NULL, &limit), FD_ISSET(ends[0], &readable));
  return 0;
}
