//! A look at a run: while it goes on, and at its end.

use taw_engine::Reason;
use taw_ir::{FuncId, Program};

use crate::backward::Backward;
use crate::exploration::Exploration;
use crate::hunt::Hunt;
use crate::limits::{LimitWatch, resident_bytes};
use crate::{PathCounts, Point, Snapshot, Summary};

impl Summary {
    /// Adds a later run of the same program, without goals. The curve gets one point for it: what it covered in its course was not compared with
    /// what had been covered before.
    pub fn add(&mut self, later: Summary, program: &Program) {
        self.coverage.add(program, &later.coverage);
        let covered = |id: FuncId| self.coverage.instructions[id].iter().filter(|c| **c).count();
        let users = program.functions.iter().filter(|(_, f)| f.origin.counts());
        let point = Point {
            time: self.wall_time + later.wall_time,
            covered: users.map(|(id, _)| covered(id)).sum(),
            reached: 0,
        };
        self.curve.push(point);
        let PathCounts { completed, errored, pending, unknown, silent } = later.paths;
        self.paths.completed += completed;
        self.paths.errored += errored;
        self.paths.pending += pending;
        self.paths.unknown += unknown;
        self.paths.silent += silent;
        join(&mut self.incomplete, later.incomplete);
        join(&mut self.premises, later.premises);
        self.judgements.extend(later.judgements);
        join(&mut self.assumptions, later.assumptions);
        join(&mut self.seeded_in_order, later.seeded_in_order);
        join(&mut self.callers_unknown, later.callers_unknown);
        self.stats.instructions += later.stats.instructions;
        self.stats.forks += later.stats.forks;
        self.stats.collections += later.stats.collections;
        self.stats.in_invariants += later.stats.in_invariants;
        self.stats.queries_in_invariants += later.stats.queries_in_invariants;
        self.stats.answered_by_stages += later.stats.answered_by_stages;
        self.structures.extend(later.structures);
        self.queries += later.queries;
        self.solver_time += later.solver_time;
        self.wall_time += later.wall_time;
        self.peak_states = self.peak_states.max(later.peak_states);
        self.shed += later.shed;
        if let Some(counts) = later.concolic {
            *self.concolic.get_or_insert_default() += counts;
        }
        self.concolic_trace.extend(later.concolic_trace);
        self.trace.extend(later.trace);
        for (mine, theirs) in self.stages.iter_mut().zip(later.stages) {
            mine.1 += theirs.1;
            mine.2 += theirs.2;
            mine.3 += theirs.3;
        }
        self.evaluations += later.evaluations;
        self.useful_evaluations += later.useful_evaluations;
    }
}

/// Adds what is not there yet.
fn join<T: PartialEq>(all: &mut Vec<T>, more: Vec<T>) {
    for one in more {
        if !all.contains(&one) {
            all.push(one);
        }
    }
}

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
            queries: self.engine.solver.queries(),
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
        let judgements = self.engine.judge();
        let solver = self.engine.solver.stats();
        Summary {
            paths: self.ledger.paths,
            incomplete: self.incomplete(),
            premises: self.engine.premises.iter().cloned().collect(),
            structures: std::mem::take(&mut self.engine.structures),
            coverage: self.engine.coverage.clone(),
            stats: self.engine.stats,
            queries: solver.queries,
            solver_time: solver.time,
            wall_time: watch.elapsed(),
            peak_states: self.store.peak(),
            shed: self.ledger.shed,
            seeded_in_order: self.engine.seeded_in_order.iter().cloned().collect(),
            callers_unknown: self.engine.callers_unknown.iter().cloned().collect(),
            assumptions: self.engine.assumptions(),
            judgements,
            goals: goals.unwrap_or_default(),
            dropped: self.hunt.as_ref().map_or(0, |hunt| hunt.dropped),
            backward: self.backward.as_ref().map(Backward::counts),
            concolic: self.concolic.as_ref().map(|concolic| concolic.counts),
            concolic_trace: self
                .concolic
                .as_mut()
                .map(|concolic| std::mem::take(&mut concolic.trace))
                .unwrap_or_default(),
            curve: std::mem::take(&mut self.ledger.curve).into_points(),
            trace: std::mem::take(&mut self.engine.trace),
            stages: solver.stages.iter().map(|s| (s.name.to_owned(), s.asked, s.answered, s.time)).collect(),
            evaluations: solver.stages.iter().map(|s| s.evaluations).sum(),
            useful_evaluations: solver.stages.iter().map(|s| s.useful_evaluations).sum(),
        }
    }
}
