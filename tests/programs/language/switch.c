// Sparse, negative and 64-bit cases.
//@ revisions: O0 O2
//@ labels: negative wide default
#include <taw.h>

int main(void) {
  switch (taw_i64("x")) {
    case -1: taw_target("negative"); return 1;
    case 1ll << 40: taw_target("wide"); return 2;
    default: taw_target("default"); return 3;
  }
}
