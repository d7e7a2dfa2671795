// Ten pointers that are only compared are ten conditions, not a thousand states.
//@ flags: --entry count
//@ signature: int count(void *a, void *b, void *c, void *d, void *e, void *f, void *g, void *h, void *i, void *j)
//@ paths: 1 completed, 0 errored
int count(int *a, char *b, long *c, struct never *d, int **e, void *f, short *g, double *h, float *i, unsigned *j) {
  return (a == 0) + (b == 0) + (c == 0) + (d == 0) + (e == 0) + (f == 0) + (g == 0) + (h == 0) + (i == 0) + (j == 0);
}
