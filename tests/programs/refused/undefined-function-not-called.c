// An undefined function that is never called is no problem.
//@ native: none
//@ paths: 1 completed, 0 errored
int missing_function(int);
int main(int argc, char **argv) {
  (void)argv;
  if (argc > 1000) return missing_function(3);
  return 0;
}
