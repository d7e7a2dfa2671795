// Staged subjects of the corpus: the whole structure is symbolic, one method is called. SUBJECT names the corpus file,
// MAX_SIZE the pool, one of the names below the method. Path counts: crates/testkit/src/staged.rs.
#include SUBJECT
#include <taw.h>

#define SYMBOLIC(type, name) \
  struct type name;          \
  taw_symbolic(&name, sizeof name, #name)

int main(void) {
#if defined(ST_REPOK)
  SYMBOLIC(search_tree, t);
  if (tree_repOk(&t)) reach("valid");
  return 0;
#elif defined(ST_ADD)
  SYMBOLIC(search_tree, t);
  return st_add(&t, taw_int("x"));
#elif defined(ST_REMOVE)
  SYMBOLIC(search_tree, t);
  return st_remove(&t, taw_int("x"));
#elif defined(ST_ISEQUAL)
  SYMBOLIC(search_tree, a);
  SYMBOLIC(search_tree, b);
  return st_isEqual(&a, &b);
#elif defined(ST_ISPREORDER)
  SYMBOLIC(search_tree, t);
  SYMBOLIC(sorted_list, l);
  return st_isPreOrder(&t, &l);
#elif defined(ST_UNION)
  SYMBOLIC(search_tree, a);
  SYMBOLIC(search_tree, b);
  return st_union(&a, &b);
#elif defined(SL_REPOK)
  SYMBOLIC(sorted_list, l);
  if (list_repOk(&l)) reach("valid");
  return 0;
#elif defined(SL_ADD)
  SYMBOLIC(sorted_list, l);
  return sl_add(&l, taw_int("x"));
#elif defined(SL_REMOVE)
  SYMBOLIC(sorted_list, l);
  return sl_remove(&l, taw_int("x"));
#elif defined(SL_MERGE)
  SYMBOLIC(sorted_list, a);
  SYMBOLIC(sorted_list, b);
  return sl_merge(&a, &b);
#elif defined(SL_ISEQUAL)
  SYMBOLIC(sorted_list, a);
  SYMBOLIC(sorted_list, b);
  return sl_isEqual(&a, &b);
#elif defined(SL_ISINTERSECTION)
  SYMBOLIC(sorted_list, a);
  SYMBOLIC(sorted_list, b);
  SYMBOLIC(sorted_list, c);
  return sl_isIntersection(&a, &b, &c);
#elif defined(SL_UNION)
  SYMBOLIC(sorted_list, a);
  SYMBOLIC(sorted_list, b);
  return sl_union(&a, &b);
#elif defined(BH_REPOK)
  SYMBOLIC(binary_heap, h);
  if (heap_repOk(&h)) reach("valid");
  return 0;
#elif defined(BH_ADD)
  SYMBOLIC(binary_heap, h);
  return bh_add(&h, taw_int("x"));
#elif defined(BH_REMOVE)
  SYMBOLIC(binary_heap, h);
  return bh_remove(&h);
#endif
}
