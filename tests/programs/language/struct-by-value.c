// Large structs go by value (byval) and come back (sret); the caller's copy stays.
//@ revisions: O0 O2 m32
//@ paths: 1 completed, 0 errored
#include <taw.h>

struct big {
  int v[12];
};
struct small {
  char c;
  short s;
};
struct floats {
  float x, y;
  double z;
};

static struct big twice(struct big b) {
  for (int i = 0; i < 12; i++) b.v[i] *= 2;
  return b;
}
static struct small flip(struct small s) { return (struct small){(char)-s.c, (short)-s.s}; }
static struct floats move(struct floats f) { return (struct floats){f.y, f.x, f.z + 1}; }

int main(void) {
  struct big b = {{0}};
  b.v[5] = taw_i16("x");
  struct big c = twice(b);
  taw_assert(c.v[5] == 2 * b.v[5]);
  struct small s = flip((struct small){3, 400});
  taw_assert(s.c == -3 && s.s == -400);
  struct floats f = move((struct floats){1, 2, 3});
  taw_assert(f.x == 2 && f.y == 1 && f.z == 4);
  return 0;
}
