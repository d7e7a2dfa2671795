// What a path writes before it reads it, and what it does not touch, says nothing about initial values.
//@ revisions: written part untouched
//@[written] flags: --entry written
//@[part] flags: --entry part
//@[part] rests-on: the global variable `pair` has its initial value
//@[untouched] flags: --entry untouched
//@[written] signature: int written(int x)
//@[part] signature: int part(int x)
//@[untouched] signature: int untouched(int x)
struct pair {
  int a, b;
} pair;
int other = 4, table[4];

int written(int x) {
  pair.a = x;
  pair.b = 2;
  for (int i = 0; i < 4; i++) table[i] = i;
  return pair.a + pair.b + table[1];
}

int part(int x) {
  pair.a = x;
  return pair.a + pair.b;
}

int untouched(int x) { return x; }
