// A recursive-descent calculator on four symbolic characters: every error in its input is handled, division by zero too.
//@ revisions: O0 O2
//@ exhaustive: true
//@ labels: value syntax zero
#include <setjmp.h>
#include <taw.h>

static const char *at;
static jmp_buf failed;

static int sum(void);

static int factor(void) {
  if (*at == '(') {
    at++;
    int v = sum();
    if (*at++ != ')') longjmp(failed, 1);
    return v;
  }
  if (*at < '0' || *at > '9') longjmp(failed, 1);
  return *at++ - '0';
}

static int product(void) {
  int v = factor();
  while (*at == '*' || *at == '/') {
    char op = *at++;
    int w = factor();
    if (op == '*') v *= w;
    else if (w == 0) longjmp(failed, 2);
    else v /= w;
  }
  return v;
}

static int sum(void) {
  int v = product();
  while (*at == '+' || *at == '-') v = *at++ == '+' ? v + product() : v - product();
  return v;
}

int main(void) {
  char text[4];
  taw_symbolic(text, 3, "text");
  text[3] = 0;
  at = text;
  switch (setjmp(failed)) {
    case 0: {
      int v = sum();
      if (*at) longjmp(failed, 1);
      taw_target("value");
      return v & 127;
    }
    case 1: taw_target("syntax"); return 200;
    default: taw_target("zero"); return 201;
  }
}
