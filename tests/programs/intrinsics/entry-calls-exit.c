// exit ends the path with its code, wherever it is called.
//@ paths: 2 completed, 0 errored
#include <stdlib.h>
#include <taw.h>

static void finish(int code) { exit(code); }

int main(void) {
  if (taw_bool("b")) finish(17);
  return 3;
}
