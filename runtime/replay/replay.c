/* Native replay: the functions of taw.h and of its peers, giving back the values of one test in call order.
 *
 *   TAW_REPLAY=FILE         the values, one input per line: NAME HEXBYTES (memory order, little-endian scalars)
 *                           before them, the objects that arguments point at (`read_objects`)
 *   TAW_REPLAY_ENTRY=NAME   the function that a generated `main` calls, if it has several
 *   TAW_REPLAY_RETURNED=FILE what a generated `main` has got from the function that it calls (`taw_replay_returned`; optional)
 *   TAW_REPLAY_LABELS=FILE  where the labels passed are appended, one per line, each once (optional)
 *   TAW_REPLAY_ASKED=FILE   where the inputs asked for are appended, one per line: SIZE NAME (optional; `?` if not known),
 *                           and calls that only symbolic execution can answer: ! FUNCTION
 *
 * Without TAW_REPLAY every input is zero, so that a program can simply be started. Exit codes of its own, apart from
 * the program's: 97 the run asked for another input than the test holds, 98 an assumption does not hold (so the test
 * is not of this path), 99 the file cannot be read. Everything is weak: a program that defines `reach_error` itself
 * keeps its own.
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>
#include <fcntl.h>

#define WEAK __attribute__((weak))

enum { DIVERGED = 97, ASSUMPTION = 98, UNREADABLE = 99 };

static FILE *inputs;
static int labels = -1;
static int asked = -1;
static int returned = -1;
static char *entry;

static void stop(int code, const char *why) {
  dprintf(2, "replay: %s\n", why);
  _exit(code);
}

/* By the system call: a program may have an `open` of its own. */
static int append_to(const char *path) {
  return (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND, 0644);
}

/* The program is explored with an environment that the test tells. */
static void hide_environment(void) {
  const char *ours[] = {"TAW_REPLAY",          "TAW_REPLAY_LABELS", "TAW_REPLAY_ASKED", "TAW_REPLAY_ENTRY",
                        "TAW_REPLAY_RETURNED", "ASAN_OPTIONS",      "UBSAN_OPTIONS",    "MSAN_OPTIONS"};
  if (!inputs) return;
  for (size_t i = 0; i < sizeof ours / sizeof *ours; i++) unsetenv(ours[i]);
}

/* Arguments in memory of their own, so that a sanitizer sees what reads past one. Other libraries than glibc give them to no
 * constructor. */
static void guard_arguments(int argc, char **argv) {
#ifndef __GLIBC__
  argc = 0;
#endif
  for (int i = 0; i < argc; i++) {
    char *copy = strdup(argv[i]);
    if (copy) argv[i] = copy;
  }
}

/* The objects that the arguments of a generated `main` lead to. */
static struct {
  unsigned char *memory;
  size_t size;
  int gone; /* freed by the call, or never the caller's */
} objects[4096];
static long object_count;
static void *pointers[256];
static int pointer_count, pointers_given;

/* Objects that the call leads to: which object has the pointer (-1: the result), where, how far into the object it points. */
static struct {
  long number, holder;
  size_t at, plus, size;
} found[512];
static int found_count;

static void *place_in(long object, size_t plus) {
  if (object < 0) return NULL;
  if (object >= object_count || plus > objects[object].size) stop(UNREADABLE, "a pointer leads out of the objects");
  return objects[object].memory + plus;
}

/* Functions that a test can name; generated. */
struct taw_replay_code {
  const char *symbol;
  void (*function)(void);
};
WEAK extern const struct taw_replay_code taw_replay_codes[];

/* Which of them the test calls how. */
static struct {
  char symbol[256], name[256];
} codes[256];
static int code_count;

/* A file that the caller has opened: it lies in the folder of the test. By system calls: a program may have an `open` of its own. */
static FILE *file_named(const char *name, int number, int how, const char *mode) {
  int fd = (int)syscall(SYS_openat, AT_FDCWD, name, how | O_CREAT, 0600);
  if (fd < 0) stop(UNREADABLE, "a file of the test cannot be opened");
  if (syscall(SYS_dup3, fd, number, 0) == number) {
    syscall(SYS_close, fd);
    fd = number;
  }
  return fdopen(fd, mode);
}

static void *code_at(const char *symbol) {
  if (!strcmp(symbol, "file_r")) return file_named(symbol, 1009, O_RDONLY, "r");
  if (!strcmp(symbol, "file_w")) return file_named(symbol, 1010, O_WRONLY, "w");
  if (!strcmp(symbol, "file_rw")) return file_named(symbol, 1011, O_RDWR, "r+");
  if (!strcmp(symbol, "stdin")) return stdin;
  if (!strcmp(symbol, "stdout")) return stdout;
  if (!strcmp(symbol, "stderr")) return stderr;
  for (const struct taw_replay_code *code = taw_replay_codes; code && code->symbol; code++)
    if (!strcmp(code->symbol, symbol)) return (void *)(uintptr_t)code->function;
  return NULL;
}

static void read_code(void) {
  if (object_count == sizeof objects / sizeof *objects || code_count == 256) stop(UNREADABLE, "there are too many objects");
  if (fscanf(inputs, "%255s %255s", codes[code_count].symbol, codes[code_count].name) != 2)
    stop(UNREADABLE, "a line is not #code SYMBOL NAME");
  objects[object_count].memory = code_at(codes[code_count++].symbol);
  if (!objects[object_count].memory) stop(UNREADABLE, "a function of the test is not in the program");
  objects[object_count++].size = 0;
}

/* For generated stand-ins of functions that the caller passes: what a test calls something of theirs. */
const char *taw_replay_named(const char *symbol, const char *before, const char *after) {
  static char text[512];
  for (int i = 0; i < code_count; i++)
    if (!strcmp(codes[i].symbol, symbol)) snprintf(text, sizeof text, "%s%s%s", before, codes[i].name, after);
  return text;
}

/* What sanitizers know of memory; absent in programs built without them. */
WEAK void *__asan_region_is_poisoned(void *begin, size_t size);
WEAK long __msan_test_shadow(const void *begin, size_t size);
WEAK void __msan_unpoison(const void *begin, size_t size);

/* This file is not watched by a sanitizer: what it writes would be memory that nobody has written. */
static void written(const void *memory, size_t size) {
  if (__msan_unpoison) __msan_unpoison(memory, size);
}

static unsigned char *read_bytes(size_t size) {
  unsigned value;
  unsigned char *memory = malloc(size);
  if (!memory) stop(UNREADABLE, "there is no room for an object");
  for (size_t i = 0; i < size; i++) {
    if (fscanf(inputs, "%2x", &value) != 1) stop(UNREADABLE, "an object has too few bytes");
    memory[i] = (unsigned char)value;
  }
  written(memory, size);
  return memory;
}

static void read_object(void) {
  size_t size;
  if (object_count == sizeof objects / sizeof *objects) stop(UNREADABLE, "there are too many objects");
  if (fscanf(inputs, "%zu", &size) != 1) stop(UNREADABLE, "a line is not #object SIZE HEXBYTES");
  objects[object_count].memory = read_bytes(size);
  objects[object_count++].size = size;
}

/* What variables of the program hold when the call begins: constructors have run then. */
static struct setting {
  unsigned char *to, *bytes;
  size_t size;
  struct setting *before;
} *settings;

static void set_later(void *to, unsigned char *bytes, size_t size) {
  struct setting *setting = malloc(sizeof *setting);
  if (!setting) stop(UNREADABLE, "there is no room for an object");
  *setting = (struct setting){to, bytes, size, settings};
  settings = setting;
}

/* By hand: sanitizers watch what the library does to variables. */
static void set_now(const struct setting *setting) {
  if (!setting) return;
  set_now(setting->before);
  for (size_t i = 0; i < setting->size; i++) ((volatile unsigned char *)setting->to)[i] = setting->bytes[i];
  written(setting->to, setting->size);
}

/* For a generated `main`, before the call. */
void taw_replay_begin(void) { set_now(settings); }

static int is_global[sizeof objects / sizeof *objects];

static void read_global(void) {
  size_t size;
  long long distance;
  if (object_count == sizeof objects / sizeof *objects) stop(UNREADABLE, "there are too many objects");
  if (fscanf(inputs, "%zu %lld", &size, &distance) != 2) stop(UNREADABLE, "a line is not #global SIZE DISTANCE");
  is_global[object_count] = 1;
  objects[object_count].memory = (unsigned char *)(uintptr_t)&taw_replay_begin + distance;
  objects[object_count++].size = size;
}

/* A pointer in an object; in a variable it is set later. */
static void set_pointer(long number, size_t at, void *to) {
  unsigned char *bytes = malloc(sizeof to);
  if (!bytes) stop(UNREADABLE, "there is no room for an object");
  memcpy(bytes, &to, sizeof to);
  void *place = place_in(number, at);
  if (is_global[number])
    set_later(place, bytes, sizeof to);
  else
    memcpy(place, bytes, sizeof to);
  written(place, sizeof to);
}

/* Lines before the inputs:
 *   #object SIZE HEXBYTES              memory of exactly that size, numbered from 0
 *   #global SIZE DISTANCE              a variable of the program, so far from `taw_replay_begin`
 *   #set NUMBER AT SIZE HEXBYTES       what a variable holds when the call begins
 *   #code SYMBOL NAME                  a function or a stream in place of an object, which the test calls NAME
 *   #pointer NUMBER AT OBJECT PLUS     what lies AT bytes into object NUMBER is a pointer into OBJECT
 *   #argument OBJECT PLUS              an argument that is a pointer; -1 is null
 *   #gone NUMBER                       an object that must not be read after the call
 *   #found NUMBER HOLDER AT PLUS SIZE  an object that is to be read after the call (`found`) */
static void read_objects(void) {
  char word[16];
  long number, object;
  size_t at, plus, size;
  int c;
  while (inputs && (c = fgetc(inputs)) == '#') {
    if (fscanf(inputs, "%15s", word) != 1) stop(UNREADABLE, "a line says nothing");
    if (!strcmp(word, "object")) {
      read_object();
    } else if (!strcmp(word, "code")) {
      read_code();
    } else if (!strcmp(word, "pointer") && fscanf(inputs, "%ld %zu %ld %zu", &number, &at, &object, &plus) == 4) {
      set_pointer(number, at, place_in(object, plus));
    } else if (!strcmp(word, "global")) {
      read_global();
    } else if (!strcmp(word, "set") && fscanf(inputs, "%ld %zu %zu", &number, &at, &size) == 3) {
      set_later(place_in(number, at), read_bytes(size), size);
    } else if (!strcmp(word, "argument") && fscanf(inputs, "%ld %zu", &object, &plus) == 2 && pointer_count < 256) {
      pointers[pointer_count++] = place_in(object, plus);
    } else if (!strcmp(word, "gone") && fscanf(inputs, "%ld", &number) == 1 && number >= 0 && number < object_count) {
      objects[number].gone = 1;
    } else if (!strcmp(word, "found") && fscanf(inputs, "%ld %ld %zu %zu %zu", &number, &object, &at, &plus, &size) == 5 &&
               found_count < 512 && number >= 0 && number < 4096 && object < number) {
      found[found_count].number = number;
      found[found_count].holder = object;
      found[found_count].at = at;
      found[found_count].plus = plus;
      found[found_count++].size = size;
    } else {
      stop(UNREADABLE, "a line is not understood");
    }
    fscanf(inputs, " ");
  }
  if (inputs && c != EOF) ungetc(c, inputs);
}

/* The next argument of a generated `main` that is a pointer. */
void *taw_replay_pointer(void) { return pointers_given < pointer_count ? pointers[pointers_given++] : NULL; }

__attribute__((constructor(101))) static void open_files(int argc, char **argv) {
  guard_arguments(argc, argv);
  const char *path = getenv("TAW_REPLAY");
  if (path && !(inputs = fopen(path, "r"))) stop(UNREADABLE, "cannot read the file named by TAW_REPLAY");
  read_objects();
  path = getenv("TAW_REPLAY_LABELS");
  if (path) labels = append_to(path);
  path = getenv("TAW_REPLAY_ASKED");
  if (path) asked = append_to(path);
  path = getenv("TAW_REPLAY_RETURNED");
  if (path) returned = append_to(path);
  path = getenv("TAW_REPLAY_ENTRY");
  if (path) entry = strdup(path);
  hide_environment();
}

/* One line: WHAT NUMBER ADDRESS HEXBYTES. Bytes that nobody has written are `??`, where that is known. */
static void tell(const char *what, long number, unsigned char *memory, size_t size) {
  char *text = malloc(2 * size + 1);
  if (!text) return;
  text[0] = 0;
  if (memory && size > 0 && __asan_region_is_poisoned && __asan_region_is_poisoned(memory, size)) size = 0;
  for (size_t i = 0; memory && i < size; i++) {
    if (__msan_test_shadow && __msan_test_shadow(memory + i, 1) >= 0)
      strcpy(text + 2 * i, "??");
    else
      snprintf(text + 2 * i, 3, "%02x", memory[i]);
  }
  dprintf(returned, "%s %ld %llx %s\n", what, number, (unsigned long long)(uintptr_t)memory, text);
  free(text);
}

/* What a call has given: for a generated `main`, before it ends. */
void taw_replay_returned(void *result, size_t size) {
  if (returned < 0) return;
  dprintf(returned, "word %zu 0 \n", sizeof(void *));
  tell("result", 0, result, size);
  long i;
  for (i = 0; i < object_count; i++)
    if (!objects[i].gone) tell("object", i, objects[i].memory, objects[i].size);
  for (i = 0; i < found_count; i++) {
    unsigned char *holder = found[i].holder < 0 ? result : objects[found[i].holder].memory, *memory = NULL;
    if (holder) memcpy(&memory, holder + found[i].at, sizeof memory);
    if (memory) memory -= found[i].plus;
    objects[found[i].number].memory = memory;
    tell("object", found[i].number, memory, found[i].size);
  }
}

/* Notes what is asked for before it is given, so that the last line tells what a run stopped at. */
static void note(const char *size, const char *name) {
  if (asked < 0) return;
  dprintf(asked, "%s ", size);
  for (; name && *name; name++) dprintf(asked, "%c", *name == '\n' || *name == '\r' ? '_' : *name);
  dprintf(asked, "\n");
}

static void note_size(size_t size, const char *name) {
  char digits[24];
  snprintf(digits, sizeof digits, "%zu", size);
  note(digits, name);
}

/* Reads the bytes of a line into `out`, at most `size`; gives how many the line held. */
static size_t next_bytes(unsigned char *out, size_t size) {
  size_t n = 0;
  unsigned value;
  int c;
  while ((c = fgetc(inputs)) == ' ')
    ;
  ungetc(c, inputs);
  while ((c = fgetc(inputs)) != '\n' && c != EOF) {
    ungetc(c, inputs);
    if (fscanf(inputs, "%2x", &value) != 1) stop(UNREADABLE, "a line is not NAME HEXBYTES");
    if (n < size) out[n] = (unsigned char)value;
    n++;
  }
  written(out, n < size ? n : size);
  return n;
}

/* The same for the next line. */
static size_t next_input(unsigned char *out, size_t size) {
  if (fscanf(inputs, "%*s") == EOF) stop(DIVERGED, "the run asks for more inputs than the test holds");
  return next_bytes(out, size);
}

/* An object: its size must be the test's. */
static void object(void *ptr, size_t size, const char *name) {
  if (size == 0) return;
  note_size(size, name);
  memset(ptr, 0, size);
  if (inputs && next_input(ptr, size) != size) stop(DIVERGED, "an input has another size than in the test");
}

/* A scalar: a shorter record is extended with zeros. */
static void scalar(void *ptr, size_t size, const char *name) {
  note_size(size, name);
  memset(ptr, 0, size);
  if (inputs) next_input(ptr, size);
}

static void fail(const char *why) {
  dprintf(2, "replay: %s\n", why);
  abort();
}

/* For a generated `main` that calls a function with symbolic parameters. */
void taw_replay_next(void *ptr, size_t size) { scalar(ptr, size, NULL); }

/* For a generated `main` that calls what must hold first. */
int taw_replay_holds(int condition) { return condition ? 0 : (stop(ASSUMPTION, "a precondition does not hold"), 0); }

/* For generated stand-ins of functions that are defined nowhere. A number: */
void taw_replay_value(void *ptr, size_t size, const char *name) { scalar(ptr, size, name); }

/* Whether the next input is what is written through a pointer: it is called `name`, then where (`+4`, unless at the pointer itself), then
 * which of several (`_1`). Gives where; the line is read up to its bytes. */
static int next_is(const char *name, long *where) {
  char text[1024];
  long start = ftell(inputs);
  size_t length = strlen(name);
  if (fscanf(inputs, " %1023s", text) == 1 && !strncmp(text, name, length) && strchr("+-_", text[length])) {
    *where = text[length] == '_' ? 0 : strtol(text + length, NULL, 10);
    note("?", text);
    return 1;
  }
  fseek(inputs, start, SEEK_SET);
  return 0;
}

/* Everything that is next and is written through that pointer. */
void taw_replay_write(void *ptr, const char *name) {
  long where;
  while (inputs && next_is(name, &where)) next_bytes((unsigned char *)ptr + where, SIZE_MAX);
}

void taw_replay_forbidden(const char *why) { fail(why); }

/* Whether the test starts at this function. */
int taw_replay_starts(const char *name) { return entry && !strcmp(entry, name); }

static void assume(int condition) {
  if (!condition) stop(ASSUMPTION, "an assumption does not hold");
}

/* taw.h */

#define MAKER(type, name)                 \
  WEAK type name(const char *input_name) { \
    type value;                           \
    scalar(&value, sizeof value, input_name); \
    return value;                         \
  }

MAKER(int8_t, taw_i8)
MAKER(uint8_t, taw_u8)
MAKER(int16_t, taw_i16)
MAKER(uint16_t, taw_u16)
MAKER(int32_t, taw_i32)
MAKER(uint32_t, taw_u32)
MAKER(int64_t, taw_i64)
MAKER(uint64_t, taw_u64)
MAKER(char, taw_char)
MAKER(int, taw_int)
MAKER(unsigned, taw_uint)
MAKER(long, taw_long)
MAKER(unsigned long, taw_ulong)
MAKER(size_t, taw_size)
MAKER(int, taw_bool)
MAKER(float, taw_float)
MAKER(double, taw_double)
MAKER(long double, taw_long_double)
MAKER(int, klee_int)

WEAK void taw_symbolic(void *ptr, size_t size, const char *name) { object(ptr, size, name); }
WEAK void taw_assume(int condition) { assume(condition); }
WEAK void taw_print(const char *name, long long value) { (void)name, (void)value; }

WEAK void taw_assert(int condition) {
  if (!condition) fail("taw_assert does not hold");
}

/* Of route.c, where that is linked. */
WEAK extern void taw_replay_passed(const char *label);

WEAK void taw_target(const char *label) {
  static const char *seen[1024];
  static size_t count;
  if (taw_replay_passed) taw_replay_passed(label);
  for (size_t i = 0; i < count; i++)
    if (strcmp(seen[i], label) == 0) return;
  if (count < 1024) seen[count++] = strdup(label);
  if (labels >= 0) dprintf(labels, "%s\n", label);
}

WEAK unsigned taw_choose(unsigned n) {
  unsigned value;
  scalar(&value, sizeof value, NULL);
  return value < n ? value : (stop(DIVERGED, "taw_choose gives a value out of range"), 0);
}

/* The corpus marks places with `reach`. */
WEAK void reach(const char *label) { taw_target(label); }

/* klee.h */

WEAK void klee_make_symbolic(void *ptr, size_t size, const char *name) { object(ptr, size, name); }
WEAK void klee_assume(uintptr_t condition) { assume(condition != 0); }
WEAK void klee_prefer_cex(void *object, uintptr_t condition) { (void)object, (void)condition; }
WEAK void klee_silent_exit(int status) { _exit(status); }
WEAK void klee_abort(void) { abort(); }
WEAK unsigned klee_is_symbolic(uintptr_t n) { return (void)n, note("!", "klee_is_symbolic"), 0; }
WEAK unsigned klee_is_replay(void) { return 1; }
WEAK float klee_get_valuef(float x) { return x; }
WEAK double klee_get_valued(double x) { return x; }
WEAK long klee_get_valuel(long x) { return x; }
WEAK long long klee_get_valuell(long long x) { return x; }
WEAK int32_t klee_get_value_i32(int32_t x) { return x; }
WEAK int64_t klee_get_value_i64(int64_t x) { return x; }
WEAK void klee_print_expr(const char *message, ...) { (void)message; }
WEAK void klee_warning(const char *message) { (void)message; }
WEAK void klee_warning_once(const char *message) { (void)message; }
WEAK void klee_set_forking(unsigned enable) { (void)enable; }
WEAK void klee_open_merge(void) {}
WEAK void klee_close_merge(void) {}
WEAK void klee_stack_trace(void) {}
WEAK void klee_print_range(const char *name, int arg) { (void)name, (void)arg; }
WEAK void klee_posix_prefer_cex(void *object, uintptr_t condition) { (void)object, (void)condition; }
WEAK void klee_mark_global(void *object) { (void)object; }
WEAK int klee_get_errno(void) { return 0; }
WEAK void klee_define_fixed_object(void *address, size_t size) {
  (void)address, (void)size;
  stop(DIVERGED, "there is no memory at an address that the program chooses");
}

WEAK void klee_assert_fail(const char *assertion, const char *file, unsigned line, const char *function) {
  (void)file, (void)line, (void)function;
  fail(assertion);
}

WEAK void klee_report_error(const char *file, int line, const char *message, const char *suffix) {
  (void)file, (void)line, (void)suffix;
  fail(message);
}

WEAK int klee_range(int begin, int end, const char *name) {
  int value = klee_int(name);
  return value >= begin && value < end ? value : (stop(DIVERGED, "klee_range gives a value out of range"), 0);
}

WEAK uintptr_t klee_choose(uintptr_t n) {
  uintptr_t value;
  scalar(&value, sizeof value, NULL);
  return value < n ? value : (stop(DIVERGED, "klee_choose gives a value out of range"), 0);
}

/* What AddressSanitizer knows of memory; absent in programs built without it. */
WEAK const char *__asan_locate_address(void *address, char *name, size_t name_size, void **region, size_t *region_size);

/* Touches every byte, for a fault; this file itself is not watched by a sanitizer. */
WEAK void klee_check_memory_access(const void *address, size_t size) {
  if (__asan_region_is_poisoned && __asan_region_is_poisoned((void *)address, size))
    fail("klee_check_memory_access does not hold");
  for (size_t i = 0; i < size; i++) (void)((const volatile char *)address)[i];
}

WEAK size_t klee_get_obj_size(void *address) {
  char name[8];
  void *region;
  size_t size = 0;
  note("!", "klee_get_obj_size");
  if (__asan_locate_address) __asan_locate_address(address, name, sizeof name, &region, &size);
  return size;
}

/* The software-verification competition */

#define NONDET(type, suffix)               \
  WEAK type __VERIFIER_nondet_##suffix(void) { \
    type value;                            \
    scalar(&value, sizeof value, NULL);          \
    return value;                          \
  }

NONDET(_Bool, bool)
NONDET(_Bool, _Bool)
NONDET(char, char)
NONDET(signed char, schar)
NONDET(unsigned char, uchar)
NONDET(unsigned char, unsigned_char)
NONDET(short, short)
NONDET(unsigned short, ushort)
NONDET(int, int)
NONDET(unsigned, uint)
NONDET(unsigned, unsigned)
NONDET(unsigned, unsigned_int)
NONDET(unsigned, u32)
NONDET(uint8_t, u8)
NONDET(uint16_t, u16)
NONDET(uint64_t, u64)
NONDET(long, long)
NONDET(unsigned long, ulong)
NONDET(long long, longlong)
NONDET(unsigned long long, ulonglong)
NONDET(size_t, size_t)
NONDET(float, float)
NONDET(double, double)
NONDET(long long, loff_t)
NONDET(unsigned long, sector_t)
NONDET(unsigned long, pthread_t)
NONDET(char *, pchar)
NONDET(void *, pointer)
#ifdef __SIZEOF_INT128__
NONDET(__int128, int128)
NONDET(unsigned __int128, uint128)
#endif

WEAK void __VERIFIER_nondet_memory(void *memory, size_t size) { object(memory, size, NULL); }
WEAK void __VERIFIER_assume(int condition) { assume(condition); }
WEAK void __VERIFIER_error(void) { fail("__VERIFIER_error is reached"); }
WEAK void reach_error(void) { fail("reach_error is reached"); }

WEAK void __VERIFIER_assert(int condition) {
  if (!condition) fail("__VERIFIER_assert does not hold");
}

/* Otter: `__SYMBOLIC` makes the whole variable symbolic, so the size is the test's. `__ASSUME` is variadic in Otter; a
 * program that passes several conditions declares it so, and the first is checked here. */

WEAK void __SYMBOLIC(void *variable) {
  note("?", NULL);
  if (inputs) next_input(variable, SIZE_MAX);
}
WEAK void __ASSUME(int condition, ...) { assume(condition); }
WEAK void __ASSERT(int condition, ...) {
  if (!condition) fail("__ASSERT does not hold");
}
WEAK void __FAILURE(void) { fail("__FAILURE is reached"); }
