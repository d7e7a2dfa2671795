static void (*const taw_trial_tests[])(void) = {
@ROWS@};

/* `alone 0 1`: each in a process of its own; `together 1 0`: all in this one, in that order. */
int main(int argc, char **argv) {
  taw_trial_file = open("taw-trial", O_WRONLY | O_CREAT | O_APPEND, 0600);
  for (int i = 2; i < argc; i++) {
    int is_alone = strcmp(argv[1], "alone") == 0;
    pid_t child = is_alone ? fork() : 0;
    if (child == 0) {
      taw_trial_test = atoi(argv[i]);
      taw_trial_tests[taw_trial_test]();
      taw_trial_note(-1);
      if (is_alone) exit(0);
    } else {
      int status;
      waitpid(child, &status, 0);
    }
  }
  return 0;
}
