//! Terms for people: infix, close to C, cut off at a depth.
//!
//! Boundary: for messages only; nothing reads this back. An operator that C overloads by type carries its kind here:
//! `<u` and `<s` for unsigned and signed, `+.f64` for floats; `u32(x)` and `s32(x)` extend, `x[7:0]` cuts, `x ++ y`
//! joins; what lies below the depth is `…`.

use std::fmt;

use crate::arena::Terms;
use crate::bits::Bits;
use crate::node::*;

/// Levels that [`Terms::show`] prints.
const DEPTH: u32 = 12;

/// A term that knows how to print itself.
#[derive(Clone, Copy, Debug)]
pub struct Shown<'a> {
    terms: &'a Terms,
    term: Term,
    depth: u32,
}

impl Terms {
    /// `t` for a message.
    pub fn show(&self, t: Term) -> Shown<'_> {
        Shown { terms: self, term: t, depth: DEPTH }
    }
}

impl<'a> Shown<'a> {
    /// This term, cut off at another depth.
    pub fn depth(self, depth: u32) -> Self {
        Shown { depth, ..self }
    }

    fn child(self, term: Term) -> Self {
        Shown { term, depth: self.depth.saturating_sub(1), ..self }
    }

    fn bin(self, f: &mut fmt::Formatter<'_>, op: BinOp, a: Term, b: Term) -> fmt::Result {
        let (x, y) = (self.child(a), self.child(b));
        let constant = |t: Term| self.terms.as_const(t);
        let negation = if self.terms.width(a) == 1 { '!' } else { '~' };
        match op {
            BinOp::Xor if constant(b).is_some_and(Bits::is_ones) => write!(f, "{negation}{x}"),
            BinOp::Sub if constant(a).is_some_and(Bits::is_zero) => write!(f, "-{y}"),
            _ => write!(f, "({x} {} {y})", symbol(op)),
        }
    }

    fn array(self, f: &mut fmt::Formatter<'_>, array: Array) -> fmt::Result {
        match *self.terms.array(array) {
            _ if self.depth == 0 => f.write_str("…"),
            ArrayNode::Elements(ref elements) => write!(f, "{{{} elements}}", elements.len()),
            ArrayNode::Store { base, index, value } => {
                let below = self.child(self.term);
                below.array(f, base)?;
                write!(f, "{{[{}] = {}}}", below.child(index), below.child(value))
            }
        }
    }
}

fn symbol(op: BinOp) -> &'static str {
    match op {
        BinOp::Add => "+",
        BinOp::Sub => "-",
        BinOp::Mul => "*",
        BinOp::UDiv => "/u",
        BinOp::SDiv => "/s",
        BinOp::URem => "%u",
        BinOp::SRem => "%s",
        BinOp::Shl => "<<",
        BinOp::LShr => ">>u",
        BinOp::AShr => ">>s",
        BinOp::And => "&",
        BinOp::Or => "|",
        BinOp::Xor => "^",
        BinOp::Concat => "++",
        BinOp::Eq => "==",
        BinOp::Ult => "<u",
        BinOp::Ule => "<=u",
        BinOp::Slt => "<s",
        BinOp::Sle => "<=s",
    }
}

fn constant(f: &mut fmt::Formatter<'_>, bits: &Bits) -> fmt::Result {
    // Small numbers of either sign in decimal, the rest as patterns.
    match (bits.as_u64(), bits.neg().as_u64()) {
        _ if bits.width() == 1 => write!(f, "{}", bits.low() == 1),
        (Some(value), _) if value <= 0xffff => write!(f, "{value}"),
        (_, Some(value)) if bits.is_negative() && value <= 0xffff => write!(f, "-{value}"),
        _ => {
            let mut words: Vec<u64> = bits.words().collect();
            while words.len() > 1 && words.last() == Some(&0) {
                words.pop();
            }
            write!(f, "{:#x}", words.pop().unwrap_or(0))?;
            words.iter().rev().try_for_each(|word| write!(f, "{word:016x}"))
        }
    }
}

impl fmt::Display for FloatFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "f{}", self.width())
    }
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sub = |t: Term| self.child(t);
        match self.terms.node(self.term) {
            Node::Const(bits) => constant(f, bits),
            Node::Var(v) => f.write_str(&self.terms.vars()[v.0 as usize].name),
            _ if self.depth == 0 => f.write_str("…"),
            &Node::Bin(op, a, b) => self.bin(f, op, a, b),
            &Node::Extract { arg, lo, width } => write!(f, "{}[{}:{lo}]", sub(arg), lo + width - 1),
            &Node::ZExt(a, width) => write!(f, "u{width}({})", sub(a)),
            &Node::SExt(a, width) => write!(f, "s{width}({})", sub(a)),
            &Node::Ite(c, a, b) => write!(f, "({} ? {} : {})", sub(c), sub(a), sub(b)),
            &Node::Select(array, index) => {
                self.array(f, array)?;
                write!(f, "[{}]", sub(index))
            }
            &Node::FloatUn(op, fmt, a) => write!(f, "{}.{fmt}({})", format!("{op:?}").to_lowercase(), sub(a)),
            &Node::FloatBin(op, fmt, a, b) => match op {
                FloatBin::Add => write!(f, "({} +.{fmt} {})", sub(a), sub(b)),
                FloatBin::Sub => write!(f, "({} -.{fmt} {})", sub(a), sub(b)),
                FloatBin::Mul => write!(f, "({} *.{fmt} {})", sub(a), sub(b)),
                FloatBin::Div => write!(f, "({} /.{fmt} {})", sub(a), sub(b)),
                FloatBin::Rem => write!(f, "fmod.{fmt}({}, {})", sub(a), sub(b)),
                FloatBin::Min => write!(f, "fmin.{fmt}({}, {})", sub(a), sub(b)),
                FloatBin::Max => write!(f, "fmax.{fmt}({}, {})", sub(a), sub(b)),
            },
            &Node::Fma(fmt, a, b, c) => write!(f, "fma.{fmt}({}, {}, {})", sub(a), sub(b), sub(c)),
            &Node::FloatCmp(op, fmt, a, b) => match op {
                FloatCmp::Eq => write!(f, "({} ==.{fmt} {})", sub(a), sub(b)),
                FloatCmp::Lt => write!(f, "({} <.{fmt} {})", sub(a), sub(b)),
                FloatCmp::Le => write!(f, "({} <=.{fmt} {})", sub(a), sub(b)),
                FloatCmp::Unordered => write!(f, "unordered.{fmt}({}, {})", sub(a), sub(b)),
            },
            &Node::FloatToFloat(from, to, a) => write!(f, "{to}.{from}({})", sub(a)),
            &Node::FloatToInt { from, signed, arg, width } => {
                write!(f, "{}{width}.{from}({})", if signed { 's' } else { 'u' }, sub(arg))
            }
            &Node::IntToFloat { to, signed, arg } => {
                write!(f, "{to}.{}{}({})", if signed { 's' } else { 'u' }, self.terms.width(arg), sub(arg))
            }
            Node::Apply(function, args, _) => {
                write!(f, "{}(", self.terms.functions()[function.0 as usize].name)?;
                for (i, &arg) in args.iter().enumerate() {
                    write!(f, "{}{}", if i == 0 { "" } else { ", " }, sub(arg))?;
                }
                f.write_str(")")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_read_like_c() {
        let mut t = Terms::new();
        let (x, y) = (t.new_var("x", 32), t.new_var("y", 32));
        let (x, y) = (t.var(x), t.var(y));
        let minus_one = t.bv(32, u64::MAX);
        let sum = t.add(x, minus_one);
        let less = t.slt(sum, y);
        assert_eq!(t.show(less).to_string(), "((x + -1) <s y)");
        let byte = t.extract(sum, 8, 8);
        let wide = t.sext(byte, 64);
        assert_eq!(t.show(wide).to_string(), "s64((x + -1)[15:8])");
        assert_eq!(t.show(wide).depth(2).to_string(), "s64(…[15:8])");
        let root = t.float_un(FloatUn::Sqrt, FloatFormat::F32, x);
        let smaller = t.float_cmp(FloatCmp::Lt, FloatFormat::F32, root, y);
        let not = t.not(smaller);
        assert_eq!(t.show(not).to_string(), "!(sqrt.f32(x) <.f32 y)");
    }
}
