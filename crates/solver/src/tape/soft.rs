//! Operations without a code of their own: through the folding that evaluation uses, so they mean the same.

use taw_expr::{Bits, NativeFunction, Node, fold};

/// A value: its first slot, and its width.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SlotRange {
    pub slot: u32,
    pub width: u32,
}

impl SlotRange {
    fn pattern(self, slots: &[u64]) -> u128 {
        let at = self.slot as usize;
        let low = u128::from(slots[at]);
        if self.width > 64 { low | u128::from(slots[at + 1]) << 64 } else { low }
    }

    fn bits(self, slots: &[u64]) -> Bits {
        Bits::from_u128(self.width, self.pattern(slots))
    }
}

/// One operation.
pub(super) struct Soft {
    what: What,
    operands: Box<[SlotRange]>,
    slots: Box<[u32]>,
}

enum What {
    Apply(NativeFunction),
    /// The node's operands are in the order of [`taw_expr::Terms::children`].
    Node(Node, u32),
}

impl Soft {
    pub fn apply(eval: NativeFunction, operands: &[SlotRange]) -> Self {
        Self::new(What::Apply(eval), operands)
    }

    /// `width` is that of the result.
    pub fn node(node: Node, width: u32, operands: &[SlotRange]) -> Self {
        Self::new(What::Node(node, width), operands)
    }

    fn new(what: What, operands: &[SlotRange]) -> Self {
        Self { what, operands: operands.into(), slots: operands.iter().map(|p| p.slot).collect() }
    }

    /// The slots it reads.
    pub fn operands(&self) -> &[u32] {
        &self.slots
    }

    /// The node and the places of its operands.
    pub fn as_node(&self) -> Option<(&Node, &[SlotRange])> {
        match &self.what {
            What::Node(node, _) => Some((node, &self.operands)),
            What::Apply(_) => None,
        }
    }

    /// Whether it is evaluated elsewhere.
    pub fn is_outside(&self) -> bool {
        matches!(self.what, What::Apply(NativeFunction::Outside(_)))
    }

    /// What evaluating it has cost, if it is evaluated elsewhere.
    pub fn price(&self) -> u64 {
        match &self.what {
            What::Apply(NativeFunction::Outside(function)) => function.price(),
            _ => 0,
        }
    }

    pub fn eval(&self, slots: &[u64]) -> u128 {
        let bits = |i: usize| self.operands[i].bits(slots);
        let pattern = |i: usize| self.operands[i].pattern(slots);
        match &self.what {
            What::Apply(eval) => {
                let args: Vec<Bits> = self.operands.iter().map(|p| p.bits(slots)).collect();
                eval.call(&args).low_u128()
            }
            &What::Node(ref node, width) => match *node {
                Node::Bin(op, ..) => fold::bin(op, &bits(0), &bits(1)).low_u128(),
                Node::Extract { lo, width, .. } => bits(0).extract(lo, width).low_u128(),
                Node::ZExt(..) => pattern(0),
                Node::SExt(..) => bits(0).sext(width).low_u128(),
                Node::Ite(..) => pattern(if pattern(0) != 0 { 1 } else { 2 }),
                Node::FloatUn(op, format, _) => fold::float_un(op, format, pattern(0)),
                Node::FloatBin(op, format, ..) => fold::float_bin(op, format, pattern(0), pattern(1)),
                Node::Fma(format, ..) => fold::fma(format, pattern(0), pattern(1), pattern(2)),
                Node::FloatCmp(op, format, ..) => u128::from(fold::float_cmp(op, format, pattern(0), pattern(1))),
                Node::FloatToFloat(from, to, _) => fold::float_to_float(from, to, pattern(0)),
                Node::FloatToInt { from, signed, width, .. } => {
                    fold::float_to_int(from, signed, pattern(0), width).low_u128()
                }
                Node::IntToFloat { to, signed, .. } => fold::int_to_float(to, signed, &bits(0)),
                ref other => unreachable!("{other:?} has a code of its own"),
            },
        }
    }
}
