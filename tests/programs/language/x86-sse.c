// Vector operations of SSE2 to SSE4.2: every result is the machine's. One operation in each function, on the same bytes.
//@ revisions: O0 O2
//@ flags: --cflag -msse4.2
//@ native: -msse4.2
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
  __m128i a = _mm_loadu_si128((__m128i *)A), b = _mm_loadu_si128((__m128i *)B), c = _mm_loadu_si128((__m128i *)C); \
  (void)a, (void)b, (void)c
#define TWO \
  X(add_epi8)  X(add_epi16)  X(add_epi32)  X(add_epi64)  X(adds_epi8)  X(adds_epi16)  X(adds_epu8)  X(adds_epu16) \
  X(and_si128)  X(andnot_si128)  X(avg_epu8)  X(avg_epu16)  X(cmpeq_epi8)  X(cmpeq_epi16)  X(cmpeq_epi32) \
  X(cmpeq_epi64)  X(cmpgt_epi8)  X(cmpgt_epi16)  X(cmpgt_epi32)  X(cmpgt_epi64)  X(cmplt_epi8)  X(cmplt_epi16) \
  X(madd_epi16)  X(maddubs_epi16)  X(max_epi8)  X(max_epi16)  X(max_epi32)  X(max_epu8)  X(max_epu16)  X(max_epu32) \
  X(min_epi8)  X(min_epi16)  X(min_epi32)  X(min_epu8)  X(min_epu16)  X(min_epu32)  X(mul_epi32)  X(mul_epu32) \
  X(mulhi_epi16)  X(mulhi_epu16)  X(mulhrs_epi16)  X(mullo_epi16)  X(mullo_epi32)  X(or_si128)  X(packs_epi16) \
  X(packs_epi32)  X(packus_epi16)  X(packus_epi32)  X(sad_epu8)  X(shuffle_epi8)  X(sign_epi8)  X(sign_epi16) \
  X(sign_epi32)  X(sll_epi16)  X(sll_epi32)  X(sll_epi64)  X(srl_epi16)  X(srl_epi32)  X(srl_epi64)  X(sra_epi16) \
  X(sra_epi32)  X(sub_epi8)  X(sub_epi16)  X(sub_epi32)  X(sub_epi64)  X(subs_epi8)  X(subs_epi16)  X(subs_epu8) \
  X(subs_epu16)  X(unpackhi_epi8)  X(unpackhi_epi16)  X(unpackhi_epi32)  X(unpackhi_epi64)  X(unpacklo_epi8) \
  X(unpacklo_epi16)  X(unpacklo_epi32)  X(unpacklo_epi64)  X(xor_si128)  X(hadd_epi16)  X(hadd_epi32)  X(hadds_epi16) \
  X(hsub_epi16)  X(hsub_epi32)  X(hsubs_epi16)
#define ONE \
  X(abs_epi8)  X(abs_epi16)  X(abs_epi32)  X(cvtepi8_epi16)  X(cvtepi8_epi32)  X(cvtepi8_epi64)  X(cvtepu8_epi16) \
  X(cvtepu8_epi32)  X(cvtepi16_epi32)  X(cvtepu16_epi32)  X(cvtepi32_epi64)  X(cvtepu32_epi64)  X(minpos_epu16)
#define NUMBER \
  X(slli_epi16, 3)  X(slli_epi32, 5)  X(slli_epi64, 9)  X(srli_epi16, 3)  X(srli_epi32, 5)  X(srli_epi64, 9) \
  X(srai_epi16, 3)  X(srai_epi32, 40)  X(slli_si128, 3)  X(srli_si128, 5)  X(shuffle_epi32, 0x1b)  X(shufflelo_epi16, \
  0x93)  X(shufflehi_epi16, 0x4e)
#define OTHERS \
  X(alignr, __m128i, _mm_alignr_epi8(a, b, 5)) \
  X(blend, __m128i, _mm_blend_epi16(a, b, 0x5a)) \
  X(mpsad, __m128i, _mm_mpsadbw_epu8(a, b, 5)) \
  X(blendv, __m128i, _mm_blendv_epi8(a, b, c)) \
  X(movemask, int, _mm_movemask_epi8(a)) \
  X(movemask_ps, int, _mm_movemask_ps((__m128)a)) \
  X(movemask_pd, int, _mm_movemask_pd((__m128d)a)) \
  X(testz, int, _mm_testz_si128(a, b)) \
  X(testc, int, _mm_testc_si128(a, a)) \
  X(testnzc, int, _mm_testnzc_si128(a, b)) \
  X(extract, int, _mm_extract_epi16(a, 3)) \
  X(insert, __m128i, _mm_insert_epi8(a, 77, 9)) \
  X(crc8, unsigned, _mm_crc32_u8(7, A[3])) \
  X(crc16, unsigned, _mm_crc32_u16(7, A[3])) \
  X(crc32, unsigned, _mm_crc32_u32(7, 0x12345678)) \
  X(crc64, long long, _mm_crc32_u64(7, 0x12345678abcdefull)) \
  X(min_ps, __m128, _mm_min_ps(_mm_set_ps(1, -0.0f, __builtin_nanf(""), 4), _mm_set_ps(2, 0.0f, 3, __builtin_nanf("")))) \
  X(max_pd, __m128d, _mm_max_pd(_mm_set_pd(1, __builtin_nan("")), _mm_set_pd(-0.0, 3))) \
  X(min_sd, __m128d, _mm_min_sd(_mm_set_pd(1, 2), _mm_set_pd(3, -4))) \
  X(cvttps, __m128i, _mm_cvttps_epi32(_mm_set_ps(1.5f, -2.5f, 3e10f, 4))) \
  X(cvtps, __m128i, _mm_cvtps_epi32(_mm_set_ps(1.5f, -2.5f, 3e10f, 3.5f))) \
  X(cvttpd, __m128i, _mm_cvttpd_epi32(_mm_set_pd(1.1, 2e20))) \
  X(cvtsd, int, _mm_cvtsd_si32(_mm_set_sd(2.5))) \
  X(cvttsd, long long, _mm_cvttsd_si64(_mm_set_sd(-2.9))) \
  X(cvtpd_ps, __m128, _mm_cvtpd_ps(_mm_set_pd(1.1, 2.2))) \
  X(round_pd, __m128d, _mm_round_pd(_mm_set_pd(2.5, -3.7), _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC)) \
  X(floor_ss, __m128, _mm_floor_ss(_mm_set_ps(1, 2, 3, 4), _mm_set_ss(-3.7f))) \
  X(cmplt_ps, __m128, _mm_cmplt_ps(_mm_set_ps(2.5f, -3.7f, 1, 0), _mm_set1_ps(0.5f))) \
  X(comigt, int, _mm_comigt_sd(_mm_set_sd(2), _mm_set_sd(1))) \
  X(ucomineq, int, _mm_ucomineq_ss(_mm_set_ss(2), _mm_set_ss(__builtin_nanf("")))) \
  X(hadd_ps, __m128, _mm_hadd_ps(_mm_set_ps(1, 2, 3, 4), _mm_set_ps(5, 6, 7, 8))) \
  X(addsub_pd, __m128d, _mm_addsub_pd(_mm_set_pd(1, 2), _mm_set_pd(5, 6))) \
  X(blendv_ps, __m128, _mm_blendv_ps((__m128)a, (__m128)b, (__m128)c))

#define X(name) OPERATION(name, __m128i, _mm_##name(a, b))
TWO
#undef X
#define X(name) OPERATION(name, __m128i, _mm_##name(a))
ONE
#undef X
#define X(name, number) OPERATION(name, __m128i, _mm_##name(a, number))
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
  ONE
  NUMBER
  OTHERS
  return 0;
}
