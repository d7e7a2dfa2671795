//! Queries on few input bits, by enumeration.
//!
//! The inputs of a query that have at most sixteen bits together have at most 65536 values: points. Kept per path are the
//! points that satisfy it; a goal splits them in two, the points of the path with the goal and of the path with its
//! negation, which are the paths of the queries to come. So along all paths of a program together each level of
//! branches costs one evaluation per point. Decides what is deep but narrow: tables looked up in tables, hashes, checksums.
//!
//! Boundary: what [`Tape`]s cannot compute, and what would take too many operations, is left to the rest of the chain.

use rustc_hash::FxHashMap;
use taw_expr::{Assignment, Term, Var, VarSet};

use crate::tape::{Compiler, Tape};
use crate::{Chain, Query, Stage, StageCx, StageDef, StageKind, Verdict};

pub(super) const DEF: StageDef = StageDef {
    name: "domain",
    help: "queries on at most sixteen input bits, by enumeration",
    kind: StageKind::Filter,
    new: || Box::new(Domain::new()),
};

/// The bits of all inputs together.
const MAX_BITS: u32 = 16;
/// Operations that a query may cost: below a tenth of a second.
const BUDGET: usize = 1 << 25;
/// Bytes kept; all is given up when there are more.
const MAX_SIZE: usize = 32 << 20;
/// About the bytes that an entry of a map takes.
const ENTRY: usize = 48;

/// A set of points: that of all if 0, or one of `Sets::some`, counted from 1.
type Set = u32;
const ALL: Set = 0;

struct Domain {
    /// A tree of paths: the points of a set, over these inputs, that satisfy one more condition.
    next: FxHashMap<(VarSet, Set, Term), Set>,
    sets: Sets,
    /// Per condition; `None` if it is beyond tapes.
    tapes: FxHashMap<Term, Option<Tape>>,
    /// About the bytes in all of these.
    size: usize,
}

/// Sets of points, each ascending. A point is the values of a query's inputs, concatenated.
struct Sets {
    all: Vec<u16>,
    some: Vec<Box<[u16]>>,
}

impl Sets {
    fn points(&self, layout: &PointLayout, set: Set) -> &[u16] {
        match set {
            ALL => &self.all[..1 << layout.bits],
            _ => &self.some[set as usize - 1],
        }
    }
}

impl Stage for Domain {
    fn solve(&mut self, cx: &mut StageCx<'_>, query: &Query<'_>, rest: &mut Chain<'_>) -> Verdict {
        let verdict = PointLayout::of(cx, query).and_then(|layout| self.decide(cx, query, &layout));
        verdict.unwrap_or_else(|| rest.solve(cx, query))
    }
}

/// Where the inputs are in a point.
struct PointLayout {
    inputs: VarSet,
    fields: Vec<Field>,
    bits: u32,
}

/// Where one input is.
struct Field {
    var: Var,
    low: u32,
    mask: u64,
}

impl Field {
    fn of(&self, point: u16) -> u64 {
        u64::from(point) >> self.low & self.mask
    }
}

impl PointLayout {
    /// That of a query, if its inputs are narrow enough.
    fn of(cx: &mut StageCx<'_>, query: &Query<'_>) -> Option<Self> {
        let mut layout = Self { inputs: VarSet::EMPTY, fields: Vec::new(), bits: 0 };
        for &t in [&query.goal].into_iter().chain(query.path) {
            let more = cx.terms.vars_of(t);
            let inputs = cx.terms.union(layout.inputs, more);
            if inputs != layout.inputs {
                layout = Self::over(cx, inputs)?;
            }
        }
        Some(layout)
    }

    fn over(cx: &StageCx<'_>, inputs: VarSet) -> Option<Self> {
        let mut fields = Vec::new();
        let mut bits = 0;
        for var in cx.terms.vars_in(inputs) {
            let width = cx.terms.vars()[var.0 as usize].width;
            fields.push(Field { var, low: bits, mask: u64::MAX >> (64 - width) });
            bits += width;
            if bits > MAX_BITS {
                return None;
            }
        }
        Some(Self { inputs, fields, bits })
    }

    /// The point of an assignment.
    fn point(&self, assignment: &Assignment) -> u16 {
        self.fields.iter().fold(0, |point, f| point | ((assignment.value(f.var) & f.mask) << f.low) as u16)
    }

    /// `base` with the inputs as in a point.
    fn assignment(&self, base: &Assignment, point: u16) -> Assignment {
        let mut assignment = base.clone();
        self.fields.iter().for_each(|f| assignment.set(f.var, f.of(point)));
        assignment
    }
}

impl Domain {
    fn new() -> Self {
        let sets = Sets { all: (0..=u16::MAX).collect(), some: Vec::new() };
        Self { next: FxHashMap::default(), sets, tapes: FxHashMap::default(), size: 0 }
    }

    fn decide(&mut self, cx: &mut StageCx<'_>, query: &Query<'_>, layout: &PointLayout) -> Option<Verdict> {
        if self.size > MAX_SIZE {
            *self = Self::new();
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
        let points = self.sets.points(layout, set);
        // Upwards from the witness and around: close to it, and the same for the same witness.
        let near = layout.point(query.witness);
        let at = points.partition_point(|&p| p < near);
        let Some(&point) = points.get(at).or(points.first()) else {
            cx.core = Some(core);
            return Some(Verdict::Unsat);
        };
        Some(Verdict::Sat(layout.assignment(query.witness, point)))
    }

    /// The points of `set` that satisfy `t`; `set` itself if all do. `None` if that cannot be computed.
    fn step(
        &mut self,
        cx: &mut StageCx<'_>,
        layout: &PointLayout,
        set: Set,
        t: Term,
        budget: &mut usize,
    ) -> Option<Set> {
        if let Some(&known) = self.next.get(&(layout.inputs, set, t)) {
            return Some(known);
        }
        let tape = self.tapes.entry(t).or_insert_with(|| {
            let tape = Compiler::words(cx.terms, &[t]);
            self.size += ENTRY + tape.as_ref().map_or(0, Tape::size);
            tape
        });
        let tape = tape.as_mut()?;
        let points = self.sets.points(layout, set);
        *budget = budget.checked_sub(points.len() * tape.len())?;
        let whole = points.len();
        let (holds, fails) = split(points, tape, layout);
        let negation = cx.terms.not(t);
        self.insert(layout, set, whole, negation, fails);
        Some(self.insert(layout, set, whole, t, holds))
    }

    /// Remembers the points of `set`, which has `whole`, that satisfy `t`.
    fn insert(&mut self, layout: &PointLayout, set: Set, whole: usize, t: Term, points: Vec<u16>) -> Set {
        self.size += ENTRY;
        let mut smaller = set;
        if points.len() < whole {
            self.size += ENTRY + 2 * points.len();
            self.sets.some.push(points.into());
            smaller = self.sets.some.len() as Set;
        }
        self.next.insert((layout.inputs, set, t), smaller);
        smaller
    }
}

/// The points under which the tape holds, and the others.
fn split(points: &[u16], tape: &mut Tape, layout: &PointLayout) -> (Vec<u16>, Vec<u16>) {
    let fields: Vec<&Field> = layout.fields.iter().filter(|f| tape.inputs().binary_search(&f.var).is_ok()).collect();
    let mut values = [0; MAX_BITS as usize];
    let values = &mut values[..fields.len()];
    let (mut holds, mut fails) = (Vec::new(), Vec::new());
    for &point in points {
        values.iter_mut().zip(&fields).for_each(|(value, field)| *value = field.of(point));
        match tape.run(values) {
            true => holds.push(point),
            false => fails.push(point),
        }
    }
    (holds, fails)
}
