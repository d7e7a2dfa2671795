//! Two outputs of a program, compared word by word: a difference that C leaves open is explained.

use crate::library_text::neutral;

/// How two outputs differ.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Difference {
    /// Whether every difference is one that two right runs may have.
    pub explained: bool,
    /// In words.
    pub why: String,
}

/// Compares what was claimed of a stream, which `what` names, with what was seen.
pub(crate) fn differs(what: &str, claimed: &[u8], seen: &[u8]) -> Option<Difference> {
    if claimed == seen {
        return None;
    }
    let (claimed, seen) = (String::from_utf8_lossy(claimed), String::from_utf8_lossy(seen));
    let unexplained = Difference {
        explained: false,
        why: format!("the {what} {} was claimed; natively it is {}", shortened(&claimed), shortened(&seen)),
    };
    let (ours, theirs) = (neutral(&claimed), neutral(&seen));
    let library = ours != claimed || theirs != seen;
    let mut reasons: Vec<&str> = Vec::from_iter(library.then_some(LIBRARY));
    let (ours, theirs) = (words(&ours), words(&theirs));
    if ours.len() != theirs.len() {
        return Some(unexplained);
    }
    for (a, b) in ours.iter().zip(&theirs).filter(|(a, b)| a != b) {
        match reason(a, b) {
            Some(reason) if !reasons.contains(&reason) => reasons.push(reason),
            Some(_) => {}
            None => return Some(unexplained),
        }
    }
    Some(Difference { explained: true, why: reasons.join("; ") })
}

const LIBRARY: &str =
    "the machine's C library words a message otherwise than the one that the program was explored with";

/// Why two different words may both be right.
fn reason(a: &str, b: &str) -> Option<&'static str> {
    let nan = |word: &str| matches!(word.trim_start_matches(['-', '+']).to_ascii_lowercase().as_str(), "nan");
    let address = |word: &str| {
        word == "(nil)"
            || word.strip_prefix("0x").is_some_and(|d| d.len() > 3 && d.chars().all(|c| c.is_ascii_hexdigit()))
    };
    if nan(a) && nan(b) {
        Some("the program prints a NaN, whose sign C does not define")
    } else if address(a) && address(b) {
        Some("the program prints an address, which differs from run to run")
    } else {
        None
    }
}

fn words(text: &str) -> Vec<&str> {
    text.split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | ':' | '=' | '(' | ')' | '[' | ']')).collect()
}

fn shortened(text: &str) -> String {
    let start: String = text.chars().take(200).collect();
    if start.len() < text.len() { format!("{start:?}...") } else { format!("{start:?}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_c_leaves_open_is_explained_and_the_rest_is_not() {
        assert_eq!(differs("output", b"a\n", b"a\n"), None);
        let explained = |a: &str, b: &str| differs("output", a.as_bytes(), b.as_bytes()).unwrap().explained;
        assert!(explained("x = nan\n", "x = -nan\n"));
        assert!(explained("p=0x10000040\n", "p=0x7ffdeadbeef0\n"));
        assert!(explained("p: f: I/O error\n", "p: f: Input/output error\n"));
        assert!(!explained("p: f: I/O error\n", "p: g: Input/output error\n"));
        assert!(!explained("x = nan, 1\n", "x = -nan, 2\n"));
        assert!(!explained("a\n", "a\nb\n"));
        assert!(!explained("a", "a\n"));
        assert!(!explained("0x1\n", "0x2\n"));
    }
}
