// What was printed before a branch is what the test's inputs print: each test is compared with its native run. How long the word is,
// is decided on the path.
//@ paths: 4 completed, 0 errored
#include <stdio.h>
#include <taw.h>

int main(void) {
  int x = taw_int("x");
  char word[3] = {taw_char("a"), 'b', 0};
  printf("%d %s\n", x, word);
  puts(word);
  putchar((unsigned char)(x + 'a'));
  if (x > 5) return 1;
  return 0;
}
