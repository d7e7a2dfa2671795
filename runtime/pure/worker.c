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

static int taw_requests, taw_replies;

static void taw_limit(int what, rlim_t most) {
  struct rlimit limit = {most, most};
  setrlimit(what, &limit);
}

/* What the functions print goes nowhere: the links must not be found at usual numbers. */
static void taw_begin(void) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  taw_limit(RLIMIT_CORE, 0);
  taw_limit(RLIMIT_DATA, (rlim_t)2 << 30);
  taw_requests = fcntl(0, F_DUPFD_CLOEXEC, 100);
  taw_replies = fcntl(1, F_DUPFD_CLOEXEC, 100);
  int nowhere = open("/dev/null", O_RDWR);
  dup2(nowhere, 0);
  dup2(nowhere, 1);
  dup2(nowhere, 2);
}

/* In place of `main`: the program under test may be linked in, and has its own. */
int __wrap_main(void) {
  static struct {
    unsigned number;
    taw_slot args[TAW_MOST_PARAMETERS];
  } request;
  taw_begin();
  char ready = 1;
  if (write(taw_replies, &ready, 1) != 1)
    return 1;
  /* A request is written at once and not larger than what a pipe takes at once. */
  while (read(taw_requests, &request, sizeof request) > 0) {
    taw_slot answer[2] = {{0}};
    unsigned char reply[1 + sizeof(taw_slot)];
    taw_functions[request.number].call(request.args, answer[0]);
    taw_functions[request.number].call(request.args, answer[1]);
    reply[0] = memcmp(answer[0], answer[1], sizeof(taw_slot)) != 0;
    memcpy(reply + 1, answer[0], sizeof(taw_slot));
    if (write(taw_replies, reply, sizeof reply) != sizeof reply)
      return 1;
  }
  return 0;
}
