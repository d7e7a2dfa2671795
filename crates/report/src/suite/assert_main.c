static const struct {
  const char *name;
  void (*run)(void);
} suite_tests[] = {
@ROWS@};

/* Runs the test that is named, or all: each in a process of its own, so that none sees what another has left. */
int main(int argc, char **argv) {
  unsigned run = 0, failed = 0;
  for (unsigned i = 0; i < sizeof suite_tests / sizeof *suite_tests; i++) {
    if (argc > 1 && strcmp(argv[1], suite_tests[i].name) != 0) continue;
    run++;
    fflush(NULL);
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
      suite_tests[i].run();
      exit(0);
    }
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0) {
      failed++;
      printf("FAILED %s\n", suite_tests[i].name);
    }
  }
  printf("%u of %u tests passed\n", run - failed, run);
  return failed > 0 || run == 0;
}
