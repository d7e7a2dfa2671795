//! How concolic testing is written: `concolic(DFS)`, `concolic(DFS(20))`, `concolic(IPPC)`, `concolic(IPPC(CFG),random)`.
//!
//! ```text
//! turning = name [ "(" number ")" ] | solving [ "(" turning ")" ]
//! ```
//! `solving` is IPPC or IPPC-adaptive, around a strategy; alone it is around DFS, as in the paper.

use super::{CONCOLIC, ConcolicDef, WalkStrategy};
use crate::StrategyError;
use crate::scheme::error;

/// How the inputs that turn a decision are solved for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Solving {
    /// All conditions before it at once.
    Whole,
    /// A growing part of them.
    Parts,
    /// A growing part, as long as that pays.
    Adaptive,
}

/// Words that may stand around a strategy, what they mean, and one line on each.
pub const WAYS_OF_SOLVING: &[(&str, Solving, &str)] = &[
    (
        "IPPC",
        Solving::Parts,
        "the turned condition is solved alone, then with what its answer violates, and so on; without (x): IPPC(DFS)",
    ),
    (
        "IPPC-adaptive",
        Solving::Adaptive,
        "as IPPC while that pays, else all conditions at once; without (x): around DFS",
    ),
];

/// What the first run is started with, if there are no seeds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FirstRun {
    /// Zeros.
    Zeros,
    /// Inputs by chance.
    Random,
}

/// How concolic testing goes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConcolicScheme {
    /// The name of the strategy, as [`CONCOLIC`] has it.
    pub strategy: &'static str,
    /// What its number is.
    pub number: Option<u64>,
    /// How decisions are turned.
    pub solving: Solving,
    /// The first inputs.
    pub first: FirstRun,
}

impl ConcolicScheme {
    /// The scheme that the inner part of `text` describes.
    pub(crate) fn parse(text: &str, inner: &str) -> Result<Self, StrategyError> {
        let (turning, first) = match inner.rsplit_once(',') {
            None => (inner, FirstRun::Zeros),
            Some((turning, word)) => match word.trim().to_ascii_lowercase().as_str() {
                "zeros" => (turning, FirstRun::Zeros),
                "random" => (turning, FirstRun::Random),
                other => {
                    let message = format!("the first inputs are `zeros` or `random`, not `{other}`");
                    return Err(error(text, at(text, word), message));
                }
            },
        };
        let scheme = ConcolicScheme { strategy: "", number: None, solving: Solving::Whole, first };
        scheme.turning(text, turning)
    }

    fn turning(mut self, text: &str, part: &str) -> Result<Self, StrategyError> {
        let trimmed = part.trim();
        let name = trimmed.split('(').next().unwrap_or_default().trim();
        let inner = match trimmed.split_once('(') {
            None => None,
            Some((_, rest)) => Some(
                rest.trim_end()
                    .strip_suffix(')')
                    .ok_or_else(|| error(text, at(text, trimmed), format!("`{trimmed}` has no `)` at its end")))?,
            ),
        };
        if let Some((word, solving, _)) = WAYS_OF_SOLVING.iter().find(|(word, ..)| word.eq_ignore_ascii_case(name)) {
            if self.solving != Solving::Whole {
                return Err(error(text, at(text, trimmed), format!("`{word}` may stand around a strategy once")));
            }
            self.solving = *solving;
            return self.turning(text, inner.unwrap_or("DFS"));
        }
        let def = CONCOLIC
            .iter()
            .find(|def| def.name.eq_ignore_ascii_case(name))
            .ok_or_else(|| unknown(text, trimmed, name))?;
        let number = inner.map(|inner| {
            let number = inner.trim().parse().ok().filter(|_| def.has_number);
            number.ok_or_else(|| error(text, at(text, trimmed), format!("`{}` is written `{}`", def.name, def.usage)))
        });
        (self.strategy, self.number) = (def.name, number.transpose()?);
        Ok(self)
    }

    /// The strategy. `seed` is its only source of randomness.
    pub fn strategy(&self, seed: u64) -> Box<dyn WalkStrategy> {
        let def: Option<&&ConcolicDef> = CONCOLIC.iter().find(|def| def.name == self.strategy);
        (def.unwrap_or(&CONCOLIC[0]).new)(self.number, seed)
    }

    #[cfg(test)]
    pub(crate) fn of(strategy: &'static str) -> Self {
        ConcolicScheme { strategy, number: None, solving: Solving::Whole, first: FirstRun::Zeros }
    }
}

/// Where a part of a text is; the default of a word that may be left out is at its start.
fn at(text: &str, part: &str) -> usize {
    let at = (part.as_ptr() as usize).wrapping_sub(text.as_ptr() as usize);
    if at <= text.len() { at } else { 0 }
}

fn unknown(text: &str, part: &str, name: &str) -> StrategyError {
    let names = || CONCOLIC.iter().map(|def| def.name).chain(WAYS_OF_SOLVING.iter().map(|way| way.0));
    let near = |known: &&str| strsim::damerau_levenshtein(&known.to_lowercase(), &name.to_lowercase()) <= 2;
    let message =
        format!("concolic testing knows no strategy `{name}`, only {}", names().collect::<Vec<_>>().join(", "));
    StrategyError { suggestion: names().find(near), ..error(text, at(text, part), message) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SearchScheme;

    fn parsed(text: &str) -> Result<ConcolicScheme, StrategyError> {
        match SearchScheme::parse(text)? {
            SearchScheme::Concolic(scheme) => Ok(scheme),
            other => panic!("{text} is {other:?}"),
        }
    }

    #[test]
    fn strategies_and_ways_of_solving_are_understood() {
        for (text, strategy, number, solving, first) in [
            ("concolic(DFS)", "DFS", None, Solving::Whole, FirstRun::Zeros),
            ("Concolic( dfs(20) )", "DFS", Some(20), Solving::Whole, FirstRun::Zeros),
            ("concolic(IPPC)", "DFS", None, Solving::Parts, FirstRun::Zeros),
            ("concolic(ippc(cfg), random)", "CFG", None, Solving::Parts, FirstRun::Random),
            ("concolic(IPPC-adaptive(DFS-crest(7)),zeros)", "DFS-crest", Some(7), Solving::Adaptive, FirstRun::Zeros),
            ("concolic(RND-uniform,random)", "RND-uniform", None, Solving::Whole, FirstRun::Random),
        ] {
            assert_eq!(parsed(text), Ok(ConcolicScheme { strategy, number, solving, first }), "{text}");
        }
        for def in CONCOLIC {
            assert_eq!(parsed(&format!("concolic({})", def.name)).map(|scheme| scheme.strategy), Ok(def.name));
        }
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        for (text, place, words) in [
            ("concolic", 0, "is written `concolic(s[,f])`"),
            ("concolic(DFSS)", 9, "no strategy `DFSS`"),
            ("concolic(RND(3))", 9, "is written `RND`"),
            ("concolic(DFS(x))", 9, "is written `DFS[(d)]`"),
            ("concolic(IPPC(IPPC(DFS)))", 14, "once"),
            ("concolic(DFS,ones)", 13, "not `ones`"),
            ("concolic(IPPC(DFS)", 9, "no `)`"),
        ] {
            let found = SearchScheme::parse(text).expect_err(text);
            assert!(found.at == place && found.message.contains(words), "{text}: {found:?}");
        }
        assert_eq!(SearchScheme::parse("concolic(IPCC)").map_err(|error| error.suggestion), Err(Some("IPPC")));
    }
}
