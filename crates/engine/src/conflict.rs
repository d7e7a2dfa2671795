//! Why a path does not exist: the few of its conditions that contradict each other.

use std::time::{Duration, Instant};

use taw_expr::{Assignment, Marks, Term};
use taw_ir::{Inst, Site};
use taw_solver::{Query, Verdict};

use crate::cx::Engine;
use crate::finding::StackEntry;
use crate::holds::HoldsTerms;
use crate::path::{Decision, Path};
use crate::state::State;

/// A path whose last decision could not go that way.
#[derive(Clone, Debug)]
pub struct DeadEnd {
    path: Path,
    decisions: usize,
    last: Decision,
    condition: Term,
    witness: Assignment,
}

/// Time for making the list of conditions short.
const PATIENCE: Duration = Duration::from_secs(1);
/// Conditions that share inputs with the last one: with more, nobody looks for the few that matter.
const MOST: usize = 48;

impl HoldsTerms for DeadEnd {
    fn mark(&self, marks: &mut Marks) {
        let DeadEnd { path, decisions: _, last: _, condition, witness: _ } = self;
        path.mark(marks);
        condition.mark(marks);
    }
}

impl DeadEnd {
    /// That of a state that was found to be infeasible.
    pub fn of(state: &State) -> Option<Self> {
        // That there is nothing else to try contradicts no decision.
        if state.pending.as_ref().is_some_and(|pending| pending.condition.decided.is_none()) {
            return None;
        }
        let (last, condition) = state.last_decision()?;
        let decisions = state.path.decisions() + usize::from(state.pending.is_some());
        Some(DeadEnd {
            path: state.path.clone(),
            decisions,
            last,
            condition,
            witness: state.witness.assignment().clone(),
        })
    }

    /// The last decision: where, and which way.
    pub fn at(&self) -> (Site, u32) {
        (Site { func: self.last.func, pc: self.last.pc }, self.last.way)
    }

    /// How many decisions there were.
    pub fn decisions(&self) -> usize {
        self.decisions
    }
}

impl Engine<'_> {
    /// The conditions that contradict the last one, oldest first and that one at the end: where each is, and whether it held.
    /// None if there are more than `most`, if one is no branch, or if it takes too long to tell.
    pub fn conflict(&mut self, dead: &DeadEnd, most: usize) -> Option<Vec<(StackEntry, bool)>> {
        let start = Instant::now();
        let mut needed = self.related(dead);
        if needed.len() > MOST || !self.contradicts(dead, &needed) {
            return None;
        }
        // From the newest: what is nearest to the last decision explains it best, and so goes last.
        let mut at = 0;
        while at < needed.len() {
            if start.elapsed() > PATIENCE {
                return None;
            }
            let without: Vec<Term> = needed.iter().enumerate().filter(|(i, _)| *i != at).map(|(_, t)| *t).collect();
            if self.contradicts(dead, &without) {
                needed = without;
            } else {
                at += 1;
            }
        }
        if needed.len() + 1 > most {
            return None;
        }
        let conditions = dead.path.conditions();
        let decided = |term: &Term| conditions.iter().filter(|c| c.term == *term).find_map(|c| c.decided);
        let decisions: Vec<Decision> = needed.iter().map(decided).collect::<Option<_>>()?;
        Some(decisions.into_iter().chain([dead.last]).map(|way| self.decided_at(way)).collect())
    }

    fn contradicts(&mut self, dead: &DeadEnd, path: &[Term]) -> bool {
        // The witness satisfies the whole path, so also a part of it.
        let query = Query { path, goal: dead.condition, witness: &dead.witness };
        matches!(self.solver.solve(&mut self.terms, &query), Verdict::Unsat)
    }

    /// The conditions of the path that share inputs with the last decision, directly or through others.
    fn related(&self, dead: &DeadEnd) -> Vec<Term> {
        let path: Vec<Term> = dead.path.conditions().iter().map(|c| c.term).collect();
        let mut taken = vec![false; path.len()];
        let mut waiting = vec![dead.condition];
        while let Some(term) = waiting.pop() {
            for (at, other) in path.iter().enumerate() {
                if !taken[at] && self.terms.share_input(self.terms.vars_of(term), self.terms.vars_of(*other)) {
                    taken[at] = true;
                    waiting.push(*other);
                }
            }
        }
        path.iter().zip(taken).filter(|(_, taken)| *taken).map(|(term, _)| *term).collect()
    }

    fn decided_at(&self, decision: Decision) -> (StackEntry, bool) {
        (self.condition_at(Site { func: decision.func, pc: decision.pc }), decision.way == 1)
    }

    /// The place of an instruction; of a branch that of its condition, since those of `a && b` all have the same.
    pub fn condition_at(&self, site: Site) -> StackEntry {
        let function = &self.program.functions[site.func];
        let loc_of = |pc: usize| function.locs.get(pc).copied().flatten();
        let pc = site.pc as usize;
        let decided = match function.code[pc] {
            Inst::CondBr { cond, .. } => cond.as_reg(),
            _ => None,
        };
        let made = (0..pc).rev().take_while(|&before| !function.code[before].is_terminator());
        let condition =
            decided.and_then(|reg| made.into_iter().find(|&at| function.code[at].dst(function) == Some(reg)));
        StackEntry { function: site.func, loc: condition.and_then(loc_of).or_else(|| loc_of(pc)) }
    }
}
