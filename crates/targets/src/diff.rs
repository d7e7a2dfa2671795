//! A unified diff: every line that was added or changed, where the new file has it.

use crate::{FileLine, Request, Spec};

pub(crate) fn looks_so(text: &str) -> bool {
    text.lines().any(|line| line.starts_with("+++ ")) && text.lines().any(|line| line.starts_with("@@ "))
}

pub(crate) fn requests(text: &str) -> Vec<Request> {
    let mut file: Option<String> = None;
    let mut requests = Vec::new();
    // The next line of the new file, and how many lines of either file the hunk still has.
    let (mut next, mut old_left, mut new_left) = (0, 0, 0);
    for line in text.lines() {
        if old_left == 0 && new_left == 0 {
            if let Some(name) = line.strip_prefix("+++ ") {
                file = new_file(name);
            } else if let Some((old, start, new)) = hunk(line) {
                (old_left, next, new_left) = (old, start, new);
            }
            continue;
        }
        match line.as_bytes().first() {
            Some(b'+') => {
                if let Some(file) = &file {
                    requests.push(Request::of_tool(Spec::Line(FileLine { file: file.clone(), line: next })));
                }
                (next, new_left) = (next.saturating_add(1), new_left.saturating_sub(1));
            }
            Some(b'-') => old_left = old_left.saturating_sub(1),
            Some(b'\\') => {}
            _ => {
                (next, old_left, new_left) =
                    (next.saturating_add(1), old_left.saturating_sub(1), new_left.saturating_sub(1))
            }
        }
    }
    requests
}

/// The name without the date and without the `b/` of git; none for a file that was removed.
fn new_file(name: &str) -> Option<String> {
    let name = name.split('\t').next()?.trim().trim_matches('"');
    let name = name.strip_prefix("b/").unwrap_or(name);
    (name != "/dev/null").then(|| name.to_owned())
}

/// `@@ -START,COUNT +START,COUNT @@`: lines of the old file, start in the new one, lines of the new one.
fn hunk(line: &str) -> Option<(u32, u32, u32)> {
    let mut words = line.strip_prefix("@@ ")?.split(' ');
    let range = |word: &str| {
        let (start, count) = word.split_once(',').unwrap_or((word, "1"));
        Some((start.parse::<u32>().ok()?, count.parse::<u32>().ok()?))
    };
    let (_, old) = range(words.next()?.strip_prefix('-')?)?;
    let (start, new) = range(words.next()?.strip_prefix('+')?)?;
    Some((old, start, new))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
diff --git a/src/a.c b/src/a.c
--- a/src/a.c
+++ b/src/a.c
@@ -1,3 +1,4 @@ int f(void)
 one
-two
+TWO
++++ plus
 three
@@ -10 +11 @@
-ten
+TEN
\\ No newline at end of file
--- a/gone.c
+++ /dev/null
@@ -1 +0,0 @@
-x
";

    #[test]
    fn added_lines_are_numbered_as_in_the_new_file() {
        assert!(looks_so(TEXT));
        let at = |line| Request::of_tool(Spec::Line(FileLine { file: "src/a.c".into(), line }));
        assert_eq!(requests(TEXT), [at(2), at(3), at(11)]);
    }

    #[test]
    fn numbers_that_no_file_has_are_taken_as_they_are() {
        let text = "+++ a.c\n@@ -4294967295,4294967295 +4294967295,4294967295 @@\n+x\n y\n+z\n-w\n";
        assert_eq!(requests(text).len(), 2);
    }
}
