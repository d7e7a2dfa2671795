//! What the user asks for, as far as it matters before clang has run. Clang itself is the judge of all words: what is
//! read here wrongly costs time or a record, never the native result.

use std::ffi::{OsStr, OsString};
use std::path::Path;

/// What a command line asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct CompileRequest {
    /// Whether a source may be compiled and linked in one go.
    pub links_sources: bool,
    /// Whether a source may come from standard input.
    pub reads_stdin: bool,
    /// Whether it makes a shared library.
    pub shared: bool,
    /// Whether it names a target or a system of its own, or a C++ source, for which our C library is not.
    pub own_system: bool,
    /// Whether clang is to show the commands it runs.
    pub verbose: bool,
}

/// Words after which nothing is linked.
const NO_LINK: &[&str] =
    &["-c", "-S", "-E", "-M", "-MM", "-fsyntax-only", "-###", "--version", "--help", "--precompile"];

/// What names of C++ sources end in.
const CXX: &[&str] = &["cc", "cpp", "cxx", "C", "c++", "CPP", "cp", "ii"];

/// Options whose value is the next word: what follows is neither an input nor an option.
const WITH_VALUE: &[&str] = &[
    "-o",
    "-x",
    "-I",
    "-L",
    "-D",
    "-U",
    "-include",
    "-imacros",
    "-isystem",
    "-idirafter",
    "-iquote",
    "-MF",
    "-MT",
    "-MQ",
    "-Xclang",
    "-Xlinker",
    "-Xassembler",
    "-Xpreprocessor",
    "-T",
    "-u",
    "-z",
    "-arch",
    "-l",
    "-e",
    "-B",
    "-mllvm",
    "-F",
    "-rpath",
    "-h",
    "-soname",
    "-iprefix",
    "-iwithprefix",
    "-framework",
];

impl CompileRequest {
    /// Reads the arguments.
    pub(crate) fn of(args: &[OsString]) -> Self {
        let mut request = CompileRequest {
            links_sources: false,
            reads_stdin: false,
            shared: false,
            own_system: false,
            verbose: false,
        };
        let mut links = true;
        let mut words = args.iter().map(|word| word.to_string_lossy());
        while let Some(word) = words.next() {
            let word = word.as_ref();
            request.own_system |= taw_musl::is_other_system(word);
            match word {
                "-" => (request.reads_stdin, request.links_sources) = (true, true),
                "-shared" => request.shared = true,
                "-v" => request.verbose = true,
                _ if NO_LINK.contains(&word) => links = false,
                "-x" => request.own_system |= words.next().is_some_and(|language| language.starts_with("c++")),
                _ if WITH_VALUE.contains(&word) => drop(words.next()),
                _ if !word.starts_with('-') => {
                    request.links_sources |= may_be_source(word);
                    request.own_system |= extension(word).is_some_and(|extension| CXX.contains(&extension));
                }
                _ => {}
            }
        }
        request.links_sources &= links;
        request
    }
}

fn extension(word: &str) -> Option<&str> {
    Path::new(word).extension().and_then(OsStr::to_str)
}

/// Everything that is not certainly for the linker only. A response file may name anything.
fn may_be_source(word: &str) -> bool {
    !matches!(extension(word), Some("o" | "a" | "so" | "lo" | "obj"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(words: &str) -> CompileRequest {
        CompileRequest::of(&words.split(' ').map(OsString::from).collect::<Vec<_>>())
    }

    #[test]
    fn only_sources_on_their_way_to_a_program_are_linked() {
        for yes in ["a.c", "-O2 a.c -o a", "-x c -", "@words", "a.o b.c", "a.s"] {
            assert!(read(yes).links_sources, "{yes}");
        }
        for no in ["-c a.c", "a.o -o a.c", "-E a.c", "a.o libx.a -lm", "--version", "a.c -fsyntax-only", "-MM a.c"] {
            assert!(!read(no).links_sources, "{no}");
        }
    }

    #[test]
    fn standard_input_is_a_source_only_where_sources_stand() {
        assert!(read("-E -x c -").reads_stdin);
        assert!(!read("-E a.c -o -").reads_stdin && !read("-MD -MF - a.c").reads_stdin);
    }

    #[test]
    fn another_system_is_not_ours() {
        for own in
            ["-m32 a.c", "--target=arm-none-eabi a.c", "-target x a.c", "--sysroot=/x a.c", "-c a.cc", "-x c++ a"]
        {
            assert!(read(own).own_system, "{own}");
        }
        assert!(!read("-march=native -m64 -x c a.c -o a.cc").own_system);
    }
}
