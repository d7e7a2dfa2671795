// What the user allows of the host can be read under its own path, and nothing else; nothing of it can be changed.
//@ flags: --host-dir=tests/programs/kernel/host
//@ native: none
//@ output: first line
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <taw.h>
#include <string.h>
#include <unistd.h>

int main(void) {
  char text[32];
  int fd = open("tests/programs/kernel/host/some.txt", O_RDONLY);
  taw_assert(fd >= 0);
  ssize_t n = read(fd, text, sizeof text);
  write(1, text, n);
  taw_assert(open("tests/programs/kernel/host/some.txt", O_WRONLY) == -1 && errno == EACCES);
  taw_assert(open("tests/programs/kernel/host/new", O_CREAT | O_WRONLY, 0644) == -1 && errno == EACCES);
  taw_assert(unlink("tests/programs/kernel/host/some.txt") == -1 && errno == EACCES);
  taw_assert(open("tests/programs/kernel/system.h", O_RDONLY) == -1 && errno == ENOENT);
  DIR *folder = opendir("tests/programs/kernel/host");
  int found = 0;
  for (struct dirent *entry; (entry = readdir(folder));) found += !strcmp(entry->d_name, "some.txt");
  taw_assert(found == 1);
  return 0;
}
