//! The solver as the engine sees it: one question, one method.

use std::time::{Duration, Instant};

use taw_expr::Terms;

use crate::chain::{Chain, Link, StageCx};
use crate::dump::Dump;
use crate::oracle::Oracle;
use crate::scratch::Scratch;
use crate::stages::STAGES;
use crate::stats::{SolverStats, StageStats};
use crate::{Query, SolverConfig, SolverError, StageKind, Validate, Verdict};

/// A chain of stages with its caches, for the terms of one arena.
pub struct Solver {
    config: SolverConfig,
    links: Vec<Link>,
    pub(crate) scratch: Scratch,
    oracle: Option<Oracle>,
    dump: Option<Dump>,
    stats: SolverStats,
    backend_time: Duration,
}

impl Solver {
    /// Builds the chain. Fails if a stage's name is unknown or the folder for queries cannot be made.
    pub fn new(config: SolverConfig) -> Result<Self, SolverError> {
        if let Some(name) = config.stages.unknown_name() {
            return Err(SolverError::UnknownStage(name.to_owned()));
        }
        let mut links = Vec::new();
        for &def in STAGES.iter().filter(|def| config.stages.contains(def.name)) {
            let is_backend = def.kind == StageKind::BackEnd;
            let stats = StageStats { name: def.name, is_backend, ..Default::default() };
            links.push(Link { def, stage: (def.new)(), stats });
        }
        let oracle = (config.validate == Validate::On).then(|| Oracle::new(&config));
        let dump = config.dump.as_deref().map(Dump::new).transpose()?;
        Ok(Self {
            config,
            links,
            scratch: Scratch::default(),
            oracle,
            dump,
            stats: SolverStats::default(),
            backend_time: Duration::ZERO,
        })
    }

    /// Answers `query`. Its precondition is the caller's duty.
    pub fn solve(&mut self, terms: &mut Terms, query: &Query<'_>) -> Verdict {
        let start = Instant::now();
        if let Some(oracle) = &self.oracle {
            oracle.check_question(terms, query);
        }
        let mut cx = StageCx {
            terms,
            config: &self.config,
            backend_time: self.backend_time,
            evaluations: 0,
            useful_evaluations: 0,
            partial: false,
            scratch: &mut self.scratch,
            oracle: self.oracle.as_mut(),
            core: None,
        };
        let verdict = Chain::new(&mut self.links).solve(&mut cx, query);
        if let Some(oracle) = &mut cx.oracle {
            oracle.check_answer(cx.terms, query, &verdict, "chain");
        }
        self.backend_time = cx.backend_time;
        let (evaluations, useful) = (cx.evaluations, cx.useful_evaluations);
        if let Some(walk) = self.links.iter_mut().find(|link| link.def.name == "walk") {
            walk.stats.evaluations += evaluations;
            walk.stats.useful_evaluations += useful;
        }
        if let Some(Err(why)) = self.dump.as_mut().map(|dump| dump.write(terms, query, &verdict)) {
            // The run must go on; whoever shows the statistics says that the folder is not complete.
            self.stats.dump_error = Some(why);
            self.dump = None;
        }
        self.stats.queries += 1;
        match &verdict {
            Verdict::Sat(_) => self.stats.sat += 1,
            Verdict::Unsat => self.stats.unsat += 1,
            Verdict::Unknown(_) => self.stats.unknown += 1,
        }
        self.stats.time += start.elapsed();
        verdict
    }

    /// Queries are given up from then on; none: never.
    pub fn set_deadline(&mut self, deadline: Option<Instant>) {
        self.config.deadline = deadline;
    }

    /// Terms were collected: what is known of those that are gone is forgotten.
    pub fn collected(&mut self, terms: &Terms) {
        for link in &mut self.links {
            if !link.stage.collected(terms) {
                link.stage = (link.def.new)();
            }
        }
        self.scratch = Scratch::default();
        if let Some(oracle) = &mut self.oracle {
            oracle.collected();
        }
    }

    /// What was done so far.
    pub fn stats(&self) -> SolverStats {
        SolverStats { stages: self.links.iter().map(|l| l.stats.clone()).collect(), ..self.stats.clone() }
    }

    /// Queries asked from outside, for who looks often: nothing is copied.
    pub fn queries(&self) -> u64 {
        self.stats.queries
    }

    /// Conditions that heuristic searches have evaluated, in all.
    pub fn evaluations(&self) -> u64 {
        self.links.iter().map(|link| link.stats.evaluations).sum()
    }
}
