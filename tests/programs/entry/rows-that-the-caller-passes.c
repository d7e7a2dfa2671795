// Rows of rows: an index that is too large for one row does not lead into another, whatever is where.
//@ flags: --entry f --alias none --max-array 2
//@ signature: int f(int **rows, unsigned i, unsigned j)
//@ exhaustive: any
#include <taw.h>

int f(int **rows, unsigned i, unsigned j) {
  if (!rows || i > 1 || j > 1000) return 0;
  int *row = rows[i]; //~ BUG out-of-bounds-read
  if (!row) return 1;
  int got = row[j];   //~ BUG out-of-bounds-read
  return got == 7;
}
