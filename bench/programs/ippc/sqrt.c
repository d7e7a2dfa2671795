// The unit sqrt of the IPPC paper, written anew: the floor of a square root, by subtracting odd numbers.
#ifndef LIMIT
#define LIMIT 1000000
#endif

int isqrt(int n) {
  int root = 0, odd = 1;
  if (n < 0) return -1;
  if (n > LIMIT) return -1;
  while (n >= odd) {
    n = n - odd;
    odd = odd + 2;
    root = root + 1;
  }
  if (n == 0) return root;
  return -root;
}
