// Whoever writes to a TCP connection that the other end has closed learns it by the second write; a reset is told at once.
#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

static int server, client, talk;
static struct sockaddr_in at = {.sin_family = AF_INET};

static void meet(void) {
  client = socket(AF_INET, SOCK_STREAM, 0);
  connect(client, (struct sockaddr *)&at, sizeof at);
  talk = accept(server, NULL, NULL);
}

static void events(void) {
  usleep(10000); /* the other end's answer is on its way */
  struct pollfd found = {.fd = client, .events = POLLIN | POLLOUT};
  poll(&found, 1, 0);
  printf("%x", found.revents);
}

static void said(long n) { printf(" %ld:%s", n, n >= 0 ? "" : errno == EPIPE ? "pipe" : errno == ECONNRESET ? "reset" : "?"); }

static void reads(int fd) {
  char text[9];
  said(read(fd, text, sizeof text));
}

static void writes(void) { said(write(client, "x", 1)); }

int main(void) {
  socklen_t len = sizeof at;
  signal(SIGPIPE, SIG_IGN);
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  server = socket(AF_INET, SOCK_STREAM, 0);
  bind(server, (struct sockaddr *)&at, sizeof at);
  getsockname(server, (struct sockaddr *)&at, &len);
  listen(server, 4);

  meet(), write(talk, "ab", 2), close(talk);
  events(), writes(), printf("\n");
  events(), reads(client), reads(client), writes(), reads(client), printf("\n");
  events(), writes(), printf("\n"), close(client);

  meet(), write(client, "ab", 2), close(talk);
  events(), writes(), writes(), reads(client), printf("\n"), close(client);

  meet(), write(client, "ab", 2), close(talk);
  events(), reads(client), reads(client), writes(), printf("\n"), close(client);

  meet(), shutdown(talk, SHUT_RD);
  events(), writes(), writes(), reads(talk), reads(talk), printf("\n");
  return 0;
}
