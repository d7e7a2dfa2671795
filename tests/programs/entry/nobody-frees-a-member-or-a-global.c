// What a caller passes to be freed is neither a part of something else nor a variable.
//@ flags: --entry drop
//@ signature: int drop(void *s, void *in)
//@ exhaustive: true
#include <stdlib.h>

struct in {
  int a;
};
struct s {
  long n;
  struct in in;
};
static struct in spare;

int drop(struct s *s, struct in *in) {
  if (!s || !in) return 0;
  free(in);
  s->in.a = 1;
  spare.a = 2;
  return s->in.a + spare.a;
}
