//@ flags: --sym-file A=1 --sym-files 1 2
//@ exit: 2
//@ error: the file `A` is given twice
int main(void) { return 0; }
