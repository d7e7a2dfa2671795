// A symbolic pointer into a list of globals, followed to its end.
//@ exhaustive: true
#include <string.h>
#include <taw.h>

struct node {
  struct node *next;
  int value;
};
static struct node a = {0, 1}, b = {&a, 2}, c = {&b, 3};

int main(void) {
  struct node *nodes[3] = {&a, &b, &c}, copy;
  unsigned i = taw_u32("i");
  taw_assume(i < 3);
  int sum = 0;
  for (struct node *p = nodes[i]; p; p = p->next) sum += p->value;
  taw_assert(sum == (int)((i + 1) * (i + 2) / 2));
  memcpy(&copy, nodes[i], sizeof copy);
  taw_assert(copy.value == (int)i + 1);
  return 0;
}
