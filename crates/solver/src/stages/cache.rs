//! What was answered before: the same query, a contradiction inside it, a recent model that happens to fit.
//!
//! Because the path alone is satisfiable, every contradiction contains the goal: contradictions are looked up by the goal,
//! where KLEE (C. Cadar and others, 2008) searches a tree of all subsets.

use rustc_hash::FxHashMap;
use taw_expr::{Assignment, Term, Terms, Var};

use crate::{Chain, Query, Stage, StageCx, StageDef, StageKind, Unknown, Verdict};

pub(super) const DEF: StageDef = StageDef {
    name: "cache",
    help: "answers to the same query, known contradictions, recent models",
    kind: StageKind::Filter,
    new: || Box::new(Cache::default()),
};

/// Conditions and values kept per generation; there are two.
const GENERATION: usize = 1 << 22;
/// A contradiction of more conditions than this is only found by its own goal.
const MAX_CORE: usize = 8;
/// Contradictions kept per goal.
const CORES_PER_GOAL: usize = 16;
/// Models tried.
const MODELS: usize = 8;

#[derive(Default)]
struct Cache {
    /// By goal, then the path's conditions ascending.
    young: FxHashMap<Box<[Term]>, Known>,
    old: FxHashMap<Box<[Term]>, Known>,
    /// The conditions and values in `young`.
    weight: usize,
    /// By goal: sets of conditions that contradict it, ascending.
    cores: FxHashMap<Term, Vec<Box<[Term]>>>,
    /// The newest last.
    models: Vec<Assignment>,
    key: Vec<Term>,
}

/// A kept answer. Models are kept by the query's inputs only.
#[derive(Clone)]
enum Known {
    Sat(Box<[(Var, u64)]>),
    Unsat,
    /// A limit; asking again would cost the same again.
    Unknown(Unknown),
}

impl Stage for Cache {
    fn solve(&mut self, cx: &mut StageCx<'_>, query: &Query<'_>, rest: &mut Chain<'_>) -> Verdict {
        self.set_key(query);
        if let Some(known) = self.exact() {
            return verdict(known, query.witness);
        }
        if self.has_core() {
            return Verdict::Unsat;
        }
        if let Some(model) = self.fitting_model(cx, query) {
            self.insert(Known::Sat(values(cx, query, &model)));
            return Verdict::Sat(model);
        }
        cx.core = None;
        let verdict = rest.solve(cx, query);
        match &verdict {
            Verdict::Sat(model) => {
                self.insert(Known::Sat(values(cx, query, model)));
                self.add_model(model);
            }
            Verdict::Unsat => {
                self.insert(Known::Unsat);
                if let Some(core) = cx.core.take() {
                    self.add_core(query.goal, core);
                }
            }
            Verdict::Unknown(why @ Unknown::Limit(_)) => self.insert(Known::Unknown(why.clone())),
            Verdict::Unknown(_) => {}
        }
        verdict
    }

    fn collected(&mut self, terms: &Terms) -> bool {
        let all_there = |key: &[Term]| key.iter().all(|t| terms.has(*t));
        self.young.retain(|key, _| all_there(key));
        self.old.retain(|key, _| all_there(key));
        self.weight = self.young.iter().map(|(key, known)| key.len() + known.weight()).sum();
        self.cores.retain(|goal, cores| {
            cores.retain(|core| all_there(core));
            terms.has(*goal) && !cores.is_empty()
        });
        true
    }
}

impl Known {
    fn weight(&self) -> usize {
        if let Known::Sat(values) = self { 4 * values.len() + 16 } else { 16 }
    }
}

fn values(cx: &mut StageCx<'_>, query: &Query<'_>, model: &Assignment) -> Box<[(Var, u64)]> {
    cx.inputs(query).into_iter().map(|v| (v, model.value(v))).collect()
}

fn overlaid(witness: &Assignment, values: impl IntoIterator<Item = (Var, u64)>) -> Assignment {
    let mut model = witness.clone();
    values.into_iter().for_each(|(v, value)| model.set(v, value));
    model
}

fn verdict(known: Known, witness: &Assignment) -> Verdict {
    match known {
        Known::Sat(values) => Verdict::Sat(overlaid(witness, values.iter().copied())),
        Known::Unsat => Verdict::Unsat,
        Known::Unknown(why) => Verdict::Unknown(why),
    }
}

impl Cache {
    fn set_key(&mut self, query: &Query<'_>) {
        self.key.clear();
        self.key.push(query.goal);
        self.key.extend_from_slice(query.path);
        self.key[1..].sort_unstable();
    }

    fn exact(&mut self) -> Option<Known> {
        if let Some(known) = self.young.get(self.key.as_slice()) {
            return Some(known.clone());
        }
        let known = self.old.remove(self.key.as_slice())?;
        self.insert(known.clone());
        Some(known)
    }

    fn insert(&mut self, known: Known) {
        if self.weight >= GENERATION {
            self.old = std::mem::take(&mut self.young);
            self.weight = 0;
        }
        self.weight += self.key.len() + known.weight();
        self.young.insert(self.key.as_slice().into(), known);
    }

    /// Whether a contradiction with the goal is among the conditions.
    fn has_core(&self) -> bool {
        let (goal, path) = (self.key[0], &self.key[1..]);
        let is_inside = |core: &[Term]| core.iter().all(|t| path.binary_search(t).is_ok());
        self.cores.get(&goal).is_some_and(|cores| cores.iter().any(|core| is_inside(core)))
    }

    /// Keeps a contradiction under each of its conditions: any of them may be the goal next time.
    fn add_core(&mut self, goal: Term, mut core: Vec<Term>) {
        core.push(goal);
        let goals = if core.len() <= MAX_CORE { core.as_slice() } else { &[goal] };
        for goal in goals {
            let mut others: Vec<Term> = core.iter().copied().filter(|t| t != goal).collect();
            others.sort_unstable();
            let cores = self.cores.entry(*goal).or_default();
            if cores.len() == CORES_PER_GOAL {
                cores.remove(0);
            }
            cores.push(others.into());
        }
    }

    fn fitting_model(&self, cx: &mut StageCx<'_>, query: &Query<'_>) -> Option<Assignment> {
        let conditions = || [&query.goal].into_iter().chain(query.path);
        let model = self.models.iter().rev().find(|model| cx.scratch.all_hold(cx.terms, model, conditions()))?;
        Some(overlaid(query.witness, cx.inputs(query).into_iter().map(|v| (v, model.value(v)))))
    }

    fn add_model(&mut self, model: &Assignment) {
        if self.models.len() == MODELS {
            self.models.remove(0);
        }
        self.models.push(model.clone());
    }
}
