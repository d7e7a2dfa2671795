//! Assignments: a value for every input.
//!
//! Invariant: total; an input that was never set is 0. Two assignments that give every input the same value are equal.

use std::rc::Rc;

use crate::node::Var;

/// A value for every input.
#[derive(Clone, Debug, Default)]
pub struct Assignment {
    /// The values in pieces, which assignments that differ in few inputs share.
    pieces: Vec<Rc<[u64; PIECE]>>,
    /// How many inputs have a place: one more than the last that was ever set to anything but 0.
    len: usize,
}

/// Inputs of a piece. The model of a query differs from its witness in the inputs of a slice, which mostly were made together.
const PIECE: usize = 32;

impl Assignment {
    /// Every input 0.
    pub fn new() -> Self {
        Self::default()
    }

    /// The value of an input; its bits above the input's width have no meaning.
    #[inline]
    pub fn value(&self, var: Var) -> u64 {
        let at = var.0 as usize;
        self.pieces.get(at / PIECE).map_or(0, |piece| piece[at % PIECE])
    }

    /// Gives an input a value.
    pub fn set(&mut self, var: Var, value: u64) {
        let at = var.0 as usize;
        if self.value(var) == value {
            return;
        }
        self.len = self.len.max(at + 1);
        if self.pieces.len() <= at / PIECE {
            self.pieces.resize(at / PIECE + 1, Rc::new([0; PIECE]));
        }
        Rc::make_mut(&mut self.pieces[at / PIECE])[at % PIECE] = value;
    }

    /// The inputs up to the last that was ever set to anything but 0, with their values, in order.
    pub fn iter(&self) -> impl Iterator<Item = (Var, u64)> + '_ {
        let values = self.pieces.iter().flat_map(|piece| piece.iter()).take(self.len);
        values.enumerate().map(|(i, &value)| (Var(i as u32), value))
    }

    /// The inputs whose value is not 0.
    fn significant(&self) -> impl Iterator<Item = (Var, u64)> + '_ {
        self.iter().filter(|(_, value)| *value != 0)
    }
}

impl PartialEq for Assignment {
    fn eq(&self, other: &Self) -> bool {
        self.significant().eq(other.significant())
    }
}

impl Eq for Assignment {}

impl std::hash::Hash for Assignment {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.significant().for_each(|pair| pair.hash(state));
    }
}

impl FromIterator<(Var, u64)> for Assignment {
    fn from_iter<I: IntoIterator<Item = (Var, u64)>>(values: I) -> Self {
        let mut all = Self::new();
        for (var, value) in values {
            all.set(var, value);
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_input_set_back_to_zero_is_as_if_never_set() {
        let mut a = Assignment::new();
        a.set(Var(3), 7);
        assert_ne!(a, Assignment::new());
        a.set(Var(3), 0);
        assert_eq!(a, Assignment::new());
        assert_eq!(a.value(Var(900)), 0);
    }

    #[test]
    fn assignments_share_what_they_have_in_common() {
        let a: Assignment = (0..1000).map(|i| (Var(i), u64::from(i) + 1)).collect();
        let mut b = a.clone();
        b.set(Var(77), 5);
        assert_eq!((a.value(Var(77)), b.value(Var(77)), b.value(Var(78))), (78, 5, 79));
        let shared = a.pieces.iter().zip(&b.pieces).filter(|(a, b)| Rc::ptr_eq(a, b)).count();
        assert_eq!(shared + 1, a.pieces.len());
        assert_eq!((a.iter().count(), b.iter().count()), (1000, 1000));
        b.set(Var(77), 78);
        assert_eq!(a, b);
    }
}
