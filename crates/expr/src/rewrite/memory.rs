//! Rules of arrays.

use crate::arena::Terms;
use crate::node::{Array, ArrayNode, BinOp, Term};

/// What `(store array index value)` is, if not a node of its own; or the array that the node should be based on.
pub(crate) fn store(t: &Terms, array: Array, index: Term, value: Term) -> Result<Array, Array> {
    match *t.array(array) {
        // (store (store a i v) i v) → (store a i v)
        ArrayNode::Store { index: i, value: v, .. } if i == index && v == value => Ok(array),
        // (store (store a i v) i w) → (store a i w)
        ArrayNode::Store { base, index: i, .. } if i == index => Err(base),
        _ => Err(array),
    }
}

/// What `(select array index)` is, or the array that it should read from.
pub(crate) fn select(t: &mut Terms, array: Array, index: Term) -> Result<Term, Array> {
    let mut array = array;
    loop {
        match *t.array(array) {
            // (select (store a i v) i) → v
            ArrayNode::Store { index: i, value, .. } if i == index => return Ok(value),
            // (select (store a i v) j) → (select a j) where i and j are never equal
            ArrayNode::Store { base, index: i, .. } if never_equal(t, i, index) => array = base,
            ArrayNode::Store { .. } => return Err(array),
            ArrayNode::Elements(_) => return element(t, array, index).ok_or(array),
        }
    }
}

/// (select e i) → the element that all possible values of i read; (ite (= i k) e_k e_l) where there are two
fn element(t: &mut Terms, array: Array, index: Term) -> Option<Term> {
    let ArrayNode::Elements(elements) = t.array(array) else { return None };
    let last = elements.len() - 1;
    let (lo, hi) = t.range(index);
    let at = |i: u64| usize::try_from(i).map_or(last, |i| i.min(last));
    let (first, end) = (elements[at(lo)], elements[at(hi)]);
    if elements[at(lo)..=at(hi)].iter().all(|&e| e == first) {
        return Some(first);
    }
    if hi - lo != 1 {
        return None;
    }
    let low = t.bv(t.width(index), lo);
    let is_low = t.eq(index, low);
    Some(t.ite(is_low, first, end))
}

/// Whether two indices are seen to differ under every assignment.
fn never_equal(t: &Terms, a: Term, b: Term) -> bool {
    if t.facts(a).disjoint(t.facts(b)) {
        return true;
    }
    // x + c and x + d, where a missing summand is 0.
    let parts = |x: Term| match t.as_bin_const(BinOp::Add, x) {
        Some((x, c)) => (x, c.low()),
        None => (x, 0),
    };
    let ((x, c), (y, d)) = (parts(a), parts(b));
    x == y && c != d
}
