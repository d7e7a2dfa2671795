// A call that is an error ends the path; natively it may come back, and what is behind it is unreachable but for that.
//@ flags: --stub legacy=fail
//@ target: label:behind unreachable
#include <taw.h>

int legacy(void);

int main(void) {
  if (legacy()) taw_target("behind");
  return 0;
}
