// What is behind the loop is a pointer into an array, and what the loop has written.
//@ flags: --search Portfolio(KLEE) --max-time 60s
//@ target: label:there reached
#include <taw.h>

static int cells[8];

int main(void) {
    unsigned n = taw_u32("n");
    int *p = cells;
    unsigned steps = 0;
    while (steps < n) {
        *p += 3;
        p = p + 1 < cells + 8 ? p + 1 : cells;
        steps++;
        if (steps > 10000000)
            return 1;
    }
    if (p == cells + 5 && cells[7] == 30000)
        taw_target("there");
    return 0;
}
