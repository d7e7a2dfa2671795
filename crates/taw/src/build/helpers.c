/* What the drivers of --build-with have in common. They are compiled behind the user's file: no header may be included here. */
/* Nothing of the program may become a part of these: its functions are what is looked at. */
#define TAW_BUILD_OWN __attribute__((optnone, noinline))
typedef void *taw_build_pointer __attribute__((may_alias));
void taw_symbolic(void *, __SIZE_TYPE__, const char *);
void taw_assume(int);
__INT8_TYPE__ taw_i8(const char *);
__UINT8_TYPE__ taw_u8(const char *);
__INT16_TYPE__ taw_i16(const char *);
__UINT16_TYPE__ taw_u16(const char *);
__INT32_TYPE__ taw_i32(const char *);
__UINT32_TYPE__ taw_u32(const char *);
__INT64_TYPE__ taw_i64(const char *);
__UINT64_TYPE__ taw_u64(const char *);
int taw_bool(const char *);
float taw_float(const char *);
double taw_double(const char *);
long double taw_long_double(const char *);

/* One of 0 .. n-1, each on a path of its own. */
TAW_BUILD_OWN static unsigned taw_build_choice(unsigned n, const char *name) {
  unsigned char c = taw_u8(name);
  for (unsigned i = 0; i < n; i++)
    if (c == i) return i;
  taw_assume(0);
  return 0;
}

/* An object that was freed is not used: whoever tries ends here. */
TAW_BUILD_OWN static void *taw_build_touch(void *object) {
  (void)*(volatile char *)object;
  return object;
}

/* One of the objects that are there. */
TAW_BUILD_OWN static void *taw_build_among(taw_build_pointer *slots, unsigned n, unsigned char c) {
  for (unsigned i = 0; i < n; i++)
    if (slots[i] && c == i) return taw_build_touch(slots[i]);
  taw_assume(0);
  return 0;
}

TAW_BUILD_OWN static void *taw_build_pick(taw_build_pointer *slots, unsigned n, const char *name) {
  return taw_build_among(slots, n, taw_u8(name));
}

/* A new object of zeros, or one that is there. */
TAW_BUILD_OWN static void *taw_build_object(taw_build_pointer *slots, unsigned n, __SIZE_TYPE__ size, int *is_new, const char *name) {
  unsigned char c = taw_u8(name);
  if (c) return taw_build_among(slots, n, c - 1);
  *is_new = 1;
  return __builtin_calloc(1, size);
}

/* Where the pointer to a new object goes, or where that to one is. */
TAW_BUILD_OWN static void *taw_build_place(taw_build_pointer *slots, unsigned n, taw_build_pointer *own, const char *name) {
  unsigned char c = taw_u8(name);
  if (own && c == 0) return own;
  for (unsigned i = 0; i < n; i++)
    if (slots[i] && c == i + 1) {
      taw_build_touch(slots[i]);
      return &slots[i];
    }
  taw_assume(0);
  return 0;
}

TAW_BUILD_OWN static void taw_build_forget(taw_build_pointer *slots, unsigned n, void *object) {
  for (unsigned i = 0; i < n; i++)
    if (slots[i] == object) slots[i] = 0;
}

/* Text of any length up to the longest; who may write gets more room than that. */
TAW_BUILD_OWN static char *taw_build_text(unsigned longest, int roomy, const char *length, const char *name, __SIZE_TYPE__ *taw_room) {
  unsigned n = taw_build_choice(longest + 1, length);
  char *text = __builtin_calloc(roomy ? 4096 : n + 1, 1);
  if (n) taw_symbolic(text, n, name);
  for (unsigned i = 0; i < n; i++) taw_assume(text[i] != 0);
  if (*taw_room > n) *taw_room = n;
  return text;
}

/* Numbers in a row: the first are unknown, the others zero. */
TAW_BUILD_OWN static void *taw_build_row(unsigned n, unsigned size, const char *name, __SIZE_TYPE__ *taw_room) {
  char *row = __builtin_calloc(4096, 1);
  taw_symbolic(row, n * size, name);
  if (*taw_room > n) *taw_room = n;
  return row;
}
