/* Atomic operations of the C library under test: the compiler's, which the engine executes. */
#define a_cas a_cas
static inline int a_cas(volatile int *p, int expected, int desired) {
  __atomic_compare_exchange_n(p, &expected, desired, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  return expected;
}

#define a_cas_p a_cas_p
static inline void *a_cas_p(volatile void *p, void *expected, void *desired) {
  __atomic_compare_exchange_n((void *volatile *)p, &expected, desired, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  return expected;
}

/* One thread: nothing to wait for. */
#define a_barrier a_barrier
static inline void a_barrier(void) {}

#define a_crash a_crash
static inline void a_crash(void) { __builtin_trap(); }
