// --entry starts at a function whose parameters are symbolic.
//@ flags: --entry classify
//@ signature: int classify(int x, unsigned char kind)
//@ paths: 3 completed, 0 errored
//@ labels: deep
#include <taw.h>

int classify(int x, unsigned char kind) {
  if (x != 1000) return 0;
  if (kind != 200) return 1;
  taw_target("deep");
  return 2;
}
