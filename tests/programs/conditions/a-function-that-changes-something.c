// What a condition calls leaves nothing behind: it is asked, not executed.
//@ revisions: O0 backward
//@[backward] flags: --search CCBSE(RP)
//@ target: a-function-that-changes-something.c:28 if count(x) == 300 unknown
//@ target: a-function-that-changes-something.c:28 if marked(x) unknown
//@ target: a-function-that-changes-something.c:28 if memset(&x, 0, 1) == 0 unknown
//@ target: a-function-that-changes-something.c:28 if x == 3 && quits(x) unknown
//@ target: a-function-that-changes-something.c:28 if mine(p)->a == 300 unknown
//@ target: a-function-that-changes-something.c:28 if local(x) == 6 reached
//@ target: a-function-that-changes-something.c:28 if whole((struct whole){x, {0}}).a == 7 reached
#include <stdlib.h>
#include <string.h>
#include <taw.h>

struct whole { int a, more[9]; };
static int counter;
int count(int x) { return counter += x; }
int marked(int x) { return taw_target("no"), x == 3; }
int quits(int x) { if (x) exit(x); return 1; }
int local(int x) { int own[2] = {x, 1}; own[0] += own[1]; return own[0]; }
struct whole *mine(struct whole *p) { p->a = 1; return p; }
struct whole whole(struct whole whole) { whole.a++; return whole; }

int main(void) {
  unsigned char x = taw_u8("x");
  struct whole *p = &(struct whole){0, {0}};

  return x + counter + p->a;
}
