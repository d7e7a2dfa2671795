// The object comes by way of a parameter, and only if the function says that it went well.
//@ flags: --entry conn_port --build-with conn_open,conn_reset
//@ signature: int conn_port(const struct conn *c)
//@ exhaustive: any
//@ rests-on: the global variable `broken` has its initial value
#include <stdlib.h>

struct conn {
  int port, retries;
};

static struct conn broken = {-1, 0};

int conn_open(struct conn **out, int port) {
  if (port < 0) {
    *out = &broken;
    return -1;
  }
  *out = malloc(sizeof **out);
  (*out)->port = port;
  (*out)->retries = 3;
  return 0;
}

void conn_reset(struct conn *c) { c->retries = 0; }

int conn_port(const struct conn *c) {
  if (c->port < 0) abort(); //~ BUG null-dereference
  //~| API none
  //~ BUG abort
  //~| API none
  return c->port / c->retries; //~ BUG division-by-zero
  //~| API struct conn *conn1 = 0; conn_open(&conn1, 0); conn_reset(conn1); conn_port(conn1);
}
