// Devices and other files that are not on a disk.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

static void use(const char *name) {
  char bytes[8] = "unread";
  int fd = open(name, O_RDWR);
  printf("%s %d", name, fd >= 0);
  printf(" %d", (int)write(fd, "x", 1));
  int n = read(fd, bytes, 4);
  printf(" %d %d", n, n == 4 && !memcmp(bytes, "\0\0\0\0", 4));
  struct stat is;
  fstat(fd, &is);
  printf(" %d %lx %d", S_ISCHR(is.st_mode), (long)is.st_rdev, (int)lseek(fd, 3, SEEK_SET));
  struct winsize size;
  int result = ioctl(fd, TIOCGWINSZ, &size);
  printf(" %d %d\n", result, errno == ENOTTY);
  close(fd);
}

int main(void) {
  use("/dev/null"), use("/dev/zero"), use("/dev/full");
  int fd = open("/dev/urandom", O_RDONLY);
  char a[16] = {0}, b[16] = {0};
  printf("%d", (int)read(fd, a, 16));
  printf(" %d %d\n", (int)read(fd, b, 16), memcmp(a, b, 16) != 0);
  struct utsname machine;
  printf("%d %s %s\n", uname(&machine), machine.sysname, machine.machine);
  int again = open("/dev/null", O_WRONLY), copy = dup(again);
  printf("%d %d", flock(again, LOCK_EX), flock(copy, LOCK_EX | LOCK_NB));
  int other = open("/dev/null", O_WRONLY);
  printf(" %d", flock(other, LOCK_EX | LOCK_NB));
  printf(" %d\n", errno == EWOULDBLOCK);
  printf("%d %d", fcntl(other, F_GETFD), fcntl(other, F_SETFD, FD_CLOEXEC));
  printf(" %d %d\n", fcntl(other, F_GETFD), fcntl(other, F_DUPFD, 50));
  return 0;
}
