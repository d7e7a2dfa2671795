// A structure comes back in registers or by way of memory; a pointer is null or leads to a new object, and others are in doubt.
//@ flags: --stub *
//@ exhaustive: false
//@ rests-on: `pair`
//@ rests-on: `wide`
//@ rests-on: `node`
//@ rests-on: `name`
//@ rests-on: `opaque`
//@ labels: pair wide none node name opaque
#include <string.h>
#include <taw.h>

struct pair { long a; double b; };
struct wide { int a[5]; char c; };
struct node { int value; struct node *next; };
struct pair pair(void);
struct wide wide(int);
struct node *node(void);
const char *name(void);
struct hidden *opaque(void);

int main(void) {
  struct pair p = pair();
  if (p.a == 5 && p.b == 1.5) return taw_target("pair"), 1;
  struct wide w = wide(1);
  if (w.a[4] == 8 && w.c == 'w') return taw_target("wide"), 2;
  struct node *n = node();
  if (!n) return taw_target("none"), 3;
  if (n->value == 4) taw_target("node");
  const char *text = name();
  if (text && strcmp(text, "ab") == 0) taw_target("name");
  if (opaque()) taw_target("opaque");
  return n->next->value == 0; //~ BUG null-dereference
}
