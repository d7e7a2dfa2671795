//! Conditions on numbers as C, where they are short.
//!
//! Boundary: for people; nothing reads it back. What would need more than names, constants and a few operators is not told.

use std::rc::Rc;

use taw_expr::{BinOp, Node, Term, Terms, Var};

use super::literals::negated;
use crate::state::MadeInput;
use crate::stub::IS_SOME;
use crate::test_case::InputType;
use crate::value::signed;

/// Levels of operators that are told.
const DEPTH: u32 = 3;

/// What inputs are called.
pub(super) struct Naming<'a> {
    pub terms: &'a Terms,
    pub inputs: &'a [Rc<MadeInput>],
    /// Whether a number is an address: that would tell nobody anything.
    pub is_address: &'a dyn Fn(u64) -> bool,
}

/// A condition as C.
pub(super) struct SaidCondition {
    pub text: String,
    /// The number that has to be greater than something, if that is all.
    pub greater: Option<(String, u64)>,
    /// The number that has to be another than something, if that is all.
    other: Option<(String, u64)>,
    /// Whether it is a number without a sign.
    is_unsigned: bool,
}

/// Conditions, each with what it says it of, where `n != 0`, `n != 1` and the like, as loops leave them, are one: `n > 1`.
pub(super) fn in_order<T>(all: Vec<(SaidCondition, T)>) -> Vec<(SaidCondition, T)> {
    let (others, mut kept): (Vec<_>, Vec<_>) = all.into_iter().partition(|(said, _)| said.other.is_some());
    let number = |said: &SaidCondition| said.other.clone().expect("only those are here");
    let mut others: Vec<_> = others.into_iter().map(|(said, of)| (number(&said), said, of)).collect();
    others.sort_by(|a, b| a.0.cmp(&b.0));
    for ((name, than), said, of) in others {
        let known = kept.iter().position(|(said, _)| said.greater.as_ref().is_some_and(|(known, _)| *known == name));
        match known.map(|at| &mut kept[at].0) {
            Some(known) if known.greater == Some((name.clone(), than.wrapping_sub(1))) => {
                known.make_greater(name, than)
            }
            None if than == 0 && said.is_unsigned => {
                let mut said = said;
                said.make_greater(name, 0);
                kept.push((said, of));
            }
            _ => kept.push((said, of)),
        }
    }
    kept
}

impl SaidCondition {
    fn make_greater(&mut self, name: String, than: u64) {
        self.text = format!("{name} > {than}");
        (self.greater, self.other) = (Some((name, than)), None);
    }
}

/// Whether a number is compared or extended with its sign.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Sign {
    With,
    Without,
    /// It makes no difference.
    Either,
}

impl Naming<'_> {
    fn input(&self, var: Var) -> Option<(&MadeInput, usize)> {
        self.inputs.iter().find_map(|record| Some((&**record, record.vars.iter().position(|known| *known == var)?)))
    }

    /// The input that a variable is, or is a part of.
    pub(super) fn whole(&self, var: Var) -> Option<String> {
        self.input(var).map(|(record, _)| {
            record.name.strip_prefix('*').filter(|_| record.vars.len() > 1).unwrap_or(&record.name).to_owned()
        })
    }

    /// A variable as C, if it is a number or an element of an array of numbers.
    fn name(&self, var: Var) -> Option<(String, Sign)> {
        let (record, at) = self.input(var)?;
        let InputType::Scalar(ty) = &record.ty else {
            return (record.ty == InputType::Bytes).then(|| (self.element(record, at), Sign::Without));
        };
        let (of, count) = match ty.split_once('[') {
            Some((of, count)) => (of, count.trim_end_matches(']').parse().ok()?),
            None => (ty.as_str(), 1),
        };
        if record.vars.len() != count {
            return None;
        }
        let name = if count == 1 { record.name.clone() } else { self.element(record, at) };
        Some((name, sign_of(of)))
    }

    /// `p[3]` of `*p`, `b->data[3]` of `b->data`.
    fn element(&self, record: &MadeInput, at: usize) -> String {
        format!("{}[{at}]", record.name.strip_prefix('*').unwrap_or(&record.name))
    }
}

/// The sign of a type, by its name.
fn sign_of(ty: &str) -> Sign {
    match ty {
        "char" | "signed char" | "short" | "int" | "long" | "long long" | "ssize_t" | "ptrdiff_t" => Sign::With,
        "int8_t" | "int16_t" | "int32_t" | "int64_t" | "intptr_t" => Sign::With,
        "size_t" | "_Bool" | "bool" => Sign::Without,
        _ if ty.starts_with("unsigned") || ty.starts_with("uint") => Sign::Without,
        _ => Sign::Either,
    }
}

/// A condition as C, if it is short enough.
pub(super) fn condition(naming: &Naming<'_>, t: Term) -> Option<SaidCondition> {
    let (inner, holds) = match negated(naming.terms, t) {
        Some(inner) => (inner, false),
        None => (t, true),
    };
    let Node::Bin(op, a, b) = *naming.terms.node(inner) else { return None };
    // A constant stands on the right: `3 < n` is `n > 3`.
    let turned = naming.terms.as_const(a).is_some();
    let (left, right) = if turned { (b, a) } else { (a, b) };
    let (symbol, sign) = match (op, holds, turned) {
        (BinOp::Eq, true, _) => ("==", Sign::Either),
        (BinOp::Eq, false, _) => ("!=", Sign::Either),
        (BinOp::Ult | BinOp::Slt, true, false) | (BinOp::Ule | BinOp::Sle, false, true) => ("<", sign_of_op(op)),
        (BinOp::Ult | BinOp::Slt, true, true) | (BinOp::Ule | BinOp::Sle, false, false) => (">", sign_of_op(op)),
        (BinOp::Ule | BinOp::Sle, true, false) | (BinOp::Ult | BinOp::Slt, false, true) => ("<=", sign_of_op(op)),
        (BinOp::Ule | BinOp::Sle, true, true) | (BinOp::Ult | BinOp::Slt, false, false) => (">=", sign_of_op(op)),
        _ => return None,
    };
    let (said, of_left) = number(naming, left, sign, DEPTH)?;
    let (other, _) = number(naming, right, if sign == Sign::Either { of_left } else { sign }, DEPTH)?;
    let constant = naming.terms.as_u64(right);
    if let Some((pointer, constant)) = said.strip_suffix(IS_SOME).zip(constant) {
        // Whether a function gave back an object: an input of its own, which is 0 or 1.
        let is_some = matches!((symbol, constant), ("!=" | ">", 0) | ("==" | ">=", 1));
        let text = if is_some { said.clone() } else { format!("{pointer} == NULL") };
        return Some(SaidCondition { text, greater: None, other: None, is_unsigned: true });
    }
    let is_name = matches!(naming.terms.node(plain(naming.terms, left)), Node::Var(_));
    let differs = constant.filter(|_| is_name && symbol == "!=").map(|than| (said.clone(), than));
    let is_unsigned = of_left == Sign::Without;
    let greater = match (symbol, constant.filter(|_| is_name)) {
        (">", Some(than)) => Some((said.clone(), than)),
        (">=", Some(than)) if than > 0 => Some((said.clone(), than - 1)),
        _ => None,
    };
    Some(SaidCondition { text: format!("{said} {symbol} {other}"), greater, other: differs, is_unsigned })
}

fn sign_of_op(op: BinOp) -> Sign {
    if matches!(op, BinOp::Slt | BinOp::Sle) { Sign::With } else { Sign::Without }
}

/// A term without what widens it.
fn plain(terms: &Terms, t: Term) -> Term {
    match *terms.node(t) {
        Node::ZExt(inner, _) | Node::SExt(inner, _) => plain(terms, inner),
        _ => t,
    }
}

/// A number as C, read with that sign; and the sign that its type has.
fn number(naming: &Naming<'_>, t: Term, sign: Sign, depth: u32) -> Option<(String, Sign)> {
    let terms = naming.terms;
    let depth = depth.checked_sub(1)?;
    match *terms.node(t) {
        Node::Const(_) => {
            let word = terms.as_u64(t)?;
            let is_address = (naming.is_address)(word) || (naming.is_address)(word.wrapping_neg());
            (!is_address).then(|| (constant(word, terms.width(t), sign), Sign::Either))
        }
        Node::Var(var) => {
            let (name, own) = naming.name(var)?;
            let is_other = sign != Sign::Either && own != Sign::Either && own != sign;
            let cast = if sign == Sign::With { "(signed)" } else { "(unsigned)" };
            Some((if is_other { format!("{cast}{name}") } else { name }, own))
        }
        // What is widened with its sign is compared with it, whatever the comparison, unless it is negative.
        Node::SExt(inner, _) => {
            number(naming, inner, if sign == Sign::Without { return None } else { Sign::With }, depth + 1)
        }
        Node::ZExt(inner, _) => number(naming, inner, Sign::Without, depth + 1),
        Node::Bin(op, a, b) => {
            let symbol = match op {
                BinOp::Add => "+",
                BinOp::Sub => "-",
                BinOp::Mul => "*",
                BinOp::And => "&",
                _ => return None,
            };
            let ((a, of_a), (b, of_b)) =
                (number(naming, a, Sign::Either, depth)?, number(naming, b, Sign::With, depth)?);
            let (symbol, b) = match b.strip_prefix('-').filter(|_| symbol == "+") {
                Some(positive) => ("-", positive.to_owned()),
                None => (symbol, b),
            };
            let own = if of_a == Sign::Either { of_b } else { of_a };
            let is_other = sign != Sign::Either && own != Sign::Either && own != sign;
            (!is_other).then(|| (format!("({a} {symbol} {b})"), own))
        }
        _ => None,
    }
}

fn constant(word: u64, width: u32, sign: Sign) -> String {
    match sign {
        Sign::With if width <= 64 => signed(word, width).to_string(),
        _ => word.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn input(terms: &mut Terms, name: &str, ty: &str, width: u32, count: usize) -> Rc<MadeInput> {
        let vars: Vec<Var> = (0..count).map(|_| terms.new_var(name, width)).collect();
        let size = width as usize / 8 * count;
        Rc::new(MadeInput { name: name.into(), ty: InputType::Scalar(ty.into()), size, vars: vars.into() })
    }

    #[test]
    fn comparisons_read_like_c() {
        let mut terms = Terms::new();
        let n = input(&mut terms, "n", "int", 32, 1);
        let len = input(&mut terms, "b->len", "unsigned long", 64, 1);
        let a = input(&mut terms, "*a", "short[3]", 16, 3);
        let (x, y, z) = (terms.var(n.vars[0]), terms.var(len.vars[0]), terms.var(a.vars[2]));
        let (four, minus) = (terms.bv(32, 4), terms.bv(32, u64::from(u32::MAX)));
        let wide = terms.bv(64, 16);
        let element = terms.sext(z, 32);
        let mut all = Vec::new();
        for (op, a, b) in
            [(BinOp::Slt, four, x), (BinOp::Sle, x, minus), (BinOp::Ule, y, wide), (BinOp::Slt, element, x)]
        {
            let t = terms.bin(op, a, b);
            all.push(t);
            all.push(terms.not(t));
        }
        all.push(terms.ult(x, four));
        let inputs = [n, len, a];
        let naming = Naming { terms: &terms, inputs: &inputs, is_address: &|_| false };
        let said: Vec<String> =
            all.iter().map(|t| condition(&naming, *t).map_or("-".into(), |said| said.text)).collect();
        assert_eq!(
            said,
            [
                "n > 4",
                "n < 5",
                "n < 0",
                "n > -1",
                "b->len < 17",
                "b->len > 16",
                "a[2] < n",
                "n <= a[2]",
                "(unsigned)n < 4"
            ]
        );
        assert_eq!(condition(&naming, all[5]).unwrap().greater, Some(("b->len".into(), 16)));
    }
}
