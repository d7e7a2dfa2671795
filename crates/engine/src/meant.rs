//! Which object is meant by a pointer that was chosen among several: `c ? p : q`, an element of a table at an unknown index.
//!
//! Provenance alone says which objects there are, not which one goes with which inputs: an index that is too large for the one that is meant may lead into
//! another of them, and null with a large index into any. So an access first decides what is meant, where the address shows it: as choices
//! among addresses within objects, or null, and what is added to them. Boundary: any other address is left to its provenance (`access.rs`). Invariant: a
//! constant that is in an object of the provenance, or just past its end, is a pointer to that object: slots have room behind objects.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use taw_expr::{ArrayNode, BinOp, Node, Term};

use crate::cx::Cx;
use crate::value::Value;

/// How deep sums are looked into for a choice before all of them are taken apart.
const GLANCE: u32 = 8;

/// Parts of an address that are looked at.
const PARTS: usize = 4096;

/// What a pointer means under the witness, once the rest is split off.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Meant {
    /// This object.
    Object(u64),
    /// Nothing.
    Null,
    /// Whatever its provenance says.
    Unclear,
}

/// The parts of an address, as far as they are choices among pointers.
#[derive(Default)]
struct PointerParts {
    /// Of each part what it is.
    known: HashMap<Term, PointerPart>,
    /// Those that may be a pointer to an object.
    to_objects: HashSet<Term>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum PointerPart {
    /// A pointer to an object, or null.
    To(Meant),
    /// A choice between two pointers.
    Choice(Term, Term, Term),
    /// One of a row, by its index; past the end it is the last.
    Row(Term, Rc<[Term]>),
    /// A pointer and what is added to it.
    Moved(Term),
    /// No pointer.
    Number,
}

impl Cx<'_, '_> {
    /// Decides which object a pointer means, if a choice decides that: others are split off.
    pub(crate) fn meant(&mut self, pointer: Value, address: Term) -> Meant {
        // Most addresses are an object and an index: these are not looked into.
        if !self.may_choose(address, GLANCE) {
            return Meant::Unclear;
        }
        let objects = self.engine.provenances.objects(pointer.provenance()).to_vec();
        let mut parts = PointerParts::default();
        if objects.is_empty() || !self.take_apart(address, &objects, &mut parts) {
            return Meant::Unclear;
        }
        if !parts.known.values().any(|part| matches!(part, PointerPart::Choice(..) | PointerPart::Row(..))) {
            return Meant::Unclear;
        }
        let meant = self.meant_by_witness(address, &parts);
        let is_meant = self.is_meant(address, meant, &parts, &mut HashMap::new());
        let is_meant = self.value(is_meant);
        // The witness decides: the other side is split off.
        self.branch(is_meant);
        meant
    }

    /// Whether a choice may be among what an address is the sum of.
    fn may_choose(&self, t: Term, depth: u32) -> bool {
        match *self.engine.terms.node(t) {
            Node::Ite(..) | Node::Select(..) => true,
            Node::Bin(BinOp::Add, a, b) => depth == 0 || self.may_choose(a, depth - 1) || self.may_choose(b, depth - 1),
            _ => false,
        }
    }

    /// Whether an address is made of pointers to these objects; what it is made of.
    fn take_apart(&mut self, t: Term, objects: &[u64], parts: &mut PointerParts) -> bool {
        if let Some(part) = parts.known.get(&t) {
            return *part != PointerPart::Number;
        }
        if parts.known.len() >= PARTS {
            return false;
        }
        let part = match *self.engine.terms.node(t) {
            Node::Const(_) => match self.engine.terms.as_u64(t) {
                Some(0) => PointerPart::To(Meant::Null),
                Some(word) => self.constant_part(word, objects),
                None => PointerPart::Number,
            },
            Node::Ite(c, x, y) => {
                let both = self.take_apart(x, objects, parts) & self.take_apart(y, objects, parts);
                if both { PointerPart::Choice(c, x, y) } else { PointerPart::Number }
            }
            Node::Bin(BinOp::Add, a, b) => {
                let is_pointer = |cx: &mut Self, t: Term, parts: &mut PointerParts| {
                    cx.take_apart(t, objects, parts) && parts.to_objects.contains(&t)
                };
                match (is_pointer(self, a, parts), is_pointer(self, b, parts)) {
                    (true, false) => PointerPart::Moved(a),
                    (false, true) => PointerPart::Moved(b),
                    _ => PointerPart::Number,
                }
            }
            Node::Select(array, index) => match self.engine.terms.array(array) {
                ArrayNode::Elements(elements) if elements.len() <= PARTS => {
                    let row: Rc<[Term]> = elements.iter().copied().collect();
                    let all = row.iter().all(|element| self.take_apart(*element, objects, parts));
                    if all { PointerPart::Row(index, row) } else { PointerPart::Number }
                }
                _ => PointerPart::Number,
            },
            _ => PointerPart::Number,
        };
        let is_pointer = part != PointerPart::Number;
        parts.insert(t, part);
        is_pointer
    }

    fn constant_part(&self, word: u64, objects: &[u64]) -> PointerPart {
        let object = self.state.memory.object(word).filter(|object| objects.contains(&object.base));
        let inside = object.filter(|object| word.wrapping_sub(object.base) <= object.size);
        inside.map_or(PointerPart::Number, |object| PointerPart::To(Meant::Object(object.base)))
    }

    fn meant_by_witness(&mut self, mut t: Term, parts: &PointerParts) -> Meant {
        loop {
            t = match &parts.known[&t] {
                PointerPart::To(meant) => return *meant,
                PointerPart::Row(index, row) => {
                    let index = self.witness_word(*index) as usize;
                    row[index.min(row.len() - 1)]
                }
                &PointerPart::Choice(c, x, y) => match self.state.witness.holds(&self.engine.terms, c) {
                    true => x,
                    false => y,
                },
                PointerPart::Moved(of) => *of,
                PointerPart::Number => return Meant::Unclear,
            };
        }
    }

    /// Under which condition an address means something.
    fn is_meant(&mut self, t: Term, meant: Meant, parts: &PointerParts, done: &mut HashMap<Term, Term>) -> Term {
        if let Some(&known) = done.get(&t) {
            return known;
        }
        let is_meant = match &parts.known[&t] {
            PointerPart::To(to) => self.engine.terms.bool(*to == meant),
            PointerPart::Row(index, row) => {
                let row = row.iter().map(|element| self.is_meant(*element, meant, parts, done)).collect();
                let row = self.engine.terms.array_of(row);
                self.engine.terms.select(row, *index)
            }
            &PointerPart::Choice(c, x, y) => {
                let (x, y) = (self.is_meant(x, meant, parts, done), self.is_meant(y, meant, parts, done));
                self.engine.terms.ite(c, x, y)
            }
            PointerPart::Moved(of) => self.is_meant(*of, meant, parts, done),
            PointerPart::Number => self.engine.terms.bool(false),
        };
        done.insert(t, is_meant);
        is_meant
    }
}

impl PointerParts {
    fn insert(&mut self, t: Term, part: PointerPart) {
        let has_object = match &part {
            PointerPart::To(meant) => *meant != Meant::Null,
            PointerPart::Choice(_, x, y) => self.to_objects.contains(x) || self.to_objects.contains(y),
            PointerPart::Row(_, row) => row.iter().any(|element| self.to_objects.contains(element)),
            PointerPart::Moved(_) => true,
            PointerPart::Number => false,
        };
        if has_object {
            self.to_objects.insert(t);
        }
        self.known.insert(t, part);
    }
}
