//@ flags: -- -n @sym:2 @@at
//@ labels: empty one two dash
//@ exhaustive: true
/* One argument is unknown, in its place between two that are given: every string of up to two bytes. */
#include <taw.h>

static int same(const char *a, const char *b) {
  while (*a && *a == *b) a++, b++;
  return *a == *b;
}

int main(int argc, char **argv) {
  if (argc != 4 || argv[4]) return 1;
  if (!same(argv[1], "-n") || !same(argv[3], "@at")) return 2;
  const char *word = argv[2];
  if (word[0] == 0) taw_target("empty");
  else if (word[1] == 0) taw_target("one");
  else taw_target("two");
  if (word[0] == '-') taw_target("dash");
  return word[0] ? word[1] ? word[2] : 0 : 0;
}
