// A target that is not there is refused, with what there is.
//@ exit: 2
//@ error: did you mean `lebal`?
//@ target: label:label reached
#include <taw.h>

int main(void) {
  taw_target("lebal");
  return 0;
}
