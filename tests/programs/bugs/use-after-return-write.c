// The same through a global.
//@ paths: 0 completed, 1 errored
static char *kept;

static void fill(void) {
  char text[8] = "abc";
  kept = text;
}

int main(void) {
  fill();
  kept[0] = 'z';  //~ BUG use-after-return: write of 1 byte in `text`
  return 0;
}
