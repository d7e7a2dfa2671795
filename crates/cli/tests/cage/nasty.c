/* What a program under test may try natively. In Taw's model there is no /proc, so exploration sees only the way to each deed. CANARY, PORT and VICTIM are
 * given by the test: a folder that anybody may change, a port on which somebody listens, a process. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <assert.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/xattr.h>
#include <taw.h>
#include <unistd.h>

#define FILE_IN CANARY "/file"

static void put(const char *path, int flags) {
  int fd = open(path, flags, 0666);
  if (fd >= 0) {
    write(fd, "spoilt", 6);
    close(fd);
  }
}

static void say_hello(int kind) {
  struct sockaddr_in there = {.sin_family = AF_INET, .sin_port = htons(PORT), .sin_addr = {htonl(INADDR_LOOPBACK)}};
  int s = socket(AF_INET, kind, 0);
  connect(s, (struct sockaddr *)&there, sizeof there);
  send(s, "hello", 5, MSG_NOSIGNAL);
}

static void linger(void) {
  prctl(PR_SET_NAME, "tawnasty");
  for (;;) pause();
}

static void many_processes(void) {
  for (int i = 0; i < 2000; i++)
    if (fork() == 0) linger();
}

static void much_on_disk(void) {
  static char block[1 << 20];
  char name[16];
  for (int i = 0; i < 600; i++) {
    snprintf(name, sizeof name, "f%d", i / 50);
    int fd = open(name, O_CREAT | O_WRONLY | O_APPEND, 0666);
    if (write(fd, block, sizeof block) < 0) _exit(3);
    close(fd);
  }
}

static void much_memory(void) {
  for (int i = 0; i < 300; i++) memset(malloc(10 << 20), 1, 10 << 20);
}

/* A path that leads out of the scratch folder, wherever that is. */
static void up_and_away(void) {
  char path[4096] = "../../../../../../../../../..";
  unlink(strcat(path, FILE_IN));
}

static void act(char deed) {
  struct sockaddr_un there = {AF_UNIX, CANARY "/socket"};
  struct timespec times[2] = {{1, 0}, {1, 0}};
  switch (deed) {
    case 'a': unlink(FILE_IN); break;
    case 'b': rename(FILE_IN, CANARY "/other"); break;
    case 'c': chmod(FILE_IN, 0); chmod(CANARY, 0); break;
    case 'd': put(FILE_IN, O_WRONLY | O_TRUNC); truncate(FILE_IN, 0); open(FILE_IN, O_TRUNC); break;
    case 'e': put(FILE_IN, O_WRONLY | O_APPEND); put(CANARY "/new", O_WRONLY | O_CREAT); break;
    case 'f': symlink(FILE_IN, "link"); put("link", O_WRONLY); symlink(CANARY, "there"); unlink("there/file"); break;
    case 'g': mkdir(CANARY "/new", 0777); rmdir(CANARY "/folder"); mkfifo(CANARY "/fifo", 0666); break;
    case 'h': link(FILE_IN, CANARY "/new"); symlink("/", CANARY "/new"); link(FILE_IN, "here"); put("here", O_WRONLY); break;
    case 'i': utimensat(AT_FDCWD, FILE_IN, times, 0); setxattr(FILE_IN, "user.x", "1", 1, 0); break;
    case 'j': kill(VICTIM, SIGKILL); kill(getppid(), SIGKILL); break;
    case 'k': kill(-1, SIGTERM); break;
    case 'l': many_processes(); break;
    case 'm': if (fork() == 0) { setsid(); if (fork() == 0) linger(); _exit(0); } break;
    case 'n': ptrace(PTRACE_ATTACH, VICTIM, 0, 0); ptrace(PTRACE_ATTACH, getppid(), 0, 0); break;
    case 'o': say_hello(SOCK_STREAM); say_hello(SOCK_DGRAM); break;
    case 'p': { int s = socket(AF_UNIX, SOCK_STREAM, 0); bind(s, (struct sockaddr *)&there, sizeof there); listen(s, 1); break; }
    case 'q': setuid(0); setgid(0); mount("none", CANARY, "tmpfs", 0, 0); chroot(CANARY); break;
    case 'r': much_on_disk(); break;
    case 's': much_memory(); break;
    case 't': up_and_away(); chdir(CANARY); unlink("file"); break;
    case 'u': put("/tmp/taw-nasty", O_WRONLY | O_CREAT); put("/dev/shm/taw-nasty", O_WRONLY | O_CREAT); break;
    case 'v': put("/proc/self/oom_score_adj", O_WRONLY); put("/proc/sys/kernel/core_pattern", O_WRONLY);
      ioctl(open("/dev/tty", O_RDWR), TIOCSTI, "x"); break;
    case 'w': syscall(SYS_keyctl, 1, "x"); syscall(SYS_unshare, 0x10000000); syscall(SYS_io_uring_setup, 1, 0); break;
    default: break;
  }
}

static void natively(char deed) {
  if (access("/proc/self/maps", R_OK) == 0) act(deed);
}

/* For --pure. */
int evil(int deed) {
  natively((char)deed);
  return deed;
}

#define DO(deed) case deed: natively(deed); taw_target(#deed); CHECK; return 0;

int main(int argc, char **argv) {
#ifdef EVIL
  int x = taw_int("x");
  taw_assume(x >= 'a' && x <= 'w');
  return evil(x) == 'c';
#endif
  switch (argv[1][0]) {
    DO('a')
    DO('b')
    DO('c')
    DO('d')
    DO('e')
    DO('f')
    DO('g')
    DO('h')
    DO('i')
    DO('j')
    DO('k')
    DO('l')
    DO('m')
    DO('n')
    DO('o')
    DO('p')
    DO('q')
    DO('r')
    DO('s')
    DO('t')
    DO('u')
    DO('v')
    DO('w')
  }
  return 1;
}
