//! A look at a run: while it goes on, and at its end.

use taw_engine::Reason;

use crate::exploration::Exploration;
use crate::hunt::Hunt;
use crate::limits::{LimitWatch, resident_bytes};
use crate::{Snapshot, Summary};

impl Exploration<'_> {
    fn reached(&self) -> (usize, usize) {
        self.hunt.as_ref().map_or((0, 0), Hunt::progress)
    }

    pub(crate) fn note_progress(&mut self, watch: &LimitWatch<'_>) {
        let (covered, reached) = (self.covered().0, self.reached().0);
        self.ledger.curve.add(watch.elapsed(), covered, reached);
    }

    pub(crate) fn snapshot(&self, watch: &LimitWatch<'_>) -> Snapshot {
        Snapshot {
            paths: self.ledger.paths,
            states: self.store.len(),
            stats: self.engine.stats,
            queries: self.engine.solver.stats().queries,
            covered: self.covered(),
            reached: self.reached(),
            terms: self.engine.terms.live(),
            resident: resident_bytes().unwrap_or(0),
            elapsed: watch.elapsed(),
        }
    }

    fn covered(&self) -> (usize, usize) {
        let users = self.engine.program.functions.iter().filter(|(_, f)| f.origin.counts());
        users.fold((0, 0), |(covered, total), (id, f)| {
            let here = self.engine.coverage.instructions[id].iter().filter(|c| **c).count();
            (covered + here, total + f.code.len())
        })
    }

    /// Why the run was not exhaustive, each reason once.
    fn incomplete(&self) -> Vec<Reason> {
        let cuts = self.ledger.cuts.iter().cloned().map(Reason::Cut);
        cuts.chain(self.engine.doubts.iter().cloned().map(Reason::Doubt)).collect()
    }

    pub(crate) fn summary(&mut self, watch: &LimitWatch<'_>) -> Summary {
        let goals = self.hunt.as_ref().map(|hunt| hunt.outcomes(&mut self.engine, watch.elapsed()));
        let solver = self.engine.solver.stats();
        Summary {
            paths: self.ledger.paths,
            incomplete: self.incomplete(),
            premises: self.engine.premises.iter().cloned().collect(),
            coverage: self.engine.coverage.clone(),
            stats: self.engine.stats,
            queries: solver.queries,
            solver_time: solver.time,
            wall_time: watch.elapsed(),
            peak_states: self.store.peak(),
            shed: self.ledger.shed,
            seeded_in_order: self.engine.seeded_in_order.iter().cloned().collect(),
            assumptions: self.engine.assumptions(),
            goals: goals.unwrap_or_default(),
            dropped: self.hunt.as_ref().map_or(0, |hunt| hunt.dropped),
            curve: std::mem::take(&mut self.ledger.curve).into_points(),
            trace: std::mem::take(&mut self.engine.trace),
            stages: solver.stages.iter().map(|s| (s.name.to_owned(), s.asked, s.answered, s.time)).collect(),
            evaluations: solver.stages.iter().map(|s| s.evaluations).sum(),
            useful_evaluations: solver.stages.iter().map(|s| s.useful_evaluations).sum(),
        }
    }
}
