// How far a pointer has run is decided by how often a loop went round, by the default strategy.
//@ flags: --max-time 60s
//@ target: label:there reached
#include <taw.h>

static char text[4096];

int main(void) {
    int n = taw_int("n");
    if (n < 0 || n > 4000)
        return 0;
    char *p = text;
    while (n-- > 0)
        *p++ = 'x';
    if (p - text == 3000)
        taw_target("there");
    return 0;
}
