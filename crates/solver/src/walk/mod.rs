//! The concolic walk: a search for a model of conditions that no theory decides.
//!
//! P. Dinges and G. Agha, "Solving complex path conditions through heuristic search on induced polytopes" (2014): walk from a
//! point to a better one by moving one variable at a time, the one that is most to blame, and leave those alone for a while that
//! did not help. What is different here: the equalities that define a variable are eliminated (`problem`), scores know floats
//! and bits (`score`), a move may be computed backwards from what fails (`inverse`), a change of sign is followed down to two
//! neighbouring floats (`line`), and an equality that a move broke is repaired with another variable (`search`, `linked`).
//!
//! Boundary: finds models, proves nothing. Deterministic: a number given is the only source of chance, the budget is counted in
//! operations, and a deadline only stops.

mod goal;
mod inverse;
mod line;
mod linear;
mod linked;
mod number;
mod problem;
mod score;
mod search;
mod starts;

use std::time::Instant;

use taw_expr::{Assignment, Term, Terms};

use linear::Definitions;
use problem::Problem;
use search::Walker;

/// What the walk is made of, each of which can be left out to measure what it is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ingredient {
    /// Inputs that an equality defines are computed.
    Definitions,
    /// Comparisons with zero are scored in a form that shows progress.
    Rewriting,
    /// Values computed backwards from a comparison that fails.
    Inversion,
    /// Following a change of sign.
    Bisection,
    /// Neighbouring floats of the other variables where a change of sign has no zero.
    Neighbours,
    /// Moves of several variables: one freely, the others to repair what it broke.
    Repair,
    /// Moves along a curve: another variable follows so that an equality goes on to hold.
    Links,
    /// Leaving variables alone that did not help.
    Tabu,
    /// Constants of the query as values.
    Constants,
    /// Starting points other than the witness.
    Starts,
    /// Conditions that stay broken count more and more.
    Weights,
    /// Steps to numbers far away, by chance and on several scales.
    Steps,
}

impl Ingredient {
    /// Every ingredient with its name.
    pub const ALL: [(&'static str, Ingredient); 12] = [
        ("definitions", Self::Definitions),
        ("rewriting", Self::Rewriting),
        ("inversion", Self::Inversion),
        ("bisection", Self::Bisection),
        ("neighbours", Self::Neighbours),
        ("repair", Self::Repair),
        ("links", Self::Links),
        ("tabu", Self::Tabu),
        ("constants", Self::Constants),
        ("starts", Self::Starts),
        ("weights", Self::Weights),
        ("steps", Self::Steps),
    ];

    /// The ingredient of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(n, _)| *n == name).map(|(_, i)| *i)
    }
}

/// A set of ingredients that are left out.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Without(u32);

impl Without {
    pub fn new(ingredients: &[Ingredient]) -> Self {
        Self(ingredients.iter().fold(0, |set, &i| set | 1 << i as u32))
    }

    pub fn contains(self, ingredient: Ingredient) -> bool {
        self.0 & 1 << ingredient as u32 != 0
    }
}

/// How much, and how.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    /// Operations on words.
    pub work: u64,
    pub seed: u64,
    pub deadline: Option<Instant>,
    pub without: Without,
}

/// What a walk came to.
pub(crate) struct Walked {
    pub model: Option<Assignment>,
    /// Conditions scored.
    pub evaluations: u64,
}

/// Looks for an assignment under which all `conditions` hold. `bases` are assignments to start from; inputs that do not occur have
/// their values from the first.
pub(crate) fn walk(terms: &mut Terms, conditions: &[Term], bases: &[&Assignment], effort: Effort) -> Walked {
    let mut wanted = Vec::new();
    conditions.iter().for_each(|&t| problem::conjuncts(terms, t, &mut wanted));
    let definitions = match effort.without.contains(Ingredient::Definitions) {
        true => Definitions::default(),
        false => linear::definitions(terms, &wanted),
    };
    if definitions.is_empty() {
        return walk_with(terms, &wanted, &definitions, bases, effort);
    }
    // What was solved for may be what has to be a little off, because of rounding: then all inputs are chosen again.
    let half = Effort { work: effort.work / 2, ..effort };
    let first = walk_with(terms, &wanted, &definitions, bases, half);
    if first.model.is_some() {
        return first;
    }
    let second = walk_with(terms, &wanted, &Definitions::default(), bases, half);
    Walked { evaluations: first.evaluations + second.evaluations, ..second }
}

fn walk_with(
    terms: &Terms,
    wanted: &[Term],
    definitions: &Definitions,
    bases: &[&Assignment],
    effort: Effort,
) -> Walked {
    let Some(mut problem) = Problem::new(terms, wanted, definitions, effort.without) else {
        return Walked { model: None, evaluations: 0 };
    };
    let starts = starts::starts(&problem, bases, effort);
    let mut walker = Walker::new(&mut problem, effort);
    let found = walker.run(&starts);
    let evaluations = walker.evaluations;
    Walked { model: found.then(|| problem.assignment(bases[0])), evaluations }
}

#[cfg(test)]
mod tests;
