// A pointer comes by memcpy, in a union, as an integer, beyond the parameters, byte by byte, at exit or from qsort: each is a way to pass
// one object twice, and none makes `other` the same.
//@ revisions: memcpy union integer variadic bytes qsort atexit
//@[memcpy] flags: --entry f --cflag=-DWAY=by_memcpy
//@[union] flags: --entry f --cflag=-DWAY=by_union
//@[integer] flags: --entry f --cflag=-DWAY=by_integer
//@[variadic] flags: --entry f --cflag=-DWAY=by_arguments
//@[bytes] flags: --entry f --cflag=-DWAY=by_bytes
//@[qsort] flags: --entry f --cflag=-DWAY=by_qsort
//@[atexit] flags: --entry f --cflag=-DWAY=at_exit
//@ target: label:same reached
//@ target: label:other unreachable
//@ rests-on: `f` is called only as the program calls it
//@ native: none
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <taw.h>

static int f(int *p, int *q, int *other) {
  if (p && p == q) taw_target("same");
  if (q && q == other) taw_target("other");
  return 0;
}

/* Not a global: those are not tried. */
static int *a, *b;

static int by_memcpy(void) {
  int *from = a, *to;
  memcpy(&to, &from, sizeof to);
  return f(a, to, b);
}

static int by_union(void) {
  union {
    int *pointer;
    uintptr_t number;
  } one, two;
  one.pointer = a;
  two.number = one.number;
  return f(a, two.pointer, b);
}

static uintptr_t kept;
static int by_integer(void) {
  kept = (uintptr_t)a + 4;
  uintptr_t all = (uintptr_t)(a + 1) & -4;
  return f(a + 1, (int *)all, b);
}

static int passed(int count, ...) {
  va_list list;
  va_start(list, count);
  int *p = va_arg(list, int *);
  va_end(list);
  return f(a, p, b);
}
static int by_arguments(void) { return passed(1, a); }

static int by_bytes(void) {
  int *from = a, *to;
  for (unsigned i = 0; i < sizeof from; i++) ((char *)&to)[i] = ((char *)&from)[i];
  return f(a, to, b);
}

static int compare(const void *x, const void *y) { return f((int *)x, (int *)y, b); }
static int by_qsort(void) {
  qsort(a, 4, sizeof *a, compare);
  return 0;
}

static void late(void) { f(a, a, b); }
static int at_exit(void) { return atexit(late); }

int main(void) {
  int array[4], other;
  a = array;
  b = &other;
  return WAY();
}
