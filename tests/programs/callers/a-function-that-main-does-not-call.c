// What `main` does not lead to is called with whatever its types allow.
//@ flags: --entry f
//@ target: label:same reached
//@ target: label:null reached
//@ native: none
#include <taw.h>

int f(int *p, int *q) {
  if (!p) taw_target("null");
  if (p && p == q) taw_target("same");
  return 0;
}

int main(void) { return 0; }
