// Structures in structures, and in arrays of them.
//@ flags: --entry f
//@ signature: int f(void *out, void *in)
//@ exhaustive: true
//@ labels: one two deep
#include <taw.h>

struct in {
  short a, b;
};
struct middle {
  long n;
  struct in in;
};
struct out {
  struct in two[2];
  struct middle middle;
};

int f(struct out *out, struct in *in) {
  if (!out || !in) return 0;
  out->two[0].a = out->two[1].a = out->middle.in.a = 1;
  in->a = 7;
  if (out->two[0].a == 7) taw_target("one");
  if (out->two[1].a == 7) taw_target("two");
  if (out->middle.in.a == 7) taw_target("deep");
  return 1;
}
