// The unit factor of the IPPC paper, written anew: the number of prime factors, divisions by subtraction.
#ifndef LIMIT
#define LIMIT 1000
#endif

static int rem(int n, int d) {
  while (n >= d) n = n - d;
  return n;
}

static int quot(int n, int d) {
  int q = 0;
  for (; n >= d; n = n - d) q = q + 1;
  return q;
}

int factor(int n) {
  int count = 0, last = 0, distinct = 0;
  if (n < 2 || n > LIMIT) return 0;
  for (int d = 2; n > 1;) {
    if (rem(n, d) != 0) {
      d = d + 1;
      continue;
    }
    n = quot(n, d);
    count = count + 1;
    if (d != last) {
      distinct = distinct + 1;
      last = d;
    }
  }
  if (count == 1) return 1;
  return distinct == 4 ? 4 : 2;
}
