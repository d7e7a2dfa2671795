// What is not modelled stops its path, and says what it is.
//@ native: none
//@ unsupported: fork: processes are not modelled
#include <unistd.h>

int main(void) { return fork() < 0; }
