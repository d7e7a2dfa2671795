// The entry is named, with those that there are.
//@ flags: --entry nowhere
//@ exit: 2
//@ error: `nowhere`
int somewhere(void) { return 0; }
int main(void) { return somewhere(); }
