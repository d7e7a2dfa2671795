// What a variable that is still there, or the C library, leads to is not lost.
//@ flags: --check leak
//@ revisions: O0 m32
//@ paths: 2 completed, 0 errored
#define _GNU_SOURCE
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <taw.h>

struct node { struct node *next; char text[20]; };
static struct node *list;
static char *inside;

int main(void) {
  setenv("NAME", "a value of some length", 1);
  char *variable = strdup("OTHER=value");
  putenv(variable);
  getpwnam("root");
  for (int i = 0; i < 3; i++) {
    struct node *node = malloc(sizeof *node);
    node->next = list, list = node;
  }
  inside = (char *)malloc(50) + 10;
  fopen("no-such-file", "r");
  char *local = malloc(7);
  if (taw_bool("leave")) exit(0);
  free(local);
  return 0;
}
