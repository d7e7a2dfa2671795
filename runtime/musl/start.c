/* Starts and ends the C library under test. The engine runs constructors before the entry and destructors after the
 * handlers of `atexit`, whatever the entry is; so the library is ready in every function, and its streams are flushed last. */
#include <unistd.h>

#include "libc.h"
#include "pthread_impl.h"
#include "stdio_impl.h"

char **taw_environ(void);
char *taw_program_name(void);
void taw_errno_is(int *at);

volatile int __thread_list_lock;
_Alignas(struct pthread) char __taw_thread[sizeof(struct pthread)];

hidden void __stdio_exit(void);

__attribute__((constructor(1))) static void start(void) {
  pthread_t self = __pthread_self();
  self->self = self;
  self->tid = __syscall(SYS_set_tid_address, &__thread_list_lock);
  self->detach_state = DT_JOINABLE;
  self->locale = &libc.global_locale;
  self->robust_list.head = &self->robust_list.head;
  self->next = self->prev = self;
  libc.page_size = 4096;
  taw_errno_is(&self->errno_val);
  __environ = taw_environ();
  __progname = __progname_full = taw_program_name();
  for (char *p = __progname_full; *p; p++)
    if (*p == '/') __progname = p + 1;
  /* Standard output is no terminal: no line is written before the buffer is full. Known from the start, it saves a path
   * for each symbolic byte that may be a newline. */
  stdout->lbf = -1;
}

__attribute__((destructor(1))) static void finish(void) { __stdio_exit(); }

/* What a path may not use: processes and threads. The kernel says which system call it was. */
int __clone(int (*f)(void *), void *stack, int flags, void *arg, ...) {
  (void)f, (void)stack, (void)arg;
  return __syscall(SYS_clone, flags);
}

pid_t vfork(void) { return __syscall_ret(__syscall(SYS_vfork)); }

/* Set by the real one; nothing here depends on it. */
hidden void __init_libc(char **envp, char *pn) { (void)envp, (void)pn; }
