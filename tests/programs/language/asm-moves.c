// Moves, extensions, addresses, exchanges; registers, parts of them, memory, constants and alternatives as operands.
//@ revisions: O0 O2
#include <stdint.h>
#include <stdio.h>

static uint64_t array[4] = {10, 20, 30, 40};

static void parts(void) {
  uint64_t a = 0x1122334455667788, b = 0xa1b2c3d4e5f60718, c;
  __asm__("movb %b1, %b0" : "+r"(a) : "r"(b));
  printf("%llx ", (unsigned long long)a);
  __asm__("movw %w1, %w0" : "+r"(a) : "r"(b));
  printf("%llx ", (unsigned long long)a);
  __asm__("movb %b1, %h0" : "+Q"(a) : "Q"(b));
  __asm__("movb %h1, %b0" : "+Q"(a) : "Q"(b));
  printf("%llx ", (unsigned long long)a);
  __asm__("movl %k1, %k0" : "=r"(c) : "r"(b));
  printf("%llx ", (unsigned long long)c);
  __asm__("movabsq $0x123456789abcdef0, %%rcx; movl $-1, %%eax; movb %%ch, %%al; addq %%rcx, %%rax; movq %%rax, %0" : "=r"(c) : : "rax", "rcx");
  printf("%llx\n", (unsigned long long)c);
}

static void extensions(void) {
  uint64_t a, b, c, d, from = 0x8899aabbccddeeff;
  uint32_t e, f;
  __asm__("movzbl %b4, %k0; movzwq %w4, %1; movsbq %b4, %2; movslq %k4, %3" : "=&r"(a), "=&r"(b), "=&r"(c), "=&r"(d) : "r"(from));
  printf("%llx %llx %llx %llx ", (unsigned long long)a, (unsigned long long)b, (unsigned long long)c, (unsigned long long)d);
  __asm__("movsx %w2, %0; movzbl %3, %1" : "=&r"(e), "=&r"(f) : "r"(from), "m"(*(uint8_t *)&from));
  printf("%x %x\n", e, f);
}

static void addresses(void) {
  uint64_t a, b, c, *p, *end;
  __asm__("lea 8(%1,%2,8), %0" : "=r"(p) : "r"(array), "r"(2l));
  __asm__("movq -8(%1), %0" : "=r"(a) : "r"(p), "m"(array));
  __asm__("leal 5(,%q1,4), %k0" : "=r"(b) : "r"(100l));
  __asm__("addq (%1), %0; addq $5, -8(%1); movq %c3(%1), %2" : "+&r"(b), "+&r"(p), "=&r"(c) : "i"(-16), "m"(array) : "memory", "cc");
  __asm__("leaq %1, %0" : "=r"(end) : "m"(array[2]));
  printf("%td %llu %llu %llu %td\n", p - array, (unsigned long long)a, (unsigned long long)b, (unsigned long long)c, end - array);
}

static void exchanges(void) {
  uint32_t a = 1, b = 2, memory = 40, old = 5, seen, missed;
  uint8_t yes, no;
  __asm__("xchgl %0, %1" : "+r"(a), "+r"(b));
  __asm__ volatile("xchg %0, %1" : "+r"(a), "+m"(memory) : : "memory");
  printf("%u %u %u ", a, b, memory);
  __asm__ volatile("lock; xaddl %0, %1" : "+r"(old), "+m"(memory) : : "memory", "cc");
  printf("%u %u ", old, memory);
  __asm__ volatile("lock cmpxchgl %3, %1\n\tsete %b2" : "=a"(seen), "+m"(memory), "=&q"(yes) : "r"(99), "0"(memory) : "memory", "cc");
  __asm__ volatile("lock\n\tcmpxchgl %3, %1\n\tsete %b2" : "=a"(missed), "+m"(memory), "=&q"(no) : "r"(7), "0"(1) : "memory", "cc");
  printf("%u %u %u %u %u ", seen, missed, memory, yes, no);
  __asm__ volatile("lock; addl %1, %0; lock; incl %0; mfence; pause; rep; nop" : "+m"(memory) : "ir"(1000) : "memory", "cc");
  printf("%u ", memory);
  // The upper half of the accumulator goes only if the lower is written.
  uint64_t full = 0xaabbccdd00000001, kept = full, replaced = full;
  uint32_t one = 1, two = 2;
  __asm__ volatile("lock; cmpxchgl %2, %1" : "+a"(kept), "+m"(one) : "r"(5) : "memory", "cc");
  __asm__ volatile("lock; cmpxchgl %2, %1" : "+a"(replaced), "+m"(two) : "r"(5) : "memory", "cc");
  printf("%llx %llx %u %u\n", (unsigned long long)kept, (unsigned long long)replaced, one, two);
}

static void places(void) {
  register uint64_t fixed __asm__("r10") = 3;
  uint64_t sum = 4, other, tied;
  uint32_t plain = 6;
  uint64_t anywhere = 1;
  __asm__("addq %%r10, %0 # the third" : "+r"(sum) : "r"(fixed));
  __asm__("{addl|add} {%1, %0|%0, %1}" : "+r"(plain) : "ri"(-5));
  __asm__("addq %1, %0" : "+rm"(anywhere) : "g"(sum) : "cc");
  __asm__("" : "=rm"(tied) : "0"(sum));
  __asm__("xorl %k0, %k0 /* whatever it was */\n\tsubq $010, %0" : "=r"(other) : : "cc");
  printf("%llu %u %llu %llu %lld\n", (unsigned long long)sum, plain, (unsigned long long)anywhere, (unsigned long long)tied, (long long)other);
}

int main(void) {
  parts();
  extensions();
  addresses();
  exchanges();
  places();
  return 0;
}
