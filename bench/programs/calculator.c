// Many targets: a calculator of one line, and a label in every corner of it. All can be reached.
#include <taw.h>

enum { LENGTH = 8, DEPTH = 4 };

static char line[LENGTH + 1];
static int at, depth, failed;

static long sum(void);

static long fail(const char *label) {
  (void)label;
  failed = 1;
  return 0;
}

static long number(void) {
  long value = 0;
  int digits = 0;
  while (line[at] >= '0' && line[at] <= '9') {
    value = value * 10 + (line[at++] - '0');
    digits++;
  }
  if (digits == 0) {
    taw_target("no-number");
    return fail("no number");
  }
  if (digits > 3) taw_target("long-number");
  if (value == 4711) taw_target("lucky-number");
  return value;
}

static long factor(void) {
  if (line[at] == '(') {
    at++;
    if (++depth > DEPTH) {
      taw_target("too-deep");
      return fail("too deep");
    }
    long inner = sum();
    if (line[at] != ')') {
      taw_target("not-closed");
      return fail("not closed");
    }
    at++;
    depth--;
    taw_target("parentheses");
    return inner;
  }
  if (line[at] == '-') {
    at++;
    taw_target("negative");
    return -factor();
  }
  if (line[at] == '!') {
    at++;
    long value = factor();
    if (!failed && value == 0) taw_target("not-zero");
    return !value;
  }
  return number();
}

static long product(void) {
  long value = factor();
  for (;;) {
    if (line[at] == '*') {
      at++;
      value *= factor();
      if (!failed && value == 42) taw_target("forty-two");
    } else if (line[at] == '/') {
      at++;
      long by = factor();
      if (failed) return 0;
      if (by == 0) {
        taw_target("by-zero");
        return fail("by zero");
      }
      value /= by;
    } else if (line[at] == '%') {
      at++;
      long by = factor();
      if (failed) return 0;
      if (by == 0) {
        taw_target("modulo-zero");
        return fail("modulo zero");
      }
      if (value % by == 7) taw_target("modulo-seven");
      value %= by;
    } else {
      return value;
    }
    if (failed) return 0;
  }
}

static long sum(void) {
  long value = product();
  while (!failed && (line[at] == '+' || line[at] == '-')) {
    int minus = line[at++] == '-';
    long other = product();
    value = minus ? value - other : value + other;
    if (!failed && minus && value == 0) taw_target("minus-itself");
  }
  return value;
}

int main(void) {
  taw_symbolic(line, LENGTH, "line");
  long value = sum();
  if (failed) return 1;
  if (line[at]) {
    taw_target("rest");
    return 1;
  }
  if (value < -9000) taw_target("very-negative");
  if (value == 77777) taw_target("sevens");
  if (at == LENGTH) taw_target("whole-line");
  return 0;
}
