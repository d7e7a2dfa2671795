//! A strategy as the command line, the docs and the test matrix know it, and the way from its name to it.

use std::fmt;

use crate::Searcher;
use crate::strategies::STRATEGIES;

/// One row of [`STRATEGIES`].
#[derive(Debug)]
pub struct StrategyDef {
    /// The name as `--search` takes it, in any case.
    pub name: &'static str,
    /// One line for `taw strategies`.
    pub help: &'static str,
    /// Builds the strategy. `seed` is its only source of randomness.
    pub new: fn(seed: u64) -> Box<dyn Searcher>,
}

/// Builds the strategy that `text` names.
///
/// # Errors
/// If there is none; the error lists the names and the one probably meant.
pub fn parse(text: &str, seed: u64) -> Result<Box<dyn Searcher>, UnknownStrategy> {
    let wanted = text.trim();
    match STRATEGIES.iter().find(|def| def.name.eq_ignore_ascii_case(wanted)) {
        Some(def) => Ok((def.new)(seed)),
        None => Err(UnknownStrategy { name: wanted.to_owned(), suggestion: suggest(wanted) }),
    }
}

/// A name that is not in [`STRATEGIES`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownStrategy {
    /// The name as it was given.
    pub name: String,
    /// The name probably meant, if one is near.
    pub suggestion: Option<&'static str>,
}

impl fmt::Display for UnknownStrategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no search strategy `{}`; ", self.name)?;
        if let Some(near) = self.suggestion {
            write!(f, "did you mean `{near}`? ")?;
        }
        let names: Vec<&str> = STRATEGIES.iter().map(|def| def.name).collect();
        write!(f, "known: {}", names.join(", "))
    }
}

impl std::error::Error for UnknownStrategy {}

/// The name in the list that is within a third of its letters of `wanted`.
fn suggest(wanted: &str) -> Option<&'static str> {
    let wanted = wanted.to_ascii_lowercase();
    STRATEGIES
        .iter()
        .map(|def| (edit_distance(&wanted, &def.name.to_ascii_lowercase()), def.name))
        .filter(|&(distance, name)| distance <= name.len().div_ceil(3))
        .min()
        .map(|(_, name)| name)
}

/// Levenshtein's distance: insertions, deletions and replacements of bytes.
fn edit_distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.bytes().enumerate() {
        let mut diagonal = i;
        row[0] = i + 1;
        for (j, y) in b.bytes().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_match_in_any_case() {
        for def in STRATEGIES {
            assert!(parse(&def.name.to_ascii_lowercase(), 1).is_ok(), "{}", def.name);
            assert!(parse(&def.name.to_ascii_uppercase(), 1).is_ok(), "{}", def.name);
        }
    }

    #[test]
    fn a_near_miss_is_suggested_and_nonsense_is_not() {
        assert_eq!(parse("random-sate", 0).unwrap_err().suggestion, Some("random-state"));
        assert_eq!(parse("dsf", 0).err().map(|e| e.suggestion), Some(None), "two letters of three differ");
        assert_eq!(parse("dfs2", 0).unwrap_err().suggestion, Some("DFS"));
        let text = parse("zzzzzzzz", 0).unwrap_err().to_string();
        assert!(text.contains("`zzzzzzzz`") && text.contains("coverage-new") && !text.contains("mean"), "{text}");
    }
}
