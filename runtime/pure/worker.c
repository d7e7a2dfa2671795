/* The process in which functions named by --pure are called: a crash or a hang of one ends it, and not Taw.
 *
 * What stands before this text (written by crates/env/src/pure/source.rs): a slot of 16 bytes, the table `taw_functions` and
 * its size. A request is the number of a function and its arguments, a slot each; the answer is a byte (0: here is the result;
 * 1: called twice, it gave two results) and the result's slot. The first byte sent says that the process is ready. */
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

static int taw_link;

static void taw_read(void *to, size_t size) {
  char *at = to;
  while (size > 0) {
    ssize_t got = read(taw_link, at, size);
    if (got <= 0)
      _exit(0);
    at += got;
    size -= (size_t)got;
  }
}

static void taw_limit(int what, rlim_t most) {
  struct rlimit limit = {most, most};
  setrlimit(what, &limit);
}

/* What the functions print goes nowhere: the link must not be found at a usual number. */
static void taw_begin(void) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  taw_limit(RLIMIT_CORE, 0);
  taw_limit(RLIMIT_DATA, (rlim_t)2 << 30);
  taw_link = fcntl(0, F_DUPFD_CLOEXEC, 100);
  int nowhere = open("/dev/null", O_RDWR);
  dup2(nowhere, 0);
  dup2(nowhere, 1);
  dup2(nowhere, 2);
}

/* In place of `main`: the program under test may be linked in, and has its own. */
int __wrap_main(void) {
  taw_begin();
  char ready = 1;
  if (write(taw_link, &ready, 1) != 1)
    return 1;
  for (;;) {
    unsigned number;
    taw_slot args[TAW_MOST_PARAMETERS], answer[2] = {{0}};
    unsigned char reply[1 + sizeof(taw_slot)];
    taw_read(&number, sizeof number);
    taw_read(args, taw_functions[number].parameters * sizeof(taw_slot));
    taw_functions[number].call(args, answer[0]);
    taw_functions[number].call(args, answer[1]);
    reply[0] = memcmp(answer[0], answer[1], sizeof(taw_slot)) != 0;
    memcpy(reply + 1, answer[0], sizeof(taw_slot));
    if (write(taw_link, reply, sizeof reply) != sizeof reply)
      return 1;
  }
}
