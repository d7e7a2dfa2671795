/* <ctype.h> in the C locale.
 *
 * Two faces: the functions, and the tables that glibc's macros read (`__ctype_b_loc` and its like), so that programs
 * compiled against glibc's headers run. Both are defined for -128 .. 255, as glibc defines them.
 */
#include <stdint.h>

#undef isalnum
#undef tolower
#undef toupper

static int between(int c, int low, int high) { return c >= low && c <= high; }

int isdigit(int c) { return between(c, '0', '9'); }
int islower(int c) { return between(c, 'a', 'z'); }
int isupper(int c) { return between(c, 'A', 'Z'); }
int isalpha(int c) { return islower(c) || isupper(c); }
int isalnum(int c) { return isalpha(c) || isdigit(c); }
int isxdigit(int c) { return isdigit(c) || between(c, 'a', 'f') || between(c, 'A', 'F'); }
int isblank(int c) { return c == ' ' || c == '\t'; }
int isspace(int c) { return c == ' ' || between(c, '\t', '\r'); }
int iscntrl(int c) { return between(c, 0, 31) || c == 127; }
int isprint(int c) { return between(c, 32, 126); }
int isgraph(int c) { return between(c, 33, 126); }
int ispunct(int c) { return isgraph(c) && !isalnum(c); }
int isascii(int c) { return between(c, 0, 127); }
int toascii(int c) { return c & 127; }
int tolower(int c) { return isupper(c) ? c + 32 : c; }
int toupper(int c) { return islower(c) ? c - 32 : c; }

/* glibc's class bits on a little-endian machine. */
enum {
  UPPER = 1 << 8,
  LOWER = 1 << 9,
  ALPHA = 1 << 10,
  DIGIT = 1 << 11,
  XDIGIT = 1 << 12,
  SPACE = 1 << 13,
  PRINT = 1 << 14,
  GRAPH = 1 << 15,
  BLANK = 1 << 0,
  CNTRL = 1 << 1,
  PUNCT = 1 << 2,
  ALNUM = 1 << 3,
};

#define CONTROL CNTRL
#define SIGN (PUNCT | GRAPH | PRINT)
#define NUMBER (DIGIT | XDIGIT | ALNUM | GRAPH | PRINT)
#define CAPITAL (UPPER | ALPHA | ALNUM | GRAPH | PRINT)
#define SMALL (LOWER | ALPHA | ALNUM | GRAPH | PRINT)

/* Constant tables, so that a look-up needs no initialisation and folds. Index 128 is character 0. */
static const uint16_t classes[384] = {
    [128 + 0 ... 128 + 8] = CONTROL,
    [128 + '\t'] = CONTROL | SPACE | BLANK,
    [128 + '\n' ... 128 + '\r'] = CONTROL | SPACE,
    [128 + 14 ... 128 + 31] = CONTROL,
    [128 + ' '] = SPACE | BLANK | PRINT,
    [128 + '!' ... 128 + '/'] = SIGN,
    [128 + '0' ... 128 + '9'] = NUMBER,
    [128 + ':' ... 128 + '@'] = SIGN,
    [128 + 'A' ... 128 + 'F'] = CAPITAL | XDIGIT,
    [128 + 'G' ... 128 + 'Z'] = CAPITAL,
    [128 + '[' ... 128 + '`'] = SIGN,
    [128 + 'a' ... 128 + 'f'] = SMALL | XDIGIT,
    [128 + 'g' ... 128 + 'z'] = SMALL,
    [128 + '{' ... 128 + '~'] = SIGN,
    [128 + 127] = CONTROL,
};

#define FOUR(n) n, n + 1, n + 2, n + 3
#define SIXTEEN(n) FOUR(n), FOUR(n + 4), FOUR(n + 8), FOUR(n + 12)
#define SIXTY_FOUR(n) SIXTEEN(n), SIXTEEN(n + 16), SIXTEEN(n + 32), SIXTEEN(n + 48)
#define LETTERS(n) SIXTEEN(n), FOUR(n + 16), FOUR(n + 20), n + 24, n + 25
/* Every character as itself, with `upper` and `lower` starting the two alphabets. -1 (EOF) stays -1. */
#define MAPPING(upper, lower)                                                                            \
  {SIXTY_FOUR(128), SIXTEEN(192), SIXTEEN(208), SIXTEEN(224), FOUR(240), FOUR(244), FOUR(248), 252, 253, 254, -1, \
   SIXTY_FOUR(0), '@', LETTERS(upper), '[', '\\', ']', '^', '_', '`', LETTERS(lower), '{', '|', '}', '~', 127,    \
   SIXTY_FOUR(128), SIXTY_FOUR(192)}

static const int32_t lowers[384] = MAPPING('a', 'a');
static const int32_t uppers[384] = MAPPING('A', 'A');

static const uint16_t *classes_at_zero = classes + 128;
static const int32_t *lowers_at_zero = lowers + 128;
static const int32_t *uppers_at_zero = uppers + 128;

const uint16_t **__ctype_b_loc(void) { return &classes_at_zero; }
const int32_t **__ctype_tolower_loc(void) { return &lowers_at_zero; }
const int32_t **__ctype_toupper_loc(void) { return &uppers_at_zero; }
