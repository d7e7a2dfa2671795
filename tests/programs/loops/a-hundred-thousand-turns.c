// Figure 3.1 of the dissertation with a hundred times as many turns: the loop is a function of x, and the search for x evaluates it.
//@ flags: --search Portfolio(KLEE) --max-time 60s
//@ target: label:hard_loop reached
#include <taw.h>

int main(void) {
    int x = taw_i32("x");
    int res = 0;
    int i = 0;
    while (i < x) {
        int parity = i % 2;
        if (parity == 0)
            res = res - 1;
        else
            res = res + 17;
        i++;
        if (i > 100000000)
            return 1;
    }
    if (res == 819200)
        taw_target("hard_loop");
    return 0;
}
