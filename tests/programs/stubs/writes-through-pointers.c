// By default it also writes through its pointers: the rest of an array, a thing of the pointer's type, all of an object where the type is not
// known; not through pointers to const, and nothing beside what is pointed at.
//@ flags: --stub *
//@ rests-on: `fill`, which is defined nowhere, returns and writes only what its pointers that are not to const point at
//@ rests-on: `one`, which
//@ rests-on: `look`, which
//@ rests-on: `erase`, which
//@ labels: last member whole heap
#include <stdlib.h>
#include <taw.h>

struct pair { short a; _Bool b; long c; };
void fill(int *from, int count);
void one(long *what);
void look(const int *from, const char *text);
int erase(void *what, const void *other);

int main(void) {
  int array[4] = {1, 2, 3, 4};
  fill(array + 1, 3);
  taw_assert(array[0] == 1);
  if (array[1] == 5 && array[3] == 9) taw_target("last");
  struct pair pair = {1, 1, 2}, other = {1, 0, 2};
  one(&pair.c);
  taw_assert(pair.a == 1 && pair.b == 1);
  if (pair.c == 77) taw_target("member");
  look(array, "text");
  int before = array[2];
  look(array, 0);
  taw_assert(array[2] == before);
  if (erase(&other, array) == 1 && other.a == 300 && other.c == -1) taw_target("whole");
  taw_assert(other.b == 0 || other.b == 1);
  char *heap = calloc(3, 1);
  erase(heap, heap);
  if (heap[2] == 'z') taw_target("heap");
  free(heap);
  erase(0, 0);
  return 0;
}
