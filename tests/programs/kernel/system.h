// System calls for the programs of this folder. Natively (`-DNATIVE`) they are the real kernel's, in a folder of their own and
// not as root, so that a program that prints what it sees compares the modelled kernel with the real one.
#define _GNU_SOURCE 1
#include <stdio.h>
#include <string.h>

#ifdef NATIVE
#include <errno.h>
#include <grp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static long call6(long n, long a, long b, long c, long d, long e, long f) {
  long result = syscall(n, a, b, c, d, e, f);
  return result == -1 ? -errno : result;
}
#define taw_syscall(...) call_with(__VA_ARGS__, 0, 0, 0, 0, 0, 0)
#define call_with(n, a, b, c, d, e, f, ...) \
  call6((long)(n), (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))

__attribute__((constructor)) static void settle_down(void) {
  char name[] = "/tmp/taw-kernel-XXXXXX";
  if (getuid() == 0 && (setgroups(0, NULL) || setresgid(1000, 1000, 1000) || setresuid(1000, 1000, 1000))) abort();
  if (!mkdtemp(name) || chdir(name) || chmod(name, 0755)) abort();
}
#else
long taw_syscall(long number, ...);
#endif

#define CALL(...) SIX(__VA_ARGS__, 0, 0, 0, 0, 0, 0)
#define SIX(n, a, b, c, d, e, f, ...) \
  taw_syscall((long)(n), (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))

enum {
  READ, WRITE, OPEN, CLOSE, STAT, FSTAT, LSTAT, POLL, LSEEK, MMAP, MPROTECT, MUNMAP, BRK, SIGACTION, SIGPROCMASK,
  IOCTL = 16, PREAD, PWRITE, READV, WRITEV, ACCESS, PIPE, SELECT, DUP = 32, DUP2, PAUSE, NANOSLEEP, ALARM = 37, GETPID = 39,
  SOCKET = 41, CONNECT, ACCEPT, SENDTO, RECVFROM, SHUTDOWN = 48, BIND, LISTEN, GETSOCKNAME, SOCKETPAIR = 53,
  FORK = 57, EXIT = 60, KILL = 62, FCNTL = 72, TRUNCATE = 76, FTRUNCATE, GETCWD = 79, CHDIR, FCHDIR, RENAME, MKDIR, RMDIR,
  LINK = 86, UNLINK, SYMLINK, READLINK, CHMOD, UMASK = 95, MKNOD = 133, TKILL = 200, GETDENTS = 217, CLOCK_GETTIME = 228,
  EPOLL_WAIT = 232, EPOLL_CTL, OPENAT = 257, MKDIRAT, FSTATAT = 262, UNLINKAT, LINKAT = 265, SYMLINKAT, READLINKAT, FCHMODAT,
  FACCESSAT2 = 439, UTIMENSAT = 280, DUP3 = 292, EPOLL_CREATE1 = 291, RENAMEAT2 = 316
};
