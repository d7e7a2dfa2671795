// Labels as values: an interpreter's dispatch.
//@ revisions: O0 O2
//@ exhaustive: true
//@ labels: add sub end
#include <taw.h>

int main(void) {
  static void *const table[] = {&&add, &&sub, &&end};
  unsigned op = taw_u32("op");
  int acc = 5;
  taw_assume(op < 3);
  goto *table[op];
add:
  acc += 2;
  taw_target("add");
  goto end;
sub:
  acc -= 2;
  taw_target("sub");
end:
  taw_target("end");
  return acc;
}
