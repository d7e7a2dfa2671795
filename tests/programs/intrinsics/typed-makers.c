// Every typed maker covers exactly its type's range.
//@ revisions: O0 O2 m32
//@ paths: 1 completed, 0 errored
//@ labels: end
#include <limits.h>
#include <stdint.h>
#include <taw.h>

int main(void) {
  taw_assert(taw_i8("i8") >= -128);
  taw_assert(taw_u8("u8") <= 255);
  taw_assert(taw_i16("i16") >= INT16_MIN);
  taw_assert(taw_u16("u16") <= UINT16_MAX);
  taw_assert(taw_i32("i32") >= INT32_MIN);
  taw_assert(taw_u32("u32") <= UINT32_MAX);
  taw_assert(taw_i64("i64") >= INT64_MIN);
  taw_assert(taw_u64("u64") <= UINT64_MAX);
  taw_assert(taw_long("long") >= LONG_MIN);
  taw_assert(taw_ulong("ulong") <= ULONG_MAX);
  taw_assert(taw_size("size") <= SIZE_MAX);
  unsigned b = (unsigned)taw_bool("bool");
  taw_assert(b <= 1);
  taw_target("end");
  return 0;
}
