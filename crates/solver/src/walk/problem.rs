//! A query ready to be walked: a tape, the goals to score, and the coordinates to move.
//!
//! A coordinate is an input, or several that are only used side by side (the bytes of a number). Inputs that an equality
//! defines are no coordinates: they are computed, so the equality holds wherever the walk goes. Comparisons of a coordinate with
//! constants bound it.

use rustc_hash::{FxHashMap, FxHashSet};
use taw_expr::{Assignment, BinOp, FloatCmp, FloatFormat, Node, Term, Terms, Var};

use super::goal::WalkConditions;
use super::linear::Definitions;
use super::number::{CoordinateKind, key, mask};
use super::score::WalkCondition;
use crate::tape::{Code, Compiled, Compiler, Tape};

/// More coordinates than this are too many to choose from.
const MAX_COORDINATES: usize = 1024;
/// Constants of the query that are tried as values.
const MAX_CONSTANTS: usize = 32;

pub(super) struct Problem {
    pub tape: Tape,
    /// Whether a function is evaluated elsewhere: that is dear, and nothing can be computed backwards.
    pub has_outside: bool,
    pub conditions: Vec<WalkedCondition>,
    pub coordinates: Vec<Coordinate>,
    /// Per slot: the operation that computes it.
    pub producer: Vec<Option<u32>>,
    /// Per slot: the coordinates it depends on, as bits of their number modulo 64.
    pub reach: Vec<u64>,
    /// By number of the native function: its name.
    pub names: Vec<String>,
    /// Constants of the query: their bits and width.
    pub constants: Vec<(u32, u128)>,
    /// Inputs that are computed, and where.
    defined: Vec<(Var, u32)>,
}

pub(super) struct WalkedCondition {
    pub goal: WalkCondition,
    /// Where its truth is.
    pub slot: u32,
    /// The coordinates it depends on.
    pub coordinates: Vec<u32>,
}

pub(super) struct Coordinate {
    pub kind: CoordinateKind,
    pub width: u32,
    /// Where its value is, if it is anywhere as a whole.
    pub slot: Option<u32>,
    /// Parts, the lowest first: number of the input, and its width.
    pub fields: Vec<(usize, u32)>,
    /// What is recomputed when it moves.
    pub operations: Vec<u32>,
    pub conditions: Vec<u32>,
    /// What moving it costs.
    pub cost: u64,
    /// Bounds, as keys of floats or as two's complement.
    pub low: i128,
    pub high: i128,
}

impl Problem {
    /// Compiles conditions without conjunctions; `None` if they are beyond tapes, or too large.
    pub fn new(terms: &Terms, wanted: &[Term], definitions: &Definitions) -> Option<Self> {
        let Compiled { tape, slot_of, names } = Compiler::all(terms, wanted, definitions)?;
        let nodes = reachable(terms, wanted, definitions);
        let shapes = shapes(terms, &tape, &nodes, definitions, &slot_of);
        if shapes.len() > MAX_COORDINATES {
            return None;
        }
        let mut problem = Self {
            producer: producers(&tape),
            has_outside: tape.has_outside(),
            reach: vec![0; tape.slot_count()],
            tape,
            conditions: Vec::new(),
            coordinates: shapes,
            names,
            constants: constants(terms, &nodes),
            defined: definitions.iter().filter_map(|(&v, t)| Some((v, *slot_of.get(t)?))).collect(),
        };
        problem.defined.sort_unstable();
        problem.add_conditions(terms, wanted, &slot_of);
        problem.link();
        problem.bound(terms, wanted);
        Some(problem)
    }

    fn add_conditions(&mut self, terms: &Terms, wanted: &[Term], slot_of: &FxHashMap<Term, u32>) {
        let goals = WalkConditions { terms, slot: &|t| slot_of.get(&t).copied() };
        for &t in wanted {
            let Some(&slot) = slot_of.get(&t) else { continue };
            self.conditions.push(WalkedCondition { goal: goals.goal(t, true, 0), slot, coordinates: Vec::new() });
        }
    }

    /// Finds what depends on what.
    fn link(&mut self) {
        for at in 0..self.coordinates.len() {
            let inputs: Vec<usize> = self.coordinates[at].fields.iter().map(|f| f.0).collect();
            let operations = self.tape.dependents(&inputs);
            let mut touched: FxHashSet<u32> = inputs.iter().map(|&i| i as u32).collect();
            touched.extend(operations.iter().map(|&o| self.tape.operations()[o as usize].to));
            for &slot in &touched {
                self.reach[slot as usize] |= 1 << (at % 64);
            }
            let coordinate = &mut self.coordinates[at];
            coordinate.cost =
                operations.iter().map(|&o| u64::from(self.tape.cost(&self.tape.operations()[o as usize]))).sum();
            for (number, condition) in self.conditions.iter_mut().enumerate() {
                if touched.contains(&condition.slot) {
                    condition.coordinates.push(at as u32);
                    coordinate.conditions.push(number as u32);
                }
            }
            coordinate.cost += 4 + 4 * coordinate.conditions.len() as u64;
            coordinate.operations = operations;
        }
    }

    /// Takes bounds from comparisons of an input with a constant.
    fn bound(&mut self, terms: &Terms, wanted: &[Term]) {
        for &t in wanted {
            let Node::FloatCmp(op, format, a, b) = *terms.node(t) else { continue };
            let constant = |t: Term| terms.as_const(t).map(|bits| key(format, bits.low_u128()));
            let gap = i128::from(op == FloatCmp::Lt);
            if !matches!(op, FloatCmp::Lt | FloatCmp::Le) {
                continue;
            }
            if let (Some(at), Some(limit)) = (self.coordinate_of(terms, a, format), constant(b)) {
                let high = &mut self.coordinates[at].high;
                *high = (*high).min(limit - gap);
            } else if let (Some(limit), Some(at)) = (constant(a), self.coordinate_of(terms, b, format)) {
                let low = &mut self.coordinates[at].low;
                *low = (*low).max(limit + gap);
            }
        }
        // Contradictory bounds are none: the walk must be able to move.
        for coordinate in self.coordinates.iter_mut().filter(|c| c.low > c.high) {
            (coordinate.low, coordinate.high) = whole(coordinate.kind);
        }
    }

    fn coordinate_of(&self, terms: &Terms, t: Term, format: FloatFormat) -> Option<usize> {
        let Node::Var(v) = *terms.node(t) else { return None };
        let input = self.tape.inputs().binary_search(&v).ok()?;
        self.coordinates
            .iter()
            .position(|c| c.kind == CoordinateKind::Float(format) && c.fields[..] == [(input, c.width)])
    }

    /// The bits of each coordinate under an assignment.
    pub fn point(&self, assignment: &Assignment) -> Vec<u128> {
        let of_field = |&(input, width): &(usize, u32), low: u32| {
            (u128::from(assignment.value(self.tape.inputs()[input])) & mask(width)) << low
        };
        let mut point = Vec::with_capacity(self.coordinates.len());
        for coordinate in &self.coordinates {
            let mut low = 0;
            point.push(coordinate.fields.iter().fold(0, |bits, field| {
                let bits = bits | of_field(field, low);
                low += field.1;
                bits
            }));
        }
        point
    }

    /// `base` with the inputs as they are on the tape.
    pub fn assignment(&self, base: &Assignment) -> Assignment {
        let mut model = base.clone();
        for (input, _) in self.coordinates.iter().flat_map(|c| c.fields.iter()) {
            model.set(self.tape.inputs()[*input], self.tape.word(*input as u32));
        }
        for &(v, slot) in &self.defined {
            model.set(v, self.tape.word(slot));
        }
        model
    }
}

/// Splits conjunctions.
pub(super) fn conjuncts(terms: &Terms, t: Term, found: &mut Vec<Term>) {
    match *terms.node(t) {
        Node::Bin(BinOp::And, a, b) if terms.width(t) == 1 => {
            conjuncts(terms, a, found);
            conjuncts(terms, b, found);
        }
        _ if terms.as_const(t).is_some() => {}
        _ if found.contains(&t) => {}
        _ => found.push(t),
    }
}

/// Every term, each once, operands first.
fn reachable(terms: &Terms, roots: &[Term], definitions: &Definitions) -> Vec<Term> {
    let mut seen: FxHashSet<Term> = FxHashSet::default();
    let mut pending: Vec<Term> = roots.iter().copied().chain(definitions.values().copied()).collect();
    while let Some(t) = pending.pop() {
        if seen.insert(t) {
            pending.extend(terms.children(t));
        }
    }
    terms.operands_first(seen)
}

/// The float format in which an operation reads its operand number `at`.
fn operand_format(terms: &Terms, t: Term, at: usize) -> Option<FloatFormat> {
    match *terms.node(t) {
        Node::FloatUn(_, format, _) | Node::FloatBin(_, format, ..) => Some(format),
        Node::Fma(format, ..) | Node::FloatCmp(_, format, ..) => Some(format),
        Node::FloatToFloat(from, ..) | Node::FloatToInt { from, .. } => Some(from),
        Node::Apply(function, _, width) => terms.functions()[function.0 as usize].eval.parameter(at, width),
        _ => None,
    }
}

/// The inputs, joined where they are the parts of one number.
fn shapes(
    terms: &Terms,
    tape: &Tape,
    nodes: &[Term],
    definitions: &Definitions,
    slot_of: &FxHashMap<Term, u32>,
) -> Vec<Coordinate> {
    let mut shapes: Vec<Coordinate> = Vec::new();
    let mut taken: FxHashSet<Var> = definitions.keys().copied().collect();
    let mut add = |t: Term, kind: CoordinateKind, taken: &mut FxHashSet<Var>| {
        let Some(parts) = parts(terms, t) else { return };
        let distinct: FxHashSet<Var> = parts.iter().copied().collect();
        if distinct.len() != parts.len() || distinct.iter().any(|v| taken.contains(v)) {
            return;
        }
        taken.extend(distinct);
        let width = |v: &Var| terms.vars()[v.0 as usize].width;
        let field = |v: &Var| Some((tape.inputs().binary_search(v).ok()?, width(v)));
        let Some(fields) = parts.iter().map(field).collect::<Option<Vec<_>>>() else { return };
        let (low, high) = whole(kind);
        let (operations, conditions) = (Vec::new(), Vec::new());
        let (width, slot) = (terms.width(t), slot_of.get(&t).copied());
        shapes.push(Coordinate { kind, width, slot, fields, operations, conditions, cost: 0, low, high });
    };
    for &t in nodes {
        for (at, operand) in terms.children(t).enumerate() {
            if let Some(format) = operand_format(terms, t, at).filter(|f| f.width() == terms.width(operand)) {
                add(bare(terms, operand), CoordinateKind::Float(format), &mut taken);
            }
        }
    }
    // The bytes of integers: the largest first, which are the youngest.
    for &t in nodes.iter().rev().filter(|&&t| terms.width(t) <= 64) {
        add(t, CoordinateKind::Int(terms.width(t)), &mut taken);
    }
    shapes.sort_by_key(|c| c.fields[0].0);
    shapes
}

/// A number without what only changes its sign.
fn bare(terms: &Terms, t: Term) -> Term {
    match *terms.node(t) {
        Node::Bin(BinOp::Xor | BinOp::And, a, b) if terms.as_const(b).is_some() => a,
        Node::ZExt(low, width) => match *terms.node(low) {
            Node::Extract { arg, lo: 0, width: kept } if kept + 1 == width && terms.width(arg) == width => arg,
            _ => t,
        },
        _ => t,
    }
}

/// The inputs that `t` is the concatenation of, the lowest first; one input is one too.
fn parts(terms: &Terms, t: Term) -> Option<Vec<Var>> {
    match *terms.node(t) {
        Node::Var(v) => Some(vec![v]),
        Node::Bin(BinOp::Concat, high, low) => {
            let mut all = parts(terms, low)?;
            all.extend(parts(terms, high)?);
            Some(all)
        }
        _ => None,
    }
}

/// Everything that a kind can be.
fn whole(kind: CoordinateKind) -> (i128, i128) {
    match kind {
        CoordinateKind::Float(_) => (i128::MIN, i128::MAX),
        CoordinateKind::Int(width) => (-(1 << (width - 1)), (1 << (width - 1)) - 1),
    }
}

fn producers(tape: &Tape) -> Vec<Option<u32>> {
    let mut producer = vec![None; tape.slot_count()];
    for (at, operation) in tape.operations().iter().enumerate().filter(|(_, o)| o.code != Code::Require) {
        producer[operation.to as usize] = Some(at as u32);
    }
    producer
}

fn constants(terms: &Terms, nodes: &[Term]) -> Vec<(u32, u128)> {
    let all = nodes.iter().filter_map(|&t| terms.as_const(t)).filter(|bits| bits.width() > 1);
    all.map(|bits| (bits.width(), bits.low_u128())).take(MAX_CONSTANTS).collect()
}
