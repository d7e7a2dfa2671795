/* A program that ends no path for long and whose paths differ in what they compute: for bench/steady.py.
 * Depth-first at most 40 states wait; every path makes terms, conditions, memory, output and queries of its own. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "taw.h"

int main(void) {
    unsigned char in[40];
    taw_symbolic(in, sizeof in, "in");
    unsigned hash = 2166136261u;
    unsigned char table[16] = {0};
    char *text = malloc(64);
    int used = 0;
    for (int i = 0; i < 40; i++) {
        if (in[i] > 100) {
            hash = (hash ^ in[i]) * 16777619u;
            table[in[i] & 15] += in[i];
        } else {
            hash = hash * 31 + in[i];
            if (used < 60)
                text[used++] = 'a' + (in[i] & 15);
        }
        if (table[i & 15] == (unsigned char)(in[i] + 7))
            hash += 1;
    }
    text[used] = 0;
    printf("%u %s\n", hash, text);
    free(text);
    return hash % 3;
}
