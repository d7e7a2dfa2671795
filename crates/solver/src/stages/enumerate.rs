//! Queries over so few input bits that all assignments can be tried.
//!
//! Each condition is a set of assignments, computed once; a query is their meeting. Two bytes that go through tables and
//! products are hard for a SAT solver, and 65,536 assignments are nothing. Where the operations are easy for the solver,
//! only smaller domains are worth it.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use taw_expr::{Term, Terms, VarSet};

use crate::lanes::{Domain, Plan};
use crate::{Chain, Cx, Query, Stage, StageDef, StageKind, Verdict};

pub(super) const DEF: StageDef = StageDef {
    name: "enumerate",
    help: "all assignments of at most sixteen input bits",
    kind: StageKind::Filter,
    new: || Box::new(Enumerate::default()),
};

/// Input bits of a query.
const MAX_BITS: u32 = 16;
/// Terms in a condition.
const MAX_NODES: usize = 500;
/// Operations per condition, where they are hard for the solver and where they are not.
const MAX_WORK_HARD: usize = 30_000_000;
const MAX_WORK_EASY: usize = 100_000;
/// Words of sets kept.
const MAX_WORDS: usize = 1 << 21;

/// Assignments by number, one bit each.
type Set = Rc<[u64]>;

#[derive(Default)]
struct Enumerate {
    /// Per domain and condition; `None` if it is not worth it.
    sets: FxHashMap<(VarSet, Term), Option<Set>>,
    words: usize,
}

impl Stage for Enumerate {
    fn solve(&mut self, cx: &mut Cx<'_>, query: &Query<'_>, rest: &mut Chain<'_>) -> Verdict {
        let mut inputs = cx.terms.vars_of(query.goal);
        for &t in query.path {
            let more = cx.terms.vars_of(t);
            inputs = cx.terms.union(inputs, more);
        }
        let Some(domain) = Domain::new(cx.terms, cx.terms.vars_in(inputs), MAX_BITS) else {
            return rest.solve(cx, query);
        };
        let all = query.path.iter().chain([&query.goal]);
        let Some(sets) = all.map(|&t| self.set(cx.terms, inputs, &domain, t)).collect::<Option<Vec<Set>>>() else {
            return rest.solve(cx, query);
        };
        let (goal, path) = sets.split_last().expect("the goal is there");
        let mut met: Vec<u64> = goal.to_vec();
        let mut core = Vec::new();
        for (set, &t) in path.iter().zip(query.path) {
            if meet(&mut met, set) {
                core.push(t);
            }
        }
        match member(&met, domain.number(|v| query.witness.value(v))) {
            None => {
                cx.core = Some(core);
                Verdict::Unsat
            }
            Some(number) => {
                let mut model = query.witness.clone();
                domain.values(number).for_each(|(v, value)| model.set(v, value));
                Verdict::Sat(model)
            }
        }
    }
}

/// Takes away what is not in `other`; says whether anything was.
fn meet(set: &mut [u64], other: &[u64]) -> bool {
    let mut changed = 0;
    for (s, &o) in set.iter_mut().zip(other) {
        changed |= *s & !o;
        *s &= o;
    }
    changed != 0
}

/// The first member from `near` on, or from the beginning.
fn member(set: &[u64], near: usize) -> Option<usize> {
    let first = |from: usize, to: usize| {
        (from..to).find(|&word| set[word] != 0).map(|word| word * 64 + set[word].trailing_zeros() as usize)
    };
    let word = near / 64;
    let rest = set[word] >> (near % 64);
    if rest != 0 {
        return Some(near + rest.trailing_zeros() as usize);
    }
    first(word + 1, set.len()).or_else(|| first(0, word + 1))
}

impl Enumerate {
    fn set(&mut self, terms: &Terms, inputs: VarSet, domain: &Domain, t: Term) -> Option<Set> {
        if let Some(known) = self.sets.get(&(inputs, t)) {
            return known.clone();
        }
        if self.words > MAX_WORDS {
            self.sets.clear();
            self.words = 0;
        }
        let plan = Plan::new(terms, t, MAX_NODES).filter(|plan| {
            let limit = if plan.is_hard { MAX_WORK_HARD } else { MAX_WORK_EASY };
            plan.len() * domain.size() <= limit
        });
        let set: Option<Set> = plan.map(|plan| plan.run(terms, domain).into());
        self.words += set.as_ref().map_or(1, |set| set.len());
        self.sets.insert((inputs, t), set.clone());
        set
    }
}
