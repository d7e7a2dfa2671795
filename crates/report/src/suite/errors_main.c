static const struct {
  const char *name;
  void (*run)(void);
} suite_tests[] = {
@ROWS@};

/* A signal would be a failure of the test program itself in the eyes of CTest. */
static void suite_failed(int number) {
  _exit(128 + number);
}

/* Runs the test that is named. It does not come back for as long as the error is there. */
int main(int argc, char **argv) {
  signal(SIGABRT, suite_failed);
  for (unsigned i = 0; i < sizeof suite_tests / sizeof *suite_tests; i++) {
    if (argc > 1 && strcmp(argv[1], suite_tests[i].name) != 0) continue;
    suite_tests[i].run();
    printf("%s: the error is not there any more\n", suite_tests[i].name);
  }
  return 0;
}
