/* System calls of the C library under test: all go to the modelled kernel (crates/env/src/syscall). */
#define __SYSCALL_LL_E(x) (x)
#define __SYSCALL_LL_O(x) (x)

long taw_syscall(long n, long a, long b, long c, long d, long e, long f);

static inline long __syscall0(long n) { return taw_syscall(n, 0, 0, 0, 0, 0, 0); }
static inline long __syscall1(long n, long a) { return taw_syscall(n, a, 0, 0, 0, 0, 0); }
static inline long __syscall2(long n, long a, long b) { return taw_syscall(n, a, b, 0, 0, 0, 0); }
static inline long __syscall3(long n, long a, long b, long c) { return taw_syscall(n, a, b, c, 0, 0, 0); }
static inline long __syscall4(long n, long a, long b, long c, long d) { return taw_syscall(n, a, b, c, d, 0, 0); }
static inline long __syscall5(long n, long a, long b, long c, long d, long e) { return taw_syscall(n, a, b, c, d, e, 0); }
static inline long __syscall6(long n, long a, long b, long c, long d, long e, long f) { return taw_syscall(n, a, b, c, d, e, f); }

#define IPC_64 0
