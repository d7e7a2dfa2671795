//! Environment variables that are not data for the program but orders to what runs it: the loader, the C library, the
//! sanitizers, the profilers. A test that sets one could have any file loaded or written, so no native run is made of it.

/// Orders by name, with who follows them; a `*` at the end stands for any ending.
const ORDERS: &[(&str, &str)] = &[
    ("LD_*", "the loader"),
    ("GLIBC_*", "the C library"),
    ("GCONV_PATH", "the C library"),
    ("GETCONF_DIR", "the C library"),
    ("HOSTALIASES", "the C library"),
    ("LOCALDOMAIN", "the C library"),
    ("LOCPATH", "the C library"),
    ("MALLOC_*", "the C library"),
    ("NIS_PATH", "the C library"),
    ("NLSPATH", "the C library"),
    ("RESOLV_*", "the C library"),
    ("RES_OPTIONS", "the C library"),
    ("LIBC_FATAL_STDERR_", "the C library"),
    ("MEMUSAGE_*", "the C library"),
    ("PCPROFILE_OUTPUT", "the C library"),
    ("SEGFAULT_*", "the C library"),
    ("GMON_OUT_PREFIX", "the profiler"),
    ("GCOV_*", "the profiler"),
    ("LLVM_*", "the profiler"),
    ("ASAN_*", "the sanitizer"),
    ("HWASAN_*", "the sanitizer"),
    ("LSAN_*", "the sanitizer"),
    ("MSAN_*", "the sanitizer"),
    ("RTSAN_*", "the sanitizer"),
    ("TSAN_*", "the sanitizer"),
    ("UBSAN_*", "the sanitizer"),
    ("SANITIZER_*", "the sanitizer"),
    ("SCUDO_*", "the sanitizer"),
    ("XRAY_*", "the profiler"),
    ("TAW_*", "Taw's replay library"),
];

/// Why a native run with a variable of this name is not made; none if the variable is data.
pub(crate) fn refusal(name: &[u8]) -> Option<String> {
    let is_meant = |pattern: &str| match pattern.strip_suffix('*') {
        Some(start) => name.starts_with(start.as_bytes()),
        None => name == pattern.as_bytes(),
    };
    // What has a `=` in its name is another variable than it seems, and a NUL ends it.
    let odd = name.is_empty() || name.iter().any(|byte| matches!(byte, b'=' | 0));
    let whose = ORDERS.iter().find(|(pattern, _)| is_meant(pattern)).map(|(_, whose)| *whose);
    let name = String::from_utf8_lossy(name);
    match whose {
        Some(whose) => Some(format!(
            "the test sets `{name}`, which {whose} obeys before the program sees it: no native run is made with it"
        )),
        None if odd => Some(format!("`{name}` cannot be the name of an environment variable")),
        None => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_told_from_data() {
        for order in ["LD_PRELOAD", "LD_", "GLIBC_TUNABLES", "ASAN_OPTIONS", "LLVM_PROFILE_FILE", "GCONV_PATH"] {
            assert!(refusal(order.as_bytes()).is_some_and(|why| why.contains(order)), "{order}");
        }
        for data in ["HOME", "LDFLAGS", "PATH", "LANG", "TZ", "ld_preload", "POSIXLY_CORRECT", "X"] {
            assert_eq!(refusal(data.as_bytes()), None, "{data}");
        }
        // `LD_PRELOAD=x` with an empty value ends up as another variable.
        assert!(refusal(b"LD_PRELOAD=x").is_some() && refusal(b"A=LD").is_some() && refusal(b"").is_some());
    }
}
