//@ flags: --sym-arg 3
//@ native: none
/* A string has an end, and what lies behind it is not the program's. Reading on within the longest string is not seen, and
 * such tests say so (`excuses`): natively there is something else. */
int main(int argc, char **argv) {
  int i = 0;
  if (argc < 2) return 0;
  while (argv[1][i] != 'x') i++; //~ BUG out-of-bounds-read: of an argument
  return 0;
}
