//! Queries on few input bits, by enumeration.
//!
//! The inputs of a query that have at most sixteen bits together have at most 65536 values: points. Kept per path are the
//! points that satisfy it; a goal splits them in two, the points of the path with the goal and of the path with its
//! negation, which are the paths of the queries to come. So along all paths of a program together each level of
//! branches costs one evaluation per point. Decides what is deep but narrow: tables looked up in tables, hashes, checksums.
//!
//! Boundary: what [`Tape`]s cannot compute, and what would take too many operations, is left to the rest of the chain.

use rustc_hash::FxHashMap;
use taw_expr::{Assignment, Term, VarSet};

use crate::tape::Tape;
use crate::{Chain, Cx, Query, Stage, StageDef, StageKind, Verdict};

pub(super) const DEF: StageDef = StageDef {
    name: "domain",
    help: "queries on at most sixteen input bits, by enumeration",
    kind: StageKind::Filter,
    new: || Box::new(Domain::default()),
};

/// The bits of all inputs together.
const MAX_BITS: u32 = 16;
/// Operations that a query may cost: below a tenth of a second.
const BUDGET: usize = 1 << 25;
/// Bytes kept; all is given up when there are more.
const MAX_SIZE: usize = 32 << 20;
/// About the bytes that an entry of a map takes.
const ENTRY: usize = 48;

/// Values of the inputs of a query, concatenated, ascending.
type Points = Box<[u16]>;

/// A set of points: that of all if 0, or one of `Domain::sets`, counted from 1.
type Set = u32;
const ALL: Set = 0;

#[derive(Default)]
struct Domain {
    /// A tree of paths: the points of a set, over these inputs, that satisfy one more condition.
    next: FxHashMap<(VarSet, Set, Term), Set>,
    sets: Vec<Points>,
    /// Every point.
    all: Vec<u16>,
    /// Per condition; `None` if it is beyond tapes.
    tapes: FxHashMap<Term, Option<Tape>>,
    /// About the bytes in all of these.
    size: usize,
}

impl Stage for Domain {
    fn solve(&mut self, cx: &mut Cx<'_>, query: &Query<'_>, rest: &mut Chain<'_>) -> Verdict {
        let verdict = Layout::of(cx, query).and_then(|layout| self.decide(cx, query, &layout));
        verdict.unwrap_or_else(|| rest.solve(cx, query))
    }
}

/// Where the inputs are in a point.
struct Layout {
    inputs: VarSet,
    bits: u32,
}

impl Layout {
    /// That of a query, if its inputs are narrow enough.
    fn of(cx: &mut Cx<'_>, query: &Query<'_>) -> Option<Self> {
        let mut inputs = VarSet::EMPTY;
        let mut bits = 0;
        for &t in [&query.goal].into_iter().chain(query.path) {
            let more = cx.terms.vars_of(t);
            let union = cx.terms.union(inputs, more);
            if union != inputs {
                inputs = union;
                bits = 0;
                for v in cx.terms.vars_in(inputs) {
                    bits += cx.terms.vars()[v.0 as usize].width;
                    if bits > MAX_BITS {
                        return None;
                    }
                }
            }
        }
        Some(Self { inputs, bits })
    }

    /// The lowest bit and the mask of each input, in the order of the inputs.
    fn fields(&self, cx: &Cx<'_>) -> Vec<(taw_expr::Var, u32, u64)> {
        let mut low = 0;
        let widths = cx.terms.vars_in(self.inputs).map(|v| (v, cx.terms.vars()[v.0 as usize].width));
        widths
            .map(|(v, width)| {
                low += width;
                (v, low - width, u64::MAX >> (64 - width))
            })
            .collect()
    }

    /// The point of an assignment.
    fn point(&self, cx: &Cx<'_>, assignment: &Assignment) -> u16 {
        self.fields(cx).iter().fold(0, |point, &(v, low, mask)| point | ((assignment.value(v) & mask) << low) as u16)
    }

    /// `base` with the inputs as in a point.
    fn assignment(&self, cx: &Cx<'_>, base: &Assignment, point: u16) -> Assignment {
        let mut assignment = base.clone();
        self.fields(cx).iter().for_each(|&(v, low, mask)| assignment.set(v, u64::from(point) >> low & mask));
        assignment
    }
}

impl Domain {
    fn decide(&mut self, cx: &mut Cx<'_>, query: &Query<'_>, layout: &Layout) -> Option<Verdict> {
        if self.size > MAX_SIZE {
            *self = Self::default();
        }
        let mut budget = BUDGET;
        let mut set = ALL;
        let mut core = Vec::new();
        for &t in query.path {
            let smaller = self.step(cx, layout, set, t, &mut budget)?;
            if smaller != set {
                core.push(t);
                set = smaller;
            }
        }
        let set = self.step(cx, layout, set, query.goal, &mut budget)?;
        let points = self.points(layout, set);
        // Upwards from the witness and around: close to it, and the same for the same witness.
        let near = layout.point(cx, query.witness);
        let at = points.partition_point(|&p| p < near);
        let Some(&point) = points.get(at).or(points.first()) else {
            cx.core = Some(core);
            return Some(Verdict::Unsat);
        };
        Some(Verdict::Sat(layout.assignment(cx, query.witness, point)))
    }

    fn points(&self, layout: &Layout, set: Set) -> &[u16] {
        match set {
            ALL => &self.all[..self.all.len().min(1 << layout.bits)],
            _ => &self.sets[set as usize - 1],
        }
    }

    /// The points of `set` that satisfy `t`; `set` itself if all do. `None` if that cannot be computed.
    fn step(&mut self, cx: &mut Cx<'_>, layout: &Layout, set: Set, t: Term, budget: &mut usize) -> Option<Set> {
        if let Some(&known) = self.next.get(&(layout.inputs, set, t)) {
            return Some(known);
        }
        if self.all.is_empty() {
            self.all = (0..=u16::MAX).collect();
        }
        let mut size = 0;
        let tape = self.tapes.entry(t).or_insert_with(|| {
            let tape = Tape::compile(cx.terms, &[t]);
            size = ENTRY + tape.as_ref().map_or(0, Tape::size);
            tape
        });
        self.size += size;
        let tape = tape.as_mut()?;
        let points = match set {
            ALL => &self.all[..1 << layout.bits],
            _ => &self.sets[set as usize - 1],
        };
        *budget = budget.checked_sub(points.len() * tape.len())?;
        let (holds, fails) = split(points, tape, &layout.fields(cx));
        let negation = cx.terms.not(t);
        let whole = points.len();
        for (t, points) in [(t, holds), (negation, fails)] {
            let smaller = if points.len() == whole { set } else { self.insert(points) };
            self.next.insert((layout.inputs, set, t), smaller);
            self.size += ENTRY;
        }
        self.next.get(&(layout.inputs, set, t)).copied()
    }

    fn insert(&mut self, points: Vec<u16>) -> Set {
        self.size += ENTRY + 2 * points.len();
        self.sets.push(points.into());
        self.sets.len() as Set
    }
}

/// The points under which the tape holds, and the others.
fn split(points: &[u16], tape: &mut Tape, fields: &[(taw_expr::Var, u32, u64)]) -> (Vec<u16>, Vec<u16>) {
    let own: Vec<(u32, u64)> = fields
        .iter()
        .filter(|(v, ..)| tape.inputs().binary_search(v).is_ok())
        .map(|&(_, low, mask)| (low, mask))
        .collect();
    let mut values = [0; MAX_BITS as usize];
    let values = &mut values[..own.len()];
    let (mut holds, mut fails) = (Vec::new(), Vec::new());
    for &point in points {
        for (value, (low, mask)) in values.iter_mut().zip(&own) {
            *value = u64::from(point) >> low & mask;
        }
        match tape.run(values) {
            true => holds.push(point),
            false => fails.push(point),
        }
    }
    (holds, fails)
}
