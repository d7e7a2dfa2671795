/* Declarations of the klee_* functions that Taw understands, so that programs written for KLEE compile unchanged.
 * Written from KLEE's public documentation of its intrinsics; what each does under Taw is said here.
 */
#ifndef KLEE_KLEE_H
#define KLEE_KLEE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Makes the object at `addr` symbolic. `nbytes` should be the size of the whole object. */
void klee_make_symbolic(void *addr, size_t nbytes, const char *name);

/* A fresh symbolic int; one in begin .. end-1; one in 0 .. n-1. */
int klee_int(const char *name);
int klee_range(int begin, int end, const char *name);
uintptr_t klee_choose(uintptr_t n);

/* Only inputs with `condition` != 0 are explored from here on. */
void klee_assume(uintptr_t condition);

/* Prefer such inputs in tests. A wish: Taw accepts it and explores the same paths without it. */
void klee_prefer_cex(void *object, uintptr_t condition);

/* Ends the path without a test. */
__attribute__((noreturn)) void klee_silent_exit(int status);

/* Ends the path as aborted. */
__attribute__((noreturn)) void klee_abort(void);

/* Ends the path with an error of the program's own. `suffix` names its family. */
__attribute__((noreturn)) void klee_report_error(const char *file, int line, const char *message, const char *suffix);

/* Whether the value is symbolic on this path (non-zero if it is). Zero in a native run. */
unsigned klee_is_symbolic(uintptr_t n);
unsigned klee_is_replay(void);

/* One concrete value that the expression can have; the path is not constrained to it. */
float klee_get_valuef(float expr);
double klee_get_valued(double expr);
long klee_get_valuel(long expr);
long long klee_get_valuell(long long expr);
int32_t klee_get_value_i32(int32_t expr);
int64_t klee_get_value_i64(int64_t expr);

/* The size of the object that `ptr` points to the start of. */
size_t klee_get_obj_size(void *ptr);

/* Reports an error unless the `size` bytes at `address` may be accessed. */
void klee_check_memory_access(const void *address, size_t size);

/* Shows the (possibly symbolic) last argument under the name. */
void klee_print_expr(const char *msg, ...);
void klee_print_range(const char *name, int arg);

void klee_warning(const char *message);
void klee_warning_once(const char *message);

/* Turns forking off (0) or on. */
void klee_set_forking(unsigned enable);

/* Accepted; Taw does not merge states here, which changes the number of paths and nothing else. */
void klee_open_merge(void);
void klee_close_merge(void);

void klee_stack_trace(void);

/* Memory at an address of the program's choice: Taw has none, and a path that asks for it ends as unsupported. */
void klee_define_fixed_object(void *addr, size_t nbytes);

/* Wishes and questions of KLEE's own. */
void klee_posix_prefer_cex(void *object, uintptr_t condition);
void klee_mark_global(void *object);
int klee_get_errno(void);

/* Not `__assert_fail`, which every C library declares in its own way: this header goes with any <assert.h>. */
__attribute__((noreturn)) void klee_assert_fail(const char *assertion, const char *file, unsigned line,
                                                const char *function);
#define klee_assert(expr) ((expr) ? (void)0 : klee_assert_fail(#expr, __FILE__, __LINE__, __func__))

#ifdef __cplusplus
}
#endif

#endif
