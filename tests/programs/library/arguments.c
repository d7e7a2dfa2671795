// argc and argv come from the command line.
//@ flags: -- one two
//@ native: none
//@ output: 3 one two 1
#include <stdio.h>

int main(int argc, char **argv) {
  printf("%d %s %s %d\n", argc, argv[1], argv[2], argv[3] == NULL);
  return 0;
}
