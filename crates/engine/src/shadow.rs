//! Which bits of a term depend on memory that nobody has written (`--check uninit`), as a term of the same width.
//!
//! A value that only some inputs leave uninitialised is an error for those inputs, and the others go on: so the answer is a
//! condition, not a yes or no. Bits that masks, choices and shifts leave out do not count; arithmetic mixes all bits of its
//! operands, which may call bits uninitialised that are not.
//!
//! Invariant: the value of a shadow does not depend on uninitialised memory itself.

use std::collections::HashMap;

use taw_expr::{Array, ArrayNode, BinOp, Bits, Node, Term, Terms, Var};

/// Variables that stand for memory that nobody has written, and the shadows of terms made of them.
#[derive(Default)]
pub(crate) struct Shadows {
    /// By number on a path, which is ascending: paths share them.
    unwritten: Vec<Var>,
    terms: HashMap<Term, Term>,
    arrays: HashMap<Array, Array>,
}

impl Shadows {
    /// The variable of 64 bits with that number; to be taken in order.
    pub fn unwritten(&mut self, terms: &mut Terms, number: usize) -> Term {
        if number == self.unwritten.len() {
            self.unwritten.push(terms.new_var(&format!("uninitialised_{number}"), 64));
        }
        terms.var(self.unwritten[number])
    }

    /// Forgets shadows, which are made again when they are asked for.
    pub fn forget(&mut self) {
        self.terms.clear();
        self.arrays.clear();
    }

    /// Whether no bit can depend on such a variable.
    fn is_clean(&self, terms: &Terms, t: Term) -> bool {
        self.unwritten.is_empty() || !terms.vars_in(terms.vars_of(t)).any(|v| self.unwritten.binary_search(&v).is_ok())
    }

    /// Whether (width 1) some bit of a term depends on unwritten memory; none if surely none does.
    pub fn depends(&mut self, terms: &mut Terms, t: Term) -> Option<Term> {
        if self.is_clean(terms, t) {
            return None;
        }
        let shadow = self.of(terms, t);
        Some(any(terms, shadow))
    }

    /// The shadow of a term. Operands come first, on a stack of our own: terms are deep.
    fn of(&mut self, terms: &mut Terms, t: Term) -> Term {
        let mut stack = vec![t];
        while let Some(&top) = stack.last() {
            if self.terms.contains_key(&top) {
                stack.pop();
                continue;
            }
            let waiting: Vec<Term> = terms.children(top).filter(|c| !self.terms.contains_key(c)).collect();
            if waiting.is_empty() || self.is_clean(terms, top) {
                stack.pop();
                let shadow = self.made(terms, top);
                self.terms.insert(top, shadow);
            } else {
                stack.extend(waiting);
            }
        }
        self.terms[&t]
    }

    /// The shadow of a term whose operands have theirs.
    fn made(&mut self, terms: &mut Terms, t: Term) -> Term {
        let width = terms.width(t);
        if self.is_clean(terms, t) {
            return terms.constant(Bits::zero(width));
        }
        match terms.node(t).clone() {
            Node::Var(_) => terms.constant(Bits::ones(width)),
            Node::Extract { arg, lo, width } => terms.extract(self.terms[&arg], lo, width),
            Node::ZExt(arg, width) => terms.zext(self.terms[&arg], width),
            Node::SExt(arg, width) => terms.sext(self.terms[&arg], width),
            Node::Ite(c, a, b) => {
                let (of_c, of_a, of_b) = (self.terms[&c], self.terms[&a], self.terms[&b]);
                let chosen = terms.ite(c, of_a, of_b);
                let all = terms.constant(Bits::ones(width));
                terms.ite(of_c, all, chosen)
            }
            Node::Bin(op, a, b) => self.of_bin(terms, op, (a, b), width),
            Node::Select(array, index) => {
                let array = self.of_array(terms, array);
                let found = terms.select(array, index);
                let index = self.terms[&index];
                smeared(terms, &[index], Some(found), width)
            }
            _ => {
                let operands: Vec<Term> = terms.children(t).map(|c| self.terms[&c]).collect();
                smeared(terms, &operands, None, width)
            }
        }
    }

    fn of_bin(&mut self, terms: &mut Terms, op: BinOp, (a, b): (Term, Term), width: u32) -> Term {
        let (of_a, of_b) = (self.terms[&a], self.terms[&b]);
        match op {
            BinOp::Xor => terms.or(of_a, of_b),
            BinOp::And | BinOp::Or => {
                // A bit of one operand is of no matter where the other alone decides.
                let (open_a, open_b) = match op {
                    BinOp::And => (a, b),
                    _ => (terms.not(a), terms.not(b)),
                };
                let open_a = terms.or(open_a, of_a);
                let open_b = terms.or(open_b, of_b);
                let (x, y) = (terms.and(of_a, open_b), terms.and(of_b, open_a));
                terms.or(x, y)
            }
            BinOp::Concat => terms.concat(of_a, of_b),
            BinOp::Shl | BinOp::LShr | BinOp::AShr => {
                let shifted = terms.bin(op, of_a, b);
                smeared(terms, &[of_b], Some(shifted), width)
            }
            _ => smeared(terms, &[of_a, of_b], None, width),
        }
    }

    fn of_array(&mut self, terms: &mut Terms, array: Array) -> Array {
        if let Some(&shadow) = self.arrays.get(&array) {
            return shadow;
        }
        let width = terms.element_width(array);
        let shadow = match terms.array(array).clone() {
            ArrayNode::Store { base, index, value } => {
                let base = self.of_array(terms, base);
                let (value, index_shadow) = (self.of(terms, value), self.of(terms, index));
                let value = smeared(terms, &[index_shadow], Some(value), width);
                terms.store(base, index, value)
            }
            ArrayNode::Elements(elements) => {
                let elements: Vec<Term> = elements.into_iter().map(|e| self.of(terms, e)).collect();
                terms.array_of(elements.into())
            }
        };
        self.arrays.insert(array, shadow);
        shadow
    }
}

/// Whether a shadow has a bit.
fn any(terms: &mut Terms, shadow: Term) -> Term {
    let zero = terms.constant(Bits::zero(terms.width(shadow)));
    terms.ne(shadow, zero)
}

/// All bits if one of the operands has a bit, else those of `rest`.
fn smeared(terms: &mut Terms, operands: &[Term], rest: Option<Term>, width: u32) -> Term {
    let mut some = terms.bool(false);
    for &operand in operands {
        let bit = any(terms, operand);
        some = terms.or(some, bit);
    }
    let all = terms.constant(Bits::ones(width));
    let rest = rest.unwrap_or_else(|| terms.constant(Bits::zero(width)));
    terms.ite(some, all, rest)
}
