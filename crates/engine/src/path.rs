//! The path of a state: its conditions, and which of them were decisions. Paths that began alike share what they have in common.
//!
//! And what the conditions say ([`Knowledge`]): that is derived, asked at every branch and large, so a state that waits for long does
//! without it and makes it again, from a copy that all states split off since share.
//! Invariant: what is known is what the conditions of the path, in their order, make of nothing.

use std::fmt;
use std::rc::Rc;

use taw_expr::{Assignment, Marks, Term, Terms};
use taw_ir::FuncId;
use taw_solver::Bounds;

use crate::holds::HoldsTerms;
use crate::trail::{Trail, WrittenOut};

/// Where a path was decided, and which way it went.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Decision {
    /// The function.
    pub func: FuncId,
    /// The deciding instruction.
    pub pc: u32,
    /// Which way: of a branch 1 if its condition held, of a switch the number of the choice.
    pub way: u32,
}

/// One condition of a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Condition {
    /// What holds.
    pub term: Term,
    /// The decision that it is; none if it was assumed, or says only that something that was tried before is not the case.
    pub decided: Option<Decision>,
    /// Set if the path was split off with it and then executed the instruction again.
    pub(crate) turn: Option<Rc<Turn>>,
}

impl Condition {
    /// One that is no decision.
    pub(crate) fn assumed(term: Term) -> Self {
        Condition { term, decided: None, turn: None }
    }

    pub(crate) fn decided(term: Term, way: Decision) -> Self {
        Condition { term, decided: Some(way), turn: None }
    }
}

/// A path was split off within an instruction, and went on with another witness. What an instruction tries first is up to the witness, so
/// who wants to go the same way again must know it.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Turn {
    /// Which of the states it was that its path has split off.
    pub(crate) number: u32,
    /// The witness until then.
    pub(crate) before: Rc<Assignment>,
    /// What was tried before and is not the case, if it was one of several things.
    pub(crate) tried: Option<Tried>,
}

/// What may be one of several things, which are tried one after the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Tried {
    /// The value of this term.
    Value(Term),
    /// The place that a call or jump through this pointer goes to.
    Place(Term),
    /// The object that so many bytes at this pointer are in.
    Object(Term, u64),
}

impl HoldsTerms for Tried {
    fn mark(&self, marks: &mut Marks) {
        let (Tried::Value(term) | Tried::Place(term) | Tried::Object(term, _)) = self;
        term.mark(marks);
    }
}

/// The conditions of a path, oldest first.
#[derive(Clone, Default, Debug)]
pub struct Path {
    conditions: Trail<Condition>,
    decisions: u32,
}

impl Path {
    /// The number of conditions.
    pub fn len(&self) -> usize {
        self.conditions.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.conditions.is_empty()
    }

    /// How many of them were decisions.
    pub fn decisions(&self) -> usize {
        self.decisions as usize
    }

    pub(crate) fn push(&mut self, condition: Condition) {
        self.decisions += u32::from(condition.decided.is_some());
        self.conditions.push(condition);
    }

    /// The conditions, oldest first.
    pub fn conditions(&self) -> Vec<&Condition> {
        self.conditions.to_vec()
    }

    /// The conditions after the first `len`, oldest first.
    pub fn since(&self, len: usize) -> Vec<&Condition> {
        self.conditions.since(len)
    }

    /// The conditions, newest first.
    pub fn newest_first(&self) -> impl Iterator<Item = &Condition> + '_ {
        self.conditions.newest_first()
    }

    /// The ways of the decisions, oldest first.
    pub fn ways(&self) -> Vec<Decision> {
        let mut ways = Vec::with_capacity(self.decisions());
        ways.extend(self.newest_first().filter_map(|c| c.decided));
        ways.reverse();
        ways
    }
}

/// Which way each decision of a path went. Read off the path when somebody wants to know: most tests are not kept, and paths are long.
#[derive(Clone)]
pub enum PathWays {
    /// Those of a path, and of what may still have to be checked on it.
    Of(Path, Option<Decision>),
    /// As somebody has written them down.
    Written(Vec<Decision>),
}

impl PathWays {
    /// Oldest first.
    pub fn to_vec(&self) -> Vec<Decision> {
        match self {
            PathWays::Of(path, pending) => {
                let mut ways = path.ways();
                ways.extend(pending);
                ways
            }
            PathWays::Written(ways) => ways.clone(),
        }
    }

    /// The newest.
    pub fn last(&self) -> Option<Decision> {
        match self {
            PathWays::Of(path, pending) => pending.or_else(|| path.newest_first().find_map(|c| c.decided)),
            PathWays::Written(ways) => ways.last().copied(),
        }
    }
}

impl fmt::Debug for PathWays {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_vec().fmt(f)
    }
}

impl HoldsTerms for Condition {
    fn mark(&self, marks: &mut Marks) {
        let Condition { term, decided: _, turn } = self;
        term.mark(marks);
        turn.iter().filter_map(|turn| turn.tried).for_each(|tried| tried.mark(marks));
    }
}

impl HoldsTerms for Path {
    fn mark(&self, marks: &mut Marks) {
        let Path { conditions, decisions: _ } = self;
        conditions.mark(marks);
    }
}

/// The conditions of the path that was asked about last, as the solver reads them.
#[derive(Default)]
pub(crate) struct PathTerms(WrittenOut<Condition, Term>);

impl PathTerms {
    /// Those of `path`.
    pub(crate) fn of(&mut self, path: &Path) -> &[Term] {
        self.0.of(&path.conditions, |condition| condition.term)
    }
}

type Set = imbl::GenericHashSet<Term, rustc_hash::FxBuildHasher, imbl::shared_ptr::DefaultSharedPtr>;

/// What the conditions of a path say.
#[derive(Clone, Debug, Default)]
pub(crate) struct Facts {
    /// How many conditions.
    len: usize,
    /// The conditions as a set, to see at once that one was decided before.
    pub(crate) known: Set,
    /// What they say of the values of terms.
    pub(crate) bounds: Bounds,
}

impl Facts {
    fn learn(&mut self, terms: &Terms, condition: Term) {
        self.len += 1;
        self.bounds.assume(terms, condition);
        self.known.insert(condition);
    }
}

/// After so many conditions a copy is kept that the states split off from then on start from. Measured with 60 inputs and 50,000 states:
/// 198 MB with 8, 176 with 16, 160 with 32, 150 with 64, in the same time; but what is made again grows with it.
const EVERY: usize = 32;

/// What a state knows of its path. A clone shares it until either learns more.
#[derive(Clone, Debug, Default)]
pub(crate) struct Knowledge {
    /// What the first conditions say.
    base: Rc<Facts>,
    /// What all of them say.
    now: Option<Rc<Facts>>,
}

impl Knowledge {
    /// What the conditions of `path`, which is the state's, say.
    #[inline]
    pub(crate) fn of(&mut self, terms: &Terms, path: &Path) -> &Facts {
        self.now(terms, path)
    }

    #[inline]
    fn now(&mut self, terms: &Terms, path: &Path) -> &mut Rc<Facts> {
        let base = &self.base;
        self.now.get_or_insert_with(|| recall(base, terms, path))
    }

    /// Takes the next condition of `path` into account, which is not part of it yet.
    pub(crate) fn learn(&mut self, terms: &Terms, path: &Path, condition: Term) {
        let (before, now) = (self.base.len, self.now(terms, path));
        Rc::make_mut(now).learn(terms, condition);
        if now.len >= before + EVERY {
            self.base = Rc::clone(now);
        }
    }

    /// Gives memory back while the state waits.
    pub(crate) fn forget(&mut self) {
        self.now = None;
    }
}

/// What the conditions of `path` say, from what the first of them say.
#[cold]
fn recall(base: &Facts, terms: &Terms, path: &Path) -> Rc<Facts> {
    let mut facts = base.clone();
    for condition in path.since(facts.len) {
        facts.learn(terms, condition.term);
    }
    Rc::new(facts)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn conditions(terms: &mut Terms, count: u64) -> Vec<Term> {
        let condition = |i: u64| {
            let var = terms.new_var(&format!("x{i}"), 32);
            let (x, limit) = (terms.var(var), terms.bv(32, 5 + i));
            terms.ult(x, limit)
        };
        (0..count).map(condition).collect()
    }

    #[test]
    fn what_was_forgotten_is_known_again() {
        let mut terms = Terms::new();
        let all = conditions(&mut terms, 50);
        let (mut path, mut knowledge) = (Path::default(), Knowledge::default());
        for (i, &term) in all.iter().enumerate() {
            knowledge.learn(&terms, &path, term);
            path.push(Condition::assumed(term));
            let mut other = knowledge.clone();
            other.forget();
            assert!(path.len() < other.base.len + EVERY, "little is made again");
            let facts = other.of(&terms, &path);
            assert_eq!(facts.known.len(), i + 1);
            assert!(all[..=i].iter().all(|t| facts.known.contains(t)));
            assert!(all[..=i].iter().all(|t| facts.bounds.truth(&terms, *t, 40) == Some(true)));
            if i % 7 == 0 {
                knowledge.forget();
            }
        }
    }

    #[test]
    fn what_is_split_off_knows_what_was_known_and_no_more() {
        let mut terms = Terms::new();
        let all = conditions(&mut terms, 2);
        let (mut path, mut knowledge) = (Path::default(), Knowledge::default());
        knowledge.learn(&terms, &path, all[0]);
        path.push(Condition::assumed(all[0]));
        let (mut fork, path_of_fork) = (knowledge.clone(), path.clone());
        assert!(std::ptr::eq(knowledge.of(&terms, &path), fork.of(&terms, &path_of_fork)), "nothing is made again");
        knowledge.learn(&terms, &path, all[1]);
        let facts = fork.of(&terms, &path_of_fork);
        assert!(facts.known.contains(&all[0]) && !facts.known.contains(&all[1]));
        assert_eq!(facts.bounds.truth(&terms, all[1], 40), None);
    }

    #[test]
    fn decisions_are_counted_and_come_in_order() {
        let mut terms = Terms::new();
        let mut path = Path::default();
        for (i, &term) in conditions(&mut terms, 6).iter().enumerate() {
            let way = Decision { func: taw_ir::EntityRef::new(0), pc: i as u32, way: 1 };
            path.push(if i % 2 == 0 { Condition::decided(term, way) } else { Condition::assumed(term) });
        }
        assert_eq!((path.len(), path.decisions()), (6, 3));
        assert_eq!(path.ways().iter().map(|w| w.pc).collect::<Vec<_>>(), [0, 2, 4]);
        let mut written = PathTerms::default();
        let terms: Vec<Term> = path.conditions().iter().map(|c| c.term).collect();
        assert_eq!(written.of(&path), terms);
    }
}
