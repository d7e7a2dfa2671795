//! Which flags of a `command.json` are passed to the compiler unasked: those that only say what the C means.
//!
//! Other flags can make a compiler load a plugin, run another program or write a file, and somebody else may have written the
//! file. A list of what is harmless, because nobody knows all that is not.

/// Flags as they are.
#[rustfmt::skip]
const WHOLE: &[&str] = &[
    "-w", "-g", "-g0", "-g1", "-g2", "-g3", "-ggdb", "-gline-tables-only", "-ansi", "-pedantic", "-pedantic-errors",
    "-trigraphs", "-pthread", "-pipe", "-nostdinc", "-undef", "-O", "-O0", "-O1", "-O2", "-O3", "-Os", "-Oz", "-Og",
    "-Ofast", "-m16", "-m32", "-m64", "-mx32", "-fcommon", "-fwrapv", "-ftrapv", "-fsigned-char", "-funsigned-char",
    "-fsigned-bitfields", "-funsigned-bitfields", "-fshort-enums", "-fshort-wchar", "-fPIC", "-fpic", "-fPIE", "-fpie",
    "-fbuiltin", "-fstrict-aliasing", "-fstrict-overflow", "-ffreestanding", "-fhosted", "-fblocks",
    "-fms-extensions", "-fgnu89-inline", "-finline-functions", "-funroll-loops", "-fvectorize", "-fslp-vectorize",
    "-ffast-math", "-ffinite-math-only", "-fassociative-math", "-freciprocal-math", "-ftrapping-math",
    "-fomit-frame-pointer", "-ffunction-sections", "-fdata-sections", "-fdelete-null-pointer-checks",
    "-fstack-protector", "-fstack-protector-strong", "-fstack-protector-all", "-fexceptions", "-frtti", "-fmath-errno",
    "-fmerge-all-constants", "-fopenmp-simd", "-fcf-protection", "-funwind-tables", "-fasynchronous-unwind-tables",
    "-fasm", "-fdollars-in-identifiers", "-fzero-initialized-in-bss", "-mstackrealign", "-maes",
    "-mbmi", "-mbmi2", "-mfma", "-mlzcnt", "-mpclmul", "-mpopcnt", "-mrdrnd", "-mrdseed",
];

/// Flags that begin so; the rest is a value, which is one word of plain letters.
#[rustfmt::skip]
const WITH_WORD: &[&str] = &[
    "-std=", "--std=", "-march=", "-mtune=", "-mcpu=", "-mabi=", "-mfpmath=", "-mcmodel=", "-mlong-double-", "-msse",
    "-mavx", "-mno-", "-fno-", "-ffp-contract=", "-ffp-model=", "-ffp-exception-behavior=", "-fvisibility=",
    "-fcf-protection=", "-ftls-model=", "-fexcess-precision=", "-ftrivial-auto-var-init=", "-fstrict-flex-arrays=",
    "-fmax-type-align=", "-fpack-struct=", "-gdwarf-", "--target=", "-W",
];

/// Flags with a name or a definition, which is only read: the rest of the word.
const JOINED: &[&str] = &["-I", "-D", "-U", "-L", "-l"];
/// Flags with a name or a definition, which is only read: the next word.
const SEPARATE: &[&str] = &["-I", "-D", "-U", "-L", "-l", "-isystem", "-iquote", "-idirafter", "-include", "-imacros"];

/// The first flag that is not passed on unasked; those in `allowed` are.
pub fn untrusted_flag<'f>(flags: &'f [String], allowed: &[String]) -> Option<&'f str> {
    let mut rest = flags.iter().map(String::as_str);
    while let Some(flag) = rest.next() {
        if SEPARATE.contains(&flag) {
            // What begins with a dash is looked at as a flag elsewhere, and an `@` names a file with flags.
            match rest.next() {
                Some(name) if name.starts_with(['-', '@']) && !allowed.iter().any(|word| word == name) => {
                    return Some(name);
                }
                _ => continue,
            }
        }
        if !is_harmless(flag) && !allowed.iter().any(|word| word == flag) {
            return Some(flag);
        }
    }
    None
}

fn is_harmless(flag: &str) -> bool {
    let plain = |rest: &str| rest.chars().all(|c| c.is_ascii_alphanumeric() || "-_.+=".contains(c));
    WHOLE.contains(&flag)
        || WITH_WORD.iter().any(|start| flag.strip_prefix(start).is_some_and(plain))
        || JOINED.iter().any(|start| flag.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn untrusted(flags: &str) -> Option<String> {
        let flags: Vec<String> = flags.split(' ').map(str::to_owned).collect();
        untrusted_flag(&flags, &[]).map(str::to_owned)
    }

    #[test]
    fn flags_that_say_what_the_c_means_are_passed_on() {
        let flags = "-Iinclude -I include -DN=4 -D N=4 -DTEXT=\"a,b\" -O2 -m32 -std=gnu11 -Wall -Wno-error=format -w -g \
                     -include config.h -isystem /usr/x -fno-strict-aliasing -fwrapv -march=x86-64-v3 -msse4.2 -mno-red-zone \
                     --target=i386-linux-gnu -lm -L. -U X";
        assert_eq!(untrusted(flags), None);
    }

    #[test]
    fn flags_that_load_run_or_write_are_not() {
        #[rustfmt::skip]
        let flags = [
            "-fplugin=./e.so", "-fplugin-arg-x-y", "-fpass-plugin=./e.so", "-Xclang", "-isystem-after", "-mllvm", "-B.", "-B", "--config=x",
            "--config", "@file", "-o", "-oprog", "-wrapper", "--gcc-toolchain=/x", "-gcc-toolchain", "-fuse-ld=/x", "--ld-path=x",
            "-dumpdir", "-MF", "-MFx", "-MD", "-MMD", "-save-temps", "-save-temps=obj", "-Wl,-plugin,e.so", "-Wp,-MD,x", "-Wa,-x", "-Xlinker",
            "-Xassembler", "-Xpreprocessor", "-fmodules", "-fmodules-cache-path=x", "-fprofile-use=x", "-fprofile-generate", "-ftime-trace=x",
            "-foptimization-record-file=x", "-fcrash-diagnostics-dir=x", "-gen-reproducer", "-gsplit-dwarf", "-ivfsoverlay", "-resource-dir",
            "-no-canonical-prefixes", "-specs=x", "--sysroot=/x", "-isysroot", "--target=../../x", "-target", "-x", "-E", "-S", "-emit-llvm",
            "file.c", "", "-", "--", "-ccc-install-dir", "-fintegrated-cc1", "-serialize-diagnostics", "--serialize-diagnostics=x",
            "-fembed-bitcode", "-flto", "-fthinlto-index=x", "-index-store-path", "-fsanitize=address", "--driver-mode=cl", "-include-pch",
        ];
        for flag in flags {
            assert!(untrusted(flag).is_some(), "{flag}");
        }
        assert_eq!(untrusted("-include -mllvm").as_deref(), Some("-mllvm"));
        assert_eq!(untrusted("-I @flags").as_deref(), Some("@flags"));
    }

    #[test]
    fn what_the_user_says_again_is_allowed() {
        let flags = ["-fplugin=x".to_owned(), "-O2".to_owned(), "-B.".to_owned()];
        assert_eq!(untrusted_flag(&flags, &flags[..1]), Some("-B."));
        assert_eq!(untrusted_flag(&flags, &[flags[0].clone(), flags[2].clone()]), None);
    }
}
