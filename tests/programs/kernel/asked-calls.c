// Calls that ask about the process: which pages are there, its personality, how nice it is.
//@ paths: 1 completed, 0 errored
//@ output: 0 1
//@ output: -1 EINVAL
//@ output: -1 ENOMEM
//@ output: 0 0 8 0
//@ output: 3 3
#include <errno.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <unistd.h>

int main(void) {
  unsigned char there[1];
  char *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  page[0] = 1;
  int result = mincore(page, 4096, there);
  printf("%d %d\n", result, there[0] & 1);
  result = mincore(page + 1, 4096, there);
  printf("%d %s\n", result, errno == EINVAL ? "EINVAL" : "other");
  munmap(page, 4096);
  result = mincore(page, 4096, there);
  printf("%d %s\n", result, errno == ENOMEM ? "ENOMEM" : "other");
  printf("%d ", personality(0xffffffff));
  printf("%d ", personality(8));
  printf("%d ", personality(0));
  printf("%d\n", personality(0xffffffff));
  int before = getpriority(PRIO_PROCESS, 0);
  printf("%d ", nice(3) - before);
  printf("%d\n", getpriority(PRIO_PROCESS, 0) - before);
  return 0;
}
