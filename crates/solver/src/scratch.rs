//! Fast evaluation under assignments that change from call to call.
//!
//! [`taw_expr::Evaluator`] remembers values in a hash map that belongs to one assignment; here the memo is a table by term
//! index whose entries carry the number of the assignment, so that a new assignment costs nothing. Conditions that need
//! values of more than 64 bits or opaque functions fall back to the evaluator.

use taw_expr::{Array, ArrayNode, Assignment, BinOp, Bits, Evaluator, Node, Term, Terms, fold};

/// The memo.
#[derive(Default)]
pub struct Scratch {
    /// Per term: the round in which it was computed, and its value.
    memo: Vec<(u32, u64)>,
    round: u32,
    pending: Vec<Term>,
}

/// A term that only the evaluator can compute.
struct EvaluatorOnly;

fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}

impl Scratch {
    /// Must precede evaluation under a changed assignment.
    pub fn begin(&mut self) {
        self.round = self.round.wrapping_add(1);
        if self.round == 0 {
            self.memo.clear();
            self.round = 1;
        }
    }

    /// Whether a condition is true.
    pub fn holds(&mut self, terms: &Terms, assignment: &Assignment, t: Term) -> bool {
        self.eval(terms, assignment, t) != 0
    }

    /// Whether all of `conditions` are true under `assignment`, which may have changed.
    pub fn all_hold<'a>(
        &mut self,
        terms: &Terms,
        assignment: &Assignment,
        conditions: impl IntoIterator<Item = &'a Term>,
    ) -> bool {
        self.begin();
        conditions.into_iter().all(|&t| self.holds(terms, assignment, t))
    }

    /// The value of a term of at most 64 bits.
    pub fn eval(&mut self, terms: &Terms, assignment: &Assignment, root: Term) -> u64 {
        if self.memo.len() < terms.len() {
            self.memo.resize(terms.len(), (0, 0));
        }
        match self.run(terms, assignment, root) {
            Ok(value) => value,
            Err(EvaluatorOnly) => {
                self.pending.clear();
                let value = Evaluator::new(assignment.clone()).eval_u64(terms, root);
                self.memo[root.index()] = (self.round, value);
                value
            }
        }
    }

    fn run(&mut self, terms: &Terms, assignment: &Assignment, root: Term) -> Result<u64, EvaluatorOnly> {
        if let Some(value) = self.known(terms, assignment, root) {
            return Ok(value);
        }
        self.pending.push(root);
        while let Some(&t) = self.pending.last() {
            if let Some(value) = self.compute(terms, assignment, t)? {
                self.memo[t.index()] = (self.round, value);
                self.pending.pop();
            }
        }
        Ok(self.memo[root.index()].1)
    }

    /// The value if nothing has to be computed for it.
    #[inline]
    fn known(&self, terms: &Terms, assignment: &Assignment, t: Term) -> Option<u64> {
        let (round, value) = self.memo[t.index()];
        if round == self.round {
            return Some(value);
        }
        match *terms.node(t) {
            Node::Const(ref bits) => bits.as_u64(),
            Node::Var(v) => Some(assignment.value(v) & mask(terms.width(t))),
            _ => None,
        }
    }

    /// The value of an operand, or `None` and the operand is pending.
    #[inline]
    fn want(&mut self, terms: &Terms, assignment: &Assignment, t: Term) -> Option<u64> {
        let known = self.known(terms, assignment, t);
        if known.is_none() {
            self.pending.push(t);
        }
        known
    }

    /// The value of `t`, or `None` and at least one operand is pending.
    fn compute(&mut self, terms: &Terms, assignment: &Assignment, t: Term) -> Result<Option<u64>, EvaluatorOnly> {
        let width = terms.width(t);
        if width > 64 {
            return Err(EvaluatorOnly);
        }
        let mut want = |t| self.want(terms, assignment, t);
        Ok(match *terms.node(t) {
            Node::Const(_) | Node::Var(_) => want(t),
            Node::Bin(op, a, b) => match (want(a), want(b)) {
                (Some(x), Some(y)) => Some(match op {
                    BinOp::Concat => x << terms.width(b) | y,
                    _ => fold::bin_u64(op, terms.width(a), x, y),
                }),
                _ => None,
            },
            Node::Extract { arg, lo, .. } => want(arg).map(|x| x >> lo & mask(width)),
            Node::ZExt(a, _) => want(a),
            Node::SExt(a, _) => {
                let unused = 64 - terms.width(a);
                want(a).map(|x| (((x << unused) as i64) >> unused) as u64 & mask(width))
            }
            Node::Ite(c, a, b) => match want(c) {
                Some(c) => want(if c != 0 { a } else { b }),
                None => None,
            },
            Node::Select(array, index) => self.select(terms, assignment, array, index),
            Node::Apply(..) | Node::Fma(..) => return Err(EvaluatorOnly),
            _ => self.float(terms, assignment, t),
        })
    }

    fn float(&mut self, terms: &Terms, assignment: &Assignment, t: Term) -> Option<u64> {
        let mut want = |t| self.want(terms, assignment, t);
        let mut pattern = |t| want(t).map(u128::from);
        let result = match *terms.node(t) {
            Node::FloatUn(op, format, a) => fold::float_un(op, format, pattern(a)?),
            Node::FloatBin(op, format, a, b) => {
                let (x, y) = (pattern(a), pattern(b));
                fold::float_bin(op, format, x?, y?)
            }
            Node::FloatCmp(op, format, a, b) => {
                let (x, y) = (pattern(a), pattern(b));
                u128::from(fold::float_cmp(op, format, x?, y?))
            }
            Node::FloatToFloat(from, to, a) => fold::float_to_float(from, to, pattern(a)?),
            Node::FloatToInt { from, signed, arg, width } => {
                return Some(fold::float_to_int(from, signed, pattern(arg)?, width).low());
            }
            Node::IntToFloat { to, signed, arg } => {
                fold::int_to_float(to, signed, &Bits::new(terms.width(arg), want(arg)?))
            }
            ref other => unreachable!("{other:?} is no float operation"),
        };
        Some(result as u64)
    }

    fn select(&mut self, terms: &Terms, assignment: &Assignment, array: Array, index: Term) -> Option<u64> {
        let at = self.want(terms, assignment, index)?;
        let mut array = array;
        loop {
            match terms.array(array) {
                ArrayNode::Elements(elements) => {
                    let last = elements.len() - 1;
                    let at = usize::try_from(at).map_or(last, |at| at.min(last));
                    return self.want(terms, assignment, elements[at]);
                }
                &ArrayNode::Store { base, index, value } => {
                    if self.want(terms, assignment, index)? == at {
                        return self.want(terms, assignment, value);
                    }
                    array = base;
                }
            }
        }
    }
}
