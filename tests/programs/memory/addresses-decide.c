// Where objects lie is not known: what is decided by the order of their addresses, by distances between them, by hashes of addresses and by
// more low bits than their type promises may go the other way natively, so nothing is unreachable, and no test is wrong.
//@ revisions: order integers distance hash alignment truncated result
//@[order] flags: -D CASE=1
//@[integers] flags: -D CASE=2
//@[distance] flags: -D CASE=3
//@[hash] flags: -D CASE=4
//@[alignment] flags: -D CASE=5
//@[truncated] flags: -D CASE=6
//@[result] flags: -D CASE=7
//@ paths: 1 completed, 0 errored
//@ exhaustive: false
//@[result] exhaustive: true
//@ native: none
#include <stdint.h>
#ifndef CASE
#define CASE 1
#endif
#include <stdlib.h>

int main(void) {
  char a[3], b[5];
  char *p = malloc(3), *q = malloc(300);
  a[0] = b[0] = 1;
  switch (CASE) {
    case 1: return a < b;
    case 2: return (uintptr_t)p > (uintptr_t)q;
    case 3: return p - q > 0;
    case 4: return ((uintptr_t)p >> 4) * 31 % 7 == 3;
    case 5: return ((uintptr_t)a & 7) == 0;
    case 6: return (unsigned)(uintptr_t)p < (unsigned)(uintptr_t)q;
    default: return (int)(p - q);
  }
}
