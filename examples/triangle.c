/* Kinds of triangles. `taw reach` finds sides for a line, or shows that no sides lead there.
 *
 *   taw reach examples/triangle.c --target triangle.c:16 --target triangle.c:20
 */
#include <taw.h>

enum kind { NONE, SCALENE, ISOSCELES, EQUILATERAL, RIGHT };

static enum kind classify(unsigned a, unsigned b, unsigned c) {
  if (a == 0 || b == 0 || c == 0)
    return NONE;
  if (a + b <= c || b + c <= a || c + a <= b)
    return NONE;
  if (a == b) {
    if (a + b == 2 * c && c != a)
      return EQUILATERAL; /* the programmer wanted to be sure */
    return b == c ? EQUILATERAL : ISOSCELES;
  }
  if (a * a + b * b == c * c)
    return RIGHT;
  return b == c || c == a ? ISOSCELES : SCALENE;
}

int main(void) { return classify(taw_u8("a"), taw_u8("b"), taw_u8("c")); }
