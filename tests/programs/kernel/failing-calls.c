// On request system calls fail, at most as often as asked: each way to fail is a path of its own.
//@ flags: --fail-syscalls=1
//@ native: none
//@ labels: opened no-room no-file short error
#include <errno.h>
#include <fcntl.h>
#include <taw.h>
#include <unistd.h>

int main(void) {
  int fd = open("file", O_CREAT | O_WRONLY, 0644);
  if (fd < 0) {
    taw_target("no-file");
    taw_assert(write(1, "x", 1) == 1);
    return 0;
  }
  taw_target("opened");
  if (write(fd, "text", 4) != 4) {
    taw_target(errno == ENOSPC ? "no-room" : errno == EINTR ? "short" : "error");
    taw_assert(close(fd) == 0);
  }
  return 0;
}
