/* On 32 bits musl's `off_t` has 64 bits, and that of programs compiled against other headers has 32, unless they ask for more: then
 * they call the names that end in 64. No header is included: they declare other types. Functions whose structures differ (`readdir`,
 * `stat`, `getrlimit`, …) are left out of the library on 32 bits (scripts/musl.sh): a path that calls one is not supported. */
#include "bits/syscall.h"
#include "syscall_arch.h"

typedef long long wide;

long __syscall_ret(unsigned long result);
wide __lseek(int fd, wide offset, int whence);
void *__mmap(void *at, unsigned long n, int protection, int flags, int fd, wide offset);
int __fseeko(void *f, wide offset, int whence);
wide __ftello(void *f);

long lseek(int fd, long offset, int whence) { return (long)__lseek(fd, offset, whence); }

static long call(int number, unsigned long a, unsigned long b, unsigned long c, wide d) {
  return __syscall_ret((unsigned long)taw_syscall(number, a, b, c, d, 0, 0));
}

static int cut(int number, unsigned long file, wide size) {
  return (int)__syscall_ret((unsigned long)taw_syscall(number, file, size, 0, 0, 0, 0));
}

int ftruncate64(int fd, wide size) { return cut(SYS_ftruncate, fd, size); }
int ftruncate(int fd, long size) { return ftruncate64(fd, size); }
int truncate64(const char *path, wide size) { return cut(SYS_truncate, (unsigned long)path, size); }
int truncate(const char *path, long size) { return truncate64(path, size); }
long pread64(int fd, void *to, unsigned long n, wide at) { return call(SYS_pread64, fd, (unsigned long)to, n, at); }
long pread(int fd, void *to, unsigned long n, long at) { return pread64(fd, to, n, at); }
long pwrite64(int fd, const void *from, unsigned long n, wide at) { return call(SYS_pwrite64, fd, (unsigned long)from, n, at); }
long pwrite(int fd, const void *from, unsigned long n, long at) { return pwrite64(fd, from, n, at); }
void *mmap(void *at, unsigned long n, int protection, int flags, int fd, long offset) {
  return __mmap(at, n, protection, flags, fd, offset);
}
int fseeko(void *f, long offset, int whence) { return __fseeko(f, offset, whence); }
long ftello(void *f) { return (long)__ftello(f); }
