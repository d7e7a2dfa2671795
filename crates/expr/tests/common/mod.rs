//! A second opinion: terms as plain trees, with an evaluator that shares nothing with the crate's.
//!
//! Values are `u128`s, widths at most 128. Nothing here rewrites.

#![allow(dead_code, reason = "every test includes this file, none uses all of it")]

pub mod source;

use std::rc::Rc;

use taw_expr::{Array, Assignment, BinOp, Bits, Evaluator, Term, Terms, Var};

/// Numbers for tests: SplitMix64.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }
}

/// A term as it was asked for.
#[derive(Debug)]
pub enum Tree {
    Const(u32, u128),
    Var(u32, u32),
    Bin(BinOp, Rc<Tree>, Rc<Tree>),
    Extract(Rc<Tree>, u32, u32),
    ZExt(Rc<Tree>, u32),
    SExt(Rc<Tree>, u32),
    Ite(Rc<Tree>, Rc<Tree>, Rc<Tree>),
    Select(Rc<ArrayTree>, Rc<Tree>),
}

/// An array as it was asked for.
#[derive(Debug)]
pub enum ArrayTree {
    Elements(Vec<Rc<Tree>>),
    Store(Rc<ArrayTree>, Rc<Tree>, Rc<Tree>),
}

fn mask(width: u32) -> u128 {
    if width == 128 { u128::MAX } else { (1 << width) - 1 }
}

fn signed(width: u32, value: u128) -> i128 {
    ((value << (128 - width)) as i128) >> (128 - width)
}

impl Tree {
    pub fn width(&self) -> u32 {
        match self {
            Tree::Const(width, _) | Tree::Var(_, width) | Tree::Extract(_, _, width) => *width,
            Tree::ZExt(_, width) | Tree::SExt(_, width) => *width,
            Tree::Bin(BinOp::Concat, a, b) => a.width() + b.width(),
            Tree::Bin(op, ..) if op.is_comparison() => 1,
            Tree::Bin(_, a, _) | Tree::Ite(_, a, _) => a.width(),
            Tree::Select(array, _) => array.width(),
        }
    }

    pub fn eval(&self, values: &[u64]) -> u128 {
        match self {
            Tree::Const(_, value) => *value,
            Tree::Var(at, width) => u128::from(values[*at as usize]) & mask(*width),
            Tree::Bin(op, a, b) => naive(*op, a.width(), b.width(), a.eval(values), b.eval(values)),
            Tree::Extract(a, lo, width) => a.eval(values) >> lo & mask(*width),
            Tree::ZExt(a, _) => a.eval(values),
            Tree::SExt(a, width) => signed(a.width(), a.eval(values)) as u128 & mask(*width),
            Tree::Ite(c, a, b) => (if c.eval(values) == 1 { a } else { b }).eval(values),
            Tree::Select(array, index) => array.eval(index.eval(values), values),
        }
    }

    /// The tree as a term, made by the constructors.
    pub fn build(&self, terms: &mut Terms) -> Term {
        match self {
            Tree::Const(width, value) => terms.constant(Bits::from_u128(*width, *value)),
            Tree::Var(at, _) => terms.var(Var(*at)),
            Tree::Bin(op, a, b) => {
                let (a, b) = (a.build(terms), b.build(terms));
                terms.bin(*op, a, b)
            }
            Tree::Extract(a, lo, width) => {
                let a = a.build(terms);
                terms.extract(a, *lo, *width)
            }
            Tree::ZExt(a, width) => {
                let a = a.build(terms);
                terms.zext(a, *width)
            }
            Tree::SExt(a, width) => {
                let a = a.build(terms);
                terms.sext(a, *width)
            }
            Tree::Ite(c, a, b) => {
                let (c, a, b) = (c.build(terms), a.build(terms), b.build(terms));
                terms.ite(c, a, b)
            }
            Tree::Select(array, index) => {
                let (array, index) = (array.build(terms), index.build(terms));
                terms.select(array, index)
            }
        }
    }
}

impl ArrayTree {
    pub fn width(&self) -> u32 {
        match self {
            ArrayTree::Elements(elements) => elements[0].width(),
            ArrayTree::Store(_, _, value) => value.width(),
        }
    }

    fn eval(&self, at: u128, values: &[u64]) -> u128 {
        match self {
            ArrayTree::Elements(elements) => elements[(at as usize).min(elements.len() - 1)].eval(values),
            ArrayTree::Store(_, index, value) if index.eval(values) == at => value.eval(values),
            ArrayTree::Store(base, ..) => base.eval(at, values),
        }
    }

    fn build(&self, terms: &mut Terms) -> Array {
        match self {
            ArrayTree::Elements(elements) => {
                let elements = elements.iter().map(|e| e.build(terms)).collect();
                terms.array_of(elements)
            }
            ArrayTree::Store(base, index, value) => {
                let (base, index, value) = (base.build(terms), index.build(terms), value.build(terms));
                terms.store(base, index, value)
            }
        }
    }
}

/// SMT-LIB's definitions, word for word where they are one line.
pub fn naive(op: BinOp, width: u32, low_width: u32, a: u128, b: u128) -> u128 {
    let (sa, sb) = (signed(width, a), signed(width, b));
    let full = match op {
        BinOp::Add => a.wrapping_add(b),
        BinOp::Sub => a.wrapping_sub(b),
        BinOp::Mul => a.wrapping_mul(b),
        BinOp::UDiv => a.checked_div(b).unwrap_or(u128::MAX),
        BinOp::URem => a.checked_rem(b).unwrap_or(a),
        BinOp::SDiv if b == 0 => {
            if sa < 0 {
                1
            } else {
                u128::MAX
            }
        }
        BinOp::SDiv => sa.wrapping_div(sb) as u128,
        BinOp::SRem if b == 0 => a,
        BinOp::SRem => sa.wrapping_rem(sb) as u128,
        BinOp::Shl => (0..b.min(128)).fold(a, |x, _| x << 1),
        BinOp::LShr => (0..b.min(128)).fold(a, |x, _| x >> 1),
        BinOp::AShr => (0..b.min(128)).fold(sa, |x, _| x >> 1) as u128,
        BinOp::And => a & b,
        BinOp::Or => a | b,
        BinOp::Xor => a ^ b,
        BinOp::Concat => return a << low_width | b,
        BinOp::Eq => u128::from(a == b),
        BinOp::Ult => u128::from(a < b),
        BinOp::Ule => u128::from(a <= b),
        BinOp::Slt => u128::from(sa < sb),
        BinOp::Sle => u128::from(sa <= sb),
    };
    full & mask(if op.is_comparison() { 1 } else { width })
}

pub const OPS: [BinOp; 19] = BinOp::ALL;

/// Assignments at which trees and terms are compared. The evaluators live on from term to term: terms share parts.
pub struct Points {
    points: Vec<(Vec<u64>, Evaluator)>,
    checked: usize,
}

impl Points {
    pub fn new(points: impl IntoIterator<Item = Vec<u64>>) -> Self {
        let evaluator = |values: &Vec<u64>| {
            Evaluator::new(values.iter().enumerate().map(|(i, &v)| (Var(i as u32), v)).collect::<Assignment>())
        };
        Points { points: points.into_iter().map(|v| (v.clone(), evaluator(&v))).collect(), checked: 0 }
    }

    /// Checks that a tree and its term agree everywhere, and that what is claimed of the term holds.
    pub fn check(&mut self, terms: &Terms, tree: &Tree, term: Term) {
        assert_eq!(terms.width(term), tree.width());
        self.checked += 1;
        let forget = self.checked.is_multiple_of(10_000);
        for (values, evaluator) in &mut self.points {
            let (want, have) = (tree.eval(values), evaluator.eval(terms, term));
            assert_eq!(have.low_u128(), want, "under {values:?}\n{tree:?}\nbecame {}", dump(terms, term));
            if terms.width(term) <= 64 {
                satisfies(terms, term, want as u64);
            }
            if forget {
                evaluator.clear_memo();
            }
        }
    }
}

fn satisfies(terms: &Terms, term: Term, value: u64) {
    let (lo, hi) = terms.range(term);
    let known = terms.known_bits(term);
    assert!((lo..=hi).contains(&value), "{value} outside {lo}..={hi}: {}", dump(terms, term));
    assert_eq!((value & known.zeros, value & known.ones), (0, known.ones), "{}", dump(terms, term));
}

fn dump(terms: &Terms, term: Term) -> String {
    let children: Vec<String> = terms.children(term).map(|c| dump(terms, c)).collect();
    format!("{:?}[{}]", terms.node(term), children.join(", "))
}
