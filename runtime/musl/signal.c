/* What runs around a signal handler, and jumps out of one. */
#include <setjmp.h>
#include <signal.h>

#include "syscall.h"

/* The kernel starts these with the handler (crates/env/src/syscall/signal.rs). First whatever else is due has its turn, as under Linux
 * where each signal that is delivered interrupts the one before it; at the end the signals are blocked that were, and those that have
 * come in the meantime are due. */
hidden void __restore(void (*handler)(int), int signal) {
  __syscall(SYS_sched_yield);
  handler(signal);
  __syscall(SYS_rt_sigreturn);
}

hidden void __restore_rt(void (*handler)(int, siginfo_t *, void *), int signal, siginfo_t *info, void *context) {
  __syscall(SYS_sched_yield);
  handler(signal, info, context);
  __syscall(SYS_rt_sigreturn);
}

/* Goes to where the buffer was filled (crates/env/src/jump.rs). */
_Noreturn void taw_longjmp(void *buffer, int value);

/* What the buffer holds: the number of the place, whether signals that were blocked are with it, and which. */
struct place {
  unsigned long number, has_mask;
  unsigned mask[2];
};

#undef longjmp
#undef siglongjmp
#undef _longjmp
_Noreturn void siglongjmp(sigjmp_buf buffer, int value) {
  struct place *place = (struct place *)buffer;
  if (place->has_mask) __syscall(SYS_rt_sigprocmask, SIG_SETMASK, place->mask, 0, _NSIG / 8);
  taw_longjmp(buffer, value);
}

_Noreturn void longjmp(jmp_buf buffer, int value) { siglongjmp(buffer, value); }
_Noreturn void _longjmp(jmp_buf buffer, int value) { siglongjmp(buffer, value); }
_Noreturn void __longjmp_chk(jmp_buf buffer, int value) { siglongjmp(buffer, value); }
