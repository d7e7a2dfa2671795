//! Queries with parts that are dear or impossible for the back ends: floats and opaque functions.
//!
//! Opaque functions can be evaluated but not solved. What can be known of such a query: if it is contradictory without its
//! opaque conditions, it is contradictory; and whatever evaluates to true is a model. Models are looked for among a
//! handful of values: those that occur in the query and their neighbours, and the usual corners. The search of
//! P. Dinges and G. Agha's concolic walk (2014) belongs here.

use rustc_hash::{FxHashMap, FxHashSet};
use taw_expr::{Assignment, FloatBin, FloatFormat, Node, Term, Terms, fold};

use crate::force::Force;
use crate::{Chain, Cx, Query, Stage, StageDef, StageKind, Unknown, Verdict};

pub(super) const DEF: StageDef = StageDef {
    name: "candidates",
    help: "likely values for queries with floats or opaque functions",
    kind: StageKind::Filter,
    new: || Box::new(Candidates::default()),
};

/// Assignments tried per query.
const BUDGET: usize = 3000;
/// Inputs changed, one after the other.
const ROUNDS: usize = 2;
/// Constants of the query that are used.
const MAX_CONSTANTS: usize = 24;

#[derive(Default)]
struct Candidates {
    /// Per condition: the first function in it that no back end understands.
    obstacles: FxHashMap<Term, Option<String>>,
}

impl Stage for Candidates {
    fn solve(&mut self, cx: &mut Cx<'_>, query: &Query<'_>, rest: &mut Chain<'_>) -> Verdict {
        let terms = &*cx.terms;
        if !query.path.iter().chain([&query.goal]).any(|&t| terms.has_float(t) || terms.has_opaque(t)) {
            return rest.solve(cx, query);
        }
        if let Some(model) = search(cx, query) {
            return Verdict::Sat(model);
        }
        let goal = self.obstacle(cx.terms, query.goal);
        let understood: Vec<Term> =
            query.path.iter().copied().filter(|&t| self.obstacle(cx.terms, t).is_none()).collect();
        let missing = query.path.iter().find_map(|&t| self.obstacle(cx.terms, t));
        let Some(name) = goal.clone().or(missing) else { return rest.solve(cx, query) };
        if goal.is_some() {
            // Without the goal there is only the path, which the witness satisfies.
            return Verdict::Unknown(Unknown::Opaque(name));
        }
        match rest.solve(cx, &Query { path: &understood, ..*query }) {
            Verdict::Sat(model) if cx.scratch.all_hold(cx.terms, &model, query.path) => Verdict::Sat(model),
            Verdict::Sat(_) => Verdict::Unknown(Unknown::Opaque(name)),
            verdict => verdict,
        }
    }
}

impl Candidates {
    /// The name of a function in `t` that no back end understands.
    fn obstacle(&mut self, terms: &Terms, t: Term) -> Option<String> {
        if !terms.has_opaque(t) && !terms.has_float(t) {
            return None;
        }
        self.obstacles.entry(t).or_insert_with(|| find_obstacle(terms, t)).clone()
    }
}

fn find_obstacle(terms: &Terms, t: Term) -> Option<String> {
    walk(terms, &[t]).into_iter().find_map(|t| match *terms.node(t) {
        Node::Apply(function, ..) => Some(terms.functions()[function.0 as usize].name.clone()),
        Node::FloatBin(FloatBin::Rem, ..) => Some("fmod".to_owned()),
        _ => None,
    })
}

/// Every term in `roots`, each once, parents before operands of their own.
fn walk(terms: &Terms, roots: &[Term]) -> Vec<Term> {
    let mut seen: FxHashSet<Term> = roots.iter().copied().collect();
    let mut found: Vec<Term> = roots.to_vec();
    let mut at = 0;
    while at < found.len() {
        for child in terms.children(found[at]) {
            if seen.insert(child) {
                found.push(child);
            }
        }
        at += 1;
    }
    found
}

/// A model found by setting one part of the input after the other to a likely value.
fn search(cx: &mut Cx<'_>, query: &Query<'_>) -> Option<Assignment> {
    let conditions: Vec<Term> = [query.goal].into_iter().chain(query.path.iter().copied()).collect();
    let all = walk(cx.terms, &conditions);
    let atoms = atoms(cx.terms, &all);
    let values = values(cx.terms, &all);
    let mut budget = BUDGET;
    let mut model = query.witness.clone();
    for _ in 0..ROUNDS {
        let mut best = broken(cx, &conditions, &model, usize::MAX)?;
        let start = model.clone();
        for &atom in &atoms {
            for &value in &values {
                budget = budget.checked_sub(1)?;
                let mut force = Force::new(start.clone(), 0);
                if !force.value(cx.terms, cx.scratch, atom, value) {
                    continue;
                }
                match broken(cx, &conditions, &force.model, best) {
                    Some(0) => return Some(force.model),
                    Some(fewer) => (best, model) = (fewer, force.model),
                    None => {}
                }
            }
        }
    }
    None
}

/// How many conditions are not satisfied, if fewer than `limit`.
fn broken(cx: &mut Cx<'_>, conditions: &[Term], model: &Assignment, limit: usize) -> Option<usize> {
    cx.scratch.begin();
    let mut count = 0;
    for &t in conditions {
        count += usize::from(!cx.scratch.holds(cx.terms, model, t));
        if count >= limit {
            return None;
        }
    }
    Some(count)
}

/// What is set: operands of float and opaque operations that are neither, and inputs.
fn atoms(terms: &Terms, all: &[Term]) -> Vec<Term> {
    let is_special = |t: Term| terms.node(t).is_float() || matches!(terms.node(t), Node::Apply(..));
    let mut atoms: Vec<Term> = Vec::new();
    for &t in all {
        let operands = is_special(t).then(|| terms.children(t)).into_iter().flatten();
        let input = matches!(terms.node(t), Node::Var(_)).then_some(t);
        for atom in operands.chain(input) {
            let is_usable = !is_special(atom) && terms.width(atom) <= 64 && !terms.vars_of(atom).is_empty();
            if is_usable && !atoms.contains(&atom) {
                atoms.push(atom);
            }
        }
    }
    atoms
}

/// Likely values, as bits of whatever is set: it takes as many as it has.
fn values(terms: &Terms, all: &[Term]) -> Vec<u64> {
    let mut values: Vec<u64> = Vec::new();
    let constants = all.iter().filter_map(|&t| terms.as_const(t).map(|bits| (bits.width(), bits.low_u128())));
    for (width, bits) in constants.take(MAX_CONSTANTS) {
        near(bits as u64, &mut values);
        if let Some(format) = format_of(width) {
            near_float(format, bits, &mut values);
        }
    }
    near(0, &mut values);
    values.extend((1..64).step_by(8).map(|shift| 1u64 << shift));
    for number in [0.5, 1.0, 2.0, 3.0, 10.0, 100.0, 1e10, f64::MIN_POSITIVE, f64::MAX, f64::INFINITY, f64::NAN] {
        near_number(number, &mut values);
    }
    let mut seen = FxHashSet::default();
    values.retain(|&v| seen.insert(v));
    values
}

fn format_of(width: u32) -> Option<FloatFormat> {
    let formats = [FloatFormat::F16, FloatFormat::F32, FloatFormat::F64, FloatFormat::F80, FloatFormat::F128];
    formats.into_iter().find(|f| f.width() == width)
}

fn near(value: u64, values: &mut Vec<u64>) {
    values.extend([value, value.wrapping_add(1), value.wrapping_sub(1), value.wrapping_neg()]);
}

/// A constant that may be meant as a float: its neighbours as floats and, for conversions, as integers.
fn near_float(format: FloatFormat, bits: u128, values: &mut Vec<u64>) {
    if fold::is_nan(format, bits) {
        return;
    }
    let number = f64::from_bits(fold::float_to_float(format, FloatFormat::F64, bits) as u64);
    for number in [number, number + 1.0, number - 1.0, number / 2.0, number * 2.0, number.sqrt()] {
        near_number(number, values);
    }
    if number.abs() < 9e18 {
        near(number as i64 as u64, values);
    }
}

/// A number and its negation as double and float, and the next ones above and below.
fn near_number(number: f64, values: &mut Vec<u64>) {
    for number in [number, -number] {
        let (double, single) = (number.to_bits(), u64::from((number as f32).to_bits()));
        values.extend([double, double.wrapping_add(1), double.wrapping_sub(1)]);
        values.extend([single, single.wrapping_add(1), single.wrapping_sub(1)]);
    }
}
