/* Files that the caller of an entry has opened: for reading, for writing, for both. The modelled kernel has their descriptors and what is in
 * them (env/src/streams.rs). Like the standard streams they are nobody's to free. */
#include "stdio_impl.h"

#define STREAM(name, number, mode)                    \
  static unsigned char name##_buf[BUFSIZ + UNGET];    \
  hidden FILE __taw_##name##_FILE = {                 \
      .buf = name##_buf + UNGET,                      \
      .buf_size = sizeof name##_buf - UNGET,          \
      .fd = number,                                   \
      .flags = F_PERM | (mode),                       \
      .read = __stdio_read,                           \
      .write = __stdio_write,                         \
      .seek = __stdio_seek,                           \
      .close = __stdio_close,                         \
      .lock = -1,                                     \
      .lbf = EOF,                                     \
  };                                                  \
  FILE *const __taw_##name = &__taw_##name##_FILE;

STREAM(file_r, 1009, F_NOWR)
STREAM(file_w, 1010, F_NORD)
STREAM(file_rw, 1011, 0)
