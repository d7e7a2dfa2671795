// Random sequences on pipes, sockets and copies of descriptors give the same results as under the real kernel. Nothing waits:
// descriptors are non-blocking. SIGPIPE is ignored.
//@ native: -DNATIVE
//@ paths: 1 completed, 0 errored
#include "system.h"

#ifndef FIRST
#define FIRST 1
#define LAST 60
#endif

enum { LOW = 20, HIGH = 32 };
static unsigned state, seen;
static char memory[256];

static unsigned next(unsigned below) {
  state ^= state << 13, state ^= state >> 17, state ^= state << 5;
  return state % below;
}

static void note(const char *what, long result) {
#ifdef VERBOSE
  printf("  %s %ld\n", what, result);
#endif
  for (; *what; what++) seen = seen * 31 + (unsigned char)*what;
  seen = seen * 1000003 + (unsigned)result;
}

static int fd(void) {
  int n = LOW + next(HIGH - LOW);
#ifdef VERBOSE
  printf(" [%d]", n);
#endif
  return n;
}

/// Moves a fresh descriptor to a number of ours, over whatever was there.
static void keep(long from) {
  if (from < 0) return;
  int to = fd();
  note("dup2", CALL(DUP2, from, to) == to);
  CALL(CLOSE, from);
  CALL(FCNTL, to, 4, 04000);
}

static void address(char *where, unsigned n) {
  memset(where, 0, 8);
  where[0] = 1, where[2] = 'a' + n % 3;
}

static void make(void) {
  int two[2] = {-1, -1};
  switch (next(4)) {
    case 0: note("pipe", CALL(PIPE, two)); break;
    case 1: note("socketpair", CALL(SOCKETPAIR, 1, next(2) ? 1 : 2, 0, two)); break;
    case 2: two[0] = CALL(SOCKET, 1, next(3) ? 1 : 2, 0); break;
    default: two[0] = CALL(OPEN, "/dev/null", 2); break;
  }
  keep(two[0]), keep(two[1]);
}

static void talk(void) {
  char name[8];
  address(name, next(3));
  switch (next(6)) {
    case 0: note("bind", CALL(BIND, fd(), name, 4)); break;
    case 1: note("listen", CALL(LISTEN, fd(), next(3))); break;
    case 2: case 3: note("connect", CALL(CONNECT, fd(), name, 4)); break;
    case 4: {
      long n = CALL(ACCEPT, fd(), 0, 0);
      note("accept", n < 0 ? n : 0);
      keep(n);
      break;
    }
    default: note("unlink", CALL(UNLINK, name + 2));
  }
}

static void wait(void) {
  struct { int fd; short events, found; } polled[3];
  for (int i = 0; i < 3; i++) polled[i].fd = fd(), polled[i].events = next(2) ? 1 : 5, polled[i].found = 0;
  note("poll", CALL(POLL, polled, 3, 0));
  for (int i = 0; i < 3; i++) note("found", polled[i].found & 0x3f);
}

static void step(void) {
  long n;
  switch (next(16)) {
    case 0: case 1: make(); break;
    case 2: case 3: talk(); break;
    case 4: case 5: note("write", CALL(WRITE, fd(), "0123456789", next(11))); break;
    case 6: case 7:
      n = CALL(READ, fd(), memory, next(14));
      note("read", n);
      for (long i = 0; i < n; i++) note("byte", memory[i]);
      break;
    case 8: note("close", CALL(CLOSE, fd())); break;
    case 9: n = fd(), note("dup", CALL(DUP2, n, fd()) >= 0); break;
    case 10: note("shutdown", CALL(SHUTDOWN, fd(), next(4))); break;
    case 11: case 12: wait(); break;
    case 13: note("getfl", CALL(FCNTL, fd(), 3) & 0102003); break;
    case 14: {
      unsigned words[36] = {0};
      note("fstat", CALL(FSTAT, fd(), words)), note("type", words[6] & 0170000);
      break;
    }
    default: note("lseek", CALL(LSEEK, fd(), 0, 1));
  }
}

int main(void) {
  long ignore[4] = {1, 0x04000000, 0, 0};
#ifdef NATIVE
  ignore[1] = 0;
#endif
  CALL(SIGACTION, 13, ignore, 0, 8);
  for (unsigned seed = FIRST; seed <= LAST; seed++) {
    state = seed * 2654435761u, seen = seed;
    for (int i = 0; i < 150; i++) step();
    for (int n = LOW; n < HIGH; n++) CALL(CLOSE, n);
    CALL(UNLINK, "a"), CALL(UNLINK, "b"), CALL(UNLINK, "c");
    printf("%u %u\n", seed, seen);
  }
  return 0;
}
