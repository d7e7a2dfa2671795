//@ flags: --sym-stdin 2 --sym-file f=2 -- f @sym:1
//@ exhaustive: true
/* What is read is written, to both streams; natively it is the same. */
#include <stdio.h>

static void copy(FILE *from, FILE *to) {
  char bytes[4];
  size_t n = fread(bytes, 1, sizeof bytes, from);
  fwrite(bytes, 1, n, to);
}

int main(int argc, char **argv) {
  FILE *f = fopen(argv[1], "r");
  copy(stdin, stdout);
  if (f) copy(f, stderr);
  printf("[%s] of %d\n", argv[2], argc);
  if (argv[2][0] == '!') fprintf(stderr, "done\n");
  return 0;
}
