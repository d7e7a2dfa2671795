//! A stack trace of gdb, AddressSanitizer or KLEE: its places are to be reached in order, the outermost first.
//!
//! ```text
//! #1  0x0000555 in f (p=0x0) at src/a.c:12          gdb (the address may be missing, the place may be on the next line)
//!     #1 0x555 in f /src/a.c:12:3                   sanitizers
//!         #100000123 in f(p=0) at src/a.c:12        KLEE
//! ```

use crate::{FileLine, Request, Spec, TraceFrame};

pub(crate) fn looks_so(text: &str) -> bool {
    text.lines().any(|line| frame(line).is_some_and(|frame| frame.at.is_some()))
}

/// The first stack of the text: sanitizers append those of allocations.
pub(crate) fn requests(text: &str) -> Vec<Request> {
    let mut frames: Vec<TraceFrame> = Vec::new();
    for line in unwrapped(text) {
        match frame(&line) {
            Some(frame) => frames.push(frame),
            None if frames.is_empty() => {}
            None => break,
        }
    }
    frames.reverse();
    if frames.is_empty() { Vec::new() } else { vec![Request::of_tool(Spec::Trace(frames))] }
}

/// Lines, with what gdb put onto the next line put back.
fn unwrapped(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for line in text.lines() {
        match lines.last_mut() {
            Some(last) if line.starts_with(' ') && last.starts_with('#') && !line.trim_start().starts_with('#') => {
                last.push(' ');
                last.push_str(line.trim_start());
            }
            _ => lines.push(line.to_owned()),
        }
    }
    lines
}

fn frame(line: &str) -> Option<TraceFrame> {
    let rest = line.trim_start().strip_prefix('#')?;
    let digits = rest.find(|c: char| !c.is_ascii_digit()).filter(|at| *at > 0)?;
    let rest = rest[digits..].trim();
    let called = rest.strip_prefix("in ").or(rest.split_once(" in ").filter(|(a, _)| a.starts_with("0x")).map(|x| x.1));
    let called = called.unwrap_or(rest);
    let name: String = called.chars().take_while(|c| !c.is_whitespace() && *c != '(').collect();
    let place = called.rsplit_once(" at ").map(|(_, place)| place).or(called.split_whitespace().last());
    Some(TraceFrame { function: (!name.is_empty() && name != "??").then_some(name), at: place.and_then(file_line) })
}

/// `FILE:LINE` or `FILE:LINE:COLUMN`.
fn file_line(place: &str) -> Option<FileLine> {
    let (rest, last) = place.trim().rsplit_once(':')?;
    let last: u32 = last.parse().ok()?;
    let (file, line) = match rest.rsplit_once(':').and_then(|(file, line)| Some((file, line.parse().ok()?))) {
        Some((file, line)) => (file, line),
        None => (rest, last),
    };
    (line > 0 && !file.is_empty()).then(|| FileLine { file: file.to_owned(), line })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        let [Request { spec: Spec::Trace(frames), .. }] = &requests(text)[..] else { panic!("one trace") };
        let place = |at: &FileLine| format!("{}:{}", at.file, at.line);
        let word = |f: &TraceFrame| {
            format!("{} {}", f.function.as_deref().unwrap_or("?"), f.at.as_ref().map_or("-".into(), place))
        };
        frames.iter().map(word).collect()
    }

    #[test]
    fn gdb() {
        let text = "Program received signal SIGSEGV\n#0  0x000055 in quote (arg=0x0 \"a at b\") at lib/q.c:252\n#1  main (argc=2, argv=0x7ff)\n    at src/mkdir.c:192\n";
        assert!(looks_so(text));
        assert_eq!(words(text), ["main src/mkdir.c:192", "quote lib/q.c:252"]);
    }

    #[test]
    fn sanitizers_first_stack_only() {
        let text = "==1==ERROR: AddressSanitizer: heap-buffer-overflow\n    #0 0x55 in memcpy (/tmp/p+0xd2)\n    #1 0x55 in f /src/p.c:6:10\n    #2 0x55 in main /src/p.c:9\n\nallocated by:\n    #0 0x55 in g /src/p.c:1\n";
        assert_eq!(words(text), ["main /src/p.c:9", "f /src/p.c:6", "memcpy -"]);
    }

    #[test]
    fn klee() {
        let text = "Error: memory error\nFile: a.c\nStack: \n\t#000000021 in f(p=0) at a.c:3\n\t#100000051 in main() at a.c:8\nInfo: \n";
        assert!(looks_so(text));
        assert_eq!(words(text), ["main a.c:8", "f a.c:3"]);
    }

    #[test]
    fn other_texts_are_none() {
        assert!(!looks_so("# a comment\n#include <a.h>\n#1 issue\na.c:3\n"));
    }
}
