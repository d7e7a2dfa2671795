// The loop is in a function that is called; another exit of it is a return.
//@ flags: --search Portfolio(KLEE) --max-time 60s
//@ target: label:there reached
#include <taw.h>

static int turns(int x) {
    int res = 0;
    for (int i = 0; i < x; i++) {
        res += i % 2 ? 17 : -1;
        if (i > 100000000)
            return -1;
    }
    return res;
}

int main(void) {
    if (turns(taw_i32("x")) == 800000)
        taw_target("there");
    return 0;
}
