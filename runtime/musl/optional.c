/* Functions with arguments that a caller may leave out, as plain functions of all their arguments: the engine gives zero for what is
 * missing, where musl would read it all the same (as it may on a real stack). No header is included: they declare `...`. */
long taw_syscall(long n, long a, long b, long c, long d, long e, long f);
long __syscall_ret(unsigned long result);

/* musl's, under another name. */
int __libc_fcntl(int fd, int command, ...);
int __libc_ioctl(int fd, int request, ...);
int __libc_prctl(int op, ...);

int fcntl(int fd, int command, unsigned long argument) { return __libc_fcntl(fd, command, argument); }
int ioctl(int fd, int request, void *argument) { return __libc_ioctl(fd, request, argument); }
int prctl(int op, unsigned long a, unsigned long b, unsigned long c, unsigned long d) {
  return __libc_prctl(op, a, b, c, d);
}

long syscall(long n, long a, long b, long c, long d, long e, long f) {
  return __syscall_ret((unsigned long)taw_syscall(n, a, b, c, d, e, f));
}
