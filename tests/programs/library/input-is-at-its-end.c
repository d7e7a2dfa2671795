// Without a model of standard input every reader answers end of file.
//@ output: -1 1 -1
#include <stdio.h>

int main(void) {
  char line[10];
  int n = 0, a = getchar(), b = fgets(line, 10, stdin) == NULL, c = scanf("%d", &n);
  printf("%d %d %d\n", a, b, c);
  return 0;
}
