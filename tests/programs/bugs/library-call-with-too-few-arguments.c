// Code without prototypes may pass anything: too little, and numbers of another kind, are errors; other widths are not.
//@ flags: --cflag -std=gnu89 --cflag -fno-builtin --cflag -w
//@ native: none
//@ paths: 0 completed, 4 errored
extern char *malloc();
extern int memset(), sqrt(), klee_assume(), taw_i8(), taw_assert(), taw_choose();

int main(void) {
  char *block = malloc(16); /* an int for a size_t */
  switch (taw_choose(4)) {
    case 0:
      memset(block, 0); //~ BUG invalid-function-pointer: memset has 3 parameters, and the call passes 2
      break;
    case 1:
      sqrt(4); //~ BUG invalid-function-pointer: sqrt is called with a whole number
      break;
    case 2:
      klee_assume(1.0); //~ BUG invalid-function-pointer: klee_assume is called with a floating-point number
      break;
    default:
      memset(block, 1, 16, 5);
      taw_assert(block[15] == 1);
      return taw_i8("narrow"); //~ BUG invalid-function-pointer: taw_i8 is called as if it returned something of another type
  }
  return 0;
}
