// A string without an end is read beyond its object by whatever prints it. The path finds that, not the witness alone.
//@ revisions: O0 m32
//@ paths: 20 completed, 5 errored
//@ native: -fno-builtin
#include <stdio.h>
#include <taw.h>

int main(void) {
  char s[4];
  int how = taw_int("how");
  taw_symbolic(s, sizeof s, "s");
  taw_assume((how >= 0) & (how < 5));
  switch (how) {
    case 0: puts(s); break;                   //~ BUG out-of-bounds-read
    case 1: printf("%s\n", s); break;         //~ BUG out-of-bounds-read
    case 2: fputs(s, stdout); break;          //~ BUG out-of-bounds-read
    case 3: fprintf(stderr, "<%s>\n", s); break; //~ BUG out-of-bounds-read
    case 4: printf("%.8s", s); break;         //~ BUG out-of-bounds-read
  }
  return 0;
}
