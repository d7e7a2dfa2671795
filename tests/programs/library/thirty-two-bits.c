// On 32 bits the C library is the same: input and output, files, time, options, scanning.
//@ revisions: m32
//@ paths: 1 completed, 0 errored
//@ output: ok
//@ output: 12 abc 2.5
//@ output: a 1 2
//@ output: C 1970 1
//@ output: [  2 one] wide
//@ output: 3 abc
//@ output: 7 5
#include <fcntl.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

int main(void) {
  char buffer[16] = "", word[8];
  int number;
  double real;
  write(1, "ok\n", 3);
  sscanf("12 abc 2.5", "%d %7s %lf", &number, word, &real);
  printf("%d %s %.1f\n", number, word, real);
  char *words[] = {"program", "-a", "-b", "1", "2", NULL};
  int option = getopt(5, words, "ab");
  getopt(5, words, "ab");
  printf("%c %s %s\n", option, words[optind], words[optind + 1]);
  time_t zero = 0;
  struct tm *when = gmtime(&zero);
  printf("%s %d %d\n", setlocale(LC_ALL, NULL), when->tm_year + 1900, time(NULL) > 0);
  printf("[%2$*3$d %1$s] %4$ls\n", "one", 2, 3, L"wide");
  int fd = open("file", O_RDWR | O_CREAT, 0600);
  write(fd, "abc", 3);
  lseek(fd, 0, SEEK_SET);
  number = (int)read(fd, buffer, sizeof buffer);
  printf("%d %s\n", number, buffer);
  close(fd);
  sleep(0), usleep(1);
  char *room = __builtin_alloca(8);
  strcpy(room, "seven.");
  printf("%d %d\n", (int)strlen(room) + (isnan(nan("")) ? 1 : 0), abs(-5));
  return 0;
}
