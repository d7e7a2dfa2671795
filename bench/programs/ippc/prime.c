// The unit prime of the IPPC paper, written anew: divisibility by subtraction and comparison only.
#ifndef LIMIT
#define LIMIT 1000
#endif

static int rem(int n, int d) {
  while (n >= d) n = n - d;
  return n;
}

int prime(int n) {
  if (n < 2 || n > LIMIT) return 0;
  for (int d = 2, dd = 4; dd <= n; dd = dd + d + d + 1, d = d + 1)
    if (rem(n, d) == 0) return 0;
  return 1;
}
