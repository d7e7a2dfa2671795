//! The commands that clang ran, as it logs them itself (`CC_PRINT_OPTIONS`): one line each, every word in quotes.

use std::fmt::{self, Write};

/// One command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct LoggedCommand {
    /// The program and its arguments.
    pub words: Vec<String>,
}

/// What a command does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CommandStep {
    /// clang's front end: from a source, or from bitcode.
    Compile,
    /// clang's front end as a preprocessor.
    Preprocess,
    /// An assembler, clang's own or another.
    Assemble,
    /// Something else, such as the linker.
    Other,
}

impl LoggedCommand {
    /// What it does.
    pub(crate) fn step(&self) -> CommandStep {
        let has = |word: &str| self.words.iter().any(|w| w == word);
        match self.words.get(1).map(String::as_str) {
            Some("-cc1") if has("-emit-obj") || has("-S") || has("-emit-llvm-bc") => CommandStep::Compile,
            Some("-cc1") if has("-E") => CommandStep::Preprocess,
            Some("-cc1") => CommandStep::Other,
            Some("-cc1as") => CommandStep::Assemble,
            _ if self.words.first().is_some_and(|program| is_assembler(program)) => CommandStep::Assemble,
            _ => CommandStep::Other,
        }
    }

    /// The value of an option that is followed by one. The last one counts, as it does for clang.
    pub(crate) fn value(&self, option: &str) -> Option<&str> {
        let at = self.words.iter().rposition(|word| word == option)?;
        self.words.get(at + 1).map(String::as_str)
    }

    /// The file it reads: clang names it last.
    pub(crate) fn input(&self) -> &str {
        self.words.last().map_or("", String::as_str)
    }
}

/// As clang's `-v` shows it: the program in quotes, other words only where a shell would need them.
impl fmt::Display for LoggedCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, word) in self.words.iter().enumerate() {
            if place == 0 || word.contains([' ', '"', '\\', '$']) {
                f.write_str(" \"")?;
                for c in word.chars() {
                    if matches!(c, '"' | '\\' | '$') {
                        f.write_char('\\')?;
                    }
                    f.write_char(c)?;
                }
                f.write_char('"')?;
            } else {
                write!(f, " {word}")?;
            }
        }
        Ok(())
    }
}

/// `as`, `x86_64-linux-gnu-as`, wherever it is.
fn is_assembler(program: &str) -> bool {
    let name = program.rsplit('/').next().unwrap_or(program);
    name == "as" || name.ends_with("-as")
}

/// All commands in the order in which they ran.
pub(crate) fn parse(log: &str) -> Vec<LoggedCommand> {
    let mut jobs = Vec::new();
    let mut words = Vec::new();
    let mut chars = log.chars();
    while let Some(c) = chars.next() {
        match c {
            '"' => words.push(quoted(&mut chars)),
            '\n' if !words.is_empty() => jobs.push(LoggedCommand { words: std::mem::take(&mut words) }),
            _ => {}
        }
    }
    jobs
}

/// The rest of a word after its opening quote; a backslash quotes the next character.
fn quoted(chars: &mut std::str::Chars<'_>) -> String {
    let mut word = String::new();
    while let Some(c) = chars.next() {
        match c {
            '"' => break,
            '\\' => word.extend(chars.next()),
            c => word.push(c),
        }
    }
    word
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_unquoted() {
        let log = "[Logging clang options]\n (in-process)\n \"clang\" \"-cc1\" \"-D\" \"A=\\\"x \\\\ \\$q\\\"\" \"a b.c\"\n\
                   [Logging clang options]\n \"/usr/bin/ld\" \"two\nlines\"\n";
        let jobs = parse(log);
        let words: Vec<Vec<&str>> = jobs.iter().map(|job| job.words.iter().map(String::as_str).collect()).collect();
        assert_eq!(jobs[0].to_string(), r#" "clang" -cc1 -D "A=\"x \\ \$q\"" "a b.c""#);
        assert_eq!(words, [vec!["clang", "-cc1", "-D", "A=\"x \\ $q\"", "a b.c"], vec!["/usr/bin/ld", "two\nlines"]]);
    }

    #[test]
    fn steps_are_told_apart() {
        let step = |words: &str| LoggedCommand { words: words.split(' ').map(str::to_owned).collect() }.step();
        assert_eq!(step("clang -cc1 -emit-obj -o a.o -x c a.c"), CommandStep::Compile);
        assert_eq!(step("clang -cc1 -E -o a.i -x c a.c"), CommandStep::Preprocess);
        assert_eq!(step("clang -cc1 -fsyntax-only -x c a.c"), CommandStep::Other);
        assert_eq!(step("clang -cc1as -o a.o a.s"), CommandStep::Assemble);
        assert_eq!(step("/usr/bin/as -o a.o a.s"), CommandStep::Assemble);
        assert_eq!(step("/usr/bin/ld -o a a.o"), CommandStep::Other);
    }
}
