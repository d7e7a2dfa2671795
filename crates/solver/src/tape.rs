//! Conditions compiled to straight-line code over words, for evaluation under very many assignments.
//!
//! [`crate::Scratch`] walks the terms anew for each assignment; a tape is walked once and then costs a few nanoseconds
//! per operation. Boundary: operations on at most 64 bits, no floats, no opaque functions; everything else is not
//! compiled. Invariant: an operation stands behind those of its operands, and every slot holds a value reduced to its width.

use rustc_hash::{FxHashMap, FxHashSet};
use taw_expr::{Array, ArrayNode, BinOp, Node, Term, Terms, Var, fold};

/// Longer tapes are not made: no caller has the time to run them often.
const MAX_OPERATIONS: usize = 1 << 14;

/// Compiled conditions.
pub(crate) struct Tape {
    /// The inputs of the conditions, ascending.
    inputs: Box<[Var]>,
    /// Values: those of the inputs first, then constants and results in no order.
    slots: Vec<u64>,
    operations: Vec<Operation>,
    /// Elements of constant arrays.
    tables: Vec<Box<[u64]>>,
    /// Slots of the elements of other arrays.
    choices: Vec<Box<[u32]>>,
}

/// One step: `slots[to]` becomes `code` of the other slots.
#[derive(Clone, Copy)]
struct Operation {
    code: Code,
    /// Of the operands of [`Code::Bin`], of the result otherwise.
    width: u8,
    to: u32,
    a: u32,
    b: u32,
    c: u32,
}

#[derive(Clone, Copy)]
enum Code {
    /// Of the slots `a` and `b`.
    Bin(BinOp),
    /// Slot `a` above the `c` bits of slot `b`.
    Concat,
    /// Slot `a` without its lowest `c` bits.
    Extract,
    /// Slot `a`, which has `c` bits.
    SExt,
    /// If slot `a` then slot `b` else slot `c`.
    Ite,
    /// The element of table `b` at slot `a`.
    Table,
    /// The slot of choice `b` at slot `a`.
    Choice,
    /// The end if slot `a` is false.
    Require,
}

fn mask(width: u8) -> u64 {
    u64::MAX >> (64 - width)
}

/// The place of index `at`: past the end is the last, see [`Node::Select`].
fn clamped(at: u64, length: usize) -> usize {
    usize::try_from(at).map_or(length - 1, |at| at.min(length - 1))
}

impl Tape {
    /// Compiles `conditions`; `None` if one of them has an operation that is beyond tapes, or too many.
    pub fn compile(terms: &Terms, conditions: &[Term]) -> Option<Self> {
        if conditions.iter().any(|&t| terms.has_float(t) || terms.has_opaque(t)) {
            return None;
        }
        let mut inputs: Vec<Var> = conditions.iter().flat_map(|&t| terms.vars_in(terms.vars_of(t))).collect();
        inputs.sort_unstable();
        inputs.dedup();
        let slots = vec![0; inputs.len()];
        let inputs = inputs.into();
        let tape = Self { inputs, slots, operations: Vec::new(), tables: Vec::new(), choices: Vec::new() };
        let mut compiler = Compiler { terms, tape, slot_of: FxHashMap::default(), elements_of: FxHashMap::default() };
        conditions.iter().try_for_each(|&t| compiler.require(t))?;
        Some(compiler.tape)
    }

    /// The inputs of the conditions, ascending.
    pub fn inputs(&self) -> &[Var] {
        &self.inputs
    }

    /// The number of operations that a run takes at most.
    pub fn len(&self) -> usize {
        self.operations.len()
    }

    /// About how many bytes the tape takes.
    pub fn size(&self) -> usize {
        let tables: usize = self.tables.iter().map(|t| 8 * t.len()).sum();
        let choices: usize = self.choices.iter().map(|c| 4 * c.len()).sum();
        8 * self.slots.len() + size_of::<Operation>() * self.operations.len() + tables + choices
    }

    /// Whether all conditions hold. `inputs` are the values of [`Tape::inputs`], reduced to their widths.
    pub fn run(&mut self, inputs: &[u64]) -> bool {
        let Self { slots, operations, tables, choices, .. } = self;
        slots[..inputs.len()].copy_from_slice(inputs);
        for &Operation { code, width, to, a, b, c } in &*operations {
            let x = slots[a as usize];
            slots[to as usize] = match code {
                Code::Bin(op) => fold::bin_u64(op, u32::from(width), x, slots[b as usize]),
                Code::Concat => x << c | slots[b as usize],
                Code::Extract => x >> c & mask(width),
                Code::SExt => ((x << (64 - c)) as i64 >> (64 - c)) as u64 & mask(width),
                Code::Ite => {
                    let (then, other) = (slots[b as usize], slots[c as usize]);
                    if x != 0 { then } else { other }
                }
                Code::Table => {
                    let table = &tables[b as usize];
                    table[clamped(x, table.len())]
                }
                Code::Choice => {
                    let choice = &choices[b as usize];
                    slots[choice[clamped(x, choice.len())] as usize]
                }
                Code::Require if x == 0 => return false,
                Code::Require => x,
            };
        }
        true
    }
}

/// Where the elements of an array are.
#[derive(Clone, Copy)]
enum Elements {
    Table(u32),
    Choice(u32),
}

struct Compiler<'a> {
    terms: &'a Terms,
    tape: Tape,
    slot_of: FxHashMap<Term, u32>,
    elements_of: FxHashMap<Array, Elements>,
}

impl Compiler<'_> {
    /// Compiles a condition and what is new in it.
    fn require(&mut self, condition: Term) -> Option<()> {
        for t in self.fresh(condition)? {
            let slot = self.operation(t)?;
            self.slot_of.insert(t, slot);
        }
        let a = self.slot(condition);
        self.tape.operations.push(Operation { code: Code::Require, width: 1, to: a, a, b: 0, c: 0 });
        Some(())
    }

    /// The terms in `root` without a slot, operands first, constants left out.
    fn fresh(&self, root: Term) -> Option<Vec<Term>> {
        let mut seen: FxHashSet<Term> = FxHashSet::default();
        let mut pending = vec![root];
        while let Some(t) = pending.pop() {
            if self.terms.as_const(t).is_some() || self.slot_of.contains_key(&t) || !seen.insert(t) {
                continue;
            }
            if self.terms.width(t) > 64 || seen.len() + self.tape.len() > MAX_OPERATIONS {
                return None;
            }
            pending.extend(self.terms.children(t).filter(|&child| self.terms.as_const(child).is_none()));
        }
        let mut found: Vec<Term> = seen.into_iter().collect();
        // Operands are older than what is made of them.
        found.sort_unstable();
        Some(found)
    }

    /// The slot of a term that is a constant or compiled.
    fn slot(&mut self, t: Term) -> u32 {
        if let Some(&slot) = self.slot_of.get(&t) {
            return slot;
        }
        let value = self.terms.as_u64(t).expect("operands are compiled before, and narrow");
        let slot = self.new_slot(value);
        self.slot_of.insert(t, slot);
        slot
    }

    fn new_slot(&mut self, value: u64) -> u32 {
        self.tape.slots.push(value);
        self.tape.slots.len() as u32 - 1
    }

    /// Appends an operation; gives the slot of its result.
    fn push(&mut self, code: Code, width: u32, [a, b, c]: [u32; 3]) -> u32 {
        let to = self.new_slot(0);
        self.tape.operations.push(Operation { code, width: width as u8, to, a, b, c });
        to
    }

    /// Compiles a term whose operands are compiled.
    fn operation(&mut self, t: Term) -> Option<u32> {
        let (terms, width) = (self.terms, self.terms.width(t));
        Some(match *terms.node(t) {
            Node::Var(v) => self.tape.inputs.binary_search(&v).expect("every input was collected") as u32,
            Node::Bin(BinOp::Concat, a, b) => {
                let operands = [self.slot(a), self.slot(b), terms.width(b)];
                self.push(Code::Concat, width, operands)
            }
            Node::Bin(op, a, b) if terms.width(a) <= 64 => {
                let operands = [self.slot(a), self.slot(b), 0];
                self.push(Code::Bin(op), terms.width(a), operands)
            }
            Node::Extract { arg, lo, .. } => {
                let a = self.slot(arg);
                self.push(Code::Extract, width, [a, 0, lo])
            }
            Node::ZExt(a, _) => self.slot(a),
            Node::SExt(a, _) => {
                let from = terms.width(a);
                let a = self.slot(a);
                self.push(Code::SExt, width, [a, 0, from])
            }
            Node::Ite(c, a, b) => {
                let operands = [self.slot(c), self.slot(a), self.slot(b)];
                self.push(Code::Ite, width, operands)
            }
            Node::Select(array, index) => return self.select(array, index),
            _ => return None,
        })
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

#[cfg(test)]
mod tests {
    use taw_expr::{Assignment, Evaluator};

    use super::*;

    /// Compiles `conditions` and compares with evaluation under many values of both inputs.
    fn check(terms: &Terms, [x, y]: [Var; 2], conditions: &[Term]) {
        let mut tape = Tape::compile(terms, conditions).expect("nothing is beyond tapes");
        for point in (0..1u64 << 16).step_by(37) {
            let model: Assignment = [(x, point & 255), (y, point >> 8)].into_iter().collect();
            let values: Vec<u64> = tape.inputs().iter().map(|&v| model.value(v)).collect();
            let mut evaluator = Evaluator::new(model);
            let expected = conditions.iter().all(|&t| evaluator.holds(terms, t));
            assert_eq!(tape.run(&values), expected, "{:?} at {point:#x}", terms.node(conditions[0]));
        }
    }

    #[test]
    fn every_operator_is_computed_as_evaluation_does() {
        for width in [3, 8, 20, 64] {
            let mut terms = Terms::new();
            let inputs = ["x", "y"].map(|name| terms.new_var(name, 8));
            let [x, y] = inputs.map(|v| terms.var(v));
            let [a, b] = match width {
                3 => [terms.extract(x, 2, 3), terms.extract(y, 4, 3)],
                8 => [x, y],
                _ => [terms.sext(x, width), terms.zext(y, width)],
            };
            for op in BinOp::ALL.into_iter().filter(|op| *op != BinOp::Concat) {
                let result = terms.bin(op, a, b);
                let result_width = terms.width(result);
                let bits: Vec<Term> =
                    (0..result_width.min(8)).map(|i| terms.extract(result, i * (result_width / 8).max(1), 1)).collect();
                bits.iter().for_each(|&bit| check(&terms, inputs, &[bit]));
                check(&terms, inputs, &bits);
            }
        }
    }

    #[test]
    fn arrays_and_choices_are_computed_as_evaluation_does() {
        let mut terms = Terms::new();
        let inputs = ["x", "y"].map(|name| terms.new_var(name, 8));
        let [x, y] = inputs.map(|v| terms.var(v));
        let mut elements: Vec<Term> = (0..100).map(|i| terms.bv(8, i * i)).collect();
        let table = terms.array_of(elements.clone().into());
        elements[7] = terms.xor(x, y);
        elements[99] = terms.sub(y, x);
        let mixed = terms.array_of(elements.into());
        let [at_x, at_y] = [x, y].map(|t| terms.zext(t, Terms::INDEX_WIDTH));
        for array in [table, mixed] {
            let once = terms.store(array, at_x, y);
            let twice = terms.store(once, at_y, x);
            for array in [array, once, twice] {
                let sum = terms.add(x, y);
                let at = terms.zext(sum, Terms::INDEX_WIDTH);
                let read = terms.select(array, at);
                let joined = terms.concat(read, x);
                let limit = terms.bv(16, 0x7654);
                let is_less = terms.ult(joined, limit);
                let odd = terms.extract(x, 0, 1);
                let chosen = terms.ite(odd, read, y);
                let is_above = terms.ule(x, chosen);
                check(&terms, inputs, &[is_less]);
                check(&terms, inputs, &[is_above, is_less]);
            }
        }
    }

    #[test]
    fn wide_terms_are_not_compiled() {
        let mut terms = Terms::new();
        let v = terms.new_var("x", 8);
        let x = terms.var(v);
        let wide = terms.sext(x, 128);
        let square = terms.mul(wide, wide);
        let bit = terms.extract(square, 9, 1);
        assert!(Tape::compile(&terms, &[bit]).is_none());
    }
}
