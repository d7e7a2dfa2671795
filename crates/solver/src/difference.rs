//! Comparisons as differences `x - y <= c` of terms, which interval arithmetic and difference constraints are made of.

use taw_expr::{BinOp, Node, Term, Terms};

use crate::bounds::NumberView;

/// A condition as differences of terms; a missing term is the constant in the bound.
#[derive(Clone, Debug)]
pub(crate) struct Difference {
    pub view: NumberView,
    pub left: Option<Term>,
    pub right: Option<Term>,
    pub bound: i128,
}

/// The differences that hold if `t` is true, or false: of a comparison or the negation of one (of a false equation: none).
pub(crate) fn read_as(terms: &Terms, t: Term, truth: bool) -> Vec<Difference> {
    use NumberView::{Signed, Unsigned};
    let &Node::Bin(op, x, y) = terms.node(t) else { return vec![] };
    match (op, truth) {
        (BinOp::Xor, _) if terms.width(t) == 1 && terms.as_u64(y) == Some(1) => read_as(terms, x, !truth),
        (BinOp::Ult, true) => at_most(terms, Unsigned, x, y, -1),
        (BinOp::Ule, true) => at_most(terms, Unsigned, x, y, 0),
        (BinOp::Slt, true) => at_most(terms, Signed, x, y, -1),
        (BinOp::Sle, true) => at_most(terms, Signed, x, y, 0),
        (BinOp::Ult, false) => at_most(terms, Unsigned, y, x, 0),
        (BinOp::Ule, false) => at_most(terms, Unsigned, y, x, -1),
        (BinOp::Slt, false) => at_most(terms, Signed, y, x, 0),
        (BinOp::Sle, false) => at_most(terms, Signed, y, x, -1),
        (BinOp::Eq, true) if terms.width(x) > 1 => NumberView::BOTH
            .iter()
            .flat_map(|&v| [at_most(terms, v, x, y, 0), at_most(terms, v, y, x, 0)])
            .flatten()
            .collect(),
        _ => vec![],
    }
}

/// `x - y <= bound`
fn at_most(terms: &Terms, view: NumberView, x: Term, y: Term, bound: i128) -> Vec<Difference> {
    let width = terms.width(x);
    if width > 64 {
        return vec![];
    }
    let number = |t: Term| terms.as_u64(t).map(|value| view.number(width, value));
    vec![match (number(x), number(y)) {
        (Some(x), None) => Difference { view, left: None, right: Some(y), bound: bound - x },
        (None, Some(y)) => Difference { view, left: Some(x), right: None, bound: bound + y },
        (None, None) => Difference { view, left: Some(x), right: Some(y), bound },
        (Some(_), Some(_)) => return vec![],
    }]
}
