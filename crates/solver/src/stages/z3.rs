//! The Z3 back end: floats, and what bit-blasting gave up or refused.

use taw_expr::{Evaluator, Term, Terms};

use crate::backends::z3::{Theory, Z3Context, Z3Failure, Z3Outcome, Z3Refusal};
use crate::{Chain, Query, QueryLimit, Stage, StageCx, StageDef, StageKind, Unknown, Verdict};

pub(super) const DEF: StageDef = StageDef {
    name: "z3",
    help: "Z3, for floats and for what exceeds bit-blasting",
    kind: StageKind::BackEnd,
    new: || Box::new(Z3Stage::default()),
};

/// Contexts for bits kept at a time; those for floats have no stack, so one is enough.
const POOL: usize = 2;
/// A context with more terms than this is given up.
const MAX_LOAD: usize = 200_000;

#[derive(Default)]
struct Z3Stage {
    bits: Vec<Z3Context>,
    floats: Vec<Z3Context>,
    /// Queries with floats that were not answered, without those that were since.
    failures: u32,
}

/// Of the time until a deadline: what one query with floats may take.
const SHARE: u32 = 8;
/// Halvings of the limit for floats.
const MAX_HALVINGS: u32 = 5;
/// Halvings for a query that is only a part of what is asked: a model of it may be none of the whole.
const PARTIAL: u32 = 4;

impl Stage for Z3Stage {
    fn solve(&mut self, cx: &mut StageCx<'_>, query: &Query<'_>, rest: &mut Chain<'_>) -> Verdict {
        match self.ask(cx, query) {
            Ok(verdict) => verdict,
            Err(why) => match rest.solve(cx, query) {
                Verdict::Unknown(Unknown::NoBackEnd) => Verdict::Unknown(why),
                verdict => verdict,
            },
        }
    }

    fn collected(&mut self, _: &Terms) -> bool {
        self.bits.clear();
        self.floats.clear();
        true
    }
}

impl Z3Stage {
    fn ask(&mut self, cx: &mut StageCx<'_>, query: &Query<'_>) -> Result<Verdict, Unknown> {
        let is_float = query.path.iter().chain([&query.goal]).any(|&t| cx.terms.has_float(t));
        let (pool, theory, work) = match is_float {
            true => (
                &mut self.floats,
                Theory::Floats,
                cx.config.z3_float_work >> self.failures.max(if cx.partial { PARTIAL } else { 0 }),
            ),
            false => (&mut self.bits, Theory::Bits, cx.config.z3_work),
        };
        // One query shall not use up the time of all others.
        let time = match (is_float, cx.config.deadline) {
            (true, Some(_)) => cx.config.time_left().map(|left| left / SHARE),
            _ => cx.config.time_left(),
        };
        let context = context_for(pool, theory, query.path).map_err(failure)?;
        let outcome = context.solve(cx.terms, query.path, query.goal, work, time).map_err(|why| refusal(cx, why))?;
        if is_float {
            self.failures = match outcome {
                Z3Outcome::Unknown(_) => (self.failures + 1).min(MAX_HALVINGS),
                Z3Outcome::Sat | Z3Outcome::Unsat => self.failures.saturating_sub(1),
            };
        }
        match outcome {
            Z3Outcome::Unsat => Ok(Verdict::Unsat),
            Z3Outcome::Unknown(reason) => Err(limit_or(reason)),
            Z3Outcome::Sat => {
                let vars = cx.inputs(query);
                let model = context.model(cx.terms, query.witness, &vars).map_err(failure)?;
                let mut evaluator = Evaluator::new(model);
                let holds = query.path.iter().chain([&query.goal]).all(|&t| evaluator.holds(cx.terms, t));
                match holds {
                    true => Ok(Verdict::Sat(evaluator.assignment().clone())),
                    false => Err(Unknown::ModelRefused(DEF.name)),
                }
            }
        }
    }
}

/// The context that shares most with `path`, or a fresh one; the one used last comes first.
fn context_for<'a>(
    pool: &'a mut Vec<Z3Context>,
    theory: Theory,
    path: &[Term],
) -> Result<&'a mut Z3Context, Z3Failure> {
    pool.retain(|context| context.load() <= MAX_LOAD);
    let size = if theory == Theory::Bits { POOL } else { 1 };
    let best = (0..pool.len()).max_by_key(|&at| (pool[at].shared(path), pool.len() - at));
    let context = match best {
        Some(at) if pool[at].shared(path) > 0 || pool.len() == size => pool.remove(at),
        _ => Z3Context::new(theory)?,
    };
    pool.insert(0, context);
    Ok(&mut pool[0])
}

fn failure(Z3Failure(reason): Z3Failure) -> Unknown {
    Unknown::BackEnd { name: DEF.name, reason }
}

fn refusal(cx: &StageCx<'_>, why: Z3Refusal) -> Unknown {
    match why {
        Z3Refusal::Opaque(function) => Unknown::Opaque(cx.terms.functions()[function.0 as usize].name.clone()),
        Z3Refusal::FloatRemainder => Unknown::Opaque("fmod".to_owned()),
        Z3Refusal::Failed(why) => failure(why),
    }
}

/// Z3 names the limits it met in its reason.
fn limit_or(reason: String) -> Unknown {
    match reason.as_str() {
        "timeout" => Unknown::Limit(QueryLimit::Time),
        r if r.contains("resource limit") || r.contains("rlimit") || r == "canceled" => {
            Unknown::Limit(QueryLimit::Work)
        }
        _ => Unknown::BackEnd { name: DEF.name, reason },
    }
}
