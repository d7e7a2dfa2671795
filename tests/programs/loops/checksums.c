// Checksums over 32 unknown bytes that must match: what is summed up, what is shifted and mixed, and Adler's.
//@ flags: --search Portfolio(KLEE) --max-time 60s
//@ target: label:sum reached
//@ target: label:mixed reached
//@ target: label:adler reached
#include <taw.h>

static unsigned sum_of(const unsigned char *p, int n) {
    unsigned sum = 0;
    for (int i = 0; i < n; i++)
        sum += p[i];
    return sum;
}

static unsigned mix_of(const unsigned char *p, int n) {
    unsigned mix = 0;
    for (int i = 0; i < n; i++)
        mix = (mix << 5 | mix >> 27) ^ p[i];
    return mix;
}

static unsigned adler_of(const unsigned char *p, int n) {
    unsigned a = 1, b = 0;
    for (int i = 0; i < n; i++) {
        a = (a + p[i]) % 65521;
        b = (b + a) % 65521;
    }
    return b << 16 | a;
}

int main(void) {
    unsigned char buffer[32];
    taw_symbolic(buffer, sizeof buffer, "buffer");
    taw_assume(buffer[0] == 'T' && buffer[1] == 'A');
    switch (taw_u8("which")) {
    case 0:
        if (sum_of(buffer, 32) == 4321)
            taw_target("sum");
        break;
    case 1:
        if (mix_of(buffer, 32) == 0x89abcdef)
            taw_target("mixed");
        break;
    case 2:
        // Of "TAW-checksum-of-thirty-two-bytes".
        if (adler_of(buffer, 32) == 0xc0580c1b)
            taw_target("adler");
        break;
    }
    return 0;
}
