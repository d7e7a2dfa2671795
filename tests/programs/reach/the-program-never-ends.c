// After the target the program asks for more inputs for ever; what is behind the loop stays unknown.
//@ flags: --max-instructions 100000
//@ target: label:early reached
//@ target: label:behind unknown
#include <taw.h>

int main(void) {
  unsigned on = 0;
  if (taw_uint("start") == 4711) taw_target("early");
  for (unsigned i = 0; i < 1000000000; i++)
    if (taw_bool("more")) on++;
  if (on > 900000000) taw_target("behind");
  return 0;
}
