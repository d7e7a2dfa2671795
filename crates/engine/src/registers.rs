//! The registers of the innermost call while a state waits: what differs from those of a state that was there before it.
//!
//! A function has as many registers as it has values, and between two forks few of them change. The step loop wants them in one
//! piece, so a state that runs has them all; what it was split off from has left a copy for all that come after.
//! Invariant: the registers are in the frame, or `changed` is set and says what they are.

use std::rc::Rc;

use taw_expr::Marks;

use crate::holds::HoldsTerms;
use crate::state::Frame;
use crate::value::Value;

/// Fewer registers are left as they are: looking for what has changed would take longer than copying all.
const FEW: usize = 64;
/// A copy serves as long as at most one register in so many is another.
const ALIKE: usize = 8;

/// How registers are kept.
#[derive(Clone, Debug, Default)]
pub(crate) struct Registers {
    base: Option<Rc<Base>>,
    changed: Option<Box<[(u32, Value)]>>,
}

/// The registers of a call at some moment.
#[derive(Debug)]
struct Base {
    /// The call.
    serial: u64,
    values: Box<[Value]>,
}

impl HoldsTerms for Registers {
    fn mark(&self, marks: &mut Marks) {
        let Registers { base, changed } = self;
        base.mark(marks);
        changed.iter().flatten().for_each(|(_, value)| value.mark(marks));
    }
}

impl HoldsTerms for Base {
    fn mark(&self, marks: &mut Marks) {
        let Base { serial: _, values } = self;
        values.mark(marks);
    }
}

impl Registers {
    /// The state is about to be split: sees to it that there is a copy for what is split off.
    pub(crate) fn share(&mut self, frame: &Frame) {
        if frame.regs.len() < FEW {
            self.base = None;
        } else if !self.base.as_ref().is_some_and(|base| base.is_like(frame)) {
            let values = frame.regs.as_slice().into();
            self.base = Some(Rc::new(Base { serial: frame.serial, values }));
        }
    }

    /// Takes the registers out of a frame, if a copy tells most of them.
    pub(crate) fn pack(&mut self, frame: &mut Frame) {
        if let (Some(base), None) = (&self.base, &self.changed)
            && base.serial == frame.serial
        {
            let most = base.most();
            let changed: Vec<(u32, Value)> = base.changed(frame).take(most + 1).collect();
            if changed.len() <= most {
                self.changed = Some(changed.into());
                frame.regs = Vec::new();
            }
        }
    }

    /// Puts them back.
    #[inline]
    pub(crate) fn unpack(&mut self, frame: &mut Frame) {
        if let Some(changed) = self.changed.take() {
            self.restore(&changed, frame);
        }
    }

    #[cold]
    fn restore(&self, changed: &[(u32, Value)], frame: &mut Frame) {
        let base = self.base.as_ref().expect("what has changed has done so from something");
        frame.regs = base.values.to_vec();
        for &(number, value) in changed {
            frame.regs[number as usize] = value;
        }
    }
}

impl Base {
    fn changed<'a>(&'a self, frame: &'a Frame) -> impl Iterator<Item = (u32, Value)> + 'a {
        let both = self.values.iter().zip(&frame.regs).enumerate();
        both.filter(|(_, (mine, theirs))| !mine.is_same(**theirs)).map(|(number, (_, value))| (number as u32, *value))
    }

    /// How many registers may be others.
    fn most(&self) -> usize {
        self.values.len() / ALIKE
    }

    fn is_like(&self, frame: &Frame) -> bool {
        self.serial == frame.serial && self.changed(frame).take(self.most() + 1).count() <= self.most()
    }
}

#[cfg(test)]
mod tests {
    use taw_ir::{EntityRef, read_program};

    use super::*;
    use crate::provenance::Provenance;

    fn frame(count: usize) -> Frame {
        let text = "target \"x86_64-unknown-linux-gnu\" 64 bits little\nfunc @f() {\nb0:\n    ret\n}\n";
        let program = read_program(text).expect("well written");
        let mut frame = Frame::new(EntityRef::new(0), program.functions.values().next().expect("a function"), 7);
        frame.regs = (0..count as u64).map(Value::word).collect();
        frame
    }

    #[test]
    fn what_was_packed_is_unpacked() {
        let mut parent = frame(100);
        let mut registers = Registers::default();
        registers.share(&parent);
        parent.regs[3] = Value::word(99);
        // The same number, derived from something else.
        parent.regs[4] = parent.regs[4].with_provenance(Provenance(5));
        let mut fork = registers.clone();
        let mut waiting = parent.clone();
        fork.pack(&mut waiting);
        assert!(waiting.regs.is_empty() && fork.changed.as_ref().is_some_and(|changed| changed.len() == 2));
        fork.unpack(&mut waiting);
        assert_eq!(waiting.regs, parent.regs);
        assert_eq!(waiting.regs[4].provenance(), Provenance(5));
    }

    #[test]
    fn a_copy_is_shared_until_it_is_too_old_or_of_another_call() {
        let mut parent = frame(100);
        let mut registers = Registers::default();
        registers.share(&parent);
        let first = registers.base.clone().expect("a copy");
        parent.regs[..12].fill(Value::word(1000));
        registers.share(&parent);
        assert!(Rc::ptr_eq(&first, registers.base.as_ref().expect("a copy")));
        parent.regs[12] = Value::word(1000);
        registers.share(&parent);
        let second = registers.base.clone().expect("a copy");
        assert!(!Rc::ptr_eq(&first, &second));
        parent.serial += 1;
        registers.pack(&mut parent);
        assert_eq!(parent.regs.len(), 100, "of another call");
        registers.share(&frame(FEW - 1));
        assert!(registers.base.is_none());
    }
}
