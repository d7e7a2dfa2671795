// A server and its client in one process talk over the loopback; where nobody listens nobody answers.
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int main(void) {
  struct sockaddr_in here = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)}, got;
  socklen_t len = sizeof got;
  int server = socket(AF_INET, SOCK_STREAM, 0), client = socket(AF_INET, SOCK_STREAM, 0), one = 1;
  setsockopt(server, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  printf("%d", bind(server, (struct sockaddr *)&here, sizeof here));
  printf(" %d", listen(server, 2));
  printf(" %d\n", getsockname(server, (struct sockaddr *)&got, &len));
  printf("%d %d %d\n", (int)len, got.sin_family == AF_INET, got.sin_port != 0);
  printf("%d\n", connect(client, (struct sockaddr *)&got, sizeof got));
  struct pollfd waiting = {.fd = server, .events = POLLIN};
  printf("%d %d\n", poll(&waiting, 1, 1000), waiting.revents);
  int talk = accept(server, NULL, NULL);
  char text[16] = {0};
  printf("%d", (int)send(client, "hello", 5, 0));
  printf(" %d %s\n", (int)recv(talk, text, sizeof text, 0), text);
  printf("%d", (int)write(talk, "you", 3));
  printf(" %d\n", (int)read(client, text, 2));
  shutdown(talk, SHUT_WR);
  printf("%d", (int)read(client, text, 9));
  printf(" %d\n", (int)read(client, text, 9));
  int type = 0;
  len = sizeof type;
  getsockopt(client, SOL_SOCKET, SO_TYPE, &type, &len);
  printf("%d\n", type == SOCK_STREAM);
  close(talk), close(server), close(client);
  client = socket(AF_INET, SOCK_STREAM, 0);
  printf("%d", connect(client, (struct sockaddr *)&got, sizeof got));
  printf(" %d\n", errno == ECONNREFUSED);
  int a = socket(AF_INET, SOCK_DGRAM, 0), b = socket(AF_INET, SOCK_DGRAM, 0);
  bind(a, (struct sockaddr *)&here, sizeof here);
  len = sizeof got, getsockname(a, (struct sockaddr *)&got, &len);
  printf("%d", (int)sendto(b, "packet", 6, 0, (struct sockaddr *)&got, sizeof got));
  printf(" %d", (int)recv(a, text, 3, 0));
  printf(" %.3s\n", text);
  return 0;
}
