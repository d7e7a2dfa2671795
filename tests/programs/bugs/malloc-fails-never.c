// malloc is modelled as never failing within the limit, so this null check is dead.
//@ paths: 1 completed, 0 errored
//@ labels: went_on
#include <stdlib.h>
#include <taw.h>

int main(void) {
  int *p = malloc(sizeof *p);
  if (!p) taw_target("failed");
  taw_target("went_on");
  free(p);
  return 0;
}
