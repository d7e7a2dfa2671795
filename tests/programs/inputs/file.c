//@ flags: --sym-file data/in=2 --sym-files 1 1 -- data/in
//@ labels: yes no A
/* Files with unknown content, in folders of their own; what is not there is not there. */
#include <stdio.h>
#include <taw.h>

int main(int argc, char **argv) {
  FILE *in = fopen(argv[argc - 1], "r"), *a = fopen("A", "r");
  if (!in || !a || fopen("B", "r")) return 9;
  taw_target(getc(in) == 'o' && getc(in) == 'k' && getc(in) == EOF ? "yes" : "no");
  if (getc(a) == 'A') taw_target("A");
  fclose(in), fclose(a);
  return 0;
}
