// The pattern of figure 3.6 of the Otter dissertation (mkdir, mkfifo, mknod), as a whole program: options are parsed, and of
// several calls of one function only the last can get to the goal.
//
// A strategy that knows the distance enters the first call and stays: its loop forks at every character.
#include <stddef.h>
#include <taw.h>

static char quoted[64];

static void quote(const char *arg, size_t size) {
  size_t length = 0;
  if (arg == NULL) {
    taw_target("goal");
    return;
  }
  for (size_t i = 0; i < size && arg[i]; i++) {
    switch (arg[i]) {
      case '\'':
      case '\\': quoted[length++] = '\\'; break;
      case '\n': quoted[length++] = 'n'; break;
      case '\t': quoted[length++] = 't'; break;
      default: break;
    }
    quoted[length++] = arg[i];
  }
  quoted[length] = 0;
}

int main(void) {
  char text[3][12];
  const char *mode = "none", *context = "none";
  int verbose = 0, files = 0;
  taw_symbolic(text, sizeof text, "text");
  for (int i = 0; i < 3; i++) text[i][11] = 0;
  for (int i = 0; i < 3; i++) {
    const char *word = text[i];
    if (word[0] != '-') {
      files++;
      quote(word, sizeof text[i]);
      continue;
    }
    switch (word[1]) {
      case 'v': verbose++; break;
      case 'm': mode = word + 2; break;
      case 'Z': context = word[2] ? word + 2 : NULL; break;
      default: quote(word, sizeof text[i]); return 1;
    }
  }
  if (files == 0) {
    quote(mode, sizeof text[0] - 2);
    return 1;
  }
  if (verbose > 0) quote(mode, sizeof text[0] - 2);
  if (files == 1 && verbose == 1) quote(context, sizeof text[0] - 2);
  return 0;
}
