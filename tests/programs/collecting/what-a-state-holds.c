// Terms are given up between any two decisions; what a state will need again is still there: in registers of this call and of its
// callers, in memory of every kind, in what was printed, in handlers of the exit.
//@ flags: --collect-after 1 --check uninit
//@ paths: 128 completed, 0 errored
#include <assert.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <taw.h>

static unsigned char turns;
static unsigned char number;
static unsigned handled;
static jmp_buf back;

/* A decision: what was made before it may be given up at it. */
static int turn(int at) {
  return turns >> at & 1;
}

int __cxa_atexit(void (*)(void *), void *, void *);

static void handler(void *argument) {
  handled = (unsigned)(unsigned long)argument;
  if (turn(6)) handled ^= 1;
  printf("%u\n", handled);
}

static unsigned deeper(unsigned given, int at) {
  unsigned mine = given * 3 + number;
  if (at == 2) return mine;
  if (turn(at)) mine += 1;
  unsigned inner = deeper(mine, at + 1);
  if (turn(at)) mine -= 1;
  return inner - mine;
}

int main(void) {
  taw_symbolic(&turns, 1, "turns");
  taw_symbolic(&number, 1, "number");
  taw_assume(turns < 128);
  unsigned sum = deeper(7, 0);
  char large[2000], *block = malloc(number % 5 + 1);
  memset(large, 0, sizeof large);
  large[number * 7] = (char)number;
  block[0] = (char)(number ^ 0x55);
  if (turn(2)) sum += 1;
  if (setjmp(back) == 0) {
    unsigned char text[3] = {number, (unsigned char)(number + 1), 0};
    if (turn(3)) text[0] ^= 1;
    assert((unsigned char)((text[0] ^ turn(3)) + 1) == text[1]);
    longjmp(back, 1);
  }
  printf("%d %.3f %x\n", number * 11, number / 3.0, number);
  if (turn(4)) sum += 2;
  assert((unsigned char)large[number * 7] == number);
  assert((unsigned char)block[0] == (number ^ 0x55));
  free(block);
  __cxa_atexit(handler, (void *)(unsigned long)(number + 9), 0);
  if (turn(5)) sum += 4;
  printf("%u\n", sum);
  return number % 2;
}
