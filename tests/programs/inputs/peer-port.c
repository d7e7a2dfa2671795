//@ flags: --peer tcp:70000=tests/programs/inputs/request.txt
//@ exit: 2
//@ error: `70000` is no port; write a number from 1 to 65535
int main(void) { return 0; }
