//! The bit-blasting back end: a pool of SAT contexts, each for the paths that share most with what it has loaded.
//!
//! A query goes to the context whose last query shares the longest prefix of conditions with it; a context that has grown
//! far beyond what its queries need is given up, because a SAT solver assigns everything that it has loaded.

use std::time::Instant;

use taw_expr::Term;

use crate::backends::bitblast::{BlastRefusal, Blaster, SatContext, SatOutcome};
use crate::{Chain, Query, QueryLimit, Stage, StageCx, StageDef, StageKind, Unknown, Verdict};

pub(super) const DEF: StageDef = StageDef {
    name: "bitblast",
    help: "circuits and CaDiCaL, up to a number of conflicts",
    kind: StageKind::BackEnd,
    new: || Box::new(BitBlast::default()),
};

/// Contexts kept at a time.
const POOL: usize = 6;
/// When the graph has more gates than this (some hundred megabytes), everything begins anew.
const MAX_GATES: usize = 4_000_000;
/// A context with more SAT variables than this and a few times its first query's is given up.
const MAX_LOAD: usize = 30_000;
/// A context with more SAT variables than this is given up if the next query shares no condition with its last.
const SMALL_LOAD: usize = 1_000;

#[derive(Default)]
struct BitBlast {
    blaster: Blaster,
    pool: Vec<Slot>,
    clock: u64,
}

struct Slot {
    context: SatContext,
    /// The conditions of its last query.
    path: Vec<Term>,
    /// What the context had loaded after its first query.
    first_load: usize,
    used: u64,
}

impl Stage for BitBlast {
    fn solve(&mut self, cx: &mut StageCx<'_>, query: &Query<'_>, rest: &mut Chain<'_>) -> Verdict {
        if self.blaster.gates.len() > MAX_GATES {
            *self = Self::default();
        }
        let mut conjuncts = Vec::with_capacity(query.path.len() + 1);
        for &t in query.path.iter().chain([&query.goal]) {
            match self.blaster.condition(cx.terms, t) {
                Ok(literal) => conjuncts.push(literal),
                Err(why) => return handed_on(cx, query, rest, refusal(why)),
            }
        }
        let at = self.context_for(query.path);
        let slot = &mut self.pool[at];
        let vars = cx.inputs(query);
        for &v in &vars {
            slot.context.prefer(&self.blaster, query.witness, v);
        }
        let deadline = cx.config.time_left().map(|limit| Instant::now() + limit);
        let outcome = slot.context.solve(&self.blaster.gates, &conjuncts, cx.config.conflicts, deadline);
        if slot.first_load == 0 {
            slot.first_load = slot.context.load();
        }
        match outcome {
            SatOutcome::Sat => {
                let mut model = query.witness.clone();
                for &v in &vars {
                    model.set(v, slot.context.value(&self.blaster, query.witness, v));
                }
                // A circuit that is wrong must not make a path feasible.
                match cx.scratch.all_hold(cx.terms, &model, query.path.iter().chain([&query.goal])) {
                    true => Verdict::Sat(model),
                    false => Verdict::Unknown(Unknown::ModelRefused(DEF.name)),
                }
            }
            SatOutcome::Unsat(needed) => {
                cx.core = Some(needed.iter().filter_map(|&at| query.path.get(at).copied()).collect());
                Verdict::Unsat
            }
            SatOutcome::Stopped => handed_on(cx, query, rest, Unknown::Limit(QueryLimit::Conflicts)),
        }
    }
}

/// Asks the rest; if nobody answers, says why this stage did not.
fn handed_on(cx: &mut StageCx<'_>, query: &Query<'_>, rest: &mut Chain<'_>, why: Unknown) -> Verdict {
    match rest.solve(cx, query) {
        Verdict::Unknown(Unknown::NoBackEnd) => Verdict::Unknown(why),
        verdict => verdict,
    }
}

fn refusal(why: BlastRefusal) -> Unknown {
    Unknown::Unsupported(match why {
        BlastRefusal::Float => "floating point",
        BlastRefusal::Opaque => "opaque functions",
        BlastRefusal::LargeArray => "large arrays",
    })
}

impl BitBlast {
    /// The position of the context that shares the longest prefix with `path`.
    fn context_for(&mut self, path: &[Term]) -> usize {
        self.clock += 1;
        let shared = |slot: &Slot| slot.path.iter().zip(path).take_while(|(a, b)| a == b).count();
        let best = (0..self.pool.len()).max_by_key(|&at| (shared(&self.pool[at]), self.pool[at].used));
        let at = match best.filter(|&at| shared(&self.pool[at]) > 0) {
            Some(at) => at,
            None if self.pool.len() < POOL => {
                self.pool.push(Slot { context: SatContext::new(), path: Vec::new(), first_load: 0, used: 0 });
                self.pool.len() - 1
            }
            None => (0..POOL).min_by_key(|&at| self.pool[at].used).unwrap_or(0),
        };
        let slot = &mut self.pool[at];
        // Without a common condition there may still be common circuits; a small context is worth the guess.
        let limit = if shared(slot) > 0 { MAX_LOAD + 4 * slot.first_load } else { SMALL_LOAD };
        if slot.context.load() > limit {
            slot.context = SatContext::new();
            slot.first_load = 0;
        }
        slot.path.clear();
        slot.path.extend_from_slice(path);
        slot.used = self.clock;
        at
    }
}
