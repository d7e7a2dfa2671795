// The native driver has names of its own: an entry may be called anything.
//@ revisions: argument result
//@[argument] flags: --entry a0
//@[argument] signature: int a0(int x, int y)
//@[argument] target: a0 reached
//@[result] flags: --entry value
//@[result] signature: int value(int x, int y)
//@[result] target: value reached
//@ paths: 2 completed, 0 errored

int a0(int x, int y) { return x > y ? 1 : 2; }
int value(int x, int y) { return x > y ? 1 : 2; }
