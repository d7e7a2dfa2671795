// Money is neither made nor lost, unless an amount is negative: the missing check is found.
//@ paths: 2 completed, 1 errored
#include <assert.h>
#include <taw.h>

struct account {
  int balance;
};

static int transfer(struct account *from, struct account *to, int amount) {
  if (amount > from->balance) return 0;
  from->balance -= amount;
  to->balance += amount;
  return 1;
}

int main(void) {
  struct account a = {100}, b = {50};
  int amount = taw_i16("amount");
  int done = transfer(&a, &b, amount);
  assert(b.balance >= 50);  //~ BUG assertion-failure: b.balance >= 50
                            //~| WITNESS amount < 0
  return done;
}
