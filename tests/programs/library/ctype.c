// Classes of characters, through glibc's macros and tables.
//@ revisions: O0 O2
//@ labels: digit letter space other
//@ exhaustive: true
#include <ctype.h>
#include <taw.h>

int main(void) {
  unsigned char c = taw_u8("c");
  if (isdigit(c)) {
    taw_assert(c >= '0' && c <= '9');
    taw_target("digit");
  } else if (isalpha(c)) {
    int lower = tolower(c);
    taw_assert(lower >= 'a' && lower <= 'z');
    taw_target("letter");
  } else if (isspace(c)) {
    taw_target("space");
  } else {
    taw_target("other");
  }
  return 0;
}
