//! Two ways to look at a loop, either of which is enough: turn by turn, or as a whole.
//!
//! Where a way back meets a loop, every way through it is on both sides of a *choice*. So when one side is closed, all nodes of it being impossible, what is left of the other is not
//! looked at any more; and something that was given up on one side does no harm if the other is closed. Choices are nested: a node is on one side of
//! each choice that was made on the way to it.
//!
//! Invariant: if [`Sides::is_closed`], every way to the goal passes a node that was closed.

/// A side of a choice: its number, and which.
pub(super) type Side = (usize, usize);

/// What is known of a choice.
#[derive(Clone, Copy, Debug, Default)]
struct SideChoice {
    /// Nodes of each side that are to be looked at.
    pending: [usize; 2],
    /// Whether something was given up on each side.
    open: [bool; 2],
}

/// All choices of a search.
#[derive(Clone, Debug, Default)]
pub(super) struct Sides {
    choices: Vec<SideChoice>,
    pending: usize,
    is_open: bool,
}

impl Sides {
    /// A new choice.
    pub(super) fn choose(&mut self) -> usize {
        self.choices.push(SideChoice::default());
        self.choices.len() - 1
    }

    /// Whether nothing is left, and nothing was given up that was not closed elsewhere.
    pub(super) fn is_closed(&self) -> bool {
        self.pending == 0 && !self.is_open
    }

    /// A node on these sides, the outermost first, is to be looked at.
    pub(super) fn enter(&mut self, sides: &[Side]) {
        self.pending += 1;
        sides.iter().for_each(|&(choice, side)| self.choices[choice].pending[side] += 1);
    }

    /// Something on these sides is given up.
    pub(super) fn give_up(&mut self, sides: &[Side]) {
        match sides.last() {
            Some(&(choice, side)) => self.choices[choice].open[side] = true,
            None => self.is_open = true,
        }
    }

    /// A node on these sides was looked at; the sides whose nodes nobody needs any more.
    pub(super) fn leave(&mut self, sides: &[Side]) -> Vec<Side> {
        self.pending -= 1;
        let mut needless = Vec::new();
        for (at, &(choice, side)) in sides.iter().enumerate().rev() {
            let known = &mut self.choices[choice];
            known.pending[side] -= 1;
            if known.pending[side] > 0 {
                continue;
            }
            let other = 1 - side;
            if !known.open[side] {
                needless.push((choice, other));
            } else if known.pending[other] == 0 && known.open[other] {
                self.give_up(&sides[..at]);
            }
        }
        needless
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_closed_side_is_enough() {
        let mut sides = Sides::default();
        let choice = sides.choose();
        sides.enter(&[(choice, 0)]);
        sides.enter(&[(choice, 1)]);
        sides.give_up(&[(choice, 1)]);
        assert!(sides.leave(&[(choice, 1)]).is_empty() && !sides.is_closed());
        assert_eq!(sides.leave(&[(choice, 0)]), [(choice, 1)]);
        assert!(sides.is_closed());
    }

    #[test]
    fn what_both_sides_give_up_is_open_outside() {
        let mut sides = Sides::default();
        let (outer, inner) = (sides.choose(), sides.choose());
        for side in 0..2 {
            sides.enter(&[(outer, 0), (inner, side)]);
        }
        sides.enter(&[(outer, 1)]);
        for side in 0..2 {
            sides.give_up(&[(outer, 0), (inner, side)]);
            assert!(sides.leave(&[(outer, 0), (inner, side)]).is_empty());
        }
        sides.give_up(&[(outer, 1)]);
        assert!(sides.leave(&[(outer, 1)]).is_empty());
        assert!(!sides.is_closed());
    }
}
