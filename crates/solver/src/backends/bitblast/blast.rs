//! From terms to circuits. Each term is built once, for all contexts.

use rustc_hash::FxHashMap;
use taw_expr::{Array, ArrayNode, BinOp, Bits, Node, Term, Terms, Var};

use super::circuits::Word;
use super::gates::{Gates, Lit};

/// Larger arrays are left to a back end that has a theory for them.
const MAX_ELEMENTS: usize = 1 << 16;

/// What bit-blasting does not understand in a term.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BlastRefusal {
    /// A float operation.
    Float,
    /// An opaque function.
    Opaque,
    /// An array of more than `MAX_ELEMENTS` elements.
    LargeArray,
}

/// The circuits of all terms so far.
#[derive(Default)]
pub(crate) struct Blaster {
    pub gates: Gates,
    words: FxHashMap<Term, Word>,
    inputs: FxHashMap<Var, Word>,
    arrays: FxHashMap<Array, Vec<Word>>,
    /// Quotient and remainder are one circuit: unsigned and signed, by operands.
    divisions: FxHashMap<(Signedness, Word, Word), (Word, Word)>,
    refused: FxHashMap<Term, BlastRefusal>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Signedness {
    Unsigned,
    Signed,
}

impl Blaster {
    /// The circuit of a condition.
    pub fn condition(&mut self, terms: &Terms, t: Term) -> Result<Lit, BlastRefusal> {
        self.word(terms, t).map(|word| word[0])
    }

    /// The circuit of a term.
    pub fn word(&mut self, terms: &Terms, t: Term) -> Result<&[Lit], BlastRefusal> {
        if let Some(&why) = self.refused.get(&t) {
            return Err(why);
        }
        self.build_all(terms, t).inspect_err(|&why| {
            self.refused.insert(t, why);
        })?;
        Ok(&self.words[&t])
    }

    /// The bits of an input, if any circuit has them.
    pub fn input(&self, v: Var) -> Option<&[Lit]> {
        self.inputs.get(&v).map(Vec::as_slice)
    }

    /// Builds `root` and all it needs, without recursion: terms can be deep.
    fn build_all(&mut self, terms: &Terms, root: Term) -> Result<(), BlastRefusal> {
        let mut pending = vec![root];
        while let Some(&t) = pending.last() {
            if self.words.contains_key(&t) {
                pending.pop();
                continue;
            }
            let count = pending.len();
            self.push_missing(terms, t, &mut pending)?;
            if pending.len() == count {
                let word = self.build(terms, t);
                debug_assert_eq!(word.len(), terms.width(t) as usize);
                self.words.insert(t, word);
                pending.pop();
            }
        }
        Ok(())
    }

    /// Pushes the operands of `t` that are not built yet.
    fn push_missing(&self, terms: &Terms, t: Term, pending: &mut Vec<Term>) -> Result<(), BlastRefusal> {
        let mut need = |t: Term| {
            if !self.words.contains_key(&t) {
                pending.push(t);
            }
        };
        match *terms.node(t) {
            Node::Const(_) | Node::Var(_) => {}
            Node::Bin(_, a, b) => [a, b].into_iter().for_each(need),
            Node::Extract { arg, .. } | Node::ZExt(arg, _) | Node::SExt(arg, _) => need(arg),
            Node::Ite(a, b, c) => [a, b, c].into_iter().for_each(need),
            Node::Select(array, index) => {
                need(index);
                self.push_missing_elements(terms, array, &mut need)?;
            }
            Node::FloatUn(..)
            | Node::FloatBin(..)
            | Node::Fma(..)
            | Node::FloatCmp(..)
            | Node::FloatToFloat(..)
            | Node::FloatToInt { .. }
            | Node::IntToFloat { .. } => return Err(BlastRefusal::Float),
            Node::Apply(..) => return Err(BlastRefusal::Opaque),
        }
        Ok(())
    }

    fn push_missing_elements(
        &self,
        terms: &Terms,
        mut array: Array,
        need: &mut impl FnMut(Term),
    ) -> Result<(), BlastRefusal> {
        loop {
            match terms.array(array) {
                &ArrayNode::Store { base, index, value } => {
                    need(index);
                    need(value);
                    array = base;
                }
                ArrayNode::Elements(elements) if elements.len() > MAX_ELEMENTS => return Err(BlastRefusal::LargeArray),
                ArrayNode::Elements(elements) => {
                    if !self.arrays.contains_key(&array) {
                        elements.iter().for_each(|&e| need(e));
                    }
                    return Ok(());
                }
            }
        }
    }

    /// The circuit of `t`, whose operands are built.
    fn build(&mut self, terms: &Terms, t: Term) -> Word {
        let width = terms.width(t) as usize;
        match *terms.node(t) {
            Node::Const(ref bits) => constant(bits),
            Node::Var(v) => {
                let gates = &mut self.gates;
                self.inputs.entry(v).or_insert_with(|| (0..width).map(|_| gates.input()).collect()).clone()
            }
            Node::Bin(op, a, b) => self.build_bin(op, a, b),
            Node::Extract { arg, lo, .. } => self.words[&arg][lo as usize..][..width].to_vec(),
            Node::ZExt(arg, _) => self.extended(arg, width, |_| Lit::FALSE),
            Node::SExt(arg, _) => self.extended(arg, width, |word| word[word.len() - 1]),
            Node::Ite(c, a, b) => self.gates.choose(self.words[&c][0], &self.words[&a], &self.words[&b]),
            Node::Select(array, index) => self.build_select(terms, array, index),
            _ => unreachable!("`push_missing` refuses it"),
        }
    }

    fn extended(&self, arg: Term, width: usize, fill: fn(&[Lit]) -> Lit) -> Word {
        let mut word = self.words[&arg].clone();
        let fill = fill(&word);
        word.resize(width, fill);
        word
    }

    fn build_bin(&mut self, op: BinOp, a: Term, b: Term) -> Word {
        let gates = &mut self.gates;
        let (a, b) = (&self.words[&a], &self.words[&b]);
        match op {
            BinOp::Add => gates.add(a, b, Lit::FALSE),
            BinOp::Sub => gates.sub(a, b),
            BinOp::Mul => gates.mul(a, b),
            BinOp::UDiv => divided(gates, &mut self.divisions, Signedness::Unsigned, a, b).0.clone(),
            BinOp::URem => divided(gates, &mut self.divisions, Signedness::Unsigned, a, b).1.clone(),
            BinOp::SDiv => divided(gates, &mut self.divisions, Signedness::Signed, a, b).0.clone(),
            BinOp::SRem => divided(gates, &mut self.divisions, Signedness::Signed, a, b).1.clone(),
            BinOp::Shl => gates.shl(a, b),
            BinOp::LShr => gates.shr(a, b, Lit::FALSE),
            BinOp::AShr => gates.shr(a, b, a[a.len() - 1]),
            BinOp::And => a.iter().zip(b).map(|(&a, &b)| gates.and(a, b)).collect(),
            BinOp::Or => a.iter().zip(b).map(|(&a, &b)| gates.or(a, b)).collect(),
            BinOp::Xor => a.iter().zip(b).map(|(&a, &b)| gates.xor(a, b)).collect(),
            BinOp::Concat => [b.as_slice(), a.as_slice()].concat(),
            BinOp::Eq => vec![gates.equal(a, b)],
            BinOp::Ult => vec![gates.ult(a, b)],
            BinOp::Ule => vec![!gates.ult(b, a)],
            BinOp::Slt => vec![gates.slt(a, b)],
            BinOp::Sle => vec![!gates.slt(b, a)],
        }
    }

    /// Stores are multiplexers over the array below them.
    fn build_select(&mut self, terms: &Terms, array: Array, index: Term) -> Word {
        let index = self.words[&index].clone();
        let mut stores = Vec::new();
        let mut bottom = array;
        while let &ArrayNode::Store { base, index, value } = terms.array(bottom) {
            stores.push((index, value));
            bottom = base;
        }
        let ArrayNode::Elements(elements) = terms.array(bottom) else { unreachable!("an array ends in its elements") };
        let words = &self.words;
        let elements = self.arrays.entry(bottom).or_insert_with(|| elements.iter().map(|e| words[e].clone()).collect());
        let mut result = self.gates.element(elements, &index);
        for (at, value) in stores.into_iter().rev() {
            let hit = self.gates.equal(&index, &self.words[&at]);
            result = self.gates.choose(hit, &self.words[&value], &result);
        }
        result
    }
}

fn divided<'a>(
    gates: &mut Gates,
    known: &'a mut FxHashMap<(Signedness, Word, Word), (Word, Word)>,
    signedness: Signedness,
    a: &Word,
    b: &Word,
) -> &'a (Word, Word) {
    known.entry((signedness, a.clone(), b.clone())).or_insert_with(|| match signedness {
        Signedness::Unsigned => gates.divide(a, b),
        Signedness::Signed => gates.divide_signed(a, b),
    })
}

fn constant(bits: &Bits) -> Word {
    let words: Vec<u64> = bits.words().collect();
    (0..bits.width() as usize).map(|i| Lit::constant(words[i / 64] >> (i % 64) & 1 == 1)).collect()
}
