/* Taw's interface for C and C++ programs: say what is symbolic, what is assumed, what must hold.
 *
 * The same source serves twice. Under `taw run` the functions below belong to the engine. In a native build, link
 * `runtime/replay/replay.c`: it gives back, call by call, the values of one generated test.
 *
 * Every maker takes the name under which the value appears in tests and findings; a name used again gets a number
 * ("x", "x_1", ...). A null name is allowed and means "unnamed".
 */
#ifndef TAW_H
#define TAW_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Makes the `size` bytes at `ptr` symbolic: each byte may be anything. The bytes must lie within one object. */
void taw_symbolic(void *ptr, size_t size, const char *name);

/* Makers: a fresh symbolic value of the type. `taw_bool` is 0 or 1; the others range over the whole type, which for
 * floating point includes infinities and NaNs. */
int8_t taw_i8(const char *name);
uint8_t taw_u8(const char *name);
int16_t taw_i16(const char *name);
uint16_t taw_u16(const char *name);
int32_t taw_i32(const char *name);
uint32_t taw_u32(const char *name);
int64_t taw_i64(const char *name);
uint64_t taw_u64(const char *name);
char taw_char(const char *name);
int taw_int(const char *name);
unsigned taw_uint(const char *name);
long taw_long(const char *name);
unsigned long taw_ulong(const char *name);
size_t taw_size(const char *name);
int taw_bool(const char *name);
float taw_float(const char *name);
double taw_double(const char *name);
long double taw_long_double(const char *name);

/* Ends the path silently unless `condition` holds: only inputs that satisfy it are explored from here on. */
void taw_assume(int condition);

/* Reports an assertion failure if `condition` can be zero; the path goes on where it is not. */
void taw_assert(int condition);

/* Marks a place. A test lists the labels that its path passed; `label` must be a concrete string. */
void taw_target(const char *label);

/* Any value in 0 .. n-1; paths fork where the program branches on it. `n` must not be zero. */
unsigned taw_choose(unsigned n);

/* Shows a value, which may be symbolic, in the test under `name`. Does not fork. */
void taw_print(const char *name, long long value);

#ifdef __cplusplus
}
#endif

#endif
