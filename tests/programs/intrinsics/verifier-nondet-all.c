// Every name in the competition's rules.
//@ paths: 2 completed, 0 errored
//@ labels: all
#include <taw.h>

extern _Bool __VERIFIER_nondet_bool(void);
extern char __VERIFIER_nondet_char(void);
extern double __VERIFIER_nondet_double(void);
extern float __VERIFIER_nondet_float(void);
extern int __VERIFIER_nondet_int(void);
extern __int128 __VERIFIER_nondet_int128(void);
extern long long __VERIFIER_nondet_loff_t(void);
extern long __VERIFIER_nondet_long(void);
extern long long __VERIFIER_nondet_longlong(void);
extern char *__VERIFIER_nondet_pchar(void);
extern void *__VERIFIER_nondet_pointer(void);
extern unsigned long __VERIFIER_nondet_pthread_t(void);
extern unsigned long __VERIFIER_nondet_sector_t(void);
extern short __VERIFIER_nondet_short(void);
extern unsigned long __VERIFIER_nondet_size_t(void);
extern unsigned __VERIFIER_nondet_u32(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned __int128 __VERIFIER_nondet_uint128(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
extern unsigned long long __VERIFIER_nondet_ulonglong(void);
extern unsigned __VERIFIER_nondet_unsigned(void);
extern unsigned short __VERIFIER_nondet_ushort(void);
extern void __VERIFIER_nondet_memory(void *, __SIZE_TYPE__);

int main(void) {
  char bytes[3];
  __VERIFIER_nondet_memory(bytes, sizeof bytes);
  int all = __VERIFIER_nondet_bool() & (__VERIFIER_nondet_char() == 'c') & (__VERIFIER_nondet_double() == 2.5) &
            (__VERIFIER_nondet_float() == 1.5f) & (__VERIFIER_nondet_int() == -1) & (__VERIFIER_nondet_int128() == 2) &
            (__VERIFIER_nondet_loff_t() == -3) & (__VERIFIER_nondet_long() == -4) & (__VERIFIER_nondet_longlong() == 5) &
            (__VERIFIER_nondet_pchar() == 0) & (__VERIFIER_nondet_pointer() == (void *)8) &
            (__VERIFIER_nondet_pthread_t() == 6) & (__VERIFIER_nondet_sector_t() == 7) &
            (__VERIFIER_nondet_short() == -8) & (__VERIFIER_nondet_size_t() == 9) & (__VERIFIER_nondet_u32() == 10) &
            (__VERIFIER_nondet_uchar() == 200) & (__VERIFIER_nondet_uint() == 11) & (__VERIFIER_nondet_uint128() == 12) &
            (__VERIFIER_nondet_ulong() == 13) & (__VERIFIER_nondet_ulonglong() == 14) &
            (__VERIFIER_nondet_unsigned() == 15) & (__VERIFIER_nondet_ushort() == 16) & (bytes[2] == 17);
  if (all) taw_target("all");
  return 0;
}
