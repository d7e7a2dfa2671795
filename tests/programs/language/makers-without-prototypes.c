// Functions of Taw that the program declares as it likes: a result that is too wide is cut or filled as registers are, and what cannot
// be meant is an error where it is called.
//@ flags: --cflag -std=gnu89 --cflag -w
//@ native: none
//@ paths: 1 completed, 5 errored
extern int taw_int(), taw_u8(), taw_choose(), taw_assert(), taw_target();
extern char taw_i32();
extern double taw_double();
extern int malloc();
extern int taw_float();
extern long taw_u32();

int main(void) {
  switch (taw_choose(6)) {
    case 0:
      return taw_int(); //~ BUG invalid-function-pointer: taw_int has 1 parameter, and the call passes 0
    case 1:
      return taw_u8("byte"); //~ BUG invalid-function-pointer: taw_u8 is called as if it returned something of another type
    case 2:
      return taw_float("real"); //~ BUG invalid-function-pointer: taw_float is called as if it returned something of another type
    case 3:
      taw_target(); //~ BUG invalid-function-pointer: taw_target has 1 parameter, and the call passes 0
      break;
    case 4:
      return taw_int(1.0); //~ BUG invalid-function-pointer: taw_int is called with a floating-point number
    default:
      taw_assert(taw_i32("low", 1, 2) <= 127);
      taw_assert(taw_u32("wide") >> 32 == 0);
      taw_double("real");
      taw_assert(malloc(8) != 0);
  }
  return 0;
}
