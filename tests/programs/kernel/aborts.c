// `abort` by way of the signal is an error of the program.
#include <signal.h>
#include <taw.h>

int main(void) {
  if (taw_bool("abort")) raise(SIGABRT);  //~ BUG abort: the program aborts
  return 0;
}
