// The ends of the ranges are reached.
//@ labels: min8 max8 min64 max64 char int true
#include <limits.h>
#include <taw.h>

int main(void) {
  int8_t a = taw_i8("a");
  if (a == -128) taw_target("min8");
  if (a == 127) taw_target("max8");
  int64_t b = taw_i64("b");
  if (b == INT64_MIN) taw_target("min64");
  if (b == INT64_MAX) taw_target("max64");
  if (taw_char("c") == 'q') taw_target("char");
  if (taw_int("d") == INT_MIN) taw_target("int");
  if (taw_bool("e")) taw_target("true");
  return 0;
}
