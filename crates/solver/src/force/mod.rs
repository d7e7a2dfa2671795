//! Making a term have a value by changing inputs.
//!
//! Values are pushed down through the operations that can be inverted while their other operands stay as they are (A. Niemetz,
//! M. Preiner and A. Biere, "Propagation based local search for bit-precise reasoning", 2017). Where there are several
//! ways, a number chooses. Boundary: a result is a candidate; whether it does what it should is seen by evaluation.

mod floats;

use taw_expr::{Array, ArrayNode, Assignment, BinOp, Node, Term, Terms};

use crate::scratch::Scratch;

/// Deeper terms are left alone.
const MAX_DEPTH: u32 = 200;

/// An assignment being changed.
pub(crate) struct Force {
    /// The assignment so far.
    pub model: Assignment,
    /// Mixed-radix digits: each decision takes one.
    choice: u32,
    depth: u32,
}

fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}

impl Force {
    /// Starts from `model`; `choice` numbers the ways.
    pub fn new(model: Assignment, choice: u32) -> Self {
        Self { model, choice, depth: 0 }
    }

    pub(super) fn choose(&mut self, ways: u32) -> u32 {
        let way = self.choice % ways;
        self.choice /= ways;
        way
    }

    /// The present value of a term.
    pub(super) fn now(&self, terms: &Terms, scratch: &mut Scratch, t: Term) -> u64 {
        scratch.begin();
        scratch.eval(terms, &self.model, t)
    }

    /// Tries to make a condition true or false; says whether it found a way.
    pub fn truth(&mut self, terms: &Terms, scratch: &mut Scratch, t: Term, want: bool) -> bool {
        if (self.now(terms, scratch, t) != 0) == want {
            return true;
        }
        if self.depth > MAX_DEPTH {
            return false;
        }
        self.depth += 1;
        let done = match *terms.node(t) {
            Node::Bin(BinOp::Xor, a, b) if terms.as_u64(b) == Some(1) => self.truth(terms, scratch, a, !want),
            Node::Bin(BinOp::Xor, a, b) => {
                let (first, _) = self.mover(terms, a, b);
                let now = self.now(terms, scratch, first) != 0;
                self.truth(terms, scratch, first, !now)
            }
            // Both, or any one of them, as conjunction or disjunction wants it.
            Node::Bin(op @ (BinOp::And | BinOp::Or), a, b) => match (op == BinOp::And) == want {
                true => self.truth(terms, scratch, a, want) && self.truth(terms, scratch, b, want),
                false => {
                    let one = if self.choose(2) == 0 { a } else { b };
                    self.truth(terms, scratch, one, want)
                }
            },
            Node::Bin(BinOp::Eq, a, b) if want => self.equal(terms, scratch, a, b),
            Node::Bin(BinOp::Eq, a, b) => self.different(terms, scratch, a, b),
            Node::Bin(BinOp::Ult, a, b) => self.less(terms, scratch, (a, b), want, Strict::Yes, 0),
            Node::Bin(BinOp::Ule, a, b) => self.less(terms, scratch, (a, b), want, Strict::No, 0),
            Node::Bin(BinOp::Slt, a, b) => {
                let sign = 1u64.checked_shl(terms.width(a) - 1).unwrap_or(0);
                self.less(terms, scratch, (a, b), want, Strict::Yes, sign)
            }
            Node::Bin(BinOp::Sle, a, b) => {
                let sign = 1u64.checked_shl(terms.width(a) - 1).unwrap_or(0);
                self.less(terms, scratch, (a, b), want, Strict::No, sign)
            }
            Node::FloatCmp(op, format, a, b) => self.float_truth(terms, scratch, (op, format, a, b), want),
            _ => self.value(terms, scratch, t, u64::from(want)),
        };
        self.depth -= 1;
        done
    }

    fn equal(&mut self, terms: &Terms, scratch: &mut Scratch, a: Term, b: Term) -> bool {
        if terms.width(a) > 64 {
            return false;
        }
        let (moving, fixed) = self.mover(terms, a, b);
        let value = self.now(terms, scratch, fixed);
        self.value(terms, scratch, moving, value)
    }

    fn different(&mut self, terms: &Terms, scratch: &mut Scratch, a: Term, b: Term) -> bool {
        if terms.width(a) > 64 {
            return false;
        }
        let (moving, fixed) = self.mover(terms, a, b);
        let value = self.now(terms, scratch, fixed);
        let other = [value.wrapping_add(1), value.wrapping_sub(1), 0, !value][self.choose(4) as usize];
        self.value(terms, scratch, moving, other & mask(terms.width(a)))
    }

    /// Which operand changes: the one with inputs, or a choice.
    pub(super) fn mover(&mut self, terms: &Terms, a: Term, b: Term) -> (Term, Term) {
        match (terms.vars_of(a).is_empty(), terms.vars_of(b).is_empty()) {
            (true, _) => (b, a),
            (_, true) => (a, b),
            _ if self.choose(2) == 0 => (a, b),
            _ => (b, a),
        }
    }

    /// `a < b` (or `a <= b`, or the negation of one), with `sign` toggled so that the order is unsigned.
    fn less(
        &mut self,
        terms: &Terms,
        scratch: &mut Scratch,
        (a, b): (Term, Term),
        want: bool,
        strict: Strict,
        sign: u64,
    ) -> bool {
        if terms.width(a) > 64 {
            return false;
        }
        let max = mask(terms.width(a));
        // not (a < b) is b <= a
        let (low, high) = if want { (a, b) } else { (b, a) };
        let gap = u64::from((strict == Strict::Yes) == want);
        let (x, y) = (self.now(terms, scratch, low) ^ sign, self.now(terms, scratch, high) ^ sign);
        let down = y.checked_sub(gap);
        let up = x.checked_add(gap).filter(|&v| v <= max);
        let (movable_low, movable_high) = (!terms.vars_of(low).is_empty(), !terms.vars_of(high).is_empty());
        // Just far enough, on either side; all the way; exchanged.
        let ways = [
            (Some(low), down),
            (Some(high), up),
            (Some(low), down.map(|_| 0)),
            (Some(high), up.map(|_| max)),
            (None, None),
        ];
        let ways: Vec<_> = ways
            .into_iter()
            .filter(|(t, value)| match t {
                None => movable_low && movable_high && x != y,
                Some(t) => value.is_some() && (if *t == low { movable_low } else { movable_high }),
            })
            .collect();
        if ways.is_empty() {
            return false;
        }
        match ways[self.choose(ways.len() as u32) as usize] {
            (Some(t), Some(value)) => self.value(terms, scratch, t, value ^ sign),
            _ => self.value(terms, scratch, low, y ^ sign) && self.value(terms, scratch, high, x ^ sign),
        }
    }

    /// Tries to give a term of at most 64 bits a value; says whether it found a way.
    pub fn value(&mut self, terms: &Terms, scratch: &mut Scratch, t: Term, value: u64) -> bool {
        let width = terms.width(t);
        if width > 64 || self.depth > MAX_DEPTH {
            return false;
        }
        let value = value & mask(width);
        self.depth += 1;
        let done = match *terms.node(t) {
            Node::Const(ref bits) => bits.as_u64() == Some(value),
            Node::Var(v) => {
                self.model.set(v, value);
                true
            }
            Node::Bin(op, ..) if width == 1 && is_logical(op) => self.truth(terms, scratch, t, value != 0),
            Node::Bin(op, a, b) => self.bin(terms, scratch, (op, a, b), width, value),
            Node::Extract { arg, lo, .. } if terms.width(arg) <= 64 => {
                let field = mask(width) << lo;
                let old = self.now(terms, scratch, arg);
                self.value(terms, scratch, arg, old & !field | value << lo)
            }
            Node::ZExt(a, _) => value <= mask(terms.width(a)) && self.value(terms, scratch, a, value),
            Node::SExt(a, _) => {
                let unused = 64 - terms.width(a);
                let extended = (((value << unused) as i64) >> unused) as u64 & mask(width);
                extended == value && self.value(terms, scratch, a, value)
            }
            Node::Ite(c, a, b) => {
                let taken = (self.now(terms, scratch, c) != 0) == (self.choose(2) == 0);
                self.truth(terms, scratch, c, taken) && self.value(terms, scratch, if taken { a } else { b }, value)
            }
            Node::Select(array, index) => self.element(terms, scratch, array, index, value),
            Node::FloatCmp(..) => self.truth(terms, scratch, t, value != 0),
            Node::Apply(..) => false,
            _ => self.float_value(terms, scratch, t, value),
        };
        self.depth -= 1;
        done
    }

    /// Inverts an operation in one operand.
    fn bin(
        &mut self,
        terms: &Terms,
        scratch: &mut Scratch,
        (op, a, b): (BinOp, Term, Term),
        width: u32,
        value: u64,
    ) -> bool {
        let (x, y) = (self.now(terms, scratch, a), self.now(terms, scratch, b));
        let all = mask(width);
        if op.is_commutative() {
            let (moving, _) = self.mover(terms, a, b);
            let (old, other) = if moving == a { (x, y) } else { (y, x) };
            let needed = match op {
                BinOp::Add => Some(value.wrapping_sub(other)),
                BinOp::Xor => Some(value ^ other),
                BinOp::And => (value & !other == 0).then_some(old & !other | value),
                BinOp::Or => (value & other == other).then_some(old & other | value & !other),
                _ => quotient(value, other, width),
            };
            return needed.is_some_and(|needed| self.value(terms, scratch, moving, needed));
        }
        match op {
            BinOp::Concat => {
                let low = terms.width(b);
                self.value(terms, scratch, b, value & mask(low)) && self.value(terms, scratch, a, value >> low)
            }
            BinOp::Sub => match self.mover(terms, a, b) {
                (moving, _) if moving == a => self.value(terms, scratch, a, value.wrapping_add(y)),
                _ => self.value(terms, scratch, b, x.wrapping_sub(value)),
            },
            BinOp::Shl if y < u64::from(width) && value & mask_below(y) == 0 => {
                let kept = x & !(all >> y);
                self.value(terms, scratch, a, kept | value >> y)
            }
            BinOp::LShr if y < u64::from(width) && value <= all >> y => {
                self.value(terms, scratch, a, value << y | x & mask_below(y))
            }
            BinOp::UDiv if y != 0 => {
                value.checked_mul(y).filter(|v| *v <= all).is_some_and(|v| self.value(terms, scratch, a, v))
            }
            BinOp::URem if value < y => {
                let base = x - x % y;
                base.checked_add(value).filter(|v| *v <= all).is_some_and(|v| self.value(terms, scratch, a, v))
            }
            _ => false,
        }
    }

    /// An element with the value if the index can move, else the element itself.
    fn element(&mut self, terms: &Terms, scratch: &mut Scratch, array: Array, index: Term, value: u64) -> bool {
        let ArrayNode::Elements(elements) = terms.array(array) else { return false };
        let at = self.now(terms, scratch, index);
        if !terms.vars_of(index).is_empty() {
            let mut hits = (0..elements.len()).filter(|&i| terms.as_u64(elements[i]) == Some(value));
            let skip = self.choose(2) as usize;
            if let Some(hit) = hits.nth(skip) {
                return self.value(terms, scratch, index, hit as u64);
            }
        }
        let last = elements.len() - 1;
        let element = elements[usize::try_from(at).map_or(last, |at| at.min(last))];
        self.value(terms, scratch, element, value)
    }
}

/// Whether an operation of width 1 is understood as a truth value.
fn is_logical(op: BinOp) -> bool {
    op.is_comparison() || matches!(op, BinOp::And | BinOp::Or | BinOp::Xor)
}

/// Whether a comparison excludes equality.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Strict {
    Yes,
    No,
}

fn mask_below(bits: u64) -> u64 {
    (1 << bits) - 1
}

/// Some `q` with `q * factor = value` modulo `2^width`, if there is one.
fn quotient(value: u64, factor: u64, width: u32) -> Option<u64> {
    if factor == 0 {
        return None;
    }
    let shift = factor.trailing_zeros();
    if value & mask_below(u64::from(shift)) != 0 {
        return None;
    }
    let odd = factor >> shift;
    // Newton's iteration for the inverse: each step doubles the number of right bits, from five on.
    let mut inverse = (3u64.wrapping_mul(odd)) ^ 2;
    for _ in 0..4 {
        inverse = inverse.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(inverse)));
    }
    Some((value >> shift).wrapping_mul(inverse) & (mask(width) >> shift))
}
