// A stream may be a file of unknown length that is open for reading, for writing or for both: it ends anywhere, and what is written can be read.
//@ revisions: read update copy whole
//@[read] flags: --entry read_two --max-string 2
//@[read] signature: int read_two(void *in)
//@[read] labels: nothing one two unreadable
//@[update] flags: --entry update --max-string 2
//@[update] signature: int update(void *file)
//@[update] labels: written read-only kept
//@[copy] flags: --entry copy --max-string 1
//@[copy] signature: int copy(void *in, void *out)
//@[copy] labels: copied empty
//@[whole] flags: --entry whole --max-string 2
//@[whole] signature: int whole(void *file)
//@[whole] labels: size0 size1 size2
//@ exhaustive: false
#include <stdio.h>
#include <taw.h>

int read_two(FILE *in) {
  int a, b;
  if (!in) return -1;
  if ((a = fgetc(in)) == EOF) {
    taw_target(ferror(in) ? "unreadable" : "nothing");
    return 0;
  }
  if ((b = fgetc(in)) == EOF) {
    taw_target("one");
    return 1;
  }
  if (a == 'x' && b == 'y') taw_target("two");
  return 2;
}

int update(FILE *file) {
  if (!file) return -1;
  if (fputs("a", file) == EOF || fflush(file) == EOF) {
    taw_target("read-only");
    return 0;
  }
  taw_target("written");
  if (fseek(file, 1, SEEK_SET) == 0 && fgetc(file) == 'k') taw_target("kept");
  return 1;
}

int copy(FILE *in, FILE *out) {
  int c;
  if (!in || !out || in == out) return -1;
  c = getc(in);
  if (c == EOF) taw_target("empty");
  else if (c == 'q' && putc(c, out) == 'q') taw_target("copied");
  return c;
}

int whole(FILE *file) {
  long size;
  if (!file || file == stdin || file == stdout || file == stderr || fseek(file, 0, SEEK_END) != 0) return -1;
  size = ftell(file);
  taw_target(size == 0 ? "size0" : size == 1 ? "size1" : "size2");
  return (int)size;
}
