//! Messages that the C library itself words: the one under Taw is musl, the machine's is glibc as a rule.

use std::borrow::Cow;

/// What `strerror` says, in musl's words and in glibc's, where these differ.
const ERRORS: &[(&str, &str)] = &[
    ("No error information", "Success"),
    ("I/O error", "Input/output error"),
    ("Out of memory", "Cannot allocate memory"),
    ("Resource busy", "Device or resource busy"),
    ("Cross-device link", "Invalid cross-device link"),
    ("No file descriptors available", "Too many open files"),
    ("Not a tty", "Inappropriate ioctl for device"),
    ("Filename too long", "File name too long"),
    ("Symbolic link loop", "Too many levels of symbolic links"),
    ("Domain error", "Numerical argument out of domain"),
    ("Result not representable", "Numerical result out of range"),
    ("Value too large for data type", "Value too large for defined data type"),
    ("Illegal byte sequence", "Invalid or incomplete multibyte or wide character"),
    ("Invalid seek", "Illegal seek"),
    ("Deadlock would occur", "Resource deadlock avoided"),
    ("Previous owner died", "Owner died"),
    ("Not supported", "Operation not supported"),
    ("Address in use", "Address already in use"),
    ("Address not available", "Cannot assign requested address"),
    ("Socket is connected", "Transport endpoint is already connected"),
    ("Socket not connected", "Transport endpoint is not connected"),
    ("Not a socket", "Socket operation on non-socket"),
    ("Message too large", "Message too long"),
    ("Operation timed out", "Connection timed out"),
    ("Host is unreachable", "No route to host"),
];

/// What `getopt` says of an option, in either library's words.
const OPTIONS: &[&str] = &[
    "unrecognized option",
    "invalid option",
    "requires an argument",
    "option is ambiguous",
    "is ambiguous",
    "does not take an argument",
    "doesn't allow an argument",
];

/// A text in which what the library words is said in one way.
pub(crate) fn neutral(text: &str) -> String {
    text.split('\n').map(said_neutrally).collect::<Vec<_>>().join("\n")
}

fn said_neutrally(line: &str) -> String {
    if let Some((who, what)) = line.split_once(": ")
        && OPTIONS.iter().any(|option| what.contains(option))
    {
        return format!("{who}: (a message of getopt)");
    }
    // Only at the end: there is where `perror` and its like put it.
    let ends = |words: &str| line.strip_suffix(words).filter(|rest| rest.is_empty() || rest.ends_with(": "));
    let found = ERRORS.iter().find_map(|(musl, glibc)| ends(glibc).or_else(|| ends(musl)).map(|rest| (rest, glibc)));
    let said = found.map_or(Cow::Borrowed(line), |(rest, glibc)| Cow::Owned(format!("{rest}{glibc}")));
    said.into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_both_libraries_are_the_same() {
        for (musl, glibc) in [
            ("p: unrecognized option: z\nusage\n", "p: invalid option -- 'z'\nusage\n"),
            ("p: option requires an argument: n\n", "p: option requires an argument -- 'n'\n"),
            ("p: f: Filename too long\n", "p: f: File name too long\n"),
            ("a\nI/O error\n", "a\nInput/output error\n"),
        ] {
            assert_eq!(neutral(musl), neutral(glibc));
        }
        for (one, other) in [
            ("p: unrecognized option: z\n", "q: invalid option -- 'z'\n"),
            ("p: f: Filename too long\n", "p: g: File name too long\n"),
            ("p: no I/O error\n", "p: no Input/output error\n"),
            ("1\n", "2\n"),
        ] {
            assert_ne!(neutral(one), neutral(other));
        }
    }
}
