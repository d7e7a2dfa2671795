// Five paths write, rename, unlink and read back the same names; none sees what another did.
//@ native: none
//@ paths: 5 completed, 0 errored
#include "system.h"
#include <taw.h>

static void put(const char *name, const char *text, long n) {
  long fd = CALL(OPEN, name, 01101, 0644);
  taw_assert(CALL(WRITE, fd, text, n) == n);
  CALL(CLOSE, fd);
}

static void expect(const char *name, const char *text, long n) {
  char read[8];
  long fd = CALL(OPEN, name, 0);
  taw_assert(fd >= 0 && CALL(READ, fd, read, 8) == n && !memcmp(read, text, n));
  CALL(CLOSE, fd);
}

int main(void) {
  static const char digits[] = "01234";
  put("shared", "before", 6);
  unsigned who = taw_choose(5);
  const char *mine = digits;
  if (who == 1) mine = digits + 1;
  if (who == 2) mine = digits + 2;
  if (who == 3) mine = digits + 3;
  if (who == 4) mine = digits + 4;
  expect("shared", "before", 6);
  put("shared", mine, 1);
  taw_assert(CALL(RENAME, "shared", "moved") == 0);
  taw_assert(CALL(OPEN, "shared", 0) == -2);
  expect("moved", mine, 1);
  put("other", mine, 1);
  taw_assert(CALL(UNLINK, "moved") == 0);
  expect("other", mine, 1);
  taw_assert(CALL(OPEN, "moved", 0) == -2);
  return 0;
}
