// An array of 64 unknown bytes, of which the loop takes an unknown number.
//@ flags: --search Portfolio(KLEE) --max-time 60s
//@ target: label:there reached
#include <taw.h>

int main(void) {
    unsigned char a[64];
    taw_symbolic(a, sizeof a, "a");
    int n = taw_i32("n");
    taw_assume(n >= 0 && n <= 64);
    unsigned sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i];
    if (sum == 12345)
        taw_target("there");
    return 0;
}
