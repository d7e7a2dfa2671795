// The unit gcd of the IPPC paper, written anew: the binary algorithm, halving and parity by subtraction and comparison only.
#ifndef LIMIT
#define LIMIT 1000
#endif

static int is_even(int n) {
  while (n >= 2) n = n - 2;
  return n == 0;
}

static int half(int n) {
  int h = 0;
  for (; n >= 2; n = n - 2) h = h + 1;
  return h;
}

int gcd(int a, int b) {
  int twos = 1, g = 0;
  if (a < 1 || b < 1 || a > LIMIT || b > LIMIT) return 0;
  while (a != b) {
    int even_a = is_even(a), even_b = is_even(b);
    if (even_a && even_b) {
      a = half(a);
      b = half(b);
      twos = twos + twos;
    } else if (even_a)
      a = half(a);
    else if (even_b)
      b = half(b);
    else if (a > b)
      a = a - b;
    else
      b = b - a;
  }
  for (; twos > 0; twos = twos - 1) g = g + a;
  return g;
}
