// Five conditions on a list on the heap that a loop in a callee has made, by the default strategy.
//@ flags: --max-time 60s
//@ target: label:count reached
//@ target: label:sum reached
//@ target: label:head reached
//@ target: label:second reached
//@ target: label:remainder reached
#include <stdlib.h>
#include <taw.h>

struct node {
    int key;
    struct node *next;
};

struct list {
    struct node *head;
    int count, sum;
};

static void push(struct list *list, int key) {
    struct node *node = malloc(sizeof *node);
    if (!node)
        exit(1);
    node->key = key;
    node->next = list->head;
    list->head = node;
    list->count++;
    list->sum += key;
}

static void fill(struct list *list, int n, int step) {
    for (int i = 0; i < n; i++)
        push(list, i * step);
}

int main(void) {
    int n = taw_int("n"), step = taw_int("step");
    if (n < 0 || n > 100 || step < 0 || step > 1000)
        return 0;
    struct list *list = calloc(1, sizeof *list);
    if (!list)
        return 0;
    fill(list, n, step);
    if (list->count == 40)
        taw_target("count");
    if (list->sum == 4950)
        taw_target("sum");
    if (list->head && list->head->key == 777)
        taw_target("head");
    if (list->head && list->head->next && list->head->next->key == 500)
        taw_target("second");
    if (list->count > 10 && list->sum % 97 == 5)
        taw_target("remainder");
    return 0;
}
