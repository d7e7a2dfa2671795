// Searching bytes as fast code does: what the vector operations say of unknown bytes is solved.
//@ flags: --cflag -msse4.2
//@ native: -msse4.2
//@ labels: third shuffled
#include <immintrin.h>
#include <taw.h>

int main(void) {
  unsigned char text[16];
  taw_symbolic(text, sizeof text, "text");
  __m128i bytes = _mm_loadu_si128((__m128i *)text);
  int found = _mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('x')));
  if (found == 8) taw_target("third");
  __m128i order = _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, -1);
  __m128i turned = _mm_shuffle_epi8(bytes, order);
  taw_assert(_mm_extract_epi8(turned, 0) == 0 && _mm_extract_epi8(turned, 1) == text[14]);
  if (_mm_extract_epi16(_mm_sad_epu8(turned, _mm_setzero_si128()), 0) == 7 * 255) taw_target("shuffled");
  return 0;
}
