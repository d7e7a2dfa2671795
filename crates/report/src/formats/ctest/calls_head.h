
#undef malloc
#undef alloca
#undef memcpy
#undef memcmp
#define malloc(size) __builtin_malloc(size)
#define alloca(size) __builtin_alloca(size)
#define memcpy(to, ...) __builtin_memcpy(to, __VA_ARGS__)
#define memcmp(a, ...) __builtin_memcmp(a, __VA_ARGS__)
#ifndef NULL
#define NULL ((void *)0)
#endif
void taw_suite_fails(const char *condition, int line);
#define TAW_SUITE_CHECK(...) ((__VA_ARGS__) ? (void)0 : taw_suite_fails(#__VA_ARGS__, __LINE__))
