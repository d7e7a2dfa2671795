// Two loops are one function of both bounds.
//@ flags: --search Portfolio(KLEE) --max-time 120s
//@ target: label:there reached
#include <taw.h>

int main(void) {
    int x = taw_i32("x"), y = taw_i32("y");
    int res = 0;
    for (int i = 0; i < x; i++) {
        for (int j = 0; j < y; j++)
            res += (i + j) % 2 ? 17 : -1;
        if (i > 100000000)
            return 1;
    }
    if (res == 800000)
        taw_target("there");
    return 0;
}
