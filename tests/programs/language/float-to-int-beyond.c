// A float beyond the range of the integer type it is converted to is undefined in C, and a test must do natively what it
// claims: so the result is that of the code clang makes. Every format and width, scalars and vectors, at the edges.
//@ revisions: O0 O2
//@ paths: 1 completed, 0 errored
#include <math.h>
#include <stdio.h>

static const double values[] = {
    -1.0, -0.5, -129.0, -32769.0, -65537.0, -2147483649.0, -4294967297.0, -9223372036854775808.0, -9223372036854777856.0, -1e30,
    -1e300, 127.0, 128.0, 255.0, 256.0, 32768.0, 65535.0, 65536.0, 2147483648.0, 4294967295.0, 4294967301.0, 17179869189.0,
    9223372036854774784.0, 9223372036854775808.0, 18446744073709549568.0, 18446744073709551616.0, 1e30, 1e300, INFINITY,
    -INFINITY, NAN, -NAN,
};
enum { COUNT = sizeof values / sizeof *values };

#define TEST(name, from, to)                                                       \
  static __attribute__((noinline)) to name(from x) { return (to)x; }               \
  static __attribute__((noinline)) void name##_all(void) {                         \
    for (int i = 0; i < COUNT; i++) printf("%llx ", (unsigned long long)name((from)values[i])); \
    puts(#from " to " #to);                                                        \
  }
#define TESTS(name, from)           \
  TEST(name##_i8, from, signed char)  TEST(name##_u8, from, unsigned char)      \
  TEST(name##_i16, from, short)       TEST(name##_u16, from, unsigned short)    \
  TEST(name##_i32, from, int)         TEST(name##_u32, from, unsigned)          \
  TEST(name##_i64, from, long)        TEST(name##_u64, from, unsigned long)     \
  static void name(void) {                                                      \
    name##_i8_all(), name##_u8_all(), name##_i16_all(), name##_u16_all();       \
    name##_i32_all(), name##_u32_all(), name##_i64_all(), name##_u64_all();     \
  }
TESTS(half, _Float16)
TESTS(single, float)
TESTS(twice, double)
TESTS(extended, long double)

/* Quadruple precision is converted by a library. */
TEST(quad_i32, __float128, int)
TEST(quad_u32, __float128, unsigned)
TEST(quad_i64, __float128, long)
TEST(quad_u64, __float128, unsigned long)

#define LANES(name, from, to, n)                                                        \
  typedef from name##_from __attribute__((ext_vector_type(n)));                         \
  typedef to name##_to __attribute__((ext_vector_type(n)));                             \
  static __attribute__((noinline)) name##_to name(name##_from x) {                      \
    return __builtin_convertvector(x, name##_to);                                       \
  }                                                                                     \
  static __attribute__((noinline)) void name##_all(void) {                              \
    for (int i = 0; i < COUNT; i++) {                                                   \
      name##_from x = (from)values[i];                                                  \
      printf("%llx ", (unsigned long long)name(x)[n - 1]);                              \
    }                                                                                   \
    puts(#n " times " #from " to " #to);                                                \
  }
LANES(single2_i32, float, int, 2)
LANES(single4_u32, float, unsigned, 4)
LANES(single8_i64, float, long, 8)
LANES(twice2_i32, double, int, 2)
LANES(twice2_u32, double, unsigned, 2)
LANES(twice4_u64, double, unsigned long, 4)
LANES(twice8_i64, double, long, 8)

int main(void) {
  half(), single(), twice(), extended();
  quad_i32_all(), quad_u32_all(), quad_i64_all(), quad_u64_all();
  single2_i32_all(), single4_u32_all(), single8_i64_all();
  twice2_i32_all(), twice2_u32_all(), twice4_u64_all(), twice8_i64_all();
  return 0;
}
