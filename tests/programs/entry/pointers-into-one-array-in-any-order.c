// Which of two pointers into one array comes first nobody knows, nor how far they are apart: a later one before an earlier is not tried, so nothing behind such a
// comparison is unreachable. Where it cannot show, a run is exhaustive.
//@ revisions: distance moved neighbours overlap equal numbers reads
//@[distance] flags: --entry distance
//@[distance] signature: int distance(void *one, void *other)
//@[distance] target: label:there unknown
//@[moved] flags: --entry moved
//@[moved] signature: int moved(void *one, void *other)
//@[moved] target: label:there unknown
//@[neighbours] flags: --entry neighbours
//@[neighbours] signature: int neighbours(void *one, void *other)
//@[neighbours] target: label:there unknown
//@[overlap] flags: --entry overlap
//@[overlap] signature: int overlap(void *one, void *other)
//@[overlap] target: label:there unknown
//@[equal] flags: --entry equal
//@[equal] signature: int equal(void *one, void *other)
//@[equal] target: label:there reached
//@[numbers] flags: --entry numbers
//@[numbers] signature: int numbers(void *one, void *other)
//@[numbers] target: label:there reached
//@[reads] flags: --entry reads
//@[reads] signature: int reads(void *one, void *other)
//@[reads] target: label:there reached
//@[equal] exhaustive: true
//@[numbers] exhaustive: true
#include <taw.h>

int distance(const unsigned char *end, const unsigned char *p) {
  if (p && end && end - p == 2) taw_target("there");
  return 0;
}

int moved(const int *end, const int *p) {
  if (p && end && p + 1 == end) taw_target("there");
  return 0;
}

struct pair {
  int x, y;
};

int neighbours(struct pair *a, struct pair *b) {
  if (!a || !b) return 0;
  if (b == a + 1) {
    b->x = 5;
    taw_target("there");
  }
  return 0;
}

int overlap(int *q, int *p) {
  if (!q || !p) return 0;
  *q = 5;
  p[1] = 3;
  if (p != q && *q == 3 && p[1] == 3) taw_target("there");
  return 0;
}

int equal(const int *p, const int *q) {
  if (p && p == q) taw_target("there");
  return 0;
}

int numbers(int *p, int *q) {
  if (!p || !q) return 0;
  *p = 1;
  *q = 2;
  if (*p == 2) taw_target("there");
  return *p;
}

int reads(const int *p, const int *q) {
  if (p && q && p[1] == q[0] + 7) taw_target("there");
  return 0;
}
