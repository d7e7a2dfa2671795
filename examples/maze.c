/* A maze. The moves are symbolic: Taw walks every way at once, and its tests are the ways it found.
 *
 * One wall is not as solid as it looks, so there are more ways to the treasure than the maker of the maze thought. Each
 * treasure found is reported as a failed assertion; the test's input `moves` is the way to it.
 *
 *   taw run examples/maze.c
 */
#include <taw.h>

enum { WIDTH = 7, HEIGHT = 5, MOVES = 8 };

static const char maze[HEIGHT][WIDTH + 1] = {
    "#######",
    "# # # #",
    "# # #X#",
    "#     #",
    "#######",
};

int main(void) {
  char moves[MOVES];
  taw_symbolic(moves, sizeof moves, "moves");
  int x = 1, y = 1;
  for (int i = 0; i < MOVES; i++) {
    int nx = x, ny = y;
    switch (moves[i]) {
      case 'w': ny--; break;
      case 's': ny++; break;
      case 'a': nx--; break;
      case 'd': nx++; break;
      default: return 1; /* not a move */
    }
    if (maze[ny][nx] == 'X') taw_assert(!"the treasure");
    /* The mistake: the wall at (2, 2) lets you through. */
    if (maze[ny][nx] == '#' && !(nx == 2 && ny == 2)) return 2;
    x = nx;
    y = ny;
  }
  return 0;
}
