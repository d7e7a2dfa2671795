// What may lie in a union or in an array of characters is not tried, and so said; a single character has room for none.
//@ revisions: union room character
//@[union] flags: --entry in_union
//@[union] signature: int in_union(void *p, void *s)
//@[union] exhaustive: false
//@[room] flags: --entry in_room
//@[room] signature: int in_room(void *p, void *s)
//@[room] exhaustive: false
//@[character] flags: --entry in_character
//@[character] signature: int in_character(void *p, void *s)
//@[character] exhaustive: true
union number {
  int i;
  float f;
};
struct a {
  union number number;
};
struct b {
  char room[8];
};
struct c {
  char one;
};

int in_union(int *p, struct a *s) { return p && s && (s->number.f = 1, *p = 2, s->number.i == 2); }
int in_room(int *p, struct b *s) { return p && s && (s->room[0] = 1, *p = 2, s->room[0] == 2); }
int in_character(int *p, struct c *s) { return p && s && (s->one = 1, *p = 2, s->one == 2); }
