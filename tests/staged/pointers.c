// The subjects of the staged paper with pointers instead of pools: a search tree, a sorted list, a heap whose elements lie in an array of their own.
// Valid paths must be those of the pool subjects (crates/testkit/src/staged.rs).
#include <stdlib.h>

void reach(const char *label);

#ifndef MAX_SIZE
#define MAX_SIZE 3
#endif
/* A structure has no more nodes than this; --max-nodes is what bounds it. */
#define MANY 16

struct node {
  int data;
  struct node *left, *right;
};

struct tree {
  struct node *root;
  int size;
};

struct item {
  int data;
  struct item *next;
};

struct list {
  struct item *head;
  int size;
};

struct heap {
  int size;
  int data[MAX_SIZE];
};

/* ------------------------------------------------------------ invariants -- */
struct seen {
  const struct node *nodes[MANY];
  int count;
};

static int visit(const struct node *n, struct seen *seen, const int *lo, const int *hi) {
  if (!n) return 1;
  for (int i = 0; i < seen->count; i++)
    if (seen->nodes[i] == n) return 0; /* shared, or a circle */
  if (seen->count >= MANY) return 0;
  seen->nodes[seen->count++] = n;
  if (lo && !(n->data > *lo)) return 0;
  if (hi && !(n->data < *hi)) return 0;
  return visit(n->left, seen, lo, &n->data) && visit(n->right, seen, &n->data, hi);
}

int tree_ok(const struct tree *t) {
  struct seen seen;
  seen.count = 0;
  return visit(t->root, &seen, 0, 0) && t->size == seen.count;
}

/* Strictly increasing data rules out circles; two pointers to one item would be one. */
int list_ok(const struct list *l) {
  int count = 0;
  for (const struct item *i = l->head; i; i = i->next, count++)
    if (i->next && !(i->data < i->next->data)) return 0;
  return l->size == count;
}

int heap_ok(const struct heap *h) {
  if (h->size < 0 || h->size > MAX_SIZE) return 0;
  for (int i = 1; i < h->size; i++)
    if (h->data[(i - 1) / 2] < h->data[i]) return 0;
  return 1;
}

/* ------------------------------------------------------------- a tree -- */
int add(struct tree *t, int x) {
  struct node **at = &t->root;
  while (*at) at = x < (*at)->data ? &(*at)->left : &(*at)->right;
  struct node *n = malloc(sizeof *n);
  if (!n) return -1;
  n->data = x;
  n->left = n->right = 0;
  *at = n;
  reach("valid");
  return ++t->size;
}

int remove_key(struct tree *t, int x) {
  struct node **at = &t->root;
  while (*at && (*at)->data != x) at = x < (*at)->data ? &(*at)->left : &(*at)->right;
  reach("valid");
  struct node *gone = *at;
  if (!gone) return t->size;
  if (!gone->left) {
    *at = gone->right;
  } else if (!gone->right) {
    *at = gone->left;
  } else {
    struct node **s = &gone->right;
    while ((*s)->left) s = &(*s)->left;
    gone->data = (*s)->data;
    *s = (*s)->right;
  }
  return --t->size;
}

static int same(const struct node *m, const struct node *n) {
  if (!m || !n) return !m && !n;
  return (m->data == n->data) & same(m->left, n->left) & same(m->right, n->right);
}

int is_equal(const struct tree *a, const struct tree *b) {
  reach("valid");
  return same(a->root, b->root);
}

static int pre(const struct node *n, const struct item **at) {
  if (!n) return 1;
  if (n->data != (*at)->data) return 0;
  *at = (*at)->next;
  return pre(n->left, at) && pre(n->right, at);
}

int is_preorder(const struct tree *t, const struct list *l) {
  reach("valid");
  if (t->size != l->size) return 0;
  const struct item *at = l->head;
  return pre(t->root, &at);
}

static int contains(const struct node *n, int x) {
  while (n && n->data != x) n = x < n->data ? n->left : n->right;
  return n != 0;
}

static void add_all(struct tree *t, const struct node *n) {
  if (!n) return;
  if (!contains(t->root, n->data)) add(t, n->data);
  add_all(t, n->left);
  add_all(t, n->right);
}

int tree_union(struct tree *a, const struct tree *b) {
  add_all(a, b->root);
  reach("valid");
  return a->size;
}

int tree_union3(struct tree *a, const struct tree *b, const struct tree *c) {
  tree_union(a, b);
  return tree_union(a, c);
}

/* ------------------------------------------------------------- a list -- */
int list_add(struct list *l, int x) {
  struct item **at = &l->head;
  while (*at && !(x < (*at)->data)) at = &(*at)->next;
  struct item *i = malloc(sizeof *i);
  if (!i) return -1;
  i->data = x;
  i->next = *at;
  *at = i;
  reach("valid");
  return ++l->size;
}

int list_remove(struct list *l, int x) {
  struct item **at = &l->head;
  while (*at && (*at)->data != x) at = &(*at)->next;
  reach("valid");
  if (!*at) return l->size;
  *at = (*at)->next;
  return --l->size;
}

int list_merge(const struct list *a, const struct list *b) {
  const struct item *i = a->head, *j = b->head;
  int out[2 * MANY], n = 0;
  while (i && j) {
    if (i->data <= j->data) {
      out[n++] = i->data;
      i = i->next;
    } else {
      out[n++] = j->data;
      j = j->next;
    }
  }
  for (; i; i = i->next) out[n++] = i->data;
  for (; j; j = j->next) out[n++] = j->data;
  reach("valid");
  return n;
}

int list_equal(const struct list *a, const struct list *b) {
  reach("valid");
  const struct item *i = a->head, *j = b->head;
  for (; i && j; i = i->next, j = j->next)
    if (i->data != j->data) return 0;
  return !i && !j;
}

int is_intersection(const struct list *a, const struct list *b, const struct list *c) {
  reach("valid");
  const struct item *i = a->head, *j = b->head, *k = c->head;
  while (i && j) {
    if (i->data < j->data) {
      i = i->next;
    } else if (i->data > j->data) {
      j = j->next;
    } else {
      if (!k || k->data != i->data) return 0;
      i = i->next;
      j = j->next;
      k = k->next;
    }
  }
  return !k;
}

int list_union(const struct list *a, const struct list *b) {
  const struct item *i = a->head, *j = b->head;
  int n = 0;
  while (i && j) {
    n++;
    int x = i->data, y = j->data;
    if (x < y) {
      i = i->next;
    } else if (y < x) {
      j = j->next;
    } else {
      i = i->next;
      j = j->next;
    }
  }
  for (; i; i = i->next) n++;
  for (; j; j = j->next) n++;
  reach("valid");
  return n;
}

/* ------------------------------------------------------------- a heap -- */
int heap_add(const struct heap *h, int x) {
  int d[MAX_SIZE + 1], n = h->size, at = n;
  for (int i = 0; i < n; i++) d[i] = h->data[i];
  while (at > 0 && d[(at - 1) / 2] < x) {
    d[at] = d[(at - 1) / 2];
    at = (at - 1) / 2;
  }
  d[at] = x;
  reach("valid");
  return n + 1;
}

int heap_remove(const struct heap *h) {
  int d[MAX_SIZE + 1], n = h->size;
  reach("valid");
  if (n == 0) return 0;
  for (int i = 0; i < n; i++) d[i] = h->data[i];
  int x = d[--n], at = 0;
  for (;;) {
    int child = 2 * at + 1;
    if (child >= n) break;
    if (child + 1 < n && d[child] < d[child + 1]) child++;
    if (!(x < d[child])) break;
    d[at] = d[child];
    at = child;
  }
  d[at] = x;
  return n;
}
