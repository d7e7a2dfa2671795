// Atomic operations on one thread.
//@ revisions: O0 O2 m32
//@ paths: 1 completed, 0 errored
#include <stdatomic.h>
#include <taw.h>

int main(void) {
  atomic_int n = taw_i16("n");
  int before = atomic_fetch_add(&n, 5);
  taw_assert(atomic_load(&n) == before + 5);
  int expected = before;
  taw_assert(!atomic_compare_exchange_strong(&n, &expected, 0));
  taw_assert(expected == before + 5);
  taw_assert(atomic_compare_exchange_strong(&n, &expected, 77));
  taw_assert(atomic_exchange(&n, 3) == 77);
  atomic_fetch_or(&n, 12);
  atomic_fetch_xor(&n, 1);
  atomic_fetch_and(&n, 6);
  atomic_thread_fence(memory_order_seq_cst);
  taw_assert(n == 6);
  int plain = 6;
  __atomic_fetch_nand(&plain, 3, __ATOMIC_RELAXED);
  taw_assert(plain == ~2);
  atomic_flag flag = ATOMIC_FLAG_INIT;
  taw_assert(!atomic_flag_test_and_set(&flag) && atomic_flag_test_and_set(&flag));
  return 0;
}
