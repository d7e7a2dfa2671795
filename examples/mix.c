/* The library of lock.c: nothing is known of it but what it returns. */
unsigned mix(unsigned code, unsigned char salt) {
  unsigned h = code * 2654435761u ^ salt * 40503u;
  h ^= h >> 15;
  return h * 2246822519u >> 20;
}
