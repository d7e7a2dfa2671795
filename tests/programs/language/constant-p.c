// `__builtin_constant_p` does not evaluate what it asks about, so a load that would fail is none.
//@ revisions: O0 O2
//@ paths: 1 completed, 0 errored
static int known(const char *x) { return __builtin_constant_p(x[123456]); }

int main(void) { return known("short"); }
