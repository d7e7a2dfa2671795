//@ flags: --sym-args 1 2 1 --sym-arg 2 -- end
//@ labels: three four
/* How many arguments there are is unknown; what follows them keeps its place behind them. */
#include <taw.h>

int main(int argc, char **argv) {
  if (argc == 4) taw_target("three");
  else if (argc == 5) taw_target("four");
  else return 1;
  const char *last = argv[argc - 1];
  return last[0] != 'e' || last[1] != 'n' || last[2] != 'd' || last[3] != 0 || argv[argc] != 0;
}
