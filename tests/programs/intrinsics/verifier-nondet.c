// The makers of the software-verification competition.
//@ revisions: O0 O2 m32
//@ labels: bool char uchar short ushort int uint long ulong float double
#include <taw.h>

_Bool __VERIFIER_nondet_bool(void);
char __VERIFIER_nondet_char(void);
unsigned char __VERIFIER_nondet_uchar(void);
short __VERIFIER_nondet_short(void);
unsigned short __VERIFIER_nondet_ushort(void);
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
long __VERIFIER_nondet_long(void);
unsigned long __VERIFIER_nondet_ulong(void);
float __VERIFIER_nondet_float(void);
double __VERIFIER_nondet_double(void);

int main(void) {
  switch (taw_choose(11)) {
    case 0: if (__VERIFIER_nondet_bool()) taw_target("bool"); break;
    case 1: if (__VERIFIER_nondet_char() == 'x') taw_target("char"); break;
    case 2: if (__VERIFIER_nondet_uchar() == 255) taw_target("uchar"); break;
    case 3: if (__VERIFIER_nondet_short() == -32768) taw_target("short"); break;
    case 4: if (__VERIFIER_nondet_ushort() == 65535) taw_target("ushort"); break;
    case 5: if (__VERIFIER_nondet_int() == -5) taw_target("int"); break;
    case 6: if (__VERIFIER_nondet_uint() == 4000000000u) taw_target("uint"); break;
    case 7: if (__VERIFIER_nondet_long() == -9) taw_target("long"); break;
    case 8: if (__VERIFIER_nondet_ulong() == 1ul << 31) taw_target("ulong"); break;
    case 9: if (__VERIFIER_nondet_float() == 1.25f) taw_target("float"); break;
    default: if (__VERIFIER_nondet_double() == -2.5) taw_target("double"); break;
  }
  return 0;
}
