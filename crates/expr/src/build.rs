//! The arena and its constructors.
//!
//! Invariant: two calls with equal arguments give the same term; the result evaluates like the operation asked for.

use std::collections::HashMap;
use std::num::NonZeroU32;

use crate::node::*;

/// An arena of terms, arrays, inputs and opaque functions.
#[derive(Default, Debug)]
pub struct Terms {
    nodes: Vec<Node>,
    widths: Vec<u32>,
    interned: HashMap<Node, Term>,
    arrays: Vec<ArrayNode>,
    interned_arrays: HashMap<ArrayNode, Array>,
    vars: Vec<VarInfo>,
    functions: Vec<FunctionInfo>,
}

impl Terms {
    /// The width of every array index.
    pub const INDEX_WIDTH: u32 = 64;

    /// An empty arena.
    pub fn new() -> Self {
        Self::default()
    }

    /// The number of terms so far.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no term yet.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The operation at the root of `t`.
    pub fn node(&self, t: Term) -> &Node {
        &self.nodes[t.index()]
    }

    /// The width of `t` in bits.
    pub fn width(&self, t: Term) -> u32 {
        self.widths[t.index()]
    }

    /// The value of `t` if it is a constant.
    pub fn as_const(&self, t: Term) -> Option<&Bits> {
        match self.node(t) {
            Node::Const(bits) => Some(bits),
            _ => None,
        }
    }

    /// The value of `t` if it is a constant of at most 64 bits.
    pub fn as_u64(&self, t: Term) -> Option<u64> {
        self.as_const(t).and_then(Bits::as_u64)
    }

    /// How `a` came to be.
    pub fn array(&self, a: Array) -> &ArrayNode {
        &self.arrays[a.0 as usize]
    }

    /// The inputs, by index of [`Var`].
    pub fn vars(&self) -> &[VarInfo] {
        &self.vars
    }

    /// The opaque functions, by index of [`Function`].
    pub fn functions(&self) -> &[FunctionInfo] {
        &self.functions
    }

    /// Declares an input of 1 to 64 bits.
    pub fn new_var(&mut self, name: &str, width: u32) -> Var {
        assert!((1..=64).contains(&width), "an input has 1 to 64 bits");
        self.vars.push(VarInfo { name: name.to_owned(), width });
        Var(self.vars.len() as u32 - 1)
    }

    /// Declares an opaque function; the same name twice gives the same function.
    pub fn function(&mut self, info: FunctionInfo) -> Function {
        if let Some(at) = self.functions.iter().position(|f| f.name == info.name) {
            return Function(at as u32);
        }
        self.functions.push(info);
        Function(self.functions.len() as u32 - 1)
    }

    pub(crate) fn intern(&mut self, node: Node, width: u32) -> Term {
        if let Some(&t) = self.interned.get(&node) {
            return t;
        }
        let id = NonZeroU32::new(self.nodes.len() as u32 + 1).expect("fewer than 2^32 terms");
        self.nodes.push(node.clone());
        self.widths.push(width);
        self.interned.insert(node, Term(id));
        Term(id)
    }

    fn intern_array(&mut self, node: ArrayNode) -> Array {
        if let Some(&a) = self.interned_arrays.get(&node) {
            return a;
        }
        let id = Array(self.arrays.len() as u32);
        self.arrays.push(node.clone());
        self.interned_arrays.insert(node, id);
        id
    }

    /// A constant of any width.
    pub fn constant(&mut self, bits: Bits) -> Term {
        let width = bits.width();
        self.intern(Node::Const(bits), width)
    }

    /// A constant from the low bits of `value`.
    pub fn bv(&mut self, width: u32, value: u64) -> Term {
        self.constant(Bits::new(width, value))
    }

    /// A truth value.
    pub fn bool(&mut self, value: bool) -> Term {
        self.bv(1, u64::from(value))
    }

    /// The input as a term.
    pub fn var(&mut self, v: Var) -> Term {
        let width = self.vars[v.0 as usize].width;
        self.intern(Node::Var(v), width)
    }

    /// `op` applied.
    pub fn bin(&mut self, op: BinOp, a: Term, b: Term) -> Term {
        let width = match op {
            BinOp::Concat => self.width(a) + self.width(b),
            BinOp::Eq | BinOp::Ult | BinOp::Ule | BinOp::Slt | BinOp::Sle => 1,
            _ => self.width(a),
        };
        self.intern(Node::Bin(op, a, b), width)
    }

    /// Bitwise complement; logical negation at width 1.
    pub fn not(&mut self, a: Term) -> Term {
        let width = self.width(a);
        let ones = self.constant(Bits::from_words(width, &vec![u64::MAX; width.div_ceil(64) as usize]));
        self.bin(BinOp::Xor, a, ones)
    }

    /// `width` bits from bit `lo`.
    pub fn extract(&mut self, arg: Term, lo: u32, width: u32) -> Term {
        self.intern(Node::Extract { arg, lo, width }, width)
    }

    /// Zero-extended (or the same, if already that wide).
    pub fn zext(&mut self, arg: Term, width: u32) -> Term {
        self.intern(Node::ZExt(arg, width), width)
    }

    /// Sign-extended (or the same, if already that wide).
    pub fn sext(&mut self, arg: Term, width: u32) -> Term {
        self.intern(Node::SExt(arg, width), width)
    }

    /// If `cond` (width 1) then `a` else `b`.
    pub fn ite(&mut self, cond: Term, a: Term, b: Term) -> Term {
        let width = self.width(a);
        self.intern(Node::Ite(cond, a, b), width)
    }

    /// An array of known elements (at least one).
    pub fn array_of(&mut self, elements: Box<[Term]>) -> Array {
        self.intern_array(ArrayNode::Elements(elements))
    }

    /// `base` with one element replaced.
    pub fn store(&mut self, base: Array, index: Term, value: Term) -> Array {
        self.intern_array(ArrayNode::Store { base, index, value })
    }

    /// The element at `index`.
    pub fn select(&mut self, array: Array, index: Term) -> Term {
        let width = self.element_width(array);
        self.intern(Node::Select(array, index), width)
    }

    /// The width of the elements of `array`.
    pub fn element_width(&self, array: Array) -> u32 {
        match self.array(array) {
            ArrayNode::Elements(e) => self.width(e[0]),
            ArrayNode::Store { value, .. } => self.width(*value),
        }
    }

    /// Float operation on one operand.
    pub fn float_un(&mut self, op: FloatUn, fmt: FloatFormat, a: Term) -> Term {
        self.intern(Node::FloatUn(op, fmt, a), fmt.width())
    }

    /// Float operation on two operands.
    pub fn float_bin(&mut self, op: FloatBin, fmt: FloatFormat, a: Term, b: Term) -> Term {
        self.intern(Node::FloatBin(op, fmt, a, b), fmt.width())
    }

    /// Fused multiply and add.
    pub fn fma(&mut self, fmt: FloatFormat, a: Term, b: Term, c: Term) -> Term {
        self.intern(Node::Fma(fmt, a, b, c), fmt.width())
    }

    /// Float comparison.
    pub fn float_cmp(&mut self, op: FloatCmp, fmt: FloatFormat, a: Term, b: Term) -> Term {
        self.intern(Node::FloatCmp(op, fmt, a, b), 1)
    }

    /// Between float formats (or the same, if they are equal).
    pub fn float_to_float(&mut self, from: FloatFormat, to: FloatFormat, a: Term) -> Term {
        self.intern(Node::FloatToFloat(from, to, a), to.width())
    }

    /// Float to integer.
    pub fn float_to_int(&mut self, from: FloatFormat, signed: bool, arg: Term, width: u32) -> Term {
        self.intern(Node::FloatToInt { from, signed, arg, width }, width)
    }

    /// Integer to float.
    pub fn int_to_float(&mut self, to: FloatFormat, signed: bool, arg: Term) -> Term {
        self.intern(Node::IntToFloat { to, signed, arg }, to.width())
    }

    /// An opaque function applied.
    pub fn apply(&mut self, function: Function, args: Box<[Term]>, width: u32) -> Term {
        self.intern(Node::Apply(function, args, width), width)
    }
}
