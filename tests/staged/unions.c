// Unions of two, three and four structures of the corpus (table 2 of the staged paper), which has them of two. SUBJECT names the file, MAX_SIZE
// the pool, ARGS how many; -DHARNESS makes `main` pass symbolic structures, for runs without stages.
#include SUBJECT
#include <taw.h>

#ifdef LISTS
#define STRUCTURE sorted_list
#define OK list_repOk
static void put(struct big_list *b, int x) {
  int at = 0;
  while (at < b->size && b->data[at] < x) at++;
  if (at < b->size && b->data[at] == x) return;
  for (int i = b->size; i > at; i--) b->data[i] = b->data[i - 1];
  b->data[at] = x;
  b->size++;
}
static int united(const struct sorted_list **all, int n) {
  struct big_list u = {0, {0}};
  for (int k = 0; k < n; k++)
    for (int i = all[k]->head; i != NIL; i = all[k]->pool[i].next) put(&u, all[k]->pool[i].data);
  return u.size;
}
#else
#define STRUCTURE search_tree
#define OK tree_repOk
static int united(const struct search_tree **all, int n) {
  struct big_tree u;
  load(&u, all[0]);
  for (int k = 1; k < n; k++) add_all(&u, all[k], all[k]->root);
  return u.size;
}
#endif

typedef const struct STRUCTURE *arg;

int union2(arg a, arg b) {
  arg all[] = {a, b};
  for (int i = 0; i < 2; i++)
    if (!OK(all[i])) return -1;
  reach("union_valid");
  return united(all, 2);
}

int union3(arg a, arg b, arg c) {
  arg all[] = {a, b, c};
  for (int i = 0; i < 3; i++)
    if (!OK(all[i])) return -1;
  reach("union_valid");
  return united(all, 3);
}

int union4(arg a, arg b, arg c, arg d) {
  arg all[] = {a, b, c, d};
  for (int i = 0; i < 4; i++)
    if (!OK(all[i])) return -1;
  reach("union_valid");
  return united(all, 4);
}

#ifdef HARNESS
int main(void) {
  static struct STRUCTURE a, b, c, d;
  taw_symbolic(&a, sizeof a, "a");
  taw_symbolic(&b, sizeof b, "b");
#if ARGS > 2
  taw_symbolic(&c, sizeof c, "c");
#endif
#if ARGS > 3
  taw_symbolic(&d, sizeof d, "d");
#endif
  return ARGS == 2 ? union2(&a, &b) : ARGS == 3 ? union3(&a, &b, &c) : union4(&a, &b, &c, &d);
}
#endif
