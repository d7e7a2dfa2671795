// A block that only a lost block leads to is lost too, and one whose pointer was overwritten.
//@ flags: --check leak
//@ paths: 1 completed, 1 errored
#include <stdlib.h>
#include <taw.h>

static char **table;

int main(void) {
  table = malloc(2 * sizeof *table); //~ BUG leak: 2 blocks
  table[0] = malloc(2 * sizeof *table);
  table[1] = NULL;
  if (taw_bool("forget")) table = NULL;
  return 0;
}
