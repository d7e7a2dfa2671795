/* Writes the counters of a run that crashes or calls _exit: what was executed until then counts. Beside the program. */
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

void __gcov_dump(void);
int __llvm_profile_write_file(void);
void __llvm_profile_set_filename(const char *);
void __sanitizer_set_death_callback(void (*)(void)) __attribute__((weak));
void __real__exit(int) __attribute__((noreturn));

static void dump(void) {
  static int done;
  if (done++) return;
  __gcov_dump();
  __llvm_profile_write_file();
}

static void crashed(int signal_number) {
  signal(signal_number, SIG_DFL);
  dump();
  raise(signal_number);
}

void __wrap__exit(int code) {
  dump();
  __real__exit(code);
}

__attribute__((constructor)) static void watch(void) {
  static char name[4096];
  const int crashes[] = {SIGSEGV, SIGABRT, SIGFPE, SIGBUS, SIGILL, SIGTRAP, SIGTERM};
  ssize_t length = readlink("/proc/self/exe", name, sizeof name - 16);
  if (length > 0) {
    snprintf(name + length, 16, ".%%m.profraw");
    __llvm_profile_set_filename(name);
  }
  if (__sanitizer_set_death_callback) __sanitizer_set_death_callback(dump);
  for (unsigned i = 0; i < sizeof crashes / sizeof *crashes; i++) signal(crashes[i], crashed);
}
