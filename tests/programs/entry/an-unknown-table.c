// Arrays, structures in structures, bit-fields and text among unknown globals; an index out of a table that is as large as it is.
//@ flags: --entry f --globals unknown
//@ signature: int f(unsigned i)
//@ labels: deep flag text
#include <string.h>
#include <taw.h>

struct {
  struct {
    short x, y[3];
  } inner[2];
  unsigned on : 1, level : 3;
} conf = {.level = 2};
char name[6] = "hello";
long table[4] = {1, 2, 3, 4};

int f(unsigned i) {
  if (conf.inner[1].y[2] == -5) taw_target("deep");
  if (conf.on && conf.level == 6) taw_target("flag");
  if (name[0] == 'w' && name[1] == 'o' && name[5] == 0) taw_target("text");
  return table[i] == 9;  //~ BUG out-of-bounds-read
                         //~| WITNESS i >= 4
}
