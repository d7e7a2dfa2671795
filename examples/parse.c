/* A small parser to practise on: `KEY=VALUE` with a one-letter key, as a function and as a libFuzzer target. */
#include <stddef.h>
#include <stdint.h>

/* Percent of a whole; forgets that the whole may be nothing. */
int percent(int part, unsigned char whole) {
  if (part < 0 || part > whole) return -1;
  return 100 * part / whole;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 2 || data[1] != '=') return 0;
  if (data[0] == 'n') return data[2] == '1'; /* nobody checks that there is a third byte */
  return 0;
}
