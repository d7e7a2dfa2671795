// Behind a `void *` lies a pointer where the program loads one; bytes that were touched as something else are none, and so said.
//@ revisions: list number characters code
//@[list] flags: --entry list --alias none
//@[list] signature: int list(void *p)
//@[list] labels: one two three
//@[list] exhaustive: true
//@[number] flags: --entry number --alias none
//@[number] signature: int number(void *p)
//@[number] labels: one
//@[number] exhaustive: false
//@[characters] flags: --entry characters --alias none --strings any
//@[characters] signature: int characters(void *p)
//@[characters] exhaustive: false
//@[code] flags: --entry code --alias none
//@[code] signature: int code(void *p)
//@[code] labels: null
//@[code] exhaustive: false
#include <string.h>
#include <taw.h>

struct node {
  int key;
  struct node *next;
};

int list(void *p) {
  struct node *node = p;
  int n = 0;
  for (; node && n < 3; node = node->next) { //~[list] BUG out-of-bounds-read: 8 bytes at offset 8
    if (node->key != 7) return 0;            //~[list] BUG out-of-bounds-read: 4 bytes at offset 0
    n++;
  }
  taw_target(n == 1 ? "one" : n == 2 ? "two" : "three");
  return n;
}

int number(void *p) {
  unsigned char *byte = p;
  if (!p) return 0;
  if (byte[0] == 1) {
    taw_target("one");
    return 1;
  }
  return **(char **)p == 'x'; //~[number] BUG out-of-bounds-read
}

int characters(char *p) {
  char *inner;
  if (!p) return 0;
  memcpy(&inner, p, sizeof inner); //~[characters] BUG out-of-bounds-read
  return *inner == 'x';
}

int code(void *p) {
  int (**function)(void) = p;
  if (!p) return 0;
  if (!*function) { //~[code] BUG out-of-bounds-read
    taw_target("null");
    return 0;
  }
  return (*function)();
}
