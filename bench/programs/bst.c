// Insertion of 4 symbolic keys into a binary search tree on the heap; then its order is checked.
#include <klee/klee.h>
#include <stdlib.h>

enum { KEYS = 4 };

struct node {
  int key;
  struct node *left, *right;
};

static struct node *insert(struct node *tree, int key) {
  if (!tree) {
    struct node *n = malloc(sizeof *n);
    n->key = key;
    n->left = n->right = NULL;
    return n;
  }
  if (key < tree->key) tree->left = insert(tree->left, key);
  else if (key > tree->key) tree->right = insert(tree->right, key);
  return tree;
}

static int size(const struct node *tree) { return tree ? 1 + size(tree->left) + size(tree->right) : 0; }

int main(void) {
  int keys[KEYS];
  struct node *tree = NULL;
  klee_make_symbolic(keys, sizeof keys, "keys");
  for (int i = 0; i < KEYS; i++) tree = insert(tree, keys[i]);
  return size(tree);
}
