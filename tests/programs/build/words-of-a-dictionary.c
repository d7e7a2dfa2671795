// Texts are inputs of the calls; longer ones than are tried are named where nothing is found.
//@ flags: --entry dict_check --build-with dict_new,dict_name --max-string 3 --build-calls 2
//@ signature: int dict_check(struct dict *d)
//@ exhaustive: any
#include <stdlib.h>
#include <string.h>

struct dict {
  const char *name;
};

struct dict *dict_new(void) { return calloc(1, sizeof(struct dict)); }

void dict_name(struct dict *d, const char *name) { d->name = name; }

int dict_check(struct dict *d) {
  if (!d || !d->name) return -1;
  if (!strcmp(d->name, "ab")) abort(); //~ BUG abort
  //~| API struct dict *dict1 = dict_new(); dict_name(dict1, "ab"); dict_check(dict1);
  if (strlen(d->name) == 1) return d->name[2]; //~ BUG out-of-bounds-read
  //~| API struct dict *dict1 = dict_new(); dict_name(dict1, "\001"); dict_check(dict1);
  return 0;
}
