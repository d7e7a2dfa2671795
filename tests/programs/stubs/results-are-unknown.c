// What is defined nowhere gives back any value of its type, another one at each call, and changes nothing.
//@ revisions: O0 O2 m32
//@ flags: --stub *=return
//@ rests-on: `number`, which is defined nowhere, returns and changes nothing
//@ rests-on: `small`, which is defined nowhere, returns and changes nothing
//@ rests-on: `truth`, which is defined nowhere, returns and changes nothing
//@ rests-on: `real`, which is defined nowhere, returns and changes nothing
//@ rests-on: `act`, which is defined nowhere, returns and changes nothing
//@ labels: differs small truth real
#include <stdbool.h>
#include <taw.h>

int number(void);
signed char small(int);
bool truth(void);
double real(float);
void act(int *);

int main(void) {
  int kept = 7;
  if (number() == 3 && number() == 4) taw_target("differs");
  if (small(1) == -100) taw_target("small");
  if (truth()) taw_target("truth");
  if (real(0.5f) == 2.5) taw_target("real");
  act(&kept);
  taw_assert(kept == 7);
  return 0;
}
