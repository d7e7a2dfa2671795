/* System calls of the C library under test on 32 bits. The modelled kernel is the same as on 64: its numbers, its structures, words of
 * 64 bits as arguments (what Linux does for x32). Only addresses and the lengths beside them in memory are narrower. */
#define __SYSCALL_LL_E(x) (x)
#define __SYSCALL_LL_O(x) (x)

#define __scc(X) sizeof(1 ? (X) : 0ULL) < 8 ? (unsigned long)(X) : (long long)(X)
typedef long long syscall_arg_t;

long long taw_syscall(long long n, long long a, long long b, long long c, long long d, long long e, long long f);

#define WORD long long
static inline long __syscall0(WORD n) { return taw_syscall(n, 0, 0, 0, 0, 0, 0); }
static inline long __syscall1(WORD n, WORD a) { return taw_syscall(n, a, 0, 0, 0, 0, 0); }
static inline long __syscall2(WORD n, WORD a, WORD b) { return taw_syscall(n, a, b, 0, 0, 0, 0); }
static inline long __syscall3(WORD n, WORD a, WORD b, WORD c) { return taw_syscall(n, a, b, c, 0, 0, 0); }
static inline long __syscall4(WORD n, WORD a, WORD b, WORD c, WORD d) { return taw_syscall(n, a, b, c, d, 0, 0); }
static inline long __syscall5(WORD n, WORD a, WORD b, WORD c, WORD d, WORD e) { return taw_syscall(n, a, b, c, d, e, 0); }
static inline long __syscall6(WORD n, WORD a, WORD b, WORD c, WORD d, WORD e, WORD f) { return taw_syscall(n, a, b, c, d, e, f); }
#undef WORD

#undef SYS_futimesat

#define SYS_clock_gettime64 SYS_clock_gettime
#define SYS_clock_settime64 SYS_clock_settime
#define SYS_clock_adjtime64 SYS_clock_adjtime
#define SYS_clock_getres_time64 SYS_clock_getres
#define SYS_clock_nanosleep_time64 SYS_clock_nanosleep
#define SYS_timer_gettime64 SYS_timer_gettime
#define SYS_timer_settime64 SYS_timer_settime
#define SYS_timerfd_gettime64 SYS_timerfd_gettime
#define SYS_timerfd_settime64 SYS_timerfd_settime
#define SYS_utimensat_time64 SYS_utimensat
#define SYS_pselect6_time64 SYS_pselect6
#define SYS_ppoll_time64 SYS_ppoll
#define SYS_recvmmsg_time64 SYS_recvmmsg
#define SYS_mq_timedsend_time64 SYS_mq_timedsend
#define SYS_mq_timedreceive_time64 SYS_mq_timedreceive
#define SYS_semtimedop_time64 SYS_semtimedop
#define SYS_rt_sigtimedwait_time64 SYS_rt_sigtimedwait
#define SYS_futex_time64 SYS_futex
#define SYS_sched_rr_get_interval_time64 SYS_sched_rr_get_interval
#define SYS_getrusage_time64 SYS_getrusage
#define SYS_wait4_time64 SYS_wait4

#define IPC_64 0
