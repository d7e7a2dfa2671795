// Whether a caller passes a number as a pointer, nobody knows: what asks for one is not unreachable.
//@ flags: --entry f
//@ native: none
//@ target: label:failed unknown
//@ target: label:null reached
#include <taw.h>

int f(const int *p) {
  if (p == (const int *)-1) taw_target("failed");
  if (!p) taw_target("null");
  return 0;
}
