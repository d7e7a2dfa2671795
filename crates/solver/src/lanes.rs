//! A condition under all assignments of a few inputs: evaluated for many assignments at a time, operation by operation.
//!
//! Boundary: bit vectors of at most 64 bits and reads of arrays; what else a condition contains makes it unfit.

use rustc_hash::FxHashMap;
use taw_expr::{Array, ArrayNode, BinOp, Node, Term, Terms, Var, fold};

/// Assignments evaluated at a time: the values of a dozen operations stay in the first cache.
const LANES: usize = 512;

/// A few inputs, in an order, whose values are the digits of an assignment's number.
#[derive(Clone, Debug)]
pub(crate) struct Domain {
    /// Each input with the position of its lowest bit and its width.
    inputs: Vec<(Var, u32, u32)>,
    bits: u32,
}

impl Domain {
    /// The domain of these inputs, if they have at most `max_bits` together.
    pub fn new(terms: &Terms, vars: impl Iterator<Item = Var>, max_bits: u32) -> Option<Self> {
        let mut domain = Domain { inputs: Vec::new(), bits: 0 };
        for v in vars {
            let width = terms.vars()[v.0 as usize].width;
            domain.inputs.push((v, domain.bits, width));
            domain.bits += width;
            if domain.bits > max_bits {
                return None;
            }
        }
        Some(domain)
    }

    /// The number of assignments.
    pub fn size(&self) -> usize {
        1 << self.bits
    }

    /// The number of an assignment.
    pub fn number(&self, value: impl Fn(Var) -> u64) -> usize {
        self.inputs.iter().map(|&(v, at, width)| ((value(v) & mask(width)) << at) as usize).sum()
    }

    /// The values of the assignment of that number.
    pub fn values(&self, number: usize) -> impl Iterator<Item = (Var, u64)> + '_ {
        self.inputs.iter().map(move |&(v, at, width)| (v, number as u64 >> at & mask(width)))
    }
}

fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}

/// A condition ready to be evaluated: its terms, operands first.
pub(crate) struct Plan {
    nodes: Vec<Term>,
    slots: FxHashMap<Term, usize>,
    /// Whether SAT solvers find such operations hard.
    pub is_hard: bool,
}

impl Plan {
    /// The plan for a condition; `None` if it is unfit or has more than `max_nodes` terms.
    pub fn new(terms: &Terms, condition: Term, max_nodes: usize) -> Option<Self> {
        if terms.has_float(condition) || terms.has_opaque(condition) {
            return None;
        }
        let mut plan = Plan { nodes: Vec::new(), slots: FxHashMap::default(), is_hard: false };
        let mut pending = vec![condition];
        while let Some(t) = pending.pop() {
            if terms.width(t) > 64 {
                return None;
            }
            // Constant elements of tables are read in place.
            if plan.slots.contains_key(&t) {
                continue;
            }
            plan.slots.insert(t, 0);
            plan.nodes.push(t);
            if plan.nodes.len() > max_nodes {
                return None;
            }
            plan.is_hard |= is_hard(terms, t);
            match *terms.node(t) {
                Node::Select(array, index) => {
                    pending.push(index);
                    pending.extend(terms.array_terms(array).filter(|&e| terms.as_const(e).is_none()));
                }
                _ => pending.extend(terms.children(t)),
            }
        }
        // Operands have smaller ids.
        plan.nodes.sort_unstable();
        plan.nodes.iter().enumerate().for_each(|(slot, &t)| {
            plan.slots.insert(t, slot);
        });
        Some(plan)
    }

    /// How many terms there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The set of assignments under which the condition is true, by number.
    pub fn run(&self, terms: &Terms, domain: &Domain) -> Box<[u64]> {
        let size = domain.size();
        let mut set = vec![0u64; size.div_ceil(64)];
        let mut lanes = vec![0u64; self.nodes.len() * LANES];
        for base in (0..size).step_by(LANES) {
            for slot in 0..self.nodes.len() {
                let (below, here) = lanes.split_at_mut(slot * LANES);
                self.step(terms, domain, slot, base, below, &mut here[..LANES]);
            }
            let truth = &lanes[self.slots[&self.root()] * LANES..][..LANES.min(size - base)];
            for (i, &value) in truth.iter().enumerate() {
                set[(base + i) / 64] |= value << ((base + i) % 64);
            }
        }
        set.into()
    }

    /// The condition itself: the term that is no operand, which has the greatest id.
    fn root(&self) -> Term {
        self.nodes[self.nodes.len() - 1]
    }

    /// Computes one term for the assignments from `base` on; `below` has the values of its operands.
    fn step(&self, terms: &Terms, domain: &Domain, slot: usize, base: usize, below: &[u64], out: &mut [u64]) {
        let t = self.nodes[slot];
        let m = mask(terms.width(t));
        let of = |t: Term| &below[self.slots[&t] * LANES..][..LANES];
        match *terms.node(t) {
            Node::Const(ref bits) => out.fill(bits.low()),
            Node::Var(v) => {
                let shift = domain.inputs.iter().find(|input| input.0 == v).map_or(0, |input| input.1);
                out.iter_mut().enumerate().for_each(|(i, o)| *o = (base + i) as u64 >> shift & m);
            }
            Node::Bin(op, a, b) => bin(op, terms.width(a), terms.width(b), of(a), of(b), out),
            Node::Extract { arg, lo, .. } => map(of(arg), out, |x| x >> lo & m),
            Node::ZExt(a, _) => out.copy_from_slice(of(a)),
            Node::SExt(a, _) => {
                let unused = 64 - terms.width(a);
                map(of(a), out, |x| (((x << unused) as i64) >> unused) as u64 & m);
            }
            Node::Ite(c, a, b) => {
                let choices = of(c).iter().zip(of(a).iter().zip(of(b)));
                out.iter_mut().zip(choices).for_each(|(o, (&c, (&a, &b)))| *o = if c != 0 { a } else { b });
            }
            Node::Select(array, index) => self.select(terms, array, of(index), below, out),
            ref other => unreachable!("a plan has no {other:?}"),
        }
    }

    fn select(&self, terms: &Terms, array: Array, index: &[u64], below: &[u64], out: &mut [u64]) {
        let mut stores = Vec::new();
        let mut bottom = array;
        let elements = loop {
            match terms.array(bottom) {
                ArrayNode::Elements(elements) => break elements,
                &ArrayNode::Store { base, index, value } => {
                    stores.push((index, value));
                    bottom = base;
                }
            }
        };
        let lane = |t: Term, i: usize| terms.as_u64(t).unwrap_or_else(|| below[self.slots[&t] * LANES + i]);
        let last = elements.len() - 1;
        match elements.iter().map(|&e| terms.as_u64(e)).collect::<Option<Vec<u64>>>() {
            Some(table) => map(index, out, |at| table[(at as usize).min(last)]),
            None => out.iter_mut().enumerate().for_each(|(i, o)| *o = lane(elements[(index[i] as usize).min(last)], i)),
        }
        for (at, value) in stores.into_iter().rev() {
            for (i, o) in out.iter_mut().enumerate() {
                if lane(at, i) == index[i] {
                    *o = lane(value, i);
                }
            }
        }
    }
}

/// Whether a term is a read at an unknown place, or a product, quotient, remainder or shift.
fn is_hard(terms: &Terms, t: Term) -> bool {
    matches!(
        terms.node(t),
        Node::Select(..)
            | Node::Bin(
                BinOp::Mul
                    | BinOp::UDiv
                    | BinOp::SDiv
                    | BinOp::URem
                    | BinOp::SRem
                    | BinOp::Shl
                    | BinOp::LShr
                    | BinOp::AShr,
                ..
            )
    )
}

fn map(a: &[u64], out: &mut [u64], f: impl Fn(u64) -> u64) {
    out.iter_mut().zip(a).for_each(|(o, &a)| *o = f(a));
}

fn map2(a: &[u64], b: &[u64], out: &mut [u64], f: impl Fn(u64, u64) -> u64) {
    out.iter_mut().zip(a.iter().zip(b)).for_each(|(o, (&a, &b))| *o = f(a, b));
}

/// The common operations have loops of their own, which the compiler vectorises.
fn bin(op: BinOp, width: u32, width_b: u32, a: &[u64], b: &[u64], out: &mut [u64]) {
    let m = mask(width);
    let sign = 1u64 << (width - 1);
    match op {
        BinOp::Add => map2(a, b, out, |x, y| x.wrapping_add(y) & m),
        BinOp::Sub => map2(a, b, out, |x, y| x.wrapping_sub(y) & m),
        BinOp::Mul => map2(a, b, out, |x, y| x.wrapping_mul(y) & m),
        BinOp::And => map2(a, b, out, |x, y| x & y),
        BinOp::Or => map2(a, b, out, |x, y| x | y),
        BinOp::Xor => map2(a, b, out, |x, y| x ^ y),
        BinOp::Concat => map2(a, b, out, |x, y| x << width_b | y),
        BinOp::Eq => map2(a, b, out, |x, y| u64::from(x == y)),
        BinOp::Ult => map2(a, b, out, |x, y| u64::from(x < y)),
        BinOp::Ule => map2(a, b, out, |x, y| u64::from(x <= y)),
        BinOp::Slt => map2(a, b, out, |x, y| u64::from(x ^ sign < y ^ sign)),
        BinOp::Sle => map2(a, b, out, |x, y| u64::from(x ^ sign <= y ^ sign)),
        _ => map2(a, b, out, |x, y| fold::bin_u64(op, width, x, y)),
    }
}
