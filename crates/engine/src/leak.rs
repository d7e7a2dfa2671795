//! Heap that is lost when the program ends: blocks that no variable leads to any more, as a leak sanitizer sees it.
//!
//! What a variable that still exists points at (of the program, of the C library, of a call that `exit` was called in) is in use,
//! and so is what that points at. Values that depend on inputs are the witness's: the finding's test has these.

use std::collections::BTreeSet;
use std::rc::Rc;

use crate::cx::Cx;
use crate::finding::FindingKind;
use crate::memory::{Object, ObjectKind, Status};
use crate::stop::Stop;
use crate::value::Value;

impl Cx<'_, '_> {
    /// Notes what the calls that are active hold: the program ends in the midst of them.
    pub fn hold_registers(&mut self) {
        if !self.engine.config.checks.leak {
            return;
        }
        let frames = std::iter::once(&self.state.top).chain(self.state.callers.iter().map(|frame| &**frame));
        let values: Vec<Value> =
            frames.flat_map(|frame| frame.regs.iter().copied()).filter(|value| value.waits().is_none()).collect();
        let words = values.into_iter().map(|value| self.under_witness(value)).collect();
        self.state.held = Rc::new(words);
    }

    /// The error that heap is lost at exit, at the place where the oldest such block was allocated.
    pub(crate) fn leak(&mut self) -> Option<Stop> {
        // What a stub has made up has no place where it was allocated.
        let is_block = |o: &&Rc<Object>| o.kind == ObjectKind::Heap && o.site.is_some();
        if !self.engine.config.checks.leak || !self.state.memory.live().any(|o| is_block(&o)) {
            return None;
        }
        let used = self.blocks_in_use();
        let mut lost = self.state.memory.live().filter(is_block).filter(|o| !used.contains(&o.base));
        let first = lost.next()?;
        let (count, sum) = lost.fold((1, first.size), |(n, s), o| (n + 1, s + o.size));
        let message = match count {
            1 => format!("a block of {sum} bytes is not freed at exit"),
            _ => format!("{count} blocks ({sum} bytes together) are not freed at exit; the first is allocated here"),
        };
        Some(Stop::BugAt(FindingKind::Leak, message, first.site.iter().cloned().collect()))
    }

    /// Addresses of the blocks that something leads to.
    fn blocks_in_use(&mut self) -> BTreeSet<u64> {
        let mut open: Vec<Rc<Object>> =
            self.state.memory.live().filter(|o| o.kind != ObjectKind::Heap).cloned().collect();
        let mut used = BTreeSet::new();
        let mut words = self.state.held.to_vec();
        loop {
            for word in words.drain(..) {
                let object =
                    self.state.memory.object(word).filter(|o| o.kind == ObjectKind::Heap && o.status == Status::Live);
                if let Some(object) = object.filter(|o| word.wrapping_sub(o.base) < o.size.max(1))
                    && used.insert(object.base)
                {
                    open.push(Rc::clone(object));
                }
            }
            let Some(object) = open.pop() else { return used };
            words = self.words_of(&object);
        }
    }

    /// The content of an object as words of an address's size.
    fn words_of(&mut self, object: &Object) -> Vec<u64> {
        let bytes = self.engine.program.layout.pointer_bits as usize / 8;
        let first = (object.base.next_multiple_of(bytes as u64) - object.base) as usize;
        let ends = (first..object.size as usize).step_by(bytes).filter(|at| at + bytes <= object.size as usize);
        ends.map(|at| self.word_at(object, at, bytes)).collect()
    }

    fn word_at(&mut self, object: &Object, at: usize, bytes: usize) -> u64 {
        if let Some(known) = object.known(at, bytes) {
            return crate::memory::word_of(known, self.engine.program.layout.big_endian);
        }
        let parts: Vec<u8> = (at..at + bytes)
            .map(|i| {
                let byte = object.byte(&mut self.engine.terms, i);
                self.under_witness(byte) as u8
            })
            .collect();
        crate::memory::word_of(&parts, self.engine.program.layout.big_endian)
    }

    /// A value as the witness has it.
    fn under_witness(&mut self, value: Value) -> u64 {
        match value.as_term() {
            None => value.as_word().unwrap_or_default(),
            Some(t) => self.state.witness.bits(&self.engine.terms, t).low(),
        }
    }
}
