// Time goes on, a little with every call, and as long as a sleep says; files know when they were changed.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

int main(void) {
  struct timespec a, b, nap = {0, 20000000};
  clock_gettime(CLOCK_MONOTONIC, &a);
  nanosleep(&nap, NULL);
  clock_gettime(CLOCK_MONOTONIC, &b);
  long passed = (b.tv_sec - a.tv_sec) * 1000000000 + b.tv_nsec - a.tv_nsec;
  printf("%d", passed >= 20000000);
  struct timeval now;
  gettimeofday(&now, NULL);
  time_t t = time(NULL);
  printf(" %d %d\n", t >= now.tv_sec, t > 1700000000);
  char name[] = "/tmp/taw-clock-XXXXXX";
  int fd = mkstemp(name);
  struct stat first, second;
  fstat(fd, &first);
  nanosleep(&nap, NULL);
  if (write(fd, "x", 1) != 1) return 1;
  fstat(fd, &second);
  printf("%d", second.st_mtim.tv_sec > first.st_mtim.tv_sec || second.st_mtim.tv_nsec > first.st_mtim.tv_nsec);
  printf(" %d\n", (int)second.st_size);
  unlink(name);
  return 0;
}
