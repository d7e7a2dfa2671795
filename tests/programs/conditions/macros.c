// A statement that a macro writes is asked before the whole of it; macros in a condition are those of the line.
//@ revisions: O0 O2
#include <taw.h>

#define TWICE(statement) do { statement; statement; } while (0)
#define CHECK(c) if (!(c)) return 1
#define EACH(i, n) for (int i = 0; i < (n); i++)
#define MARGIN 7

int main(void) {
  int x = taw_int("x");
  CHECK(x > 3 && x < 100);
  TWICE(x += 2);  //~ REACHED if x == 4
                  //~ UNREACHABLE if x == 3
  CHECK(x != 8);  //~ REACHED if x == MARGIN + 1
                  //~ UNREACHABLE if x == MARGIN
#undef MARGIN
#define MARGIN 8
  EACH(i, 3)
    x++;  //~ REACHED if i == 2 && x == MARGIN + 3
          //~ UNREACHABLE if i == 3
  return x;
}
