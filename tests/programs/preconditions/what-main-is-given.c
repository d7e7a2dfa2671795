// Of main, the parameters are the arguments.
//@ flags: --sym-args 0 3 1 --assume=argc!=2&&(argc<3||argv[1][0]=='x')
//@ rests-on: holds where `main` starts
//@ labels: none x
#include <taw.h>

int main(int argc, char **argv) {
  taw_assert(argc != 2);
  if (argc < 2) return taw_target("none"), 0;
  taw_assert(argv[1][0] == 'x');
  taw_target("x");
  return 1;
}
