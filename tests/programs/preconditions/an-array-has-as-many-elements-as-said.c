// --array: exactly as many elements as the number says; null, and an object without elements, only where that is none; nothing below zero.
//@ revisions: O0 O2
//@ flags: --entry sum --array data=len --assume=len<=3
//@ signature: int sum(const int *data, int len)
//@ rests-on: `data` leads to exactly `len` elements where `sum` starts
//@ rests-on: `len<=3` holds where `sum` starts
//@ labels: null empty some
#include <taw.h>

int sum(const int *data, int len) {
  int total = 0;
  taw_assert(len >= 0);
  if (!data) {
    taw_assert(len == 0);
    return taw_target("null"), 0;
  }
  if (len == 0) return taw_target("empty"), 1;
  for (int i = 0; i < len; i++) total += data[i] == 7;
  if (total == 3) taw_target("some");
  return total;
}
