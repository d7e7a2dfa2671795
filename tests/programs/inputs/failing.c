//@ flags: --fail-syscalls 1
//@ labels: written failed
/* A system call that fails on request; such paths are not repeated natively, and say so. */
#include <taw.h>
#include <unistd.h>

int main(void) {
  taw_target(write(1, "x", 1) == 1 ? "written" : "failed");
  return 0;
}
