// A maze walked by 28 symbolic moves: a step into a wall or onto the trail ends the walk, # is the way out.
#include <klee/klee.h>

enum { WIDTH = 11, HEIGHT = 7, MOVES = 28 };

static char maze[HEIGHT][WIDTH + 1] = {
    "+-+---+---+",
    "| |     |#|",
    "| | --+ | |",
    "| |   | | |",
    "| +-- | | |",
    "|     |   |",
    "+-----+---+",
};

int main(void) {
  char moves[MOVES];
  int x = 1, y = 1;
  klee_make_symbolic(moves, sizeof moves, "moves");
  maze[y][x] = 'X';
  for (int i = 0; i < MOVES; i++) {
    switch (moves[i]) {
      case 'w': y--; break;
      case 's': y++; break;
      case 'a': x--; break;
      case 'd': x++; break;
      default: return 2;
    }
    if (maze[y][x] == '#') return 0;
    if (maze[y][x] != ' ') return 1;
    maze[y][x] = 'X';
  }
  return 3;
}
