// Pointers to pointers lead to members that are pointers, and to variables that are: what is behind them changes for both.
//@ flags: --entry f --globals unknown
//@ signature: int f(void *pp, void *s)
//@ labels: member global null
//@ exhaustive: any
#include <taw.h>

struct s {
  int *a;
  long n;
};
static int *shared;

int f(int **pp, struct s *s) {
  if (!pp || !s) return 0;
  *pp = 0;
  if (pp == &s->a) taw_target("member");
  if (pp == &shared) taw_target("global");
  if (s->a == 0) taw_target("null");
  return shared == 0;
}
