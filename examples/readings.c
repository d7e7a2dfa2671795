/* Readings of a meter: made, filled and asked by the functions of a small library. */
#include <stdlib.h>

struct readings {
  int values[8];
  int used;
};

struct readings *readings_new(void) { return calloc(1, sizeof(struct readings)); }

int readings_add(struct readings *r, int value) {
  if (r->used == 8) return -1;
  r->values[r->used++] = value;
  return 0;
}

int readings_mean(const struct readings *r) {
  long long sum = 0;
  for (int i = 0; i < r->used; i++) sum += r->values[i];
  return (int)(sum / r->used);
}
