/* Functions with arguments that a caller may leave out, as plain functions of all their arguments: the engine gives zero for what is
 * missing, where musl would read it all the same (as it may on a real stack). No header is included: they declare `...`. */
#include "syscall_arch.h"
long __syscall_ret(unsigned long result);

/* musl's, under another name. */
int __libc_fcntl(int fd, int command, ...);
int __libc_ioctl(int fd, int request, ...);
int __libc_prctl(int op, ...);

#ifdef __i386__
/* Not there: a path that calls it is not supported. Locks have other structures than musl's, depending on the headers. */
int fcntl_with_a_lock(void);
int fcntl(int fd, int command, unsigned long argument) {
  return command >= 5 && command <= 7 ? fcntl_with_a_lock() : __libc_fcntl(fd, command, argument);
}
#else
int fcntl(int fd, int command, unsigned long argument) { return __libc_fcntl(fd, command, argument); }

/* On 32 bits the program's numbers are not the modelled kernel's. */
long syscall(long n, long a, long b, long c, long d, long e, long f) {
  return __syscall_ret((unsigned long)taw_syscall(n, a, b, c, d, e, f));
}
#endif
int ioctl(int fd, int request, void *argument) { return __libc_ioctl(fd, request, argument); }
int prctl(int op, unsigned long a, unsigned long b, unsigned long c, unsigned long d) {
  return __libc_prctl(op, a, b, c, d);
}
