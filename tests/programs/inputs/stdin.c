//@ flags: --sym-stdin 3
//@ labels: number other short
/* Standard input has bytes that nobody knows, and ends after them. */
#include <stdio.h>
#include <taw.h>

int main(void) {
  char line[8];
  if (!fgets(line, sizeof line, stdin)) return 9;
  if (line[0] == '4' && line[1] == '2' && line[2] == '\n') taw_target("number");
  else if (line[0] == '\n' && getchar() != EOF) taw_target("short");
  else taw_target("other");
  while (getchar() != EOF) {
  }
  return 0;
}
