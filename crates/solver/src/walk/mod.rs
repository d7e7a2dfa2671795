//! The concolic walk: a search for a model of conditions that no theory decides.
//!
//! P. Dinges and G. Agha, "Solving complex path conditions through heuristic search on induced polytopes" (2014): walk from a
//! point to a better one by moving one variable at a time, the one that is most to blame, and leave those alone for a while that
//! did not help. What is different here: linear equalities are solved for a variable and so kept (`linear`), scores know floats
//! and bits (`score`), a move may be computed backwards from what fails (`inverse`), and what a move broke is repaired with other
//! variables (`search`), where a change of sign is followed down to two neighbouring numbers (`line`).
//!
//! Boundary: finds models, proves nothing. Deterministic: a number given is the only source of chance, the budget is counted in
//! operations, and a deadline only stops.

mod goal;
mod inverse;
mod line;
mod linear;
mod number;
mod problem;
mod score;
mod search;

use std::time::Instant;

use taw_expr::{Assignment, Term, Terms};

use linear::Definitions;
use problem::Problem;
use search::Walker;

/// What the walk is made of, each of which can be left out to measure what it is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ingredient {
    /// Linear equalities are solved for an input, which is computed.
    Equalities,
    /// Values computed backwards from a comparison that fails.
    Inversion,
    /// Constants of the query, and numbers that are like no others, as values.
    Constants,
    /// Random steps of integers, on several scales and in single bits.
    Steps,
    /// Moves of several variables: one freely, the others to repair what it broke.
    Repair,
    /// Following a change of sign while repairing, and where a condition has one variable.
    Bisection,
    /// Moving the variables of a broken condition anywhere when nothing helps.
    Kick,
}

impl Ingredient {
    /// Every ingredient with its name.
    pub const ALL: [(&'static str, Ingredient); 7] = [
        ("equalities", Self::Equalities),
        ("inversion", Self::Inversion),
        ("constants", Self::Constants),
        ("steps", Self::Steps),
        ("repair", Self::Repair),
        ("bisection", Self::Bisection),
        ("kick", Self::Kick),
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

/// Of the budget: what is kept for a walk without solved equalities.
const SHARE: u64 = 8;

/// What a walk came to.
pub(crate) struct WalkResult {
    pub model: Option<Assignment>,
    /// Conditions scored.
    pub evaluations: u64,
}

/// Looks for an assignment under which all `conditions` hold. `bases` are assignments to start from; inputs that do not occur have
/// their values from the first.
pub(crate) fn walk(terms: &mut Terms, conditions: &[Term], bases: &[&Assignment], effort: Effort) -> WalkResult {
    let mut wanted = Vec::new();
    conditions.iter().for_each(|&t| problem::conjuncts(terms, t, &mut wanted));
    let definitions = match effort.without.contains(Ingredient::Equalities) {
        true => Definitions::default(),
        false => linear::definitions(terms, &wanted),
    };
    if definitions.is_empty() {
        return walk_with(terms, &wanted, &definitions, bases, effort);
    }
    // What was solved for may be what has to be a little off, because of rounding: at the end all inputs are chosen again.
    let rest = effort.work / SHARE;
    let first = walk_with(terms, &wanted, &definitions, bases, Effort { work: effort.work - rest, ..effort });
    if first.model.is_some() {
        return first;
    }
    let second = walk_with(terms, &wanted, &Definitions::default(), bases, Effort { work: rest, ..effort });
    WalkResult { evaluations: first.evaluations + second.evaluations, ..second }
}

fn walk_with(
    terms: &Terms,
    wanted: &[Term],
    definitions: &Definitions,
    bases: &[&Assignment],
    effort: Effort,
) -> WalkResult {
    let Some(mut problem) = Problem::new(terms, wanted, definitions) else {
        return WalkResult { model: None, evaluations: 0 };
    };
    let starts: Vec<Vec<u128>> = bases.iter().map(|base| problem.point(base)).collect();
    let mut walker = Walker::new(&mut problem, effort);
    let found = walker.run(&starts);
    let evaluations = walker.evaluations;
    WalkResult { model: found.then(|| problem.assignment(bases[0])), evaluations }
}

#[cfg(test)]
mod tests;
