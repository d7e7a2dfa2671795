// A call of what must not be called is an error; what has a name of its own is not meant by a pattern.
//@ flags: --stub *=return --stub log_*=never --stub legacy=fail
//@ rests-on: `ask`, which is defined nowhere, returns and changes nothing
//@ rests-on: `log_line` is not called
#include <taw.h>

int ask(void);
int legacy(int);
void log_line(const char *);

int main(void) {
  int x = ask();
  if (x == 3) {
    log_line("three");
    taw_assert(0);
  }
  if (x == 4) return legacy(x); //~ BUG forbidden-call: `legacy` is called, which --stub legacy=fail forbids
  return 0;
}
