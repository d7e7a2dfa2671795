//! From terms to a tape.
//!
//! Inputs may be *defined*: computed from others instead of chosen. Their definitions are compiled in their place.

use rustc_hash::{FxHashMap, FxHashSet};
use taw_expr::{Array, ArrayNode, BinOp, FloatFormat, NativeFunction, Node, Term, Terms, Var};

use super::soft::{SlotRange, Soft};
use super::{Code, Operation, Tape};

/// Longer tapes are not made: no caller has the time to run them often.
const MAX_OPERATIONS: usize = 1 << 14;

/// A tape, and where the values of the terms are.
pub(crate) struct Compiled {
    pub tape: Tape,
    pub slot_of: FxHashMap<Term, u32>,
    /// Of the native functions, by number.
    pub names: Vec<String>,
}

/// Where the elements of an array are.
#[derive(Clone, Copy)]
enum Elements {
    Table(u32),
    Choice(u32),
}

pub(crate) struct Compiler<'a> {
    terms: &'a Terms,
    defined: &'a FxHashMap<Var, Term>,
    tape: Tape,
    slot_of: FxHashMap<Term, u32>,
    elements_of: FxHashMap<Array, Elements>,
    names: Vec<String>,
}

impl<'a> Compiler<'a> {
    /// Compiles conditions on words; `None` if one of them has floats, opaque functions or values of more than 64 bits, or is
    /// too long.
    pub fn words(terms: &Terms, conditions: &[Term]) -> Option<Tape> {
        let nothing = FxHashMap::default();
        let beyond = |t: Term| terms.has_float(t) || terms.has_opaque(t);
        if conditions.iter().any(|&t| beyond(t)) {
            return None;
        }
        let compiled = Compiler::all(terms, conditions, &nothing)?;
        compiled.tape.softs.is_empty().then_some(compiled.tape)
    }

    /// Compiles conditions with whatever is in them; `None` if one has values of more than 128 bits, or is too long.
    pub fn all(terms: &'a Terms, conditions: &[Term], defined: &'a FxHashMap<Var, Term>) -> Option<Compiled> {
        let mut inputs: Vec<Var> = conditions.iter().flat_map(|&t| terms.vars_in(terms.vars_of(t))).collect();
        inputs.extend(defined.values().flat_map(|&t| terms.vars_in(terms.vars_of(t))));
        inputs.sort_unstable();
        inputs.dedup();
        let slots = vec![0; inputs.len()];
        let tape = Tape {
            inputs: inputs.into(),
            slots,
            operations: Vec::new(),
            tables: Vec::new(),
            choices: Vec::new(),
            natives: Vec::new(),
            softs: Vec::new(),
            extra: 0,
        };
        let (slot_of, elements_of, names) = Default::default();
        let mut compiler = Compiler { terms, defined, tape, slot_of, elements_of, names };
        conditions.iter().try_for_each(|&t| compiler.require(t))?;
        Some(Compiled { tape: compiler.tape, slot_of: compiler.slot_of, names: compiler.names })
    }

    /// Compiles a condition and what is new in it.
    fn require(&mut self, condition: Term) -> Option<()> {
        self.term(condition)?;
        let a = self.slot(condition);
        self.tape.operations.push(Operation { code: Code::Require, width: 1, to: a, a, b: 0, c: 0 });
        Some(())
    }

    /// Compiles a term, operands first.
    fn term(&mut self, root: Term) -> Option<()> {
        let mut entered: FxHashSet<Term> = FxHashSet::default();
        let mut pending = vec![(root, false)];
        while let Some((t, is_ready)) = pending.pop() {
            if self.terms.as_const(t).is_some() || self.slot_of.contains_key(&t) {
                continue;
            }
            if is_ready {
                let slot = self.operation(t)?;
                self.slot_of.insert(t, slot);
                continue;
            }
            let is_long = entered.len() + self.tape.len() > MAX_OPERATIONS;
            // What was entered and is not compiled leads back to itself: a circle of definitions.
            if self.terms.width(t) > 128 || is_long || !entered.insert(t) {
                return None;
            }
            pending.push((t, true));
            match *self.terms.node(t) {
                Node::Var(v) => pending.extend(self.defined.get(&v).map(|&d| (d, false))),
                _ => pending.extend(self.terms.children(t).map(|child| (child, false))),
            }
        }
        Some(())
    }

    /// The slot of a term that is a constant or compiled.
    fn slot(&mut self, t: Term) -> u32 {
        if let Some(&slot) = self.slot_of.get(&t) {
            return slot;
        }
        let value = self.terms.as_const(t).expect("operands are compiled before").low_u128();
        let slot = self.new_slot(self.terms.width(t));
        self.tape.slots[slot as usize] = value as u64;
        if self.terms.width(t) > 64 {
            self.tape.slots[slot as usize + 1] = (value >> 64) as u64;
        }
        self.slot_of.insert(t, slot);
        slot
    }

    fn place(&mut self, t: Term) -> SlotRange {
        SlotRange { slot: self.slot(t), width: self.terms.width(t) }
    }

    fn new_slot(&mut self, width: u32) -> u32 {
        let slot = self.tape.slots.len() as u32;
        self.tape.slots.extend(std::iter::repeat_n(0, if width > 64 { 2 } else { 1 }));
        slot
    }

    /// Appends an operation; gives the slot of its result.
    fn push(&mut self, code: Code, width: u32, [a, b, c]: [u32; 3]) -> u32 {
        let to = self.new_slot(1);
        self.tape.operations.push(Operation { code, width: width as u8, to, a, b, c });
        to
    }

    fn push_soft(&mut self, soft: Soft, width: u32) -> Option<u32> {
        if width > 128 {
            return None;
        }
        let to = self.new_slot(width);
        self.tape.softs.push(soft);
        let a = self.tape.softs.len() as u32 - 1;
        self.tape.operations.push(Operation { code: Code::Soft, width: width as u8, to, a, b: 0, c: 0 });
        Some(to)
    }

    fn unary(&mut self, code: Code, width: u32, a: Term, b: u32, c: u32) -> u32 {
        let a = self.slot(a);
        self.push(code, width, [a, b, c])
    }

    fn binary(&mut self, code: Code, width: u32, a: Term, b: Term, c: u32) -> u32 {
        let operands = [self.slot(a), self.slot(b), c];
        self.push(code, width, operands)
    }

    /// Compiles a term whose operands are compiled.
    fn operation(&mut self, t: Term) -> Option<u32> {
        let (terms, width) = (self.terms, self.terms.width(t));
        let narrow = width <= 64 && !matches!(*terms.node(t), Node::Apply(..)) && {
            let mut operands = terms.children(t);
            operands.all(|o| terms.width(o) <= 64)
        };
        if !narrow && !matches!(*terms.node(t), Node::Apply(..)) {
            return self.soft(t);
        }
        Some(match *terms.node(t) {
            Node::Var(v) => match self.defined.get(&v) {
                Some(&definition) => self.slot(definition),
                None => self.tape.inputs.binary_search(&v).expect("every input was collected") as u32,
            },
            Node::Bin(BinOp::Concat, a, b) => self.binary(Code::Concat, width, a, b, terms.width(b)),
            Node::Bin(op, a, b) => self.binary(Code::Bin(op), terms.width(a), a, b, 0),
            Node::Extract { arg, lo, .. } => self.unary(Code::Extract, width, arg, 0, lo),
            Node::ZExt(a, _) => self.slot(a),
            Node::SExt(a, _) => self.unary(Code::SExt, width, a, 0, terms.width(a)),
            Node::Ite(c, a, b) => {
                let operands = [self.slot(c), self.slot(a), self.slot(b)];
                self.push(Code::Ite, width, operands)
            }
            Node::Select(array, index) => return self.select(array, index),
            Node::FloatBin(op, FloatFormat::F64, a, b) => self.binary(Code::Double(op), width, a, b, 0),
            Node::FloatBin(op, FloatFormat::F32, a, b) => self.binary(Code::Single(op), width, a, b, 0),
            Node::FloatUn(op, FloatFormat::F64, a) => self.unary(Code::DoubleUn(op), width, a, 0, 0),
            Node::FloatUn(op, FloatFormat::F32, a) => self.unary(Code::SingleUn(op), width, a, 0, 0),
            Node::FloatCmp(op, FloatFormat::F64, a, b) => self.binary(Code::DoubleCmp(op), width, a, b, 0),
            Node::FloatCmp(op, FloatFormat::F32, a, b) => self.binary(Code::SingleCmp(op), width, a, b, 0),
            Node::FloatToFloat(FloatFormat::F32, FloatFormat::F64, a) => self.unary(Code::Widen, width, a, 0, 0),
            Node::IntToFloat { to: FloatFormat::F64, signed, arg } => {
                self.unary(Code::ToDouble, width, arg, u32::from(signed), terms.width(arg))
            }
            Node::Apply(function, ref args, _) => {
                let info = &terms.functions()[function.0 as usize];
                if matches!(info.eval, NativeFunction::Bits(_) | NativeFunction::Outside(_)) {
                    let args = args.iter().map(|&a| self.place(a)).collect::<Vec<_>>();
                    return self.push_soft(Soft::apply(info.eval.clone(), &args), width);
                }
                let operands = [self.slot(args[0]), self.slot(args[args.len() - 1])];
                self.tape.natives.push(info.eval.clone());
                self.names.push(info.name.clone());
                let c = self.tape.natives.len() as u32 - 1;
                self.push(Code::Native, width, [operands[0], operands[1], c])
            }
            _ => return self.soft(t),
        })
    }

    /// What has no code of its own.
    fn soft(&mut self, t: Term) -> Option<u32> {
        let (terms, width) = (self.terms, self.terms.width(t));
        if let Node::Select(..) = terms.node(t) {
            return None;
        }
        let operands: Vec<SlotRange> = terms.children(t).map(|o| self.place(o)).collect();
        self.push_soft(Soft::node(terms.node(t).clone(), width, &operands), width)
    }

    /// An array read: of the elements first, then of the stores from the oldest on, each of which may overrule.
    fn select(&mut self, mut array: Array, index: Term) -> Option<u32> {
        let terms = self.terms;
        let width = terms.element_width(array);
        let at = self.slot(index);
        let mut stores = Vec::new();
        while let &ArrayNode::Store { base, index, value } = terms.array(array) {
            stores.push((index, value));
            array = base;
        }
        if self.tape.len() + 2 * stores.len() > MAX_OPERATIONS {
            return None;
        }
        let mut result = match self.elements(array) {
            Elements::Table(table) => self.push(Code::Table, width, [at, table, 0]),
            Elements::Choice(choice) => self.push(Code::Choice, width, [at, choice, 0]),
        };
        for (index, value) in stores.into_iter().rev() {
            let (index, value) = (self.slot(index), self.slot(value));
            let same = self.push(Code::Bin(BinOp::Eq), Terms::INDEX_WIDTH, [at, index, 0]);
            result = self.push(Code::Ite, width, [same, value, result]);
        }
        Some(result)
    }

    fn elements(&mut self, array: Array) -> Elements {
        if let Some(&known) = self.elements_of.get(&array) {
            return known;
        }
        let ArrayNode::Elements(elements) = self.terms.array(array) else {
            unreachable!("the stores were taken off");
        };
        let constants: Option<Box<[u64]>> = elements.iter().map(|&e| self.terms.as_u64(e)).collect();
        let found = match constants {
            Some(table) => {
                self.tape.tables.push(table);
                Elements::Table(self.tape.tables.len() as u32 - 1)
            }
            None => {
                let choice = elements.iter().map(|&e| self.slot(e)).collect();
                self.tape.choices.push(choice);
                Elements::Choice(self.tape.choices.len() as u32 - 1)
            }
        };
        self.elements_of.insert(array, found);
        found
    }
}
