// A weak declaration that nobody defines is null.
//@ output: absent
#include <stdio.h>

__attribute__((weak)) extern void maybe(void);

int main(void) {
  puts(maybe ? "present" : "absent");
  return 0;
}
