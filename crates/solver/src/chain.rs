//! The chain: stages in a row, each answering a query or asking the rest.
//!
//! Deadlines, timing and counting live here, once, and not in the stages.

use std::time::{Duration, Instant};

use taw_expr::{Term, Terms, Var};

use crate::oracle::Oracle;
use crate::scratch::Scratch;
use crate::stats::StageStats;
use crate::{Query, SolverConfig, Unknown, Verdict};

/// One link of the chain: answer the query, or change it and ask the `rest`.
///
/// Soundness: must never contradict what `rest` would answer; it may know more than `rest`. The tests check every
/// registered stage against Z3 with random queries.
pub trait Stage {
    /// Answers `query`, asking `rest` zero or more times. A model given must satisfy the query it was asked.
    fn solve(&mut self, cx: &mut StageCx<'_>, query: &Query<'_>, rest: &mut Chain<'_>) -> Verdict;

    /// Terms were collected. Forgets what it knows of those that are gone; `false` if it cannot tell, then it begins anew.
    fn collected(&mut self, _terms: &Terms) -> bool {
        false
    }
}

/// A stage as the configuration, the statistics and the tests know it.
pub struct StageDef {
    /// Unique; for `--stages`, statistics and messages.
    pub name: &'static str,
    /// One line.
    pub help: &'static str,
    /// Whether it is a stage before the back ends or a back end.
    pub kind: StageKind,
    /// Builds the stage.
    pub new: fn() -> Box<dyn Stage>,
}

/// What a stage is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StageKind {
    /// Answers some queries quickly; not timed.
    Filter,
    /// A decision procedure; timed, and not asked any more when the run's limit is reached.
    BackEnd,
}

/// What every stage may use while it answers.
pub struct StageCx<'a> {
    /// The arena of the query's terms. Stages may build terms.
    pub terms: &'a mut Terms,
    /// The user's choices.
    pub config: &'a SolverConfig,
    /// Back ends' time so far in this run.
    pub(crate) backend_time: Duration,
    /// Conditions that the heuristic search has evaluated for this query.
    pub(crate) evaluations: u64,
    /// Those of searches that found a model.
    pub(crate) useful_evaluations: u64,
    /// Whether the query is only a part of what is asked.
    pub(crate) partial: bool,
    /// Evaluation under changing assignments.
    pub scratch: &'a mut Scratch,
    /// The self-check, if it is on.
    pub(crate) oracle: Option<&'a mut Oracle>,
    /// With an `Unsat`: the conditions of the path that it needed besides the goal, if the stage knows.
    pub(crate) core: Option<Vec<Term>>,
}

impl StageCx<'_> {
    /// The inputs that occur in a query, ascending.
    pub fn inputs(&mut self, query: &Query<'_>) -> Vec<Var> {
        let mut all = self.terms.vars_of(query.goal);
        for &t in query.path {
            let more = self.terms.vars_of(t);
            all = self.terms.union(all, more);
        }
        self.terms.vars_in(all).collect()
    }
}

/// A built stage with its counts.
pub(crate) struct Link {
    pub def: &'static StageDef,
    pub stage: Box<dyn Stage>,
    pub stats: StageStats,
}

/// The stages after the one that holds this.
pub struct Chain<'a> {
    links: &'a mut [Link],
    asked: bool,
}

impl<'a> Chain<'a> {
    pub(crate) fn new(links: &'a mut [Link]) -> Self {
        Self { links, asked: false }
    }

    /// Asks the next stage.
    pub fn solve(&mut self, cx: &mut StageCx<'_>, query: &Query<'_>) -> Verdict {
        self.asked = true;
        let Some((link, rest)) = self.links.split_first_mut() else {
            return Verdict::Unknown(Unknown::NoBackEnd);
        };
        link.stats.asked += 1;
        let mut rest = Chain::new(rest);
        let verdict = match link.def.kind {
            StageKind::Filter => link.stage.solve(cx, query, &mut rest),
            StageKind::BackEnd => timed(link, cx, query, &mut rest),
        };
        if !rest.asked {
            link.stats.answered += 1;
            if let Some(oracle) = &mut cx.oracle {
                oracle.check_answer(cx.terms, query, &verdict, link.def.name);
            }
        }
        verdict
    }
}

/// Runs a back end and books its own time, that is, without what it handed on.
fn timed(link: &mut Link, cx: &mut StageCx<'_>, query: &Query<'_>, rest: &mut Chain<'_>) -> Verdict {
    if cx.config.run_time.is_some_and(|limit| cx.backend_time >= limit)
        || cx.config.deadline.is_some_and(|end| Instant::now() >= end)
    {
        return Verdict::Unknown(Unknown::RunLimit);
    }
    let (start, before) = (Instant::now(), cx.backend_time);
    let verdict = link.stage.solve(cx, query, rest);
    let own = start.elapsed().saturating_sub(cx.backend_time - before);
    cx.backend_time += own;
    link.stats.time += own;
    verdict
}
