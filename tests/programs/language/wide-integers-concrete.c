// 128-bit multiplication and division.
//@ revisions: O0 O2
//@ output: 340282366920938463426481119284349108225 18446744073709551615 7 -12345678901234567890123
#include <stdio.h>

typedef unsigned __int128 u128;
typedef __int128 i128;

static void print(i128 n, char end) {
  char digits[48];
  int at = 48;
  u128 m = n < 0 ? -(u128)n : (u128)n;
  digits[--at] = 0;
  do {
    digits[--at] = (char)('0' + (int)(m % 10));
    m /= 10;
  } while (m);
  if (n < 0) putchar('-');
  printf("%s%c", digits + at, end);
}

int main(void) {
  volatile unsigned long long max = ~0ull;
  u128 square = (u128)max * max;
  /* Positive when read as signed: print it in two steps. */
  u128 high = square / 10;
  char last = (char)('0' + (int)(square % 10));
  char digits[48];
  int at = 48;
  digits[--at] = 0;
  digits[--at] = last;
  while (high) {
    digits[--at] = (char)('0' + (int)(high % 10));
    high /= 10;
  }
  printf("%s ", digits + at);
  print((i128)(square / max), ' ');
  print((i128)((square + 7) % max), ' ');
  print((i128)1234567890123456789 * -10000 - 123 - 8900000 + 12345678901234567890123 - (i128)0 == 0 ? 0 : -(i128)12345678901234567ull * 1000000 - 890123, '\n');
  return 0;
}
