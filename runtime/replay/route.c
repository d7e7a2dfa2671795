/* Watches a native run pass places in order, and ends it at the last: breakpoints at addresses, and labels.
 *
 *   TAW_REPLAY_ROUTE=FILE    one place per line: STEP ADDRESS (hexadecimal; the program is linked without relocation), or
 *                            STEP label NAME; any place of a step will do
 *   TAW_REPLAY_ARRIVED=FILE  made when the last step is passed; the run then ends with exit code 96
 *
 * Linked beside replay.c, which tells it the labels.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>
#include <fcntl.h>

enum { ARRIVED = 96, UNREADABLE = 99 };

#if defined(__x86_64__) || defined(__i386__)
enum { SIZE = 1, BEYOND = 1 };
static const unsigned char TRAP[SIZE] = {0xcc};
#elif defined(__aarch64__)
enum { SIZE = 4, BEYOND = 0 };
static const unsigned char TRAP[SIZE] = {0x00, 0x00, 0x20, 0xd4};
#else
#error "no breakpoints for this machine"
#endif

struct spot {
  int step;
  uintptr_t address; /* 0 for a label */
  char *label;
  unsigned char original[SIZE];
};

static struct spot *spots;
static size_t count;
static int steps, current;
static char *arrival;
static int asking; /* a condition is being asked: nothing that it passes counts */

static void put(uintptr_t address, const unsigned char *bytes) {
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  void *start = (void *)(address & ~(page - 1));
  if (mprotect(start, page, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) _exit(UNREADABLE);
  memcpy((void *)address, bytes, SIZE);
  __builtin___clear_cache((char *)address, (char *)address + SIZE);
}

static void arm(void) {
  for (size_t i = 0; i < count; i++) {
    struct spot *spot = &spots[i];
    if (spot->step != current || !spot->address) continue;
    memcpy(spot->original, (void *)spot->address, SIZE);
    put(spot->address, TRAP);
  }
}

static void disarm(void) {
  for (size_t i = 0; i < count; i++)
    if (spots[i].step == current && spots[i].address) put(spots[i].address, spots[i].original);
}

static void pass(void) {
  disarm();
  if (++current < steps) {
    arm();
    return;
  }
  int file = arrival ? open(arrival, O_WRONLY | O_CREAT, 0644) : -1;
  if (file >= 0) close(file);
  _exit(ARRIVED);
}

void taw_replay_passed(const char *label) {
  if (asking) return;
  for (size_t i = 0; i < count; i++)
    if (spots[i].step == current && spots[i].label && strcmp(spots[i].label, label) == 0) {
      pass();
      return;
    }
}

/* Conditions of places (file.c:LINE if EXPR), which stand in the program's code. */
static const char *label_of(int number) {
  static char label[32];
  snprintf(label, sizeof label, "taw_place:%d", number);
  return label;
}

int taw_place_ask(int number) {
  if (asking) return 0;
  for (size_t i = 0; i < count; i++)
    if (spots[i].step == current && spots[i].label && strcmp(spots[i].label, label_of(number)) == 0) {
      disarm();
      return asking = 1;
    }
  return 0; /* it is not what is waited for */
}

int taw_place_tell(int number, int holds) {
  asking = 0;
  arm();
  if (holds) taw_replay_passed(label_of(number));
  return 0;
}

static void on_trap(int signal_number, siginfo_t *info, void *context) {
  ucontext_t *here = context;
  (void)info;
#if defined(__x86_64__)
  greg_t *pc = &here->uc_mcontext.gregs[REG_RIP];
#elif defined(__i386__)
  greg_t *pc = &here->uc_mcontext.gregs[REG_EIP];
#else
  unsigned long long *pc = &here->uc_mcontext.pc;
#endif
  uintptr_t at = (uintptr_t)*pc - BEYOND;
  for (size_t i = 0; i < count; i++)
    if (spots[i].step == current && spots[i].address == at) {
      *pc = at;
      pass();
      return;
    }
  signal(signal_number, SIG_DFL); /* the program's own */
}

__attribute__((constructor(102))) static void set_out(void) {
  const char *path = getenv("TAW_REPLAY_ROUTE");
  FILE *file = path ? fopen(path, "r") : NULL;
  char word[64], label[4096];
  int step;
  if (!file) return;
  if (getenv("TAW_REPLAY_ARRIVED")) arrival = strdup(getenv("TAW_REPLAY_ARRIVED"));
  while (fscanf(file, "%d %63s", &step, word) == 2) {
    struct spot spot = {.step = step};
    if (strcmp(word, "label") != 0)
      spot.address = (uintptr_t)strtoull(word, NULL, 16);
    else if (fgetc(file) == ' ' && fgets(label, sizeof label, file))
      spot.label = strndup(label, strcspn(label, "\n"));
    spots = realloc(spots, (count + 1) * sizeof *spots);
    spots[count++] = spot;
    if (steps <= step) steps = step + 1;
  }
  fclose(file);
  unsetenv("TAW_REPLAY_ROUTE");
  unsetenv("TAW_REPLAY_ARRIVED");
  struct sigaction action = {.sa_flags = SA_SIGINFO | SA_NODEFER};
  action.sa_sigaction = on_trap;
  sigaction(SIGTRAP, &action, NULL);
  arm();
}
