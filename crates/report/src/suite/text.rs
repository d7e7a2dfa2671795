//! The files of a suite: the source under test, and a function for each test.
//!
//! The source comes first, because it may say what headers are to declare (`_GNU_SOURCE`); what a test needs is included behind it. A call that does not come back
//! is made by a child, and its status is asserted.

use std::fmt::Write as _;

use super::styles::{ERRORS, SuiteStyle, TRIAL};
use super::{MARKER, SuiteEnd, SuiteStandIn, SuiteTest};

/// The file in which a trial notes what fails: a line for each check, the number of the test and that of the check; -1 for the end of a test.
pub const TRIAL_RESULTS: &str = "taw-trial";

/// What a child answers that should have ended before.
const CAME_BACK: u8 = 125;

/// One file: tests of the functions of one source.
#[derive(Clone, Debug, Default)]
pub struct SuiteFile<'a> {
    /// Its name without ending, which is also that of the program.
    pub stem: String,
    /// The source, as it is included.
    pub include: String,
    /// Whether the program has a `main` of its own, which stands aside.
    pub has_main: bool,
    /// Functions that are defined nowhere.
    pub stand_ins: &'a [SuiteStandIn],
    /// What is called before each call.
    pub setup: &'a [String],
    /// What is called after each.
    pub teardown: &'a [String],
    /// The tests.
    pub tests: Vec<&'a SuiteTest>,
}

impl SuiteFile<'_> {
    /// The tests in a style.
    pub fn text(&self, style: &SuiteStyle) -> String {
        let about = format!(
            "/* {MARKER}: the style is {}, the source under test {}.\n   It is yours to keep; `taw test --update` brings it up to date, and keeps tests that are still valid. */\n",
            style.name, self.include
        );
        about + &self.written(style, false)
    }

    /// Tests of errors.
    pub fn errors(&self) -> String {
        let about = format!(
            "/* {MARKER}: calls that are errors, in {}. CTest labels them `known-failure`: each fails for as long as its error is there.\n   It is built with sanitizers, which see errors that do not end a program by themselves. */\n",
            self.include
        );
        about + &self.written(&ERRORS, false)
    }

    /// The tests as they are tried before they are written. Test N is in a file called `taw-test-N` in the eyes of a compiler.
    pub fn trial(&self) -> String {
        self.written(&TRIAL, true)
    }

    /// The second file of a style that has one: its ending, and the text.
    pub fn beside(&self, style: &SuiteStyle) -> Option<(&'static str, String)> {
        let (once, each) = style.beside?;
        let tests = self.tests.iter().map(|test| each.replace('@', &test.name).replace('%', &self.stem));
        Some((
            ".cc",
            format!("/* {MARKER}: runs the tests of {}.c. */\n{once}{}", self.stem, tests.collect::<String>()),
        ))
    }

    fn written(&self, style: &SuiteStyle, marked: bool) -> String {
        let mut text = String::new();
        if self.has_main {
            text += "#define main main_of_the_program\nint main_of_the_program();\n";
        }
        let _ = writeln!(text, "#include \"{}\"", self.include);
        text += if self.has_main { "#undef main\n\n" } else { "\n" };
        let bodies: Vec<String> = (0..).zip(&self.tests).map(|(i, test)| self.body(test, style, i, marked)).collect();
        text += style.head;
        text += &headers(&bodies.concat(), style.head);
        if self.tests.iter().any(|test| test.end == SuiteEnd::Aborts) {
            text += "\n/* A process that ends so has its coverage written. */\nstatic void suite_aborted(int number) {\n  exit(128 + number);\n}\n";
        }
        for stand_in in self.stand_ins {
            let _ = write!(text, "\n{}", stand_in.text);
        }
        text += &bodies.concat();
        let rows: String = self.tests.iter().map(|test| style.row.replace('@', &test.name)).collect();
        if !style.foot.is_empty() {
            text += "\n";
            text += &style.foot.replace("@STEM@", &self.stem).replace("@ROWS@", &rows);
        }
        text
    }

    fn body(&self, test: &SuiteTest, style: &SuiteStyle, number: usize, marked: bool) -> String {
        let mut text = String::from("\n");
        let own = |line: &str| line.replace("@__", &format!("{}__", test.name));
        if marked {
            let _ = writeln!(text, "#line 1 \"taw-test-{number}\"");
        }
        if let SuiteEnd::Fails { kind, message } = &test.end {
            let _ = writeln!(text, "/* {kind}: {} */", message.replace("*/", "* /"));
        }
        for function in &test.callbacks {
            let _ = writeln!(text, "{}", own(function));
        }
        text += &style.open.replace('@', &test.name).replace('%', &self.stem);
        for function in self.setup {
            let _ = writeln!(text, "  {function}();");
        }
        for (function, values) in &test.gives {
            let result = self.stand_ins.iter().find(|known| known.function == *function);
            let result = result.map_or("int", |known| &known.result);
            let _ = writeln!(text, "  {function}_gives = (const {result}[]){{{}}};", values.join(", "));
        }
        for line in &test.before {
            let _ = writeln!(text, "  {}", own(line));
        }
        self.call(&mut text, test, style);
        for function in self.teardown {
            let _ = writeln!(text, "  {function}();");
        }
        text + style.close
    }

    fn call(&self, text: &mut String, test: &SuiteTest, style: &SuiteStyle) {
        let check = |number: usize, condition: &str| {
            format!("  {}\n", style.check.replace('#', &number.to_string()).replace('@', condition))
        };
        match &test.end {
            SuiteEnd::Returns => {
                match &test.result {
                    Some((declared, _)) => _ = writeln!(text, "  {declared} = {};", test.call),
                    None => _ = writeln!(text, "  {};", test.call),
                }
                let is_used = |variable: &str| {
                    test.checks.iter().any(|check| check.left_out.is_none() && names(&check.text, variable))
                };
                if let Some((_, variable)) = test.result.as_ref().filter(|(_, variable)| !is_used(variable)) {
                    let _ = writeln!(text, "  (void){variable};");
                }
                for (number, said) in test.checks.iter().enumerate() {
                    match &said.left_out {
                        None => *text += &check(number, &said.text),
                        Some(why) => {
                            let _ = writeln!(text, "  /* not asserted, {why}: {} */", said.text.replace("*/", "* /"));
                        }
                    }
                }
            }
            SuiteEnd::Exits(_) | SuiteEnd::Aborts => {
                let (watch, status) = match &test.end {
                    SuiteEnd::Exits(code) => ("", code.to_string()),
                    _ => ("    signal(SIGABRT, suite_aborted);\n", "128 + SIGABRT".to_owned()),
                };
                let _ = write!(
                    text,
                    "  fflush(NULL);\n  pid_t child = fork();\n  if (child == 0) {{\n{watch}    (void){};\n    _exit({CAME_BACK});\n  }}\n  int status = 0;\n",
                    test.call
                );
                *text += &check(0, "child > 0 && waitpid(child, &status, 0) == child");
                *text += &check(1, &format!("WIFEXITED(status) && WEXITSTATUS(status) == {status}"));
            }
            SuiteEnd::Fails { .. } => _ = writeln!(text, "  (void){};", test.call),
        }
    }
}

/// Whether a condition has that name in it.
fn names(condition: &str, name: &str) -> bool {
    condition.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name)
}

/// The headers of what the tests use, beside those that are there.
fn headers(bodies: &str, head: &str) -> String {
    let needs: [(&str, &[&str]); 8] = [
        ("<alloca.h>", &["alloca"]),
        ("<signal.h>", &["SIGABRT"]),
        ("<stddef.h>", &["NULL"]),
        ("<stdio.h>", &["fflush"]),
        ("<stdlib.h>", &["malloc", "SIGABRT"]),
        ("<string.h>", &["memcpy", "memcmp"]),
        ("<sys/wait.h>", &["waitpid"]),
        ("<unistd.h>", &["fork"]),
    ];
    let is_needed =
        |(header, words): &(&str, &[&str])| words.iter().any(|word| names(bodies, word)) && !head.contains(header);
    needs.iter().filter(|need| is_needed(need)).map(|(header, _)| format!("#include {header}\n")).collect()
}
