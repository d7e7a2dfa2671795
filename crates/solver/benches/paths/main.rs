//! How long queries take along the paths of small programs, explored to the end like the engine explores them.
//!
//! Each program is a Rust function over terms that asks for branches; it is run again for each path. Only the time inside
//! the solver is shown. `cargo bench -p taw-solver [-- NAME…] [--without STAGE] [--limit N] [--validate]`

use std::time::Duration;

use taw_expr::{Assignment, Evaluator, Term, Terms, Var};
use taw_solver::{Query, Solver, SolverConfig, StageChoice, Validate, Verdict};

mod programs;

use programs::{PROGRAMS, Program};

/// One run of a program along one path.
pub(crate) struct Run<'a> {
    pub terms: &'a mut Terms,
    evaluator: Evaluator,
    /// Decisions that are forced, then those that were taken.
    decisions: Vec<bool>,
    forced: usize,
    at: usize,
    path: Vec<Term>,
    /// Branches not taken: how long the path was, and the condition.
    open: Vec<(usize, usize, Term)>,
}

impl Run<'_> {
    /// Takes a side: the forced one, or the witness's.
    pub fn branch(&mut self, condition: Term) -> bool {
        if let Some(value) = self.terms.as_u64(condition) {
            return value != 0;
        }
        let negated = self.terms.not(condition);
        let taken = match self.at < self.forced {
            true => self.decisions[self.at],
            false => {
                let taken = self.evaluator.holds(self.terms, condition);
                self.open.push((self.at, self.path.len(), if taken { negated } else { condition }));
                self.decisions.push(taken);
                taken
            }
        };
        self.at += 1;
        self.path.push(if taken { condition } else { negated });
        taken
    }

    /// A constant.
    pub fn constant(&mut self, width: u32, value: u64) -> Term {
        self.terms.bv(width, value)
    }
}

struct Open {
    decisions: Vec<bool>,
    path: Vec<Term>,
    goal: Term,
    witness: Assignment,
}

fn explore(program: &Program, config: &SolverConfig, limit: u64) {
    let mut terms = Terms::new();
    let vars: Vec<Var> = (0..program.inputs.0).map(|i| terms.new_var(&format!("x{i}"), program.inputs.1)).collect();
    let inputs: Vec<Term> = vars.iter().map(|&v| terms.var(v)).collect();
    let mut solver = Solver::new(config.clone()).expect("a solver");
    let always = terms.bool(true);
    let mut work = vec![Open { decisions: vec![], path: vec![], goal: always, witness: Assignment::new() }];
    let mut paths = 0u64;
    let mut worst = Duration::ZERO;
    while let Some(Open { mut decisions, path, goal, witness }) = work.pop() {
        if solver.stats().queries >= limit {
            break;
        }
        let before = solver.stats().time;
        let verdict = solver.solve(&mut terms, &Query { path: &path, goal, witness: &witness });
        worst = worst.max(solver.stats().time - before);
        let Verdict::Sat(model) = verdict else { continue };
        paths += 1;
        let forced = decisions.len();
        let evaluator = Evaluator::new(model);
        decisions.truncate(forced);
        let mut run = Run { terms: &mut terms, evaluator, decisions, forced, at: 0, path: vec![], open: vec![] };
        (program.body)(&mut run, &inputs);
        for (at, length, goal) in run.open {
            let mut decisions = run.decisions[..=at].to_vec();
            decisions[at] = !decisions[at];
            let witness = run.evaluator.assignment().clone();
            work.push(Open { decisions, path: run.path[..length].to_vec(), goal, witness });
        }
    }
    let stats = solver.stats();
    let per_query = stats.time.as_secs_f64() * 1e6 / stats.queries as f64;
    println!(
        "{:11} {:6} paths {:7} queries {:5} sat {:5} unsat {:3} unknown  {:8.2} µs/query  worst {:7.2} ms  total {:8.1} ms",
        program.name,
        paths,
        stats.queries,
        stats.sat,
        stats.unsat,
        stats.unknown,
        per_query,
        worst.as_secs_f64() * 1e3,
        stats.time.as_secs_f64() * 1e3
    );
    for stage in stats.stages.iter().filter(|s| s.asked > 0) {
        let time = stage.time.as_secs_f64() * 1e6 / stage.asked as f64;
        println!("    {:11} asked {:7} answered {:7}  {time:.1} µs", stage.name, stage.asked, stage.answered);
    }
}

fn main() {
    let mut config = SolverConfig::default();
    let mut names = Vec::new();
    let mut without = Vec::new();
    let mut limit = u64::MAX;
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--bench" => {}
            "--validate" => config.validate = Validate::On,
            "--without" => without.extend(args.next()),
            "--limit" => limit = args.next().and_then(|n| n.parse().ok()).expect("a number after --limit"),
            name => names.push(name.to_owned()),
        }
    }
    config.stages = StageChoice::Without(without);
    for program in PROGRAMS.iter().filter(|p| names.is_empty() || names.iter().any(|n| n == p.name)) {
        explore(program, &config, limit);
    }
}
