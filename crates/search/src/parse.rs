//! Strategies as the papers write them: `B(RR(RP,SDSE))`, `Ph(KLEE,SDSE-rr,3)`. Names match in any case; blanks are free.
//!
//! ```text
//! strategy   = name | combinator "(" argument { "," argument } ")"
//! argument   = strategy | number
//! ```

use std::fmt;

use crate::combinators::COMBINATORS;
use crate::strategies::STRATEGIES;
use crate::{Searcher, StrategyArgument};

/// Builds the strategy that `text` describes. `seed` is its only source of randomness.
///
/// # Errors
/// If the text describes none; the error says where and, if it can, what was probably meant.
pub fn parse(text: &str, seed: u64) -> Result<Box<dyn Searcher>, StrategyError> {
    let mut parser = Parser { text, at: 0, depth: 0, seed };
    let searcher = parser.strategy()?;
    parser.blanks();
    if parser.at < text.len() {
        return Err(parser.error(parser.at, "nothing may follow here".to_owned(), None));
    }
    Ok(searcher)
}

/// Why a text describes no strategy.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StrategyError {
    /// The text as it was given.
    pub text: String,
    /// Where in it, in bytes.
    pub at: usize,
    /// What is wrong there.
    pub message: String,
    /// The name probably meant, if one is near.
    pub suggestion: Option<&'static str>,
}

impl fmt::Display for StrategyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.message)?;
        let column = self.text[..self.at].chars().count() + 1;
        if self.text.trim().contains(['(', ',', ')']) {
            write!(f, " (at character {column} of `{}`)", self.text)?;
        }
        if let Some(near) = self.suggestion {
            write!(f, "; did you mean `{near}`?")?;
        }
        write!(f, "; `taw strategies` lists what there is: {}", names().collect::<Vec<_>>().join(", "))
    }
}

impl std::error::Error for StrategyError {}

/// Every name, of strategies and combinators.
fn names() -> impl Iterator<Item = &'static str> {
    STRATEGIES.iter().map(|def| def.name).chain(COMBINATORS.iter().map(|def| def.usage))
}

/// Deeper than anyone writes, and far from the end of the stack.
const MOST_NESTED: u32 = 32;

struct Parser<'a> {
    text: &'a str,
    at: usize,
    depth: u32,
    /// For the next strategy.
    seed: u64,
}

impl<'a> Parser<'a> {
    fn strategy(&mut self) -> Result<Box<dyn Searcher>, StrategyError> {
        self.blanks();
        let start = self.at;
        let name = self.word();
        if name.is_empty() {
            let found = match self.peek() {
                Some(c) => format!("a strategy is missing before `{c}`"),
                None if start == 0 => "no search strategy is named".to_owned(),
                None => "a strategy is missing at the end".to_owned(),
            };
            return Err(self.error(start, found, None));
        }
        let combinator = COMBINATORS.iter().find(|def| def.name.eq_ignore_ascii_case(name));
        let strategy = STRATEGIES.iter().find(|def| def.name.eq_ignore_ascii_case(name));
        self.blanks();
        match (combinator, strategy, self.peek() == Some('(')) {
            (Some(def), _, true) => {
                let arguments = self.arguments()?;
                (def.new)(arguments).map_err(|wants| self.error(start, format!("`{}` wants {wants}", def.usage), None))
            }
            (Some(def), _, false) => Err(self.error(start, format!("`{}` is written `{}`", def.name, def.usage), None)),
            (_, Some(def), false) => Ok((def.new)(self.next_seed())),
            (_, Some(def), true) => {
                Err(self.error(self.at, format!("`{}` takes nothing in parentheses", def.name), None))
            }
            (None, None, _) => Err(self.error(start, format!("there is no search strategy `{name}`"), suggest(name))),
        }
    }

    fn arguments(&mut self) -> Result<Vec<StrategyArgument>, StrategyError> {
        self.depth += 1;
        if self.depth > MOST_NESTED {
            return Err(self.error(self.at, format!("more than {MOST_NESTED} strategies in each other"), None));
        }
        let open = self.at;
        self.at += 1;
        let mut arguments = Vec::new();
        loop {
            arguments.push(self.argument()?);
            self.blanks();
            match self.peek() {
                Some(',') => self.at += 1,
                Some(')') => break,
                Some(c) => return Err(self.error(self.at, format!("`{c}` where `,` or `)` should be"), None)),
                None => return Err(self.error(open, "this parenthesis is never closed".to_owned(), None)),
            }
        }
        self.at += 1;
        self.depth -= 1;
        Ok(arguments)
    }

    fn argument(&mut self) -> Result<StrategyArgument, StrategyError> {
        self.blanks();
        if !self.peek().is_some_and(|c| c.is_ascii_digit()) {
            return Ok(StrategyArgument::Strategy(self.strategy()?));
        }
        let start = self.at;
        let word = self.word();
        match word.parse() {
            Ok(number) => Ok(StrategyArgument::Number(number)),
            Err(_) => Err(self.error(start, format!("`{word}` is no number"), None)),
        }
    }

    /// Two strategies of one text must not make the same choices.
    fn next_seed(&mut self) -> u64 {
        let seed = self.seed;
        self.seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        seed
    }

    fn word(&mut self) -> &'a str {
        let rest = &self.text[self.at..];
        let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        let length = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    fn blanks(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
    }

    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn error(&self, at: usize, message: String, suggestion: Option<&'static str>) -> StrategyError {
        StrategyError { text: self.text.to_owned(), at, message, suggestion }
    }
}

/// The name that is within a third of its letters of `wanted`.
fn suggest(wanted: &str) -> Option<&'static str> {
    let wanted = wanted.to_ascii_lowercase();
    let known = STRATEGIES.iter().map(|def| def.name).chain(COMBINATORS.iter().map(|def| def.name));
    known
        .map(|name| (strsim::osa_distance(&wanted, &name.to_ascii_lowercase()), name))
        .filter(|&(distance, name)| distance <= (name.len() / 3).max(1))
        .min()
        .map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> StrategyError {
        parse(text, 0).expect_err(text)
    }

    #[test]
    fn names_match_in_any_case() {
        for def in STRATEGIES {
            assert!(parse(&def.name.to_ascii_lowercase(), 1).is_ok(), "{}", def.name);
            assert!(parse(&def.name.to_ascii_uppercase(), 1).is_ok(), "{}", def.name);
        }
    }

    #[test]
    fn the_papers_notation_is_understood() {
        for text in ["B(RR(RP,SDSE))", " b( ph(KLEE, rr(RP ,SDSE-rr), 3) ) ", "RR(DFS,BFS,RP)", "Ph(DFS,BFS,1.5)"] {
            assert!(parse(text, 1).is_ok(), "{text}");
        }
        assert!(parse(crate::DEFAULT_DIRECTED, 1).is_ok() && parse(crate::DEFAULT_FORWARD, 1).is_ok());
    }

    #[test]
    fn a_near_miss_is_suggested_and_nonsense_is_not() {
        assert_eq!(error("random-sate").suggestion, Some("random-state"));
        assert_eq!(error("xyf").suggestion, None, "two letters of three differ");
        assert_eq!(error("dsf").suggestion, Some("DFS"), "letters are swapped");
        assert_eq!(error("dfs2").suggestion, Some("DFS"));
        let text = error("zzzzzzzz").to_string();
        assert!(text.contains("`zzzzzzzz`") && text.contains("coverage-new") && !text.contains("mean"), "{text}");
    }

    #[test]
    fn an_error_says_where() {
        let near = error("B(RR(RP,SDES))");
        assert_eq!((near.at, near.suggestion), (8, Some("SDSE")));
        assert!(near.to_string().contains("at character 9 of `B(RR(RP,SDES))`"), "{near}");
        for (text, at, word) in [
            ("", 0, "no search strategy"),
            ("B(RP", 1, "never closed"),
            ("B(RP))", 5, "nothing may follow"),
            ("B()", 2, "missing before `)`"),
            ("RR(RP,", 6, "missing at the end"),
            ("RR(RP BFS)", 6, "should be"),
            ("B", 0, "is written `B(x)`"),
            ("B(RP,RP)", 0, "wants"),
            ("RP(3)", 2, "takes nothing"),
            ("Ph(RP,RP,3x)", 9, "no number"),
            ("Ph(RP,RP,0.5)", 0, "wants"),
        ] {
            let found = error(text);
            assert!(found.at == at && found.message.contains(word), "{text}: {found:?}");
        }
        assert!(error(&"B(".repeat(40)).message.contains("in each other"));
    }
}
