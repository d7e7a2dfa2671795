//@ flags: --sym-arg 1
//@ paths: 3 completed, 0 errored
/* Inputs of the command line and inputs that the program asks for are told apart natively. */
#include <taw.h>

int main(int argc, char **argv) {
  unsigned char x = taw_u8("x");
  if (argc != 2) return 9;
  if (argv[1][0] != 'a') return 0;
  if (x > 7) return 1;
  return 2;
}
