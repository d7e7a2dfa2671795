//! Which way a run goes, as the papers write it: `CCBSE(RP)`, `Mix-CCBSE(KLEE)`, `Mix-CCBSE(KLEE,0.5)`; any other text is a strategy that goes forward.
//!
//! ```text
//! scheme = strategy | "CCBSE" "(" strategy ")" | ("Mix-CCBSE" | "Portfolio") "(" strategy [ "," ratio ] ")"
//! ```

use crate::{StrategyError, parse};

/// Of the work, what the forward half of a mixed search gets if nobody says otherwise.
pub const FORWARD_SHARE: f64 = 0.75;

/// What the forward half of a portfolio spends before anything else begins, in [units](crate::Spent::units): what it decides at once costs nothing more.
pub const HEAD_START: u64 = 1_000_000;

/// The strategy of the backward half of a mixed search.
const BACKWARD: &str = "RP";

/// Which way a run goes.
#[derive(Clone, PartialEq, Debug)]
pub enum SearchScheme {
    /// From the entry on, by this strategy.
    Forward(String),
    /// From the functions of the targets, and then from their callers, each by this strategy.
    Backward(String),
    /// Both.
    Mixed {
        /// The strategy from the entry on.
        forward: String,
        /// The one from other functions.
        backward: String,
        /// What the first gets of the work, above 0 and below 1.
        share: f64,
        /// Whether targets are looked for in slices of the program as well, and the first has a start ([`HEAD_START`]).
        slices: bool,
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
        name: "Portfolio",
        usage: "Portfolio(x[,r])",
        help: "x from the entry on; what that leaves open for a while is also looked for in slices of the program, with loops as functions, and as Mix-CCBSE does",
    },
];

impl SearchScheme {
    /// The strategy from the entry on.
    pub fn forward(&self) -> &str {
        match self {
            SearchScheme::Forward(search) | SearchScheme::Backward(search) => search,
            SearchScheme::Mixed { forward, .. } => forward,
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
        let inner = inner.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).ok_or_else(usage)?;
        if def.name == "CCBSE" {
            return Ok(SearchScheme::Backward(strategy(text, inner)?));
        }
        let (first, share) = match inner.rsplit_once(',') {
            Some((first, ratio)) if ratio.trim().starts_with(|c: char| c.is_ascii_digit() || c == '.') => {
                (first, ratio_of(text, ratio)?)
            }
            _ => (inner, FORWARD_SHARE),
        };
        Ok(SearchScheme::Mixed {
            forward: strategy(text, first)?,
            backward: BACKWARD.to_owned(),
            share,
            slices: def.name == "Portfolio",
        })
    }
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

fn error(text: &str, at: usize, message: String) -> StrategyError {
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
            slices: false,
        };
        for (text, scheme) in [
            ("RP", SearchScheme::Forward("RP".to_owned())),
            (" B(RR(RP,SDSE)) ", SearchScheme::Forward("B(RR(RP,SDSE))".to_owned())),
            ("CCBSE(RP)", SearchScheme::Backward("RP".to_owned())),
            ("ccbse( B(RR(RP,SDSE)) )", SearchScheme::Backward("B(RR(RP,SDSE))".to_owned())),
            ("Mix-CCBSE(KLEE)", mixed("KLEE", 0.75)),
            ("mix-ccbse (RR(RP,SDSE), 0.5)", mixed("RR(RP,SDSE)", 0.5)),
            ("Mix-CCBSE(RR(RP,SDSE))", mixed("RR(RP,SDSE)", 0.75)),
        ] {
            assert_eq!(SearchScheme::parse(text), Ok(scheme), "{text}");
        }
    }

    #[test]
    fn an_error_says_where() {
        for (text, at, word) in [
            ("CCBSE", 0, "is written `CCBSE(x)`"),
            ("CCBSE()", 6, "no search strategy"),
            ("CCBSE(RPP)", 6, "no search strategy `RPP`"),
            ("Mix-CCBSE(KLEE,1.5)", 15, "no share"),
            ("Mix-CCBSE(KLEE,RP)", 14, "nothing may follow"),
            ("Mix-CCBSE(KLEE", 0, "is written"),
            ("B(CCBSE(RP))", 2, "no search strategy `CCBSE`"),
        ] {
            let found = SearchScheme::parse(text).expect_err(text);
            assert!(found.at == at && found.message.contains(word), "{text}: {found:?}");
        }
    }
}
