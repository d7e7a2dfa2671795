//@ flags: --sym-peer unix:socket=3 --peer tcp:7000=tests/programs/inputs/request.txt --sym-peer tcp:7000=1
//@ labels: get put other quit
//@ unsupported: the program waits for ever: it accepts a connection
//@ native: none
/* A server whom three connect to, over two sockets: each once and in order, and then nobody. */
#include <arpa/inet.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <taw.h>
#include <unistd.h>

static int listens(const void *at, socklen_t len) {
  int fd = socket(((const struct sockaddr *)at)->sa_family, SOCK_STREAM, 0);
  taw_assert(fd >= 0 && !bind(fd, at, len) && !listen(fd, 1));
  return fd;
}

static int answered(int server, char *request, int size) {
  struct sockaddr_storage from;
  socklen_t len = sizeof from;
  int fd = accept(server, (struct sockaddr *)&from, &len), n = 0, got;
  taw_assert(fd >= 0);
  while ((got = recv(fd, request + n, size - n, 0)) > 0) n += got;
  taw_assert(got == 0 && send(fd, "done", 4, 0) == 4 && !close(fd));
  return n;
}

int main(void) {
  struct sockaddr_in port = {.sin_family = AF_INET, .sin_port = htons(7000)};
  struct sockaddr_un name = {.sun_family = AF_UNIX, .sun_path = "socket"};
  int tcp = listens(&port, sizeof port), local = listens(&name, sizeof name), set = epoll_create1(0);
  struct epoll_event event = {.events = EPOLLIN, .data.fd = tcp}, found[2];
  taw_assert(!epoll_ctl(set, EPOLL_CTL_ADD, tcp, &event) && !epoll_ctl(set, EPOLL_CTL_ADD, local, &event));
  taw_assert(epoll_wait(set, found, 2, -1) == 2);
  char request[16];
  taw_assert(answered(tcp, request, sizeof request) == 6 && !memcmp(request, "hello\n", 6));
  taw_assert(answered(local, request, sizeof request) == 3);
  taw_target(!memcmp(request, "get", 3) ? "get" : !memcmp(request, "put", 3) ? "put" : "other");
  taw_assert(epoll_wait(set, found, 2, -1) == 1);
  taw_assert(answered(tcp, request, sizeof request) == 1);
  taw_assert(epoll_wait(set, found, 2, 0) == 0);
  if (request[0] == 'q') {
    taw_target("quit");
    return 0;
  }
  return accept(tcp, NULL, NULL);
}
