// A branch that only an assignment far before it opens: SDSE stays in the loop that is near, SDSE-need goes back for it.
//@ revisions: default need sdse
//@[need] flags: --search SDSE-need
//@[sdse] flags: --search SDSE --max-instructions 20000
//@[default] target: label:goal reached
//@[need] target: label:goal reached
//@[sdse] target: label:goal unknown
#include <taw.h>

static int verbose;

static void parse(int option) {
  if (option == 42) verbose = 1;
}

int main(void) {
  parse(taw_int("option"));
  while (taw_bool("more"))
    if (verbose) taw_target("goal");
  return 0;
}
