//! Constructs of C, at several levels of optimisation and for several machines: the same output as natively.

mod support;

use support::{same_as_native, source};

fn check(content: &str) {
    check_with(content, &[&[], &["-O2"], &["-O3", "-mavx2"], &["-m32"], &["-m32", "-O2"]]);
}

fn check_with(content: &str, levels: &[&[&str]]) {
    let source = source("test.c", format!("#include <stdio.h>\n#include <stdint.h>\n{content}"));
    for &flags in levels {
        assert!(same_as_native(&source.path, flags), "it takes too long with {flags:?}");
    }
}

#[test]
fn structures_by_value_in_registers_and_in_memory() {
    check(
        r#"
struct pair { long a; double b; };
struct big { int a[9]; char c; };
struct odd { char x, y, z; };
__attribute__((noinline)) struct pair make(long a, double b) { struct pair p = {a * 2, b + 1}; return p; }
__attribute__((noinline)) struct big grow(struct big s) { s.a[3] += 5; s.c++; return s; }
__attribute__((noinline)) struct odd turn(struct odd s) { struct odd t = {s.z, s.x, s.y}; return t; }
__attribute__((noinline)) int sum(struct big s, int i) { s.a[0] = 100; return s.a[i] + s.a[0] + s.c; }
int main(void) {
  struct pair p = make(20, 1.5);
  struct big s = {{1, 2, 3, 4, 5, 6, 7, 8, 9}, 'x'}, t = grow(s);
  struct odd o = turn((struct odd){1, 2, 3});
  printf("%ld %d %d %c %d\n", p.a, (int)(p.b * 10), t.a[3], t.c, s.a[3]);
  printf("%d %d %d %d %d\n", o.x, o.y, o.z, sum(s, 2), s.a[0]);
}"#,
    );
}

#[test]
fn variable_arguments() {
    check(
        r#"
#include <stdarg.h>
__attribute__((noinline)) static long long total(int n, ...) {
  va_list ap, again; va_start(ap, n); va_copy(again, ap);
  long long sum = 0;
  for (int i = 0; i < n; i++) {
    sum += va_arg(ap, int);
    sum += (long long)(va_arg(ap, double) * 4);
    sum += va_arg(ap, long long);
  }
  sum += va_arg(again, int) * 1000;
  va_end(again); va_end(ap);
  return sum;
}
int main(void) { printf("%lld\n", total(3, 1, 2.25, 3LL << 33, 4, 5.5, 6LL, -7, -8.75, -9LL)); }"#,
    );
}

#[test]
fn loops_that_are_vectorised() {
    check(
        r#"
static int a[100]; static short b[100]; static float f[100]; static unsigned char c[100]; static double d[100];
__attribute__((noinline)) static void fill(int n) {
  for (int i = 0; i < n; i++) { a[i] = i * 3 - 50; b[i] = (short)(a[i] * 7); c[i] = (unsigned char)(i * i); }
  for (int i = 0; i < n; i++) { f[i] = a[i] * 0.5f; d[i] = b[i] > 0 ? f[i] + b[i] : -f[i]; }
}
__attribute__((noinline)) static long reduce(int n) {
  long s = 0; int m = 0; unsigned x = 0; short least = 100;
  for (int i = 0; i < n; i++) s += a[i] * (long)b[i];
  for (int i = 0; i < n; i++) m = a[i] > m ? a[i] : m;
  for (int i = 0; i < n; i++) x ^= c[i] + (unsigned)a[i];
  for (int i = 0; i < n; i++) least = b[i] < least ? b[i] : least;
  return s + m + x + least;
}
__attribute__((noinline)) static int select(int n) {
  int count = 0;
  for (int i = 0; i < n; i++) if (a[i] & 4) { a[i] = c[i]; count += b[i] != 0; }
  return count;
}
int main(void) {
  fill(97);
  printf("%ld\n", reduce(97));
  printf("%d\n", select(91));
  long s = 0; for (int i = 0; i < 100; i++) s += a[i] + (long)d[i];
  printf("%ld\n", s);
}"#,
    );
}

#[test]
fn vector_types() {
    check_with(
        r#"
typedef int v4 __attribute__((vector_size(16)));
typedef signed char v16 __attribute__((vector_size(16)));
typedef float f4 __attribute__((vector_size(16)));
typedef long long v2 __attribute__((vector_size(16)));
__attribute__((noinline)) static int pick(v4 v, int i) { return v[i]; }
__attribute__((noinline)) static v4 put(v4 v, int i, int x) { v[i] = x; return v; }
static v4 table = {1, -2, 3, -4};
int main(void) {
  volatile int two = 2;
  v4 a = {1, 2, 3, 4}, b = a * 10 + table;
  v4 less = b < (v4){11, 19, 40, 30};
  v4 s = __builtin_shufflevector(a, b, 6, 1, -1, 4);
  v16 bytes = (v16)b; v2 wide = (v2)b;
  f4 f = __builtin_convertvector(b, f4) / 4.0f;
  v4 back = __builtin_convertvector(f, v4);
  printf("%d %d %d %d\n", pick(b, two), pick(put(b, two, 77), two), less[0], less[1]);
  printf("%d %d %d %d %llx\n", s[0], s[1], s[3], bytes[4], (unsigned long long)wide[1]);
  printf("%d %d %d\n", back[3], (a >> 1)[3], (-b)[0]);
  printf("%d %d\n", __builtin_reduce_add(b), __builtin_reduce_max(b));
}"#,
        &[&[], &["-O1"], &["-O2"]],
    );
}

#[test]
fn wide_and_odd_integers() {
    check_with(
        r#"
typedef unsigned __int128 u128;
__attribute__((noinline)) static u128 mix(u128 a, __int128 b) { return a * 3 + (u128)(b >> 5) - (a << 70); }
__attribute__((noinline)) static int odd(_BitInt(33) x, unsigned _BitInt(7) y) { x = x * 5 - y; y += 100; return (int)(x >> 3) + y; }
static _BitInt(33) g = -5;
int main(void) {
  u128 r = mix(((u128)0x1234567890abcdef << 64) | 77, -1234567);
  printf("%llx %llx\n", (unsigned long long)(r >> 64), (unsigned long long)r);
  printf("%d\n", odd(g, 99));
  g += 1; printf("%d\n", (int)g);
  switch (r >> 3) { case 5: puts("five"); break; case ((u128)1 << 90): puts("big"); break; default: puts("other"); }
}"#,
        &[&[], &["-O0"], &["-O2"]],
    );
}

#[test]
fn builtins_for_bits_and_overflow() {
    check(
        r#"
__attribute__((noinline)) static void show(uint32_t x, int64_t y, int z) {
  int r; long long q; unsigned u;
  printf("%d %d %d %d\n", __builtin_popcount(x), __builtin_clz(x), __builtin_ctzll((unsigned long long)y), __builtin_ffs(z));
  printf("%x %llx %x\n", __builtin_bswap32(x), (unsigned long long)__builtin_bswap64((uint64_t)y), __builtin_bswap16((uint16_t)x));
  printf("%x %x\n", __builtin_bitreverse32(x), __builtin_rotateleft32(x, 13));
  printf("%x %x\n", (x << 7) | (x >> 25), __builtin_rotateright32(x, (unsigned)z & 63));
  printf("%d %d\n", __builtin_add_overflow(z, 2147483000, &r), r);
  printf("%d %lld\n", __builtin_mul_overflow(y, (int64_t)1 << 40, &q), q);
  printf("%d %u\n", __builtin_sub_overflow(x, 0x90000000u, &u), u);
  printf("%d %u\n", __builtin_mul_overflow(x, x, &u), u);
  printf("%d %d\n", __builtin_elementwise_add_sat(z, 2147483000), __builtin_abs(-z));
  printf("%d\n", __builtin_parity(x));
}
int main(void) { show(0x80f01234, 0x0102030405060700, 1000); show(17, -64, 8); }"#,
    );
}

#[test]
fn floats() {
    check_with(
        r#"
#include <math.h>
__attribute__((noinline)) static void show(double x, float y) {
  printf("%lld %d %u\n", (long long)x, (int)y, (unsigned)(x < 0 ? -x : x));
  printf("%d %d %d\n", (int)floor(x), (int)ceil(x), (int)round(x));
  printf("%d %d %d\n", (int)trunc(x), (int)rint(x), (int)lrint(x));
  printf("%d %d %d\n", (int)fmax(x, y), (int)fmin(x, y), (int)copysign(x, y));
  printf("%d %d\n", (int)(1000 * sqrt(fabs(x))), (int)(1000 * sqrtf(fabsf(y))));
  printf("%d %d %d %d\n", x < y, x != y, isnan(x / 0.0 * 0), isinf(x / 0.0));
  printf("%d\n", (int)(1000 * (x * y + x)));
  printf("%d %d\n", signbit(x) != 0, (int)fmod(x, 3.0));
  union { double d; uint64_t u; } p = {.d = (double)y / 3}; printf("%llx\n", (unsigned long long)p.u);
  union { float d; uint32_t u; } q = {.d = (float)x / 3}; printf("%x\n", q.u);
  printf("%d\n", (int)(1000 * __builtin_fma(x, y, 0.5)));
  int e; double m = __builtin_frexp(x, &e); printf("%d %d\n", (int)(m * 4096), e);
}
int main(void) { show(2.5, -1.25f); show(-1234.567, 3.75f); show(1e3, -0.0f); }"#,
        // Without errno these functions are intrinsics; with it they are the library's.
        &[
            &["-fno-math-errno"],
            &["-fno-math-errno", "-O2"],
            &["-fno-math-errno", "-O2", "-frounding-math", "-ffp-exception-behavior=strict"],
            &["-fno-math-errno", "-O3", "-mavx2"],
        ],
    );
}

#[test]
fn control_flow() {
    check(
        r#"
static int interpret(const char *code) {
  static const void *const labels[] = {&&add, &&mul, &&neg, &&stop};
  int acc = 1; const char *pc = code;
  goto *labels[(int)*pc++];
add: acc += 7; goto *labels[(int)*pc++];
mul: acc *= 3; goto *labels[(int)*pc++];
neg: acc = -acc; goto *labels[(int)*pc++];
stop: return acc;
}
static int choose(int x) {
  switch (x) { case -5: return 1; case 0 ... 3: return 2; case 100: x++; case 101: return x; default: break; }
  switch (x & 7) { case 1: return 10; case 2: return 11; case 3: return 12; case 4: return 13; case 5: return 17; }
  return -1;
}
static const char *name(int x) {
  switch (x) { case 0: return "zero"; case 1: return "one"; case 2: return "two"; case 3: return "three"; case 4: return "four"; }
  return "many";
}
static int fib(int n) { int a = 0, b = 1; while (n-- > 0) { int t = a; a = b; b += t; } return a; }
static int swap(int n) { int a = 1, b = 2, c = 3; for (int i = 0; i < n; i++) { int t = a; a = b; b = c; c = t; } return a * 100 + b * 10 + c; }
int main(void) {
  volatile int n = 8;
  printf("%d\n", interpret("\0\1\2\1\0\3"));
  for (int i = -6; i < 8; i++) printf("%d %s ", choose(i), name(i));
  printf("%d %d %d\n", choose(100), fib(n), swap(n));
}"#,
    );
}

#[test]
fn globals_and_constant_expressions() {
    check(
        r#"
struct node { const char *name; struct node *next; int (*f)(int); long offset; char *end; };
static int twice(int x) { return 2 * x; }
static int thrice(int x) { return 3 * x; }
static char buffer[16] = "hello";
static struct node second = {"second", 0, thrice, sizeof(int), buffer + 16};
static struct node nodes[2] = {{"first", &second, twice, -1, &buffer[4]}, {.next = nodes}};
static int matrix[3][4] = {{1, 2}, {[3] = 9}};
static int *const middle = &matrix[1][3];
static double values[] = {1.5, -2.25};
static union { int i; char c[8]; } u = {.c = "ABC"};
static _Bool flags[3] = {1, 0, 1};
int common;
extern int alias __attribute__((alias("real"))); int real = 42;
static int made; __attribute__((constructor)) static void make(void) { made = 7; }
static __thread int own = 11;
extern int missing(void) __attribute__((weak));
int main(void) {
  printf("%s %s %d %d\n", nodes[0].name, nodes[0].next->name, nodes[0].f(21), nodes[0].next->f(5));
  printf("%c %d %d %d\n", *nodes[0].end, nodes[1].next == nodes, (int)(second.end - buffer), *middle);
  printf("%d %x %d %d\n", (int)(values[0] + values[1] * 4), u.i, flags[2], common);
  alias++; own++; printf("%d %d %d %d\n", real, made, own, missing ? missing() : -1);
}"#,
    );
}

#[test]
fn memory_in_all_shapes() {
    check(
        r#"
#include <string.h>
struct bits { unsigned a : 3; int b : 5; unsigned long long c : 37; _Bool d : 1; } __attribute__((packed));
struct packed { char c; int i; short s; } __attribute__((packed));
__attribute__((noinline)) static int vla(int n) { int a[n]; for (int i = 0; i < n; i++) a[i] = i * i; int s = 0; for (int i = 0; i < n; i += 2) s += a[i]; return s; }
int main(void) {
  struct bits b = {5, -3, 0x1234567890ull, 1}; b.c += 3; b.b *= 2;
  struct packed p[2] = {{1, 2, 3}, {4, -5, 6}}; int x; memcpy(&x, (char *)p + 3, 4);
  char text[32]; memset(text, '-', 31); text[31] = 0; memmove(text + 3, "abcdef", 6); memmove(text + 5, text + 3, 6);
  printf("%d %d %llx %d\n", b.a, b.b, (unsigned long long)b.c, b.d);
  printf("%d %d %d %s\n", p[1].i, p[1].s, x, text);
  int s = 0; for (int i = 0; i < 5; i++) s += vla(i + 1); printf("%d\n", s);
  int *q = (int[]){1, 2, 3}; printf("%d %d\n", q[2], (int)strlen(text));
  long l = 1; char *pc = (char *)&l; printf("%d\n", pc[0]);
}"#,
    );
}

#[test]
fn atomics() {
    check(
        r#"
#include <stdatomic.h>
static _Atomic int n = 5; static atomic_llong wide = 1; static _Atomic(char) c = 'a'; static _Atomic float f = 1.5f;
int main(void) {
  int old = atomic_fetch_add(&n, 3), expected = 8; _Bool done = atomic_compare_exchange_strong(&n, &expected, 20);
  int wrong = 1; _Bool failed = atomic_compare_exchange_weak(&n, &wrong, 30);
  n |= 0x40; n ^= 3; c++; f += 2; __c11_atomic_fetch_nand(&n, 0xff, __ATOMIC_SEQ_CST);
  atomic_exchange(&wide, -9); atomic_thread_fence(memory_order_seq_cst);
  printf("%d %d %d %d %d\n", old, done, failed, wrong, n);
  printf("%lld %c %d\n", (long long)wide, c, (int)(f * 2));
  __asm__ volatile("" ::: "memory"); int hidden = 6; __asm__("" : "+r"(hidden)); printf("%d\n", hidden);
}"#,
    );
}
