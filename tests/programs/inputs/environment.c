//@ flags: --env HOME=/home/user --sym-env MODE=2
//@ labels: home on other
/* The environment is what is said, and nothing else. */
#include <taw.h>

static const char *variable(char **env, const char *name) {
  for (; *env; env++) {
    const char *e = *env, *n = name;
    while (*n && *e == *n) e++, n++;
    if (!*n && *e == '=') return e + 1;
  }
  return 0;
}

int main(int argc, char **argv, char **env) {
  const char *mode = variable(env, "MODE"), *home = variable(env, "HOME");
  (void)argc, (void)argv;
  if (home && home[0] == '/' && home[1] == 'h') taw_target("home");
  if (variable(env, "PATH") || !mode) return 1;
  taw_target(mode[0] == 'o' && mode[1] == 'n' ? "on" : "other");
  return 0;
}
