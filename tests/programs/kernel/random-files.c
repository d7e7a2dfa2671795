// Random sequences of operations on files give the same results, errors included, as under the real kernel: the tests are run
// natively too, and print a number for each sequence that depends on all that was seen.
//@ native: -DNATIVE
//@ paths: 1 completed, 0 errored
#include "system.h"

#ifndef FIRST
#define FIRST 1
#define LAST 40
#endif

static unsigned state, seen;

static unsigned next(unsigned below) {
  state ^= state << 13, state ^= state >> 17, state ^= state << 5;
  return state % below;
}

static const char *const names[] = {"a",   "b",    "d",  "d/e",  "d/f", "l",  "a/",  "d/",   "./a", "d/../b", "l/x",      "..", ".",
                                    "",    "d/e/", "x/y", "d/.", "l/",  "d/e/g", "e/f", "e", "/",   "../w/a", "d/e/../f", "d//e"};
enum { NAMES = sizeof names / sizeof *names };
static const long modes[] = {0644, 0, 0755, 0444, 0111, 0222, 0777, 0700, 04755, 02711, 01777};
static long fds[4] = {-1, -1, -1, -1};
static char memory[4096];

static void note(const char *what, long result) {
#ifdef VERBOSE
  printf("  %s %ld\n", what, result);
#endif
  for (; *what; what++) seen = seen * 31 + (unsigned char)*what;
  seen = seen * 1000003 + (unsigned)result;
}

static const char *name(void) {
  const char *n = names[next(NAMES)];
#ifdef VERBOSE
  printf(" [%s]", n);
#endif
  return n;
}

static void look(const char *what, int call, const void *subject) {
  unsigned words[36];
  long result = CALL(call, subject, words);
  note(what, result);
  if (result) return;
  note("mode", words[6]);
  note("uid", words[7] == words[8]);
  if ((words[6] & 0170000) != 0040000) note("links", words[4]), note("size", words[12]);
  if ((words[6] & 0170000) == 0100000) note("blocks", words[16] > 0);
}

static void list(const char *where) {
  if (*where == '/') return;
  long fd = CALL(OPEN, where, 0200000);
  note("list", fd < 0 ? fd : 0);
  if (fd < 0) return;
  unsigned sum = 0;
  long n, count = 0;
  while ((n = CALL(GETDENTS, fd, memory, 200)) > 0)
    for (long at = 0; at < n; at += *(unsigned short *)(memory + at + 16), count++) {
      unsigned hash = memory[at + 18];
      for (const char *c = memory + at + 19; *c; c++) hash = hash * 31 + (unsigned char)*c;
      sum += hash * hash;
    }
  note("entries", n < 0 ? n : count);
  note("names", sum);
  CALL(CLOSE, fd);
}

static void open_one(void) {
  static const long flags[] = {0,     1,     2,     0100 | 1,        0100 | 2, 0300 | 1, 01000 | 1, 0101000 | 0101, 02001,
                               02102, 01000, 0200000, 0400000, 0400000 | 0102, 0300 | 0400000, 010000000, 0200000 | 1, 0200};
  unsigned slot = next(4);
  if (fds[slot] >= 0) note("close", CALL(CLOSE, fds[slot]));
  long how = flags[next(sizeof flags / sizeof *flags)] | 04000;
  fds[slot] = CALL(OPEN, name(), how, modes[next(11)]);
  note("open", fds[slot] < 0 ? fds[slot] : 0);
  note("how", how);
}

static void use_one(void) {
  long fd = fds[next(4)], n;
  switch (next(9)) {
    case 0: note("write", CALL(WRITE, fd, "some text", next(10))); break;
    case 1:
      n = CALL(READ, fd, memory, next(20));
      note("read", n);
      for (long i = 0; i < n; i++) note("byte", memory[i]);
      break;
    case 2: {
      unsigned words[36] = {0};
      n = (long)next(40) - 10;
      CALL(FSTAT, fd, words);
      // Where in a folder its entries are is each file system's own matter.
      if ((words[6] & 0170000) != 0040000) note("lseek", CALL(LSEEK, fd, n, next(4) % 3));
      break;
    }
    case 3: note("ftruncate", CALL(FTRUNCATE, fd, (long)next(30) - 2)); break;
    case 4: note("pwrite", CALL(PWRITE, fd, "other", next(6), (long)next(6000) - 2)); break;
    case 5: note("pread", CALL(PREAD, fd, memory, next(20), (long)next(12) - 2)); break;
    case 6: look("fstat", FSTAT, (void *)fd); break;
    case 7: note("getfl", CALL(FCNTL, fd, 3)); break;
    default: note("dup", CALL(DUP2, fd, fd) == fd); break;
  }
}

static void change(void) {
  const char *one = name(), *two = name();
  switch (next(17)) {
    case 0: case 1: note("mkdir", CALL(MKDIR, one, modes[next(11)])); break;
    case 2: note("rmdir", CALL(RMDIR, one)); break;
    case 3: note("unlink", CALL(UNLINK, one)); break;
    case 4: case 5: note("rename", CALL(RENAME, one, two)); break;
    case 6: note("rename2", CALL(RENAMEAT2, -100, one, -100, two, next(4))); break;
    case 7: note("link", CALL(LINK, one, two)); break;
    case 8: note("symlink", CALL(SYMLINK, *one == '/' ? "d/e" : one, two)); break;
    case 9: note("chmod", CALL(CHMOD, one, modes[next(11)])); break;
    case 10: note("truncate", CALL(TRUNCATE, one, (long)next(20) - 1)); break;
    case 11: note("mkfifo", CALL(MKNOD, one, 010000 | modes[next(11)])); break;
    case 12: {
      long n = CALL(READLINK, one, memory, next(4) * 3);
      note("readlink", n);
      for (long i = 0; i < n; i++) note("byte", memory[i]);
      break;
    }
    case 13: note("access", CALL(ACCESS, one, next(9))); break;
    case 14: note("umask", CALL(UMASK, next(4) * 022 & 0777)); break;
    case 15: note("mknod", CALL(MKNOD, one, (next(3) ? 0100000 : 0020000) | modes[next(11)], 0x103)); break;
    default: {
      long times[4] = {1000, 5, next(3) ? 2000 : 0, next(3) ? 0 : 0x3ffffffe};
      note("utimens", CALL(UTIMENSAT, -100, one, times, next(3) * 0x80));
    }
  }
}

/// Where in the tree of the sequence the process is.
static void where(void) {
  long n = CALL(GETCWD, memory, sizeof memory);
  note("getcwd", n < 0 ? n : 0);
  if (n < 0) return;
  const char *c = strstr(memory, "/s");
  for (c = c ? c : memory; *c; c++) note("byte", *c);
}

/// Operations that start at an open folder.
static void at_folder(void) {
  long fd = next(3) ? fds[next(4)] : -100;
  const char *one = name(), *two = name();
  unsigned words[36] = {0};
  switch (next(11)) {
    case 0: {
      unsigned slot = next(4);
      if (fds[slot] >= 0 && fds[slot] != fd) CALL(CLOSE, fds[slot]);
      if (fds[slot] != fd) fds[slot] = CALL(OPENAT, fd, one, 04000 | (next(2) ? 0200000 : 0102), 0755), note("openat", fds[slot] < 0 ? fds[slot] : 0);
      break;
    }
    case 1: note("mkdirat", CALL(MKDIRAT, fd, one, modes[next(11)])); break;
    case 2: note("unlinkat", CALL(UNLINKAT, fd, one, next(3) * 0x100)); break;
    case 3: note("linkat", CALL(LINKAT, fd, one, next(2) ? -100 : fd, two, next(3) * 0x400)); break;
    case 4: note("symlinkat", CALL(SYMLINKAT, *two == '/' ? "d" : two, fd, one)); break;
    case 5: note("fstatat", CALL(FSTATAT, fd, one, words, next(3) ? next(2) * 0x100 : 0x1000)), note("mode", words[6]); break;
    case 6: note("renameat", CALL(RENAMEAT2, fd, one, -100, two, 0)); break;
    case 7: note("fchmodat", CALL(FCHMODAT, fd, one, modes[next(11)])); break;
    case 8: note("faccessat", CALL(FACCESSAT2, fd, one, next(8), next(3) * 0x80)); break;
    case 9: note("readlinkat", CALL(READLINKAT, fd, one, memory, 9)); break;
    default: where();
  }
}

/// Another current folder, or back to the first.
static void move(long home) {
  const char *to = name();
  switch (next(4)) {
    case 0: if (*to != '/' && *to && strncmp(to, "..", 2)) note("chdir", CALL(CHDIR, to)); break;
    case 1: note("home", CALL(FCHDIR, home)); break;
    case 2: {
      long fd = fds[next(4)], root[18] = {0}, here[18] = {0};
      CALL(STAT, "/", root), CALL(FSTAT, fd, here);
      // The real root has other things in it.
      if (root[1] != here[1]) note("fchdir", CALL(FCHDIR, fd));
      break;
    }
    default: where();
  }
}

static void step(long home) {
  switch (next(13)) {
    case 0: case 1: open_one(); break;
    case 2: case 3: use_one(); break;
    case 4: look("stat", STAT, name()); break;
    case 5: look("lstat", LSTAT, name()); break;
    case 6: list(next(2) ? "." : name()); break;
    case 7: at_folder(); break;
    case 8: if (next(3) == 0) move(home); else at_folder(); break;
    default: change();
  }
}

int main(void) {
  char folder[8] = "s000";
  for (unsigned seed = FIRST; seed <= LAST; seed++) {
    state = seed * 2654435761u, seen = seed;
    folder[1] = '0' + seed / 100 % 10, folder[2] = '0' + seed / 10 % 10, folder[3] = '0' + seed % 10;
    CALL(UMASK, 022);
    long back = CALL(OPEN, ".", 0200000);
    CALL(MKDIR, folder, 0755), CALL(CHDIR, folder), CALL(MKDIR, "w", 0755), CALL(CHDIR, "w");
    long home = CALL(OPEN, ".", 0200000);
    for (int i = 0; i < 100; i++) step(home);
    CALL(CLOSE, home);
    for (int i = 0; i < 4; i++) {
      if (fds[i] >= 0) CALL(CLOSE, fds[i]);
      fds[i] = -1;
    }
    CALL(FCHDIR, back), CALL(CLOSE, back);
    printf("%u %u\n", seed, seen);
  }
  return 0;
}
