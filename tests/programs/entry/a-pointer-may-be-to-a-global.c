// A pointer may lead to a global variable of its type, or to an element or member of one; to none with `--alias none`.
//@ revisions: tried none
//@[tried] flags: --entry set --globals unknown
//@[tried] labels: count element member apart
//@[none] flags: --entry set --globals unknown --alias none
//@[none] labels: apart
//@ signature: int set(void *p)
//@ exhaustive: true
#include <taw.h>

int count;
static int table[3] = {1, 2, 3};
static struct {
  char *name;
  int depth;
} conf;
const int fixed = 4;

int set(int *p) {
  if (!p) return 0;
  count = table[0] = table[1] = table[2] = conf.depth = fixed;
  *p = 9;
  if (count == 9) taw_target("count");
  if (table[1] == 9) taw_target("element");
  if (conf.depth == 9) taw_target("member");
  if (count + table[0] + table[1] + table[2] + conf.depth == 20) taw_target("apart");
  return *p;
}
