// Vector operations of AVX2, and bit operations of BMI2: every result is the machine's. One operation in each function, on the same bytes.
//@ revisions: O0 O2
//@ flags: --cflag -mavx2 --cflag -mbmi --cflag -mbmi2 --cflag -madx --cflag -mpclmul
//@ native: -mavx2 -mbmi -mbmi2 -madx -mpclmul
//@ paths: 1 completed, 0 errored
#include <immintrin.h>
#include <stdio.h>

static unsigned char A[64], B[64], C[64];

static void show(const char *name, const void *result, int size) {
  printf("%s ", name);
  for (int i = 0; i < size; i++) printf("%02x", ((const unsigned char *)result)[i]);
  puts("");
}

#define OPERATION(name, type, expression)                                        \
  static __attribute__((noinline)) void do_##name(void) {                         \
    LOAD;                                                                        \
    type result = expression;                                                    \
    show(#name, &result, sizeof result);                                         \
  }
#define CALL(name, ...) do_##name();
#define LOAD                                                                    \
  __m256i a = _mm256_loadu_si256((__m256i *)A), b = _mm256_loadu_si256((__m256i *)B), c = _mm256_loadu_si256((__m256i *)C); \
  __m128i d = _mm_loadu_si128((__m128i *)A), e = _mm_loadu_si128((__m128i *)B); \
  (void)a, (void)b, (void)c, (void)d, (void)e
#define TWO \
  X(add_epi8)  X(add_epi16)  X(add_epi32)  X(add_epi64)  X(adds_epi8)  X(adds_epi16)  X(adds_epu8)  X(adds_epu16) \
  X(and_si256)  X(andnot_si256)  X(avg_epu8)  X(avg_epu16)  X(cmpeq_epi8)  X(cmpeq_epi16)  X(cmpeq_epi32) \
  X(cmpeq_epi64)  X(cmpgt_epi8)  X(cmpgt_epi16)  X(cmpgt_epi32)  X(cmpgt_epi64)  X(madd_epi16)  X(maddubs_epi16) \
  X(max_epi8)  X(max_epi16)  X(max_epi32)  X(max_epu8)  X(max_epu16)  X(max_epu32)  X(min_epi8)  X(min_epi16) \
  X(min_epi32)  X(min_epu8)  X(min_epu16)  X(min_epu32)  X(mul_epi32)  X(mul_epu32)  X(mulhi_epi16)  X(mulhi_epu16) \
  X(mulhrs_epi16)  X(mullo_epi16)  X(mullo_epi32)  X(or_si256)  X(packs_epi16)  X(packs_epi32)  X(packus_epi16) \
  X(packus_epi32)  X(sad_epu8)  X(shuffle_epi8)  X(sign_epi8)  X(sign_epi16)  X(sign_epi32)  X(sub_epi8)  X(sub_epi16) \
  X(sub_epi32)  X(sub_epi64)  X(subs_epi8)  X(subs_epi16)  X(subs_epu8)  X(subs_epu16)  X(unpackhi_epi8) \
  X(unpackhi_epi16)  X(unpackhi_epi32)  X(unpackhi_epi64)  X(unpacklo_epi8)  X(unpacklo_epi16)  X(unpacklo_epi32) \
  X(unpacklo_epi64)  X(xor_si256)  X(hadd_epi16)  X(hadd_epi32)  X(hadds_epi16)  X(hsub_epi16)  X(hsub_epi32) \
  X(hsubs_epi16)  X(sllv_epi32)  X(sllv_epi64)  X(srlv_epi32)  X(srlv_epi64)  X(srav_epi32)  X(permutevar8x32_epi32)
#define NUMBER \
  X(slli_epi16, 3)  X(slli_epi32, 5)  X(slli_epi64, 9)  X(srli_epi16, 3)  X(srli_epi32, 5)  X(srli_epi64, 9) \
  X(srai_epi16, 3)  X(srai_epi32, 4)  X(slli_si256, 3)  X(srli_si256, 5)  X(shuffle_epi32, 0x1b)  X(permute4x64_epi64, \
  0x6c)
#define OTHERS \
  X(shiftv, __m128i, _mm_srav_epi32(d, e)) \
  X(shiftv64, __m128i, _mm_sllv_epi64(d, e)) \
  X(blendv, __m256i, _mm256_blendv_epi8(a, b, c)) \
  X(mpsad, __m256i, _mm256_mpsadbw_epu8(a, b, 0x2d)) \
  X(alignr, __m256i, _mm256_alignr_epi8(a, b, 5)) \
  X(movemask, int, _mm256_movemask_epi8(a)) \
  X(movemask_pd, int, _mm256_movemask_pd((__m256d)a)) \
  X(testz, int, _mm256_testz_si256(a, b)) \
  X(perm2x128, __m256i, _mm256_permute2x128_si256(a, b, 0x31)) \
  X(permilvar, __m256, _mm256_permutevar_ps((__m256)a, b)) \
  X(permilvar_pd, __m256d, _mm256_permutevar_pd((__m256d)a, b)) \
  X(sll, __m256i, _mm256_sll_epi32(a, e)) \
  X(srl, __m256i, _mm256_srl_epi16(a, _mm_set1_epi64x(3))) \
  X(cvtps, __m256i, _mm256_cvtps_epi32(_mm256_set1_ps(2.5f))) \
  X(cvttpd, __m128i, _mm256_cvttpd_epi32(_mm256_set1_pd(-2.9))) \
  X(pdep, long long, _pdep_u64(0x1234, 0xff00ff00ff00ull)) \
  X(pext, long long, _pext_u64(0x123456789abcull, B[5] * 0x10101ull)) \
  X(bextr, long long, _bextr_u64(0x123456789abcull, 4, 12)) \
  X(bzhi, long long, _bzhi_u64(0x123456789abcull, B[1])) \
  X(adc, unsigned, ({ unsigned r; unsigned char k = _addcarry_u32(1, 0xffffffff, B[0], &r); r + k; })) \
  X(sbb, long long, ({ unsigned long long r; unsigned char k = _subborrow_u64(1, 0, A[0], &r); r ^ k; })) \
  X(clmul, __m128i, _mm_clmulepi64_si128(d, e, 0x10))

#define X(name) OPERATION(name, __m256i, _mm256_##name(a, b))
TWO
#undef X
#define X(name, number) OPERATION(name, __m256i, _mm256_##name(a, number))
NUMBER
#undef X
#define X(name, type, expression) OPERATION(name, type, expression)
OTHERS
#undef X
#define X CALL

int main(void) {
  for (int i = 0; i < 64; i++) A[i] = i * 37 + 11, B[i] = i * i * 5 + i + 3, C[i] = i * 91;
  B[3] = A[3], B[17] = A[17], B[20] = A[20], B[21] = A[21], B[22] = A[22], B[23] = A[23];
  TWO
  NUMBER
  OTHERS
  return 0;
}
