/* errno: one cell, as there is one thread. glibc's <errno.h> reaches it through this function. */
static int cell;

int *__errno_location(void) { return &cell; }
