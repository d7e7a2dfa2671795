// Five paths at once write, rename, unlink and read back files of the same names: none sees another's.
//@ flags: --search BFS
//@ paths: 5 completed, 0 errored
#include <stdio.h>
#include <string.h>
#include <taw.h>
#include <unistd.h>

static void put(const char *name, const char *text) {
  FILE *f = fopen(name, "w");
  taw_assert(f != NULL);
  fputs(text, f);
  fclose(f);
}

static void expect(const char *name, const char *text) {
  char line[32] = "";
  FILE *f = fopen(name, "r");
  taw_assert(f != NULL);
  fgets(line, sizeof line, f);
  fclose(f);
  taw_assert(strcmp(line, text) == 0);
}

int main(void) {
  unsigned which = taw_choose(5);
  char mine[32], own[32];
  /* Each path must be on its own before the files are touched. */
  for (unsigned i = 0; i < 5; i++)
    if (which == i) sprintf(mine, "path %u", i), sprintf(own, "own-%u", i);
  taw_assert(access("shared", F_OK) != 0);
  put("shared", mine);
  put("gone", mine);
  put(own, mine);
  expect("shared", mine);
  taw_assert(rename("shared", "renamed") == 0);
  taw_assert(unlink("gone") == 0);
  taw_assert(access("shared", F_OK) != 0 && access("gone", F_OK) != 0);
  expect("renamed", mine);
  for (unsigned i = 0; i < 5; i++) {
    char other[32];
    sprintf(other, "own-%u", i);
    taw_assert((access(other, F_OK) == 0) == (i == which));
  }
  remove("renamed");
  remove(own);
  return 0;
}
