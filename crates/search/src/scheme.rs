//! Which way a run goes, as the papers write it: `CCBSE(RP)`, `Mix-CCBSE(KLEE)`, `Mix-CCBSE(KLEE,0.5)`, `symcretic`; any other text is a strategy that goes forward.
//!
//! ```text
//! scheme = strategy | "symcretic" | "CCBSE" "(" strategy ")" | "Mix-CCBSE" "(" strategy [ "," ratio ] ")"
//!        | "Portfolio" "(" strategy [ "," ratio [ "," start ] ] ")" | "concolic" "(" turning [ "," ("zeros" | "random") ] ")"
//! ```
//! What `turning` is, `concolic/notation.rs` says.

use crate::{ConcolicScheme, StrategyError, parse};

/// Of the work, what the forward half of a mixed search gets if nobody says otherwise.
pub const FORWARD_SHARE: f64 = 0.75;

/// What the forward half of a portfolio spends before anything else begins if nobody says otherwise, in [units](crate::Spent::units): what it decides at once
/// costs nothing more.
const HEAD_START: u64 = 1_000_000;

/// The strategy of the backward half of a mixed search.
const BACKWARD: &str = "RP";

/// Which way a run goes.
#[derive(Clone, PartialEq, Debug)]
pub enum SearchScheme {
    /// From the entry on, by this strategy.
    Forward(String),
    /// From the functions of the targets, and then from their callers, each by this strategy.
    Backward(String),
    /// From the targets back, from one place with a choice to the one before, until where paths begin.
    Symcretic,
    /// One path after the other, each from its start to its end, on inputs that turn a decision of an earlier one.
    Concolic(ConcolicScheme),
    /// Both.
    Mixed {
        /// The strategy from the entry on.
        forward: String,
        /// The one from other functions.
        backward: String,
        /// What the first gets of the work, above 0 and below 1.
        share: f64,
        /// A portfolio: targets are looked for in slices of the program as well, when the first has spent so many [units](crate::Spent::units).
        portfolio_after: Option<u64>,
    },
}

/// One row of [`SCHEMES`].
#[derive(Debug)]
pub struct SchemeDef {
    /// The name as `--search` takes it, in any case.
    pub name: &'static str,
    /// How it is written.
    pub usage: &'static str,
    /// One line for `taw strategies`.
    pub help: &'static str,
}

/// What may stand around a strategy, outermost.
pub const SCHEMES: &[SchemeDef] = &[
    SchemeDef {
        name: "concolic",
        usage: "concolic(s[,f])",
        help: "one path after the other, each on inputs that turn a decision of an earlier one, chosen by s; first inputs f: zeros or random",
    },
    SchemeDef {
        name: "CCBSE",
        usage: "CCBSE(x)",
        help: "backward along calls: from the target's function, then from its callers, up to the entry, each forward by x",
    },
    SchemeDef {
        name: "Mix-CCBSE",
        usage: "Mix-CCBSE(x[,r])",
        help: "x from the entry on, with a share r of the work (0.75), beside CCBSE(RP), whose paths x takes up",
    },
    SchemeDef {
        name: "symcretic",
        usage: "symcretic",
        help: "backward from the target, over whatever leaves no choice, to the entry; what the solver cannot decide is searched for along the whole way",
    },
    SchemeDef {
        name: "Portfolio",
        usage: "Portfolio(x[,r[,n]])",
        help: "x from the entry on; what is open after n instructions (1000000) is also looked for in slices of the program, with loops as functions, and as Mix-CCBSE does",
    },
];

impl SearchScheme {
    /// The strategy from the entry on, of states that wait: concolic testing has none.
    pub fn forward(&self) -> &str {
        match self {
            SearchScheme::Forward(search) | SearchScheme::Backward(search) => search,
            SearchScheme::Mixed { forward, .. } => forward,
            SearchScheme::Symcretic => BACKWARD,
            SearchScheme::Concolic(_) => "DFS",
        }
    }

    /// The scheme that `text` describes.
    ///
    /// # Errors
    /// If the text describes none; the error says where and, if it can, what was probably meant.
    pub fn parse(text: &str) -> Result<Self, StrategyError> {
        let trimmed = text.trim_start();
        let at = text.len() - trimmed.len();
        let name = trimmed.find(|c: char| c == '(' || c.is_whitespace()).map_or(trimmed, |end| &trimmed[..end]);
        let Some(def) = SCHEMES.iter().find(|def| def.name.eq_ignore_ascii_case(name)) else {
            return parse(text, 0).map(|_| SearchScheme::Forward(text.trim().to_owned()));
        };
        let usage = || error(text, at, format!("`{}` is written `{}`", def.name, def.usage));
        let inner = trimmed[name.len()..].trim();
        if def.name == "symcretic" {
            return if inner.is_empty() { Ok(SearchScheme::Symcretic) } else { Err(usage()) };
        }
        let inner = inner.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).ok_or_else(usage)?;
        if def.name == "concolic" {
            return ConcolicScheme::parse(text, inner).map(SearchScheme::Concolic);
        }
        if def.name == "CCBSE" {
            return Ok(SearchScheme::Backward(strategy(text, inner)?));
        }
        let is_portfolio = def.name == "Portfolio";
        let (inner, start) = match split_number(inner) {
            Some((before, start)) if is_portfolio && split_number(before).is_some() => (before, start_of(text, start)?),
            _ => (inner, HEAD_START),
        };
        let (first, share) = match split_number(inner) {
            Some((first, ratio)) => (first, ratio_of(text, ratio)?),
            None => (inner, FORWARD_SHARE),
        };
        let portfolio_after = is_portfolio.then_some(start);
        Ok(SearchScheme::Mixed {
            forward: strategy(text, first)?,
            backward: BACKWARD.to_owned(),
            share,
            portfolio_after,
        })
    }
}

/// What stands before the last comma, and the number behind it.
fn split_number(text: &str) -> Option<(&str, &str)> {
    let is_number = |text: &&str| text.trim().starts_with(|c: char| c.is_ascii_digit() || c == '.');
    text.rsplit_once(',').filter(|(_, last)| is_number(last))
}

/// A strategy that is part of `text`.
fn strategy(text: &str, part: &str) -> Result<String, StrategyError> {
    let at = |within: usize| part.as_ptr() as usize - text.as_ptr() as usize + within;
    match parse(part, 0) {
        Ok(_) => Ok(part.trim().to_owned()),
        Err(wrong) => Err(StrategyError { text: text.to_owned(), at: at(wrong.at), ..wrong }),
    }
}

fn ratio_of(text: &str, ratio: &str) -> Result<f64, StrategyError> {
    let at = ratio.as_ptr() as usize - text.as_ptr() as usize;
    let share = ratio.trim().parse().ok().filter(|share| *share > 0.0 && *share < 1.0);
    share.ok_or_else(|| error(text, at, format!("`{}` is no share of the work between 0 and 1", ratio.trim())))
}

fn start_of(text: &str, start: &str) -> Result<u64, StrategyError> {
    let at = start.as_ptr() as usize - text.as_ptr() as usize;
    start.trim().parse().map_err(|_| error(text, at, format!("`{}` is no number of instructions", start.trim())))
}

pub(crate) fn error(text: &str, at: usize, message: String) -> StrategyError {
    StrategyError { text: text.to_owned(), at, message, suggestion: None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_papers_notation_is_understood() {
        let mixed = |forward: &str, share| SearchScheme::Mixed {
            forward: forward.to_owned(),
            backward: "RP".to_owned(),
            share,
            portfolio_after: None,
        };
        let portfolio = |share, after| SearchScheme::Mixed {
            forward: "KLEE".to_owned(),
            backward: "RP".to_owned(),
            share,
            portfolio_after: Some(after),
        };
        for (text, scheme) in [
            ("RP", SearchScheme::Forward("RP".to_owned())),
            (" B(RR(RP,SDSE)) ", SearchScheme::Forward("B(RR(RP,SDSE))".to_owned())),
            ("CCBSE(RP)", SearchScheme::Backward("RP".to_owned())),
            ("ccbse( B(RR(RP,SDSE)) )", SearchScheme::Backward("B(RR(RP,SDSE))".to_owned())),
            ("Mix-CCBSE(KLEE)", mixed("KLEE", 0.75)),
            ("mix-ccbse (RR(RP,SDSE), 0.5)", mixed("RR(RP,SDSE)", 0.5)),
            ("Mix-CCBSE(RR(RP,SDSE))", mixed("RR(RP,SDSE)", 0.75)),
            (" Symcretic ", SearchScheme::Symcretic),
            ("Portfolio(KLEE)", portfolio(0.75, HEAD_START)),
            ("Portfolio(KLEE,0.5)", portfolio(0.5, HEAD_START)),
            ("Portfolio(KLEE, 0.5, 0)", portfolio(0.5, 0)),
            ("concolic(DFS)", SearchScheme::Concolic(ConcolicScheme::of("DFS"))),
        ] {
            assert_eq!(SearchScheme::parse(text), Ok(scheme), "{text}");
        }
    }

    #[test]
    fn an_error_says_where() {
        for (text, at, word) in [
            ("CCBSE", 0, "is written `CCBSE(x)`"),
            ("symcretic(RP)", 0, "is written `symcretic`"),
            ("CCBSE()", 6, "no search strategy"),
            ("CCBSE(RPP)", 6, "no search strategy `RPP`"),
            ("Mix-CCBSE(KLEE,1.5)", 15, "no share"),
            ("Mix-CCBSE(KLEE,RP)", 14, "nothing may follow"),
            ("Mix-CCBSE(KLEE", 0, "is written"),
            ("Mix-CCBSE(KLEE,0.5,7)", 19, "no share"),
            ("Portfolio(KLEE,0.5,1e6)", 19, "no number of instructions"),
            ("B(CCBSE(RP))", 2, "no search strategy `CCBSE`"),
        ] {
            let found = SearchScheme::parse(text).expect_err(text);
            assert!(found.at == at && found.message.contains(word), "{text}: {found:?}");
        }
    }
}
