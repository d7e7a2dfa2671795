/* The only thread: its descriptor is a variable of runtime/musl/start.c. */
extern char __taw_thread[];
static inline uintptr_t __get_tp(void) { return (uintptr_t)__taw_thread; }

#define MC_PC gregs[REG_EIP]
