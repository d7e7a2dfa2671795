// Just past a member or a variable is an address to compare with and to go back from, and nobody passes it to be used.
//@ flags: --entry sum
//@ signature: int sum(void *s, void *end)
//@ exhaustive: any
//@ labels: end empty back
#include <stdlib.h>
#include <taw.h>

struct s {
  int x, y[2];
  char *name;
};

int sum(struct s *s, int *end) {
  if (!s || !end) return 0;
  if (end == s->y + 2) {
    taw_target("end");
    int all = 0;
    for (int *p = s->y; p != end; p++) all += *p;
    s->y[1] = 5;
    if (end[-1] == 5) taw_target("back");
    return all;
  }
  if (end == s->y) taw_target("empty");
  if (*end == 3 && end == (int *)&s->name) abort();
  return *end;
}
