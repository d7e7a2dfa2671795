// Concrete behaviour of <string.h>.
//@ revisions: O0 O2 m32
//@ output: hello, world 12 5 1
//@ output: lo 3 -1 1
//@ output: [a][b][c]
//@ output: xx... 7 d
#include <stdio.h>
#include <string.h>

static int sign(int x) { return (x > 0) - (x < 0); }

int main(void) {
  char a[32] = "hello", *copy = strdup("key=7");
  strcat(a, ", ");
  strncat(a, "world!!", 5);
  printf("%s %d %d %d\n", a, (int)strlen(a), (int)(strchr(a, ',') - a), strstr(a, "wor") == a + 7);
  char *lo = strstr(a, "lo");
  printf("%.2s %d %d %d\n", lo, (int)strspn("aab1", "ab"), sign(strcmp("a", "b")), sign(memcmp("b", "a", 1)));
  char list[] = "a,b;c";
  for (char *t = strtok(list, ",;"); t; t = strtok(0, ",;")) printf("[%s]", t);
  char fill[6];
  memset(fill, '.', 5);
  fill[5] = 0;
  memcpy(fill, "xx", 2);
  printf("\n%s %s %c\n", fill, strpbrk(copy, "=") + 1, *strrchr("abcd", 'd'));
  return 0;
}
