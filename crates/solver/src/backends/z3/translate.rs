//! From terms to Z3's expressions. Each term is translated once per context.
//!
//! Invariant: the translation is exact, the bits of NaNs included, so both of Z3's answers hold for the terms.

use rustc_hash::{FxHashMap, FxHashSet};
use taw_expr::{Array, ArrayNode, BinOp, Bits, FloatBin, FloatFormat, Node, Term, Terms, Var};
use z3_sys::*;

use super::raw::{Ast, Binary, Z3, Z3Failure};

/// Why a term has no translation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Z3Refusal {
    /// An opaque function, by its number.
    Opaque(taw_expr::OpaqueFunction),
    /// C's `fmod`: Z3 has only IEEE's remainder.
    FloatRemainder,
    /// Z3 said no.
    Failed(Z3Failure),
}

impl From<Z3Failure> for Z3Refusal {
    fn from(failure: Z3Failure) -> Self {
        Self::Failed(failure)
    }
}

/// A translated term: width 1 is a truth value wherever that is its nature.
#[derive(Clone, Copy)]
pub(super) enum Form {
    Truth(Ast),
    Bits(Ast),
}

/// The terms that one Z3 context knows.
pub(crate) struct Translator {
    pub z3: Z3,
    forms: FxHashMap<Term, Form>,
    /// Terms as floats; a pattern may be read in several formats.
    pub(super) floats: FxHashMap<(Term, FloatFormat), Ast>,
    arrays: FxHashMap<Array, Ast>,
    /// Arrays whose terms are all translated.
    known_arrays: FxHashSet<Array>,
}

/// Larger arrays become arrays of Z3.
const MAX_TREE: usize = 4096;

impl Translator {
    /// Knows nothing yet.
    pub fn new(z3: Z3) -> Self {
        let (forms, floats, arrays) = (FxHashMap::default(), FxHashMap::default(), FxHashMap::default());
        Self { z3, forms, floats, arrays, known_arrays: FxHashSet::default() }
    }

    /// How many terms are translated.
    pub fn len(&self) -> usize {
        self.forms.len()
    }

    /// A condition as a formula.
    pub fn condition(&mut self, terms: &Terms, t: Term) -> Result<Ast, Z3Refusal> {
        self.translate_all(terms, t)?;
        Ok(self.truth(t)?)
    }

    /// The expression of an input.
    pub fn input(&self, terms: &Terms, v: Var) -> Result<Ast, Z3Failure> {
        let sort = self.z3.bv_sort(terms.vars()[v.0 as usize].width)?;
        self.z3.free(&format!("v{}", v.0), sort)
    }

    /// Translates `root` and all it needs, without recursion: terms can be deep.
    fn translate_all(&mut self, terms: &Terms, root: Term) -> Result<(), Z3Refusal> {
        let mut pending = vec![root];
        while let Some(&t) = pending.last() {
            if !self.forms.contains_key(&t) {
                let count = pending.len();
                self.push_missing(terms, t, &mut pending);
                if pending.len() > count {
                    continue;
                }
                let form = self.translate(terms, t)?;
                self.forms.insert(t, form);
            }
            pending.pop();
        }
        Ok(())
    }

    /// Pushes the operands of `t` that are not translated yet.
    fn push_missing(&self, terms: &Terms, t: Term, pending: &mut Vec<Term>) {
        let is_missing = |t: &Term| !self.forms.contains_key(t);
        match *terms.node(t) {
            // The terms of a known array are known: large tables are walked once.
            Node::Select(array, index) if self.known_arrays.contains(&array) => {
                pending.extend(Some(index).filter(is_missing));
            }
            _ => pending.extend(terms.children(t).filter(is_missing)),
        }
    }

    /// Translates `t`, whose operands are translated.
    fn translate(&mut self, terms: &Terms, t: Term) -> Result<Form, Z3Refusal> {
        let width = terms.width(t);
        Ok(match *terms.node(t) {
            Node::Const(ref bits) if width == 1 => {
                Form::Truth(self.z3.nullary(if bits.is_zero() { Z3_mk_false } else { Z3_mk_true })?)
            }
            Node::Const(ref bits) => Form::Bits(self.constant(bits)?),
            Node::Var(v) => Form::Bits(self.input(terms, v)?),
            Node::Bin(op, a, b) => self.bin(op, a, b, width)?,
            Node::Extract { arg, lo, width } => Form::Bits(self.z3.extract(self.bits(arg)?, lo, width)?),
            Node::ZExt(a, _) => Form::Bits(self.z3.indexed(Z3_mk_zero_ext, width - terms.width(a), self.bits(a)?)?),
            Node::SExt(a, _) => Form::Bits(self.z3.indexed(Z3_mk_sign_ext, width - terms.width(a), self.bits(a)?)?),
            Node::Ite(c, a, b) if width == 1 => {
                Form::Truth(self.z3.ternary(Z3_mk_ite, self.truth(c)?, self.truth(a)?, self.truth(b)?)?)
            }
            Node::Ite(c, a, b) => {
                Form::Bits(self.z3.ternary(Z3_mk_ite, self.truth(c)?, self.bits(a)?, self.bits(b)?)?)
            }
            Node::Select(array, index) => Form::Bits(self.select(terms, array, index)?),
            Node::Apply(function, ..) => return Err(Z3Refusal::Opaque(function)),
            Node::FloatBin(FloatBin::Rem, ..) => return Err(Z3Refusal::FloatRemainder),
            Node::FloatCmp(op, fmt, a, b) => Form::Truth(self.float_cmp(op, fmt, a, b)?),
            _ => Form::Bits(self.float(terms, t)?),
        })
    }

    /// A translated term as bits.
    pub(super) fn bits(&self, t: Term) -> Result<Ast, Z3Failure> {
        match self.forms[&t] {
            Form::Bits(bits) => Ok(bits),
            Form::Truth(truth) => self.z3.ternary(Z3_mk_ite, truth, self.number(1, 1)?, self.number(1, 0)?),
        }
    }

    /// A translated term of width 1 as a truth value.
    fn truth(&self, t: Term) -> Result<Ast, Z3Failure> {
        match self.forms[&t] {
            Form::Truth(truth) => Ok(truth),
            Form::Bits(bits) => self.z3.binary(Z3_mk_eq, bits, self.number(1, 1)?),
        }
    }

    /// A number of at most 64 bits.
    pub(super) fn number(&self, width: u32, value: u64) -> Result<Ast, Z3Failure> {
        self.z3.number(value, self.z3.bv_sort(width)?)
    }

    /// A constant of any width, word by word.
    pub(super) fn constant(&self, bits: &Bits) -> Result<Ast, Z3Failure> {
        let mut whole: Option<Ast> = None;
        let mut left = bits.width();
        for word in bits.words() {
            let width = left.min(64);
            let part = self.number(width, word)?;
            whole = Some(match whole {
                None => part,
                Some(low) => self.z3.binary(Z3_mk_concat, part, low)?,
            });
            left -= width;
        }
        whole.ok_or_else(|| Z3Failure("a constant without bits".to_owned()))
    }

    fn bin(&self, op: BinOp, a: Term, b: Term, width: u32) -> Result<Form, Z3Failure> {
        let compare = |f: Binary| self.z3.binary(f, self.bits(a)?, self.bits(b)?).map(Form::Truth);
        let compute = |f: Binary| self.z3.binary(f, self.bits(a)?, self.bits(b)?).map(Form::Bits);
        match op {
            BinOp::And if width == 1 => self.z3.and(&[self.truth(a)?, self.truth(b)?]).map(Form::Truth),
            BinOp::Or if width == 1 => self.z3.or(&[self.truth(a)?, self.truth(b)?]).map(Form::Truth),
            BinOp::Xor if width == 1 => self.z3.binary(Z3_mk_xor, self.truth(a)?, self.truth(b)?).map(Form::Truth),
            BinOp::Add => compute(Z3_mk_bvadd),
            BinOp::Sub => compute(Z3_mk_bvsub),
            BinOp::Mul => compute(Z3_mk_bvmul),
            BinOp::UDiv => compute(Z3_mk_bvudiv),
            BinOp::SDiv => compute(Z3_mk_bvsdiv),
            BinOp::URem => compute(Z3_mk_bvurem),
            BinOp::SRem => compute(Z3_mk_bvsrem),
            BinOp::Shl => compute(Z3_mk_bvshl),
            BinOp::LShr => compute(Z3_mk_bvlshr),
            BinOp::AShr => compute(Z3_mk_bvashr),
            BinOp::And => compute(Z3_mk_bvand),
            BinOp::Or => compute(Z3_mk_bvor),
            BinOp::Xor => compute(Z3_mk_bvxor),
            BinOp::Concat => compute(Z3_mk_concat),
            BinOp::Eq => compare(Z3_mk_eq),
            BinOp::Ult => compare(Z3_mk_bvult),
            BinOp::Ule => compare(Z3_mk_bvule),
            BinOp::Slt => compare(Z3_mk_bvslt),
            BinOp::Sle => compare(Z3_mk_bvsle),
        }
    }

    /// The element at an index: a tree of conditionals where that is small (Z3's theory of arrays is a thousand times as
    /// slow on tables), else a read.
    fn select(&mut self, terms: &Terms, array: Array, index: Term) -> Result<Ast, Z3Failure> {
        let index = self.bits(index)?;
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
        self.known_arrays.insert(array);
        if elements.len() > MAX_TREE {
            let array = self.array(terms, array)?;
            return self.z3.binary(Z3_mk_select, array, index);
        }
        let mut result = self.tree(elements, index)?;
        for (at, value) in stores.into_iter().rev() {
            let hit = self.z3.binary(Z3_mk_eq, index, self.bits(at)?)?;
            result = self.z3.ternary(Z3_mk_ite, hit, self.bits(value)?, result)?;
        }
        Ok(result)
    }

    /// A tree of conditionals over the bits of the index; past the end is the last element.
    fn tree(&self, elements: &[Term], index: Ast) -> Result<Ast, Z3Failure> {
        let last = elements.len() as u64 - 1;
        let end = self.number(Terms::INDEX_WIDTH, last)?;
        let is_inside = self.z3.binary(Z3_mk_bvult, index, end)?;
        let index = self.z3.ternary(Z3_mk_ite, is_inside, index, end)?;
        let mut level = elements.iter().map(|&e| self.bits(e)).collect::<Result<Vec<_>, _>>()?;
        let mut bit = 0;
        while level.len() > 1 {
            let is_odd = self.z3.binary(Z3_mk_eq, self.z3.extract(index, bit, 1)?, self.number(1, 1)?)?;
            let pairs = level.chunks(2).map(|pair| match pair {
                [even, odd] if even != odd => self.z3.ternary(Z3_mk_ite, is_odd, *odd, *even),
                _ => Ok(pair[0]),
            });
            level = pairs.collect::<Result<_, _>>()?;
            bit += 1;
        }
        Ok(level[0])
    }

    /// An array whose terms are translated: the last element everywhere (as reads past the end give it), the others
    /// stored over it.
    fn array(&mut self, terms: &Terms, array: Array) -> Result<Ast, Z3Failure> {
        let mut above = vec![array];
        let mut below = loop {
            let at = above[above.len() - 1];
            if let Some(&known) = self.arrays.get(&at) {
                above.pop();
                break known;
            }
            match terms.array(at) {
                ArrayNode::Elements(elements) => break self.elements(elements)?,
                &ArrayNode::Store { base, .. } => above.push(base),
            }
        };
        for at in above.into_iter().rev() {
            if let &ArrayNode::Store { index, value, .. } = terms.array(at) {
                below = self.z3.ternary(Z3_mk_store, below, self.bits(index)?, self.bits(value)?)?;
            }
            self.arrays.insert(at, below);
        }
        Ok(below)
    }

    fn elements(&self, elements: &[Term]) -> Result<Ast, Z3Failure> {
        let last = elements[elements.len() - 1];
        let mut array = self.z3.constant_array(self.z3.bv_sort(Terms::INDEX_WIDTH)?, self.bits(last)?)?;
        for (at, &element) in elements.iter().enumerate().filter(|(_, e)| **e != last) {
            let index = self.number(Terms::INDEX_WIDTH, at as u64)?;
            array = self.z3.ternary(Z3_mk_store, array, index, self.bits(element)?)?;
        }
        Ok(array)
    }
}
