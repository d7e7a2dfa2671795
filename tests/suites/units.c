/* Functions as public libraries have them, for `taw test`: what is claimed of their tests is compared with gcov (crates/cli/tests/units.rs). */
#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct ring {
  int items[3];
  unsigned first, count;
};

static unsigned long failures;

static int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

int hex_byte(const char *text, unsigned char *out) {
  int high, low;
  if (!text || !out) return -1;
  high = digit(text[0]);
  if (high < 0) {
    failures++;
    return -2;
  }
  low = digit(text[1]);
  if (low < 0) return -3;
  *out = (unsigned char)(high * 16 + low);
  return 0;
}

bool is_leap(int year) {
  return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

int days_in_month(int year, int month) {
  switch (month) {
    case 2: return is_leap(year) ? 29 : 28;
    case 4:
    case 6:
    case 9:
    case 11: return 30;
    default: return month >= 1 && month <= 12 ? 31 : 0;
  }
}

int ring_push(struct ring *ring, int item) {
  if (!ring) return -1;
  if (ring->count >= 3) return 0;
  ring->items[(ring->first + ring->count) % 3] = item;
  ring->count++;
  return 1;
}

int utf8_length(unsigned char first) {
  if (first < 0x80) return 1;
  if ((first & 0xe0) == 0xc0) return 2;
  if ((first & 0xf0) == 0xe0) return 3;
  return (first & 0xf8) == 0xf0 ? 4 : -1;
}

size_t count_words(const char *text) {
  size_t words = 0;
  bool inside = false;
  if (!text) return 0;
  for (; *text && words < 3; text++) {
    bool blank = *text == ' ';
    if (!blank && !inside) words++;
    inside = !blank;
  }
  return words;
}

double clamp_ratio(double part, double whole) {
  double ratio;
  if (whole == 0.0) return 0.0;
  ratio = part / whole;
  if (ratio < 0.0) return 0.0;
  return ratio > 1.0 ? 1.0 : ratio;
}

int saturating_add(int a, int b) {
  if (b > 0 && a > INT32_MAX - b) return INT32_MAX;
  if (b < 0 && a < INT32_MIN - b) return INT32_MIN;
  return a + b;
}

bool same_point(int ax, int ay, int bx, int by) {
  bool same_x = ax == bx;
  return same_x & (ay == by);
}

void require_positive(int value) {
  if (value <= 0) exit(4);
  failures = (unsigned long)value;
}

char *duplicate(const char *text) {
  size_t length;
  char *copy;
  if (!text) return NULL;
  length = strlen(text) + 1;
  copy = malloc(length);
  if (copy) memcpy(copy, text, length);
  return copy;
}
