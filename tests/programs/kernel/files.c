// A file that was written is read back, through every way there is to it.
//@ native: none
//@ output: hello
//@ output: 5 hello 3 lo
//@ output: -2 -17 -39 -20
#include <stdio.h>
#include <string.h>

long taw_syscall(long number, ...);

enum { READ, WRITE, OPEN, CLOSE, LSEEK = 8, MKDIR = 83, RMDIR = 84, UNLINK = 87 };

int main(void) {
  char text[16] = {0};
  taw_syscall(WRITE, 1L, "hello\n", 6L);
  long fd = taw_syscall(OPEN, "a", 0102L, 0644L);
  taw_syscall(WRITE, fd, "hello", 5L);
  taw_syscall(LSEEK, fd, 0L, 0L);
  long n = taw_syscall(READ, fd, text, 16L);
  printf("%ld %s ", n, text);
  taw_syscall(CLOSE, fd);
  long again = taw_syscall(OPEN, "a", 0L);
  taw_syscall(LSEEK, again, 3L, 0L);
  memset(text, 0, sizeof text);
  taw_syscall(READ, again, text, 16L);
  printf("%ld %s\n", again, text);
  long missing = taw_syscall(OPEN, "b", 0L), made = taw_syscall(MKDIR, "d", 0755L);
  long twice = taw_syscall(MKDIR, "d", 0755L);
  taw_syscall(CLOSE, taw_syscall(OPEN, "d/f", 0101L, 0644L));
  long full = taw_syscall(RMDIR, "d"), below = taw_syscall(OPEN, "a/x", 0L);
  printf("%ld %ld %ld %ld\n", missing, twice, full, below);
  return made;
}
