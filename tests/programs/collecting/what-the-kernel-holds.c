// Terms are given up between any two decisions; what lies in files, pipes, sockets and names is still there.
//@ flags: --collect-after 1
//@ paths: 32 completed, 0 errored
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <taw.h>
#include <unistd.h>

static unsigned char turns;

static int turn(int at) {
  return turns >> at & 1;
}

int main(void) {
  unsigned char number, again = 0;
  int ends[2], pair[2];
  taw_symbolic(&turns, 1, "turns");
  taw_symbolic(&number, 1, "number");
  taw_assume(turns < 32);
  taw_assume(number >= 'a' && number <= 'd');

  int file = open("file", O_RDWR | O_CREAT, 0600);
  assert(write(file, &number, 1) == 1);
  if (turn(0)) number ^= 1;
  assert(lseek(file, 0, SEEK_SET) == 0 && read(file, &again, 1) == 1);
  assert(again == (number ^ turn(0)));

  assert(pipe(ends) == 0 && write(ends[1], &number, 1) == 1);
  if (turn(1)) again = 0;
  assert(read(ends[0], &again, 1) == 1 && again == number);

  assert(socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) == 0 && send(pair[0], &number, 1, 0) == 1);
  if (turn(2)) again = 0;
  assert(recv(pair[1], &again, 1, 0) == 1 && again == number);

  char name[2] = {(char)number, 0}, target[2] = {0};
  assert(mkdir(name, 0700) == 0);
  if (turn(3)) again = 0;
  assert(symlink(name, "link") == 0);
  if (turn(4)) again = 1;
  assert(readlink("link", target, 1) == 1 && target[0] == name[0]);
  assert(chdir("link") == 0);
  return 0;
}
