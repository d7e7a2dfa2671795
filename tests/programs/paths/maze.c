// A maze walked by four moves.
//@ brute-force
#include <taw.h>

static const char maze[4][6] = {"+---+", "| |#|", "|   |", "+---+"};

int main(void) {
  int x = 1, y = 1;
  unsigned char moves = taw_u8("moves");
  for (int i = 0; i < 4; i++) {
    int ox = x, oy = y;
    switch (moves >> (2 * i) & 3) {
      case 0: y--; break;
      case 1: y++; break;
      case 2: x--; break;
      default: x++; break;
    }
    if (maze[y][x] == '#') return 77;
    if (maze[y][x] != ' ') {
      x = ox;
      y = oy;
    }
  }
  return 0;
}
