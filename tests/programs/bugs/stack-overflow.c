// Endless recursion ends as an error, not as the engine's.
//@ paths: 1 completed, 1 errored
#include <taw.h>

static int endless(int n) { return endless(n + 1) + 1; }  //~ BUG stack-overflow: nested calls

int main(void) {
  if (taw_bool("deep")) return endless(0);
  return 0;
}
