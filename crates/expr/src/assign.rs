//! Assignments: a value for every input.
//!
//! Invariant: total; an input that was never set is 0. Two assignments that give every input the same value are equal.

use crate::node::Var;

/// A value for every input.
#[derive(Clone, Debug, Default)]
pub struct Assignment {
    values: Vec<u64>,
}

impl Assignment {
    /// Every input 0.
    pub fn new() -> Self {
        Self::default()
    }

    /// The value of an input; its bits above the input's width have no meaning.
    #[inline]
    pub fn value(&self, var: Var) -> u64 {
        self.values.get(var.0 as usize).copied().unwrap_or(0)
    }

    /// Gives an input a value.
    pub fn set(&mut self, var: Var, value: u64) {
        let at = var.0 as usize;
        if at >= self.values.len() {
            if value == 0 {
                return;
            }
            self.values.resize(at + 1, 0);
        }
        self.values[at] = value;
    }

    /// The inputs up to the last that was ever set to anything but 0, with their values, in order.
    pub fn iter(&self) -> impl Iterator<Item = (Var, u64)> + '_ {
        self.values.iter().enumerate().map(|(i, &value)| (Var(i as u32), value))
    }

    /// The values without the zeros at the end, which mean nothing.
    fn significant(&self) -> &[u64] {
        let end = self.values.iter().rposition(|&value| value != 0).map_or(0, |last| last + 1);
        &self.values[..end]
    }
}

impl PartialEq for Assignment {
    fn eq(&self, other: &Self) -> bool {
        self.significant() == other.significant()
    }
}

impl Eq for Assignment {}

impl std::hash::Hash for Assignment {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.significant().hash(state);
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
}
