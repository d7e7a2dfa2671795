// Elements of a flexible member may be pointers, and may begin before the end of their structure.
//@ flags: --entry find --max-array 2 --max-string 2 --alias none
//@ signature: int find(struct words *words, struct tail *tail)
//@ labels: pointer padding both
#include <taw.h>

struct words {
  unsigned short count;
  const int *items[];
};
struct tail {
  long key;
  char kind;
  char text[]; // at 9, the structure has 16 bytes
};

int find(struct words *words, struct tail *tail) {
  int found = 0;
  if (words && words->count == 2 && words->items[1] && *words->items[1] == 7) { //~ BUG out-of-bounds-read
    taw_target("pointer");
    found = 1;
  }
  if (tail && tail->text[6] == 'x') taw_target("padding");
  if (found && tail && tail->text[0] == 'y') {
    taw_target("both");
    tail->text[0] = 'z';
    words->items[0] = 0;
  }
  return found;
}
