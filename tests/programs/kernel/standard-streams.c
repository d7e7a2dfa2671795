// Standard input, output and error are streams, no terminals; they have names.
//@ native: none
//@ output: by another name
//@ output: 0 0 -1 1
//@ output: 1 1 -1
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void) {
  FILE *self = fopen("/dev/stdout", "w");
  fprintf(self, "by another name\n");
  fclose(self);
  printf("%d %d", isatty(0), isatty(1));
  printf(" %d", (int)lseek(0, 0, SEEK_CUR));
  printf(" %d\n", errno == ESPIPE);
  struct stat in, out;
  fstat(0, &in), fstat(1, &out);
  printf("%d %d %d\n", S_ISFIFO(in.st_mode), S_ISFIFO(out.st_mode), open("/dev/tty", O_RDWR));
  return 0;
}
