//! Conditions on one narrow input, by their truth tables.
//!
//! A condition on one input of at most eight bits is a set of values: 256 bits, computed once per condition. The goal's
//! set met with those of the path's conditions on the same input decides the query if there are no other conditions, and
//! refutes it if the meeting is empty. Parsers and matchers ask hardly anything else.

use rustc_hash::FxHashMap;
use taw_expr::{Assignment, Term, Terms, Var};

use crate::{Chain, Query, Stage, StageCx, StageDef, StageKind, Verdict};

pub(super) const DEF: StageDef = StageDef {
    name: "tables",
    help: "conditions on one input of at most eight bits, by truth table",
    kind: StageKind::Filter,
    new: || Box::new(Tables::default()),
};

/// Values tried where other conditions share the input.
const ATTEMPTS: usize = 8;

/// A set of values of eight bits.
type Set = [u64; 4];

#[derive(Default)]
struct Tables {
    known: FxHashMap<Term, Set>,
}

impl Stage for Tables {
    fn solve(&mut self, cx: &mut StageCx<'_>, query: &Query<'_>, rest: &mut Chain<'_>) -> Verdict {
        let Some(var) = narrow_input(cx, query.goal) else { return rest.solve(cx, query) };
        let inputs = cx.terms.vars_of(query.goal);
        let mut set = self.table(cx, query.goal, var);
        let mut core = Vec::new();
        let mut has_others = false;
        for &t in query.path {
            if cx.terms.vars_of(t) != inputs {
                has_others = true;
                continue;
            }
            let table = self.table(cx, t, var);
            let met = std::array::from_fn(|i| set[i] & table[i]);
            if met != set {
                core.push(t);
                set = met;
            }
        }
        if set == [0; 4] {
            cx.core = Some(core);
            return Verdict::Unsat;
        }
        let mut model = query.witness.clone();
        let attempts = if has_others { ATTEMPTS } else { 1 };
        for value in values(&set, query.witness.value(var) as u8).take(attempts) {
            model.set(var, value);
            if !has_others || cx.scratch.all_hold(cx.terms, &model, query.path) {
                return Verdict::Sat(model);
            }
        }
        rest.solve(cx, query)
    }

    fn collected(&mut self, terms: &Terms) -> bool {
        self.known.retain(|t, _| terms.has(*t));
        true
    }
}

/// The only input of `t`, if it has one and that is narrow.
fn narrow_input(cx: &StageCx<'_>, t: Term) -> Option<Var> {
    let mut vars = cx.terms.vars_in(cx.terms.vars_of(t));
    let var = vars.next().filter(|v| cx.terms.vars()[v.0 as usize].width <= 8)?;
    vars.next().is_none().then_some(var)
}

/// The members, upwards from `near` and around: close to the witness, and the same for the same witness.
fn values(set: &Set, near: u8) -> impl Iterator<Item = u64> + '_ {
    (0..=255)
        .map(move |step: u8| u64::from(near.wrapping_add(step)))
        .filter(|v| set[*v as usize / 64] >> (v % 64) & 1 == 1)
}

impl Tables {
    fn table(&mut self, cx: &mut StageCx<'_>, t: Term, var: Var) -> Set {
        if let Some(&known) = self.known.get(&t) {
            return known;
        }
        let mut set = [0; 4];
        let mut assignment = Assignment::new();
        for value in 0..1u64 << cx.terms.vars()[var.0 as usize].width {
            assignment.set(var, value);
            if cx.scratch.all_hold(cx.terms, &assignment, [&t]) {
                set[value as usize / 64] |= 1 << (value % 64);
            }
        }
        self.known.insert(t, set);
        set
    }
}
