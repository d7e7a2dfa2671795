// A sum that a loop of thousands of turns must come to, by the default strategy.
//@ flags: --max-time 60s
//@ target: label:there reached
#include <taw.h>

int main(void) {
    int n = taw_int("n"), sum = 0;
    for (int i = 0; i < n; i++)
        sum += 3;
    if (sum == 12000)
        taw_target("there");
    return 0;
}
