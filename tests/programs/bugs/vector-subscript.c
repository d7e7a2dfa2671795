// A subscript past the end of a vector is an error, read or written; where it is in bounds the path goes on.
//@ paths: 5 completed, 5 errored
#include <taw.h>

typedef unsigned v4 __attribute__((vector_size(16)));
typedef short v3 __attribute__((ext_vector_type(3)));
typedef double v2 __attribute__((ext_vector_type(2)));

volatile v4 f = {1, 2, 3, 4};

int main(void) {
  unsigned k = taw_u32("k");
  taw_assume(k < 10);
  switch (taw_choose(5)) {
    case 0:
      return f[k] == k + 1; //~ BUG out-of-bounds-read: past the end of the vector
                            //~| WITNESS k >= 4
    case 1:
      f[k] = 9; //~ BUG out-of-bounds-write
                //~| WITNESS k >= 4
      if (f[k] != 9) taw_target("never");
      break;
    case 2: {
      v3 g = {5, 6, 7};
      g[k] = 8; //~ BUG out-of-bounds-write
                //~| WITNESS k >= 3
      return g[0];
    }
    case 3: {
      v2 h = {1, 2};
      return h[k] > 1.5; //~ BUG out-of-bounds-read
                         //~| WITNESS k >= 2
    }
    default: {
      v4 local = f;
      int i = (int)k - 3; /* before the start, too */
      taw_assume(i < 3);
      return (int)local[i]; //~ BUG out-of-bounds-read
                            //~| WITNESS k < 3
    }
  }
  return 0;
}
