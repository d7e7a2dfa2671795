//! What a sanitizer says: the kind of error and the stack, read from its report.

use std::path::{Path, PathBuf};

/// A place in the user's code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct CodePlace {
    pub function: String,
    pub file: PathBuf,
    pub line: u32,
}

/// One error as a sanitizer reported it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Sighting {
    /// Its words: `heap-buffer-overflow`, `division by zero`, `ABRT`.
    pub what: String,
    /// Frames with a place in a file that exists, innermost first; of leaks, of all of them.
    pub frames: Vec<CodePlace>,
    /// Whether it happened where no code is: something was called that is no function.
    pub outside: bool,
}

/// Reads a report; none if it holds no error. `exists` tells the user's files from those that libraries were built of.
pub(crate) fn parse(report: &str, exists: impl Fn(&Path) -> bool) -> Option<Sighting> {
    let mut lines = report.lines();
    let mut sighting = lines.by_ref().find_map(headline)?;
    let leaks = sighting.what == "leak";
    let mut in_stack = false;
    for line in lines {
        sighting.outside |= !in_stack && is_outside(line);
        match frame(line) {
            Some(spot) => {
                in_stack = true;
                sighting.frames.extend(spot.filter(|spot| exists(&spot.file)));
            }
            // Further stacks tell where memory was allocated or freed.
            None if in_stack && !leaks => break,
            None => {}
        }
    }
    Some(sighting)
}

fn headline(line: &str) -> Option<Sighting> {
    let named = |what: &str| Some(Sighting { what: what.to_owned(), ..Sighting::default() });
    if let Some((place, what)) = line.split_once(": runtime error: ") {
        let frames = spot("", place).into_iter().collect();
        return Some(Sighting { what: what.to_owned(), frames, outside: false });
    }
    if line.contains("LeakSanitizer: detected memory leaks") {
        return named("leak");
    }
    let (_, rest) = ["AddressSanitizer: ", "MemorySanitizer: ", "UndefinedBehaviorSanitizer: "]
        .iter()
        .find_map(|tool| line.split_once(tool))
        .filter(|_| line.contains("ERROR: ") || line.contains("WARNING: "))?;
    let words = rest.strip_prefix("attempting ").unwrap_or(rest);
    named(words.split([' ', ':', '(']).next().unwrap_or_default())
}

/// `    #0 0x55 in f /a/p.c:6:10`: whether it is a frame, and its place if it has one.
fn frame(line: &str) -> Option<Option<CodePlace>> {
    let rest = line.trim_start().strip_prefix('#')?;
    let (_, rest) = rest.split_once(" in ")?;
    let place = rest.find(" /").map(|at| (&rest[..at], &rest[at + 1..]));
    Some(place.and_then(|(function, place)| spot(function, place)))
}

/// `    #0 0x000000000000  (<unknown module>)`: the innermost frame is in no function.
fn is_outside(line: &str) -> bool {
    line.trim_start().starts_with("#0 ") && !line.contains(" in ")
}

/// `FILE:LINE` or `FILE:LINE:COLUMN`.
fn spot(function: &str, place: &str) -> Option<CodePlace> {
    let mut parts = place.rsplitn(3, ':');
    let (last, middle, first) = (parts.next()?, parts.next()?, parts.next());
    let (file, line) = match (first, middle.parse::<u32>()) {
        (Some(file), Ok(line)) if last.parse::<u32>().is_ok() => (file.to_owned(), line),
        _ => (place.rsplit_once(':')?.0.to_owned(), last.parse().ok()?),
    };
    Some(CodePlace { function: function.to_owned(), file: file.into(), line })
}

#[cfg(test)]
mod tests {
    use super::*;

    const ADDRESS: &str = "\
=================================================================
==12==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x7b at pc 0x55
READ of size 4 at 0x7b thread T0
    #0 0x55 in memcpy (/tmp/p+0xd2814) (BuildId: eb98)
    #1 0x55 in f /home/p.c:6:10
    #2 0x7f in __libc_start_main csu/../csu/libc-start.c:360:3

allocated by thread T0 here:
    #1 0x55 in main /home/p.c:9:10
";

    #[test]
    fn the_first_stack_is_the_errors() {
        let seen = parse(ADDRESS, |_| true).unwrap();
        assert_eq!(seen.what, "heap-buffer-overflow");
        let places: Vec<_> = seen.frames.iter().map(|s| (s.function.as_str(), s.line)).collect();
        assert_eq!(places, [("f", 6)]);
        assert!(parse(ADDRESS, |_| false).unwrap().frames.is_empty());
    }

    #[test]
    fn a_call_of_what_is_no_code_has_a_frame_without_a_function() {
        let report = "==1==ERROR: AddressSanitizer: SEGV on unknown address 0x000000000000\n==1==Hint: pc points to the zero page.\n\
                      \x20   #0 0x000000000000  (<unknown module>)\n    #1 0x55 in g /home/p.c:7:10\n";
        let seen = parse(report, |_| true).unwrap();
        assert!(seen.outside && seen.frames[0].line == 7);
        assert!(!parse(ADDRESS, |_| true).unwrap().outside);
    }

    #[test]
    fn other_tools_have_other_headlines() {
        let what = |text: &str| parse(text, |_| true).map(|s| s.what);
        assert_eq!(what("a.c:3:5: runtime error: division by zero\n"), Some("division by zero".into()));
        assert_eq!(what("==1==ERROR: LeakSanitizer: detected memory leaks\n"), Some("leak".into()));
        let memory = "==1==WARNING: MemorySanitizer: use-of-uninitialized-value\n    #0 0x1 in g /x y/p.c:4\n";
        assert_eq!(what(memory), Some("use-of-uninitialized-value".into()));
        assert_eq!(parse(memory, |_| true).unwrap().frames[0].file, Path::new("/x y/p.c"));
        assert_eq!(what("==1==ERROR: AddressSanitizer: attempting double-free on 0x1\n"), Some("double-free".into()));
        assert_eq!(what("hello\n"), None);
    }
}
