// Equality of addresses, order within an object, null and other addresses where nothing lies, and the alignment that a type or malloc
// promises are the same wherever objects lie.
//@ paths: 1 completed, 0 errored
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct node {
  struct node *next;
  long value;
};

int main(void) {
  char text[9] = "abcdefgh", copy[9];
  struct node first = {0, 1}, second = {&first, 2};
  char *block = malloc(20);
  int count = 0;
  for (char *p = text; p < text + 8; p++) count++;
  for (char *p = text + 8; p > text; p--) count++;
  assert(count == 16 && (text + 8) - (text + 2) == 6);
  assert(second.next == &first && &first != &second && (void *)text != (void *)block);
  assert(block != NULL && block > (char *)0 && (uintptr_t)block < (uintptr_t)-4000);
  assert(((uintptr_t)&first & 7) == 0 && ((uintptr_t)block & 15) == 0 && (uintptr_t)block % 8 == 0);
  assert((struct node *)((uintptr_t)&second & ~(uintptr_t)1) == &second);
  memmove(copy, text, 9);
  assert(strcmp(copy, text) == 0 && memchr(text, 'd', 8) == text + 3);
  free(block);
  return 0;
}
