//! Independence slicing: only the conditions that share inputs with the goal, directly or through others.
//!
//! The rest of the path is satisfied by the witness and shares no input with the slice, so the witness with the slice's
//! model over it satisfies all (C. Cadar and others, EXE, 2006).

use taw_expr::{Term, Terms};

use crate::partition::Partition;
use crate::{Chain, Query, Stage, StageCx, StageDef, StageKind, Verdict};

pub(super) const DEF: StageDef = StageDef {
    name: "slice",
    help: "only the conditions that share inputs with the goal",
    kind: StageKind::Filter,
    new: || Box::new(SliceStage::default()),
};

/// Paths whose partitions are kept at a time: searches jump between states.
const POOL: usize = 16;
/// A partition is cut back for another path if at least one in this many of its conditions stays.
const WORTH_KEEPING: usize = 4;

/// Partitions of recent paths, the one used last first.
#[derive(Default)]
struct SliceStage {
    pool: Vec<Partition>,
}

impl Stage for SliceStage {
    fn solve(&mut self, cx: &mut StageCx<'_>, query: &Query<'_>, rest: &mut Chain<'_>) -> Verdict {
        let path = self.partition(cx.terms, query.path).slice(cx.terms, query.goal);
        rest.solve(cx, &Query { path: &path, ..*query })
    }
}

impl SliceStage {
    fn partition(&mut self, terms: &Terms, path: &[Term]) -> &mut Partition {
        let best = (0..self.pool.len()).max_by_key(|&at| (self.pool[at].shared(path), self.pool.len() - at));
        let mut partition = match best {
            Some(at)
                if self.pool.len() == POOL || self.pool[at].shared(path) * WORTH_KEEPING >= self.pool[at].len() =>
            {
                self.pool.remove(at)
            }
            _ => Partition::default(),
        };
        partition.set_path(terms, path);
        self.pool.insert(0, partition);
        &mut self.pool[0]
    }
}

#[cfg(test)]
mod tests {
    use taw_expr::{BinOp, Node};

    use super::*;

    /// Growing, shrinking and jumping paths against the definition, by fixpoint.
    #[test]
    fn slices_are_those_of_the_definition() {
        let mut terms = Terms::new();
        let vars: Vec<Term> = (0..12)
            .map(|i| {
                let v = terms.new_var(&format!("x{i}"), 8);
                terms.var(v)
            })
            .collect();
        let mut state = 7u64;
        let mut random = |n: usize| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) as usize % n
        };
        let mut slices = SliceStage::default();
        let mut path: Vec<Term> = Vec::new();
        for _ in 0..3000 {
            path.truncate(path.len() - random(path.len().min(4) + 1));
            for _ in 0..random(6) {
                // Few sums, so that many have several bounds.
                let (a, b) = (vars[random(12)], vars[random(2)]);
                let sum = terms.add(a, b);
                let constant = terms.bv(8, random(256) as u64);
                path.push(terms.ult(sum, constant));
            }
            if random(50) == 0 {
                path.clear();
            }
            let zero = terms.bv(8, 0);
            let goal = terms.eq(vars[random(12)], zero);
            let found = slices.partition(&terms, &path).slice(&terms, goal);
            let wanted: Vec<Term> = by_fixpoint(&mut terms, &path, goal);
            assert_eq!(found, tightest(&terms, &wanted));
        }
    }

    /// Without bounds of a sum that another says too: each of these is `sum < constant`, the first of the tightest stays.
    fn tightest(terms: &Terms, conditions: &[Term]) -> Vec<Term> {
        let bound = |t: Term| match *terms.node(t) {
            Node::Bin(BinOp::Ult, sum, constant) if terms.as_u64(sum).is_none() => Some((sum, terms.as_u64(constant)?)),
            _ => None,
        };
        let is_said = |at: usize, t: Term| {
            let Some((sum, most)) = bound(t) else { return false };
            conditions.iter().enumerate().filter_map(|(other, &t)| Some((other, bound(t)?))).any(
                |(other, (others, least))| {
                    others == sum && other != at && (least < most || (least == most && other < at))
                },
            )
        };
        let kept = conditions.iter().enumerate().filter(|&(at, &t)| !is_said(at, t));
        kept.map(|(_, &t)| t).collect()
    }

    fn by_fixpoint(terms: &mut Terms, path: &[Term], goal: Term) -> Vec<Term> {
        let mut reach = terms.vars_of(goal);
        loop {
            let before = reach;
            for &t in path {
                let vars = terms.vars_of(t);
                if terms.share_input(reach, vars) {
                    reach = terms.union(reach, vars);
                }
            }
            if reach == before {
                return path.iter().copied().filter(|&t| terms.share_input(reach, terms.vars_of(t))).collect();
            }
        }
    }
}
