// Figure 3.1 of the Otter dissertation, written anew: arguments are parsed, then input is read for ever.
//
// The goal needs five arguments 'b': one path of 93 through five turns of the first loop, and none once the second loop has
// begun. Good for strategies that know the distance, bad for those that want to cover the second loop.
#include <taw.h>

static int read_so_far[4];

static void foo(int i) {
  read_so_far[i % 4]++;
}

int main(void) {
  int argc = taw_int("argc");
  char argv[8][1];
  int b[4], n = 0;
  taw_assume(argc >= 0 && argc < 8);
  taw_symbolic(argv, sizeof argv, "argv");
  for (int i = 0; i < argc; i++) {
    if (*argv[i] == 'b') {
      if (n >= 4) taw_target("goal");  // where the dissertation asserts that b[n] is inside
      b[n++ % 4] = 1;
    } else {
      foo(i);
    }
  }
  for (;;) {
    char c = taw_char("input");
    if (c == 'x') read_so_far[0]++;
    if (c == 'y') read_so_far[1] += b[0];
  }
}
