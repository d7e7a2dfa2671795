// Of an enumeration the names are passed and nothing else.
//@ flags: --entry lamp_power --build-with lamp_*
//@ signature: int lamp_power(void *l)
//@ exhaustive: any
#include <stdlib.h>

enum colour { RED = 1, GREEN = 5 };
typedef struct {
  enum colour colour;
} lamp;

lamp *lamp_new(enum colour colour) {
  lamp *l = malloc(sizeof *l);
  l->colour = colour;
  return l;
}

int lamp_power(lamp *l) {
  if (!l) return 0;
  if (l->colour == 2) abort(); //~ BUG abort
  //~| API none: of enumerations only their names are passed
  return 10 / (l->colour - 5); //~ BUG division-by-zero
  //~| API lamp *lamp1 = lamp_new(GREEN); lamp_power(lamp1);
}
