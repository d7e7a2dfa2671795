// After the target the program asks for more inputs for ever; what is behind the loop stays unknown.
//@ flags: --max-paths 50 --max-time 20s
//@ target: label:early reached
//@ target: label:behind unknown
#include <taw.h>

int main(void) {
  unsigned sum = taw_uint("start");
  if (sum == 4711) taw_target("early");
  while (sum != 42) sum = sum * 3 + taw_u8("more") % 2;
  if (sum * sum == 7) return 1;
  taw_target("behind");
  return 0;
}
