// Files in memory: a private mapping is a copy, a shared one goes back to the file; anonymous memory is zero.
#define _GNU_SOURCE 1
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int main(void) {
  char name[] = "/tmp/taw-mapping-XXXXXX", text[8] = {0};
  int fd = mkstemp(name);
  if (write(fd, "content", 7) != 7) return 1;
  char *own = mmap(NULL, 7, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
  char *shared = mmap(NULL, 7, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  own[0] = 'X', shared[1] = 'Y';
  pread(fd, text, 7, 0);
  printf("%.7s %.7s %.7s\n", own, shared, text);
  shared[2] = 'Z';
  munmap(shared, 7), munmap(own, 7);
  pread(fd, text, 7, 0);
  printf("%s\n", text);
  char *zero = mmap(NULL, 10000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  int sum = 0;
  for (int i = 0; i < 10000; i += 100) sum += zero[i];
  zero[9999] = 1;
  char *more = mremap(zero, 10000, 50000, 1 /* MREMAP_MAYMOVE */);
  printf("%d %d %d\n", sum, more[9999], more[49999]);
  printf("%d %d\n", munmap(more, 50000), mmap(NULL, 0, PROT_READ, MAP_PRIVATE, fd, 0) == MAP_FAILED);
  unlink(name);
  return 0;
}
