//! Conditions compiled to straight-line code over words, for evaluation under very many assignments.
//!
//! [`crate::Scratch`] walks the terms anew for each assignment; a tape is walked once and then costs a few nanoseconds
//! per operation. Floats and doubles are computed by the machine, opaque functions called; what is rare (other formats, values
//! of 65 to 128 bits) goes through the same folding as evaluation does (`soft`). Whoever changes one input after the other
//! recomputes only what depends on it ([`Tape::dependents`]).
//!
//! Boundary: nothing wider than 128 bits. Invariants: an operation stands behind those of its operands; a slot holds a value
//! reduced to its width, one of more than 64 bits lies in two slots, the low word first.

#[cfg(test)]
mod agreement;
mod compile;
mod soft;

use taw_expr::{BinOp, FloatBin, FloatCmp, FloatFormat, FloatUn, NativeFunction, Node, Var, fold};

pub(crate) use compile::{Compiled, Compiler};
pub(crate) use soft::SlotRange;
use soft::Soft;

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
    natives: Vec<NativeFunction>,
    softs: Vec<Soft>,
    /// What calls of functions outside have cost so far, beside what [`Tape::cost`] says.
    extra: u64,
}

/// One step: `slots[to]` becomes `code` of the other slots.
#[derive(Clone, Copy)]
pub(crate) struct Operation {
    pub code: Code,
    /// Of the operands of [`Code::Bin`], of the result otherwise.
    pub width: u8,
    pub to: u32,
    pub a: u32,
    pub b: u32,
    pub c: u32,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Code {
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
    /// Of doubles.
    Double(FloatBin),
    DoubleUn(FloatUn),
    DoubleCmp(FloatCmp),
    /// Of floats.
    Single(FloatBin),
    SingleUn(FloatUn),
    SingleCmp(FloatCmp),
    /// A float as a double.
    Widen,
    /// The integer of `c` bits in slot `a` (two's complement if `b` is 1) as a double.
    ToDouble,
    /// Native function `c` of the slots `a` and `b`.
    Native,
    /// Number `a` of `softs`.
    Soft,
}

/// What a call of a function outside costs at least; what each has cost it says itself.
const OUTSIDE: u32 = 64;

fn mask(width: u8) -> u64 {
    u64::MAX >> (64 - width)
}

/// The place of index `at`: past the end is the last, see [`taw_expr::Node::Select`].
fn clamped(at: u64, length: usize) -> usize {
    usize::try_from(at).map_or(length - 1, |at| at.min(length - 1))
}

impl Tape {
    /// The inputs of the conditions, ascending.
    pub fn inputs(&self) -> &[Var] {
        &self.inputs
    }

    /// The number of operations that a run takes at most.
    pub fn len(&self) -> usize {
        self.operations.len()
    }

    /// The operations, in order.
    pub fn operations(&self) -> &[Operation] {
        &self.operations
    }

    /// About how many bytes the tape takes.
    pub fn size(&self) -> usize {
        let tables: usize = self.tables.iter().map(|t| 8 * t.len()).sum();
        let choices: usize = self.choices.iter().map(|c| 4 * c.len()).sum();
        8 * self.slots.len() + size_of::<Operation>() * self.operations.len() + tables + choices
    }

    /// What calls of functions outside have cost so far, beside what [`Tape::cost`] says.
    pub fn extra_cost(&self) -> u64 {
        self.extra
    }

    /// Whether a function is called that is evaluated elsewhere.
    pub fn has_outside(&self) -> bool {
        self.softs.iter().any(Soft::is_outside)
    }

    /// The number of slots.
    pub fn slot_count(&self) -> usize {
        self.slots.len()
    }

    /// The word in a slot.
    #[inline]
    pub fn word(&self, slot: u32) -> u64 {
        self.slots[slot as usize]
    }

    /// The value that begins in a slot.
    #[inline]
    pub fn wide(&self, slot: u32, width: u32) -> u128 {
        let low = u128::from(self.word(slot));
        if width > 64 { low | u128::from(self.word(slot + 1)) << 64 } else { low }
    }

    /// Gives the input number `at` a value, reduced to its width; what depends on it is now out of date.
    #[inline]
    pub fn set_input(&mut self, at: usize, value: u64) {
        self.slots[at] = value;
    }

    /// Whether all conditions hold. `inputs` are the values of [`Tape::inputs`], reduced to their widths.
    pub fn run(&mut self, inputs: &[u64]) -> bool {
        self.slots[..inputs.len()].copy_from_slice(inputs);
        for at in 0..self.operations.len() {
            let operation = self.operations[at];
            if operation.code == Code::Require {
                if self.slots[operation.a as usize] == 0 {
                    return false;
                }
                continue;
            }
            self.step(operation);
        }
        true
    }

    /// Recomputes every operation.
    pub fn run_all(&mut self) {
        for at in 0..self.operations.len() {
            self.step(self.operations[at]);
        }
    }

    /// Recomputes these operations, ascending.
    #[inline]
    pub fn rerun(&mut self, operations: &[u32]) {
        for &at in operations {
            self.step(self.operations[at as usize]);
        }
    }

    /// The operations that depend on any of these inputs, ascending, without those that only demand.
    pub fn dependents(&self, inputs: &[usize]) -> Vec<u32> {
        let mut dirty = vec![false; self.slots.len()];
        inputs.iter().for_each(|&at| dirty[at] = true);
        let mut found = Vec::new();
        for (at, operation) in self.operations.iter().enumerate() {
            if operation.code != Code::Require && self.operands(operation).any(|slot| dirty[slot as usize]) {
                dirty[operation.to as usize] = true;
                found.push(at as u32);
            }
        }
        found
    }

    /// The slots that an operation reads (of a value in two slots, the first).
    pub fn operands(&self, operation: &Operation) -> impl Iterator<Item = u32> + '_ {
        let Operation { code, a, b, c, .. } = *operation;
        let (direct, more): ([Option<u32>; 3], &[u32]) = match code {
            Code::Bin(_)
            | Code::Concat
            | Code::Double(_)
            | Code::DoubleCmp(_)
            | Code::Single(_)
            | Code::SingleCmp(_) => ([Some(a), Some(b), None], &[]),
            Code::Native => ([Some(a), Some(b), None], &[]),
            Code::Ite => ([Some(a), Some(b), Some(c)], &[]),
            Code::Extract | Code::SExt | Code::Table | Code::Require => ([Some(a), None, None], &[]),
            Code::DoubleUn(_) | Code::SingleUn(_) | Code::Widen | Code::ToDouble => ([Some(a), None, None], &[]),
            Code::Choice => ([Some(a), None, None], &self.choices[b as usize]),
            Code::Soft => ([None; 3], self.softs[a as usize].operands()),
        };
        direct.into_iter().flatten().chain(more.iter().copied())
    }

    /// The native function of an operation [`Code::Native`].
    pub fn native(&self, operation: &Operation) -> &NativeFunction {
        &self.natives[operation.c as usize]
    }

    /// The node of an operation [`Code::Soft`] and the slots and widths of its operands; `None` if it is a call.
    pub fn soft(&self, operation: &Operation) -> Option<(&Node, &[SlotRange])> {
        self.softs[operation.a as usize].as_node()
    }

    /// What an operation costs, in operations on words.
    pub fn cost(&self, operation: &Operation) -> u32 {
        match operation.code {
            Code::Native => 8,
            Code::Soft if self.softs[operation.a as usize].is_outside() => OUTSIDE,
            Code::Soft => 16,
            Code::DoubleUn(_) | Code::SingleUn(_) => 2,
            _ => 1,
        }
    }

    #[inline]
    fn step(&mut self, Operation { code, width, to, a, b, c }: Operation) {
        let slots = &mut self.slots;
        // Of a soft operation `a` is its number, and there are no fewer slots.
        let x = slots[a as usize];
        let second = |slots: &[u64]| slots[b as usize];
        let result = match code {
            Code::Bin(op) => fold::bin_u64(op, u32::from(width), x, second(slots)),
            Code::Concat => x << c | second(slots),
            Code::Extract => x >> c & mask(width),
            Code::SExt => ((x << (64 - c)) as i64 >> (64 - c)) as u64 & mask(width),
            Code::Ite => {
                let (then, other) = (slots[b as usize], slots[c as usize]);
                if x != 0 { then } else { other }
            }
            Code::Table => {
                let table = &self.tables[b as usize];
                table[clamped(x, table.len())]
            }
            Code::Choice => {
                let choice = &self.choices[b as usize];
                slots[choice[clamped(x, choice.len())] as usize]
            }
            Code::Require => return,
            Code::Double(op) => double(op, x, second(slots)),
            Code::DoubleUn(op) => double_un(op, x),
            Code::DoubleCmp(op) => u64::from(compare(op, f64::from_bits(x), f64::from_bits(second(slots)))),
            Code::Single(op) => single(op, x, second(slots)),
            Code::SingleUn(op) => fold::float_un(op, FloatFormat::F32, u128::from(x)) as u64,
            Code::SingleCmp(op) => {
                let number = |bits: u64| f32::from_bits(bits as u32);
                u64::from(compare(op, number(x), number(second(slots))))
            }
            Code::Widen => fold::float_to_float(FloatFormat::F32, FloatFormat::F64, u128::from(x)) as u64,
            Code::ToDouble => match b {
                1 => ((((x << (64 - c)) as i64) >> (64 - c)) as f64).to_bits(),
                _ => (x as f64).to_bits(),
            },
            Code::Native => self.natives[c as usize].word(x, second(slots)),
            Code::Soft => {
                let soft = &self.softs[a as usize];
                let result = soft.eval(slots);
                self.extra += soft.price().saturating_sub(u64::from(OUTSIDE));
                if width > 64 {
                    slots[to as usize + 1] = (result >> 64) as u64;
                }
                result as u64
            }
        };
        self.slots[to as usize] = result;
    }
}

/// As [`fold::float_bin`], which decides what a NaN looks like.
#[inline]
fn double(op: FloatBin, a: u64, b: u64) -> u64 {
    let (x, y) = (f64::from_bits(a), f64::from_bits(b));
    let result = match op {
        FloatBin::Add => x + y,
        FloatBin::Sub => x - y,
        FloatBin::Mul => x * y,
        FloatBin::Div => x / y,
        FloatBin::Rem | FloatBin::Min | FloatBin::Max => f64::NAN,
    };
    if result.is_nan() {
        return fold::float_bin(op, FloatFormat::F64, u128::from(a), u128::from(b)) as u64;
    }
    result.to_bits()
}

#[inline]
fn single(op: FloatBin, a: u64, b: u64) -> u64 {
    let (x, y) = (f32::from_bits(a as u32), f32::from_bits(b as u32));
    let result = match op {
        FloatBin::Add => x + y,
        FloatBin::Sub => x - y,
        FloatBin::Mul => x * y,
        FloatBin::Div => x / y,
        FloatBin::Rem | FloatBin::Min | FloatBin::Max => f32::NAN,
    };
    if result.is_nan() {
        return fold::float_bin(op, FloatFormat::F32, u128::from(a), u128::from(b)) as u64;
    }
    u64::from(result.to_bits())
}

#[inline]
fn double_un(op: FloatUn, a: u64) -> u64 {
    let x = f64::from_bits(a);
    let result = match op {
        FloatUn::Sqrt => x.sqrt(),
        FloatUn::Floor => x.floor(),
        FloatUn::Ceil => x.ceil(),
        FloatUn::Trunc => x.trunc(),
        FloatUn::RoundEven => x.round_ties_even(),
        FloatUn::RoundAway => x.round(),
    };
    if result.is_nan() {
        return fold::float_un(op, FloatFormat::F64, u128::from(a)) as u64;
    }
    result.to_bits()
}

#[inline]
fn compare<F: PartialOrd>(op: FloatCmp, x: F, y: F) -> bool {
    match op {
        FloatCmp::Eq => x == y,
        FloatCmp::Lt => x < y,
        FloatCmp::Le => x <= y,
        FloatCmp::Unordered => x.partial_cmp(&y).is_none(),
    }
}

#[cfg(test)]
mod tests {
    use taw_expr::{Assignment, Evaluator, Term, Terms};

    use super::*;

    /// Compiles `conditions` and compares with evaluation under many values of both inputs.
    fn check(terms: &Terms, [x, y]: [Var; 2], conditions: &[Term]) {
        let mut tape = Compiler::words(terms, conditions).expect("nothing is beyond tapes");
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
        assert!(Compiler::words(&terms, &[bit]).is_none());
    }
}
