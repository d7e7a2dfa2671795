// The sign that `lgamma` leaves in a variable is not modelled: a program that has the variable is told.
//@ paths: 0 completed, 0 errored
//@ exhaustive: false
//@ unsupported: signgam
//@ native: none
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>

int main(void) {
  double x = lgamma(-0.5);
  printf("%f %d\n", x, signgam);
  return 0;
}
