// A pointer means nothing in another process.
//@ flags: --pure length
//@ exit: 2
//@ error: `length`, called at
//@ error: its parameter 1 is a pointer
int length(const char *text);

int main(void) { return length("text"); }
