//! `taw solve`: the solver chain on an SMT-LIB script, so that others can compare.

use std::fs;
use std::io::{self, Read, Write};
use std::path::Path;

use taw_expr::{Assignment, Evaluator, Term, Terms, read};
use taw_solver::{Ingredient, Query, Solver, SolverConfig, SolverStats, Validate, Verdict};

use crate::args::SolveArgs;
use crate::failure::Failure;
use crate::run::ExitAnswer;

/// Z3's work on floats: here nobody waits for other paths.
const FLOAT_WORK: u32 = 20_000_000;

/// Reads, solves, prints.
pub(crate) fn solve(out: &mut impl Write, args: &SolveArgs) -> Result<ExitAnswer, Failure> {
    let text = text(&args.file)?;
    let mut terms = Terms::new();
    let script = match read::read(&mut terms, &text, &taw_env::libm_function) {
        Ok(script) => script,
        Err(why) if why.is_unsupported => {
            writeln!(out, "unknown\n; {}:{why}", args.file.display())?;
            return Ok(ExitAnswer::Clean);
        }
        Err(why) => return Err(Failure::Message(format!("{}:{why}", args.file.display()))),
    };
    let mut solver = Solver::new(config(args)).map_err(Failure::message)?;
    let verdict = decide(&mut terms, &mut solver, &script.assertions);
    let answer = match &verdict {
        Verdict::Sat(model) => {
            writeln!(out, "sat\n(")?;
            let definitions = script.declared.iter().filter_map(|d| d.definition(&terms, model));
            definitions.into_iter().try_for_each(|line| writeln!(out, "  {line}"))?;
            writeln!(out, ")")?;
            ExitAnswer::Sat
        }
        Verdict::Unsat => {
            writeln!(out, "unsat")?;
            ExitAnswer::Unsat
        }
        Verdict::Unknown(why) => {
            writeln!(out, "unknown\n; {why}")?;
            ExitAnswer::Clean
        }
    };
    if args.stats {
        show_stats(out, &solver.stats())?;
    }
    out.flush()?;
    Ok(answer)
}

fn text(path: &Path) -> Result<String, Failure> {
    let mut text = String::new();
    let read = match path.to_str() {
        Some("-") => io::stdin().read_to_string(&mut text).map(|_| ()),
        _ => fs::read(path).map(|bytes| text = String::from_utf8_lossy(&bytes).into_owned()),
    };
    match read {
        Ok(()) => Ok(text),
        Err(error) => Err(Failure::Message(format!("cannot read {}: {error}", path.display()))),
    }
}

fn config(args: &SolveArgs) -> SolverConfig {
    SolverConfig {
        query_time: Some(args.solver_timeout),
        validate: if args.validate { Validate::On } else { Validate::Off },
        seed: args.seed,
        z3_float_work: FLOAT_WORK,
        walk_without: args.walk_without.iter().filter_map(|name| Ingredient::named(name)).collect(),
        ..SolverConfig::default()
    }
}

/// What zeros satisfy is the path, the rest the goal: a path must have a witness.
fn decide(terms: &mut Terms, solver: &mut Solver, assertions: &[Term]) -> Verdict {
    let witness = Assignment::new();
    let mut evaluator = Evaluator::new(witness.clone());
    let (path, wanted): (Vec<Term>, Vec<Term>) = assertions.iter().partition(|&&t| evaluator.holds(terms, t));
    let mut goal = terms.bool(true);
    for t in wanted {
        goal = terms.and(goal, t);
    }
    solver.solve(terms, &Query { path: &path, goal, witness: &witness })
}

fn show_stats(out: &mut impl Write, stats: &SolverStats) -> io::Result<()> {
    writeln!(out, "; {:.3} s", stats.time.as_secs_f64())?;
    for stage in stats.stages.iter().filter(|stage| stage.asked > 0) {
        write!(out, "; {:10} asked {}, answered {}", stage.name, stage.asked, stage.answered)?;
        if stage.is_backend {
            write!(out, ", {:.3} s", stage.time.as_secs_f64())?;
        }
        if stage.evaluations > 0 {
            write!(out, ", {} conditions evaluated", stage.evaluations)?;
        }
        writeln!(out)?;
    }
    Ok(())
}
