/* Brute force: runs the program on every input and counts distinct paths.
 *
 * A path is a sequence of basic blocks; the program is compiled with -fsanitize-coverage=bb,no-prune,trace-pc-guard and
 * -Dmain=program. Inputs are narrow, so all their values can be tried: an odometer over the choices of one run gives
 * the next. Programs must keep no state between runs.
 */
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int program(void);

enum { MOST = 64, SLOTS = 1 << 20 };
enum { RETURNED = 1, ASSUMED_AWAY, ASSERTION };

static struct {
  uint64_t value, limit;
} choices[MOST];
static unsigned depth, used;
static uint64_t trace;
static jmp_buf end;

static struct set {
  uint64_t slots[SLOTS];
  uint64_t count;
} completed, errored;

static void add(struct set *set, uint64_t key) {
  key |= 1; /* zero means empty */
  for (uint64_t i = key * 0x9e3779b97f4a7c15u >> 44;; i = (i + 1) % SLOTS) {
    if (set->slots[i] == key) return;
    if (set->slots[i]) continue;
    set->slots[i] = key;
    if (++set->count > SLOTS / 2) abort();
    return;
  }
}

static uint64_t choose(uint64_t limit) {
  if (used == MOST) abort();
  if (used == depth) {
    choices[depth].value = 0;
    choices[depth++].limit = limit;
  }
  return choices[used++].value;
}

/* The next combination, or 0 after the last. */
static int advance(void) {
  depth = used;
  while (depth && ++choices[depth - 1].value == choices[depth - 1].limit) depth--;
  return depth != 0;
}

void __sanitizer_cov_trace_pc_guard_init(uint32_t *start, uint32_t *stop) {
  static uint32_t n;
  for (; start < stop; start++) *start = ++n;
}
void __sanitizer_cov_trace_pc_guard(uint32_t *guard) {
  trace = (trace ^ *guard) * 0x100000001b3u;
  trace ^= trace >> 29;
}

uint8_t taw_u8(const char *name) { return (void)name, (uint8_t)choose(256); }
int8_t taw_i8(const char *name) { return (void)name, (int8_t)choose(256); }
uint16_t taw_u16(const char *name) { return (void)name, (uint16_t)choose(65536); }
int16_t taw_i16(const char *name) { return (void)name, (int16_t)choose(65536); }
int taw_bool(const char *name) { return (void)name, (int)choose(2); }
unsigned taw_choose(unsigned n) { return (unsigned)choose(n); }
void taw_symbolic(void *ptr, size_t size, const char *name) {
  (void)name;
  for (size_t i = 0; i < size; i++) ((uint8_t *)ptr)[i] = (uint8_t)choose(256);
}
void taw_target(const char *label) { (void)label; }
void taw_assume(int condition) {
  if (!condition) longjmp(end, ASSUMED_AWAY);
}
void taw_assert(int condition) {
  if (!condition) longjmp(end, ASSERTION);
}

int main(void) {
  int result = dup(1);
  /* What the program prints is of no interest here. */
  if (!freopen("/dev/null", "w", stdout)) abort();
  do {
    used = 0;
    trace = 0xcbf29ce484222325u;
    switch (setjmp(end)) {
      case 0: program(); add(&completed, trace); break;
      case ASSERTION: add(&errored, trace); break;
      default: break;
    }
  } while (advance());
  dprintf(result, "%llu %llu\n", (unsigned long long)completed.count, (unsigned long long)errored.count);
  return 0;
}
