// A stream is standard input with unknown bytes, standard output or error; others are not tried.
//@ revisions: read write
//@[read] flags: --entry read_number
//@[read] signature: int read_number(void *in)
//@[read] labels: none number forty-two
//@[write] flags: --entry write_number
//@[write] signature: int write_number(void *out, int n)
//@[write] labels: output other
//@ exhaustive: false
#include <stdio.h>
#include <taw.h>

int read_number(FILE *in) {
  int c, n = 0;
  if (!in) return -1;
  if ((c = fgetc(in)) == EOF || c < '0' || c > '9') {
    taw_target("none");
    return -1;
  }
  for (int i = 0; i < 2 && c >= '0' && c <= '9'; i++, c = fgetc(in)) n = 10 * n + c - '0';
  taw_target(n == 42 ? "forty-two" : "number");
  return n;
}

int write_number(FILE *out, int n) {
  if (!out) return -1;
  taw_target(out == stdout ? "output" : "other");
  return fprintf(out, n > 9 ? "many" : "few");
}
