// Any four operations on a ring buffer of three keep its invariant.
//@ exhaustive: true
#include <taw.h>

enum { SIZE = 3 };
static struct {
  int items[SIZE], head, count;
} ring;

static int push(int x) {
  if (ring.count == SIZE) return 0;
  ring.items[(ring.head + ring.count++) % SIZE] = x;
  return 1;
}

static int pop(int *x) {
  if (ring.count == 0) return 0;
  *x = ring.items[ring.head];
  ring.head = (ring.head + 1) % SIZE;
  ring.count--;
  return 1;
}

int main(void) {
  int next = 0, expected = 0;
  for (int i = 0; i < 4; i++) {
    if (taw_bool("push")) {
      if (push(next)) next++;
    } else {
      int x;
      if (pop(&x)) {
        taw_assert(x == expected);
        expected++;
      }
    }
    taw_assert(ring.count == next - expected);
  }
  return ring.count;
}
