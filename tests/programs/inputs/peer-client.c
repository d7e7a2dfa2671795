//@ flags: --sym-peer tcp:7000=2
//@ labels: hello known unknown end
/* A client and an unknown answer: every branch of its parser, and its error. Nobody answers twice. Natively nobody is there to
 * answer: such tests say so. */
#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <taw.h>
#include <unistd.h>

static const char *const names[] = {"none", "some", "all"};

static int dial(void) {
  struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(7000)};
  inet_pton(AF_INET, "10.1.2.3", &at.sin_addr);
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  return connect(fd, (struct sockaddr *)&at, sizeof at) ? -1 : fd;
}

int main(void) {
  unsigned char answer[8];
  int fd = dial();
  taw_assert(fd >= 0 && dial() < 0 && errno == ENETUNREACH);
  struct pollfd ready = {.fd = fd, .events = POLLIN | POLLOUT};
  taw_assert(poll(&ready, 1, -1) == 1 && ready.revents == (POLLIN | POLLOUT));
  taw_assert(write(fd, "question", 8) == 8);
  taw_assert(read(fd, answer, sizeof answer) == 2);
  if (answer[0] == 'H') {
    taw_target("hello");
  } else if (answer[0] == 'N') {
    taw_target("known");
    return names[answer[1]][0]; //~ BUG out-of-bounds-read: names
  } else {
    taw_target("unknown");
  }
  taw_assert(write(fd, "bye", 3) == 3);
  if (read(fd, answer, sizeof answer) == 0) taw_target("end");
  return 0;
}
