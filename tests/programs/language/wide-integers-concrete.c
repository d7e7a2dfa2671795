// 128-bit multiplication and division.
//@ revisions: O0 O2
//@ output: 340282366920938463426481119284349108225 18446744073709551615 7 -12345678901234567890123
#include <stdio.h>

typedef unsigned __int128 u128;
typedef __int128 i128;

static void print(u128 n, const char *sign, char end) {
  char digits[48];
  int at = 48;
  digits[--at] = 0;
  do {
    digits[--at] = (char)('0' + (int)(n % 10));
    n /= 10;
  } while (n);
  printf("%s%s%c", sign, digits + at, end);
}

int main(void) {
  volatile unsigned long long max = ~0ull;
  u128 square = (u128)max * max;
  print(square, "", ' ');
  print(square / max, "", ' ');
  print((square + 7) % max, "", ' ');
  volatile i128 negative = (i128)-12345678901234567ll * 1000000 - 890123;
  print((u128)(negative / -1), negative < 0 ? "-" : "+", '\n');
  return 0;
}
