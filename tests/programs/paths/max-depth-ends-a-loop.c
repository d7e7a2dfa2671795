// A loop that forks for ever ends at the depth limit, and says so.
//@ flags: --max-depth 5 --search DFS
//@ exhaustive: false
#include <taw.h>

int main(void) {
  for (;;)
    if (taw_int("x") == 77) return 1;
}
