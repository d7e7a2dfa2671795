// Binary search for a symbolic key in a sorted table.
//@ brute-force
#include <taw.h>

static const int table[] = {3, 17, 42, 43, 80, 111, 200};

int main(void) {
  int key = taw_u8("key"), low = 0, high = 7;
  while (low < high) {
    int middle = (low + high) / 2;
    if (table[middle] == key) return middle;
    if (table[middle] < key) low = middle + 1;
    else high = middle;
  }
  return 100;
}
