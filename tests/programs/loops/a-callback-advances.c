// What the loop counts is a global that a function changes which is called through a pointer.
//@ flags: --search Portfolio(KLEE) --max-time 120s
//@ target: label:there reached
#include <taw.h>

static int counter;
static void advance(int by) { counter += by; }
static void go_back(int by) { counter -= by; }

static void each(int n, void (*act)(int)) {
    for (int i = 0; i < n; i++)
        act(i % 3);
}

int main(void) {
    int n = taw_i32("n");
    each(n, taw_i32("which") ? advance : go_back);
    if (counter == 150000)
        taw_target("there");
    return 0;
}
