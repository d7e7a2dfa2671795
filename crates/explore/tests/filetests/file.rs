//! The form of a filetest: a program in the text form, and lines that begin with `;`.
//!
//! `; command arguments` is a question, `;   text` a line of the answer to the question above it. A question of one line,
//! `; run @f(1) == 2`, has its answer behind its closing parenthesis. `; set …` holds for all questions of the file.

use taw_engine::Checks;

use crate::answer::{same_answer, untyped};

/// A file, taken apart.
pub struct FileTest {
    /// The lines of the program; those of questions and answers are empty, so that numbers of lines stay.
    pub program: String,
    /// Checks that are asked for with `; set check …`.
    pub checks: Checks,
    /// Why it is known to fail, and must: `; set fixme …`.
    pub fixme: Option<String>,
    parts: Vec<Part>,
}

enum Part {
    /// A line that is kept.
    Line(String),
    Question(Question),
}

/// A question and the answer that is expected.
pub struct Question {
    /// Where it is, from 1.
    pub line: usize,
    /// What is asked.
    pub command: String,
    /// About what.
    pub about: String,
    expected: Vec<String>,
}

impl Question {
    /// Whether its answer is on its own line.
    fn is_short(&self) -> bool {
        self.command == "run"
    }
}

impl FileTest {
    /// Takes a file apart.
    pub fn read(text: &str) -> Result<Self, String> {
        let mut test = FileTest { program: String::new(), checks: Checks::default(), fixme: None, parts: Vec::new() };
        for (number, line) in (1..).zip(text.lines()) {
            let Some(rest) = line.strip_prefix(';') else {
                test.program.push_str(line);
                test.program.push('\n');
                test.parts.push(Part::Line(line.to_owned()));
                continue;
            };
            test.program.push('\n');
            if let Some(answer) = rest.strip_prefix("   ") {
                let Some(Part::Question(question)) = test.parts.last_mut() else {
                    return Err(format!("line {number}: an answer to no question"));
                };
                question.expected.push(answer.to_owned());
                continue;
            }
            let words = rest.strip_prefix(' ').filter(|words| !words.starts_with(' '));
            let words = words.ok_or_else(|| format!("line {number}: `; command …` or `;   answer`"))?;
            test.question(number, words).map_err(|why| format!("line {number}: {why}"))?;
        }
        let asks = test.questions().next().is_some();
        if asks { Ok(test) } else { Err("nothing is asked".to_owned()) }
    }

    fn question(&mut self, line: usize, words: &str) -> Result<(), String> {
        let (command, about) = words.split_once(' ').unwrap_or((words, ""));
        if command == "set" {
            self.parts.push(Part::Line(format!("; {words}")));
            return self.set(about);
        }
        let mut question =
            Question { line, command: command.to_owned(), about: about.to_owned(), expected: Vec::new() };
        if question.is_short() {
            let end = about.find(')').ok_or("a call is asked about: `; run @f(1) == 2`")? + 1;
            let (call, answer) = about.split_at(end);
            question.about = call.to_owned();
            question.expected = vec![answer.trim().to_owned()];
        }
        self.parts.push(Part::Question(question));
        Ok(())
    }

    fn set(&mut self, words: &str) -> Result<(), String> {
        let (what, words) = words.split_once(' ').unwrap_or((words, ""));
        match what {
            "check" => self.check(words),
            "fixme" => {
                self.fixme = Some(words.to_owned());
                Ok(())
            }
            _ => Err("what can be set is `check` and `fixme`".to_owned()),
        }
    }

    fn check(&mut self, words: &str) -> Result<(), String> {
        for word in words.split_whitespace() {
            match word {
                "overflow" => self.checks.overflow = true,
                "float-cast" => self.checks.float_cast = true,
                "uninit" => self.checks.uninit = true,
                "leak" => self.checks.leak = true,
                other => return Err(format!("there is no check `{other}`")),
            }
        }
        Ok(())
    }

    /// The questions in order.
    pub fn questions(&self) -> impl Iterator<Item = &Question> {
        self.parts.iter().filter_map(|part| match part {
            Part::Question(question) => Some(question),
            Part::Line(_) => None,
        })
    }

    /// The text of the file with these answers.
    pub fn with_answers(&self, answers: &[Vec<String>]) -> String {
        let mut answers = answers.iter();
        let mut text = String::new();
        for part in &self.parts {
            match part {
                Part::Line(line) => text.push_str(line),
                Part::Question(question) => {
                    text.push_str(&question.text(answers.next().expect("one answer per question")));
                }
            }
            text.push('\n');
        }
        text
    }
}

impl Question {
    fn text(&self, answer: &[String]) -> String {
        let Question { command, about, expected, .. } = self;
        let head = format!("; {command} {about}").trim_end().to_owned();
        if self.is_short() {
            // However a number is written, it is the same.
            let same = expected.len() == answer.len() && expected.iter().zip(answer).all(|(e, a)| same_answer(e, a));
            let answer = if same { expected.join(" ") } else { answer.iter().map(|a| untyped(a)).collect() };
            return format!("{head} {answer}").trim_end().to_owned();
        }
        answer.iter().fold(head, |text, line| format!("{text}\n;   {line}"))
    }
}
