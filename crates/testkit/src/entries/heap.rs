//! What a function does with one object graph. What the graph does not say yet is decided where it is looked at ([`Deciding`]).

use super::graphs::Deciding;
use super::steps::{EntryKind, PointerWay, RandomFunction, RandomStep, StepIndex};

/// A pointer: null, or a cell of an object. `past` says that the caller passed it as one past the end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct HeapPointer {
    pub object: Option<usize>,
    pub at: usize,
    pub past: bool,
}

pub(super) const NULL: HeapPointer = HeapPointer { object: None, at: 0, past: false };

/// An array, a node (one value and where it leads) or a structure of values.
#[derive(Clone, Debug)]
pub(super) struct HeapObject {
    /// Values of two bits; none that nobody has looked at.
    pub cells: Vec<Option<u8>>,
    /// Where a node leads; none if nobody has looked.
    pub next: Option<HeapPointer>,
}

#[derive(Clone, Debug)]
pub(super) struct Heap {
    pub objects: Vec<HeapObject>,
    /// `p` and `q`, and the addresses of `g` and `h`; of many pointers all are passed
    pub variables: [HeapPointer; 4],
    pub n: Option<usize>,
}

enum WrongUse {
    Error(&'static str),
    /// Nobody passes a pointer past the end to have it used.
    Unused,
}

/// How a call ends: a `return`, or an error in a line.
pub(super) type CallEnd = String;

impl RandomFunction {
    /// The end of one call; none if the graph is not one that a caller makes (a pointer past the end is used).
    pub fn run(&self, mut heap: Heap, deciding: &mut Deciding) -> Option<CallEnd> {
        let mut next = 0;
        while let Some(step) = self.steps.get(next) {
            let at = next;
            next += 1;
            if let RandomStep::Skip(c, steps) = *step {
                next += if heap.number(deciding) == usize::from(c) { steps } else { 0 };
                continue;
            }
            let line = self.line + u32::try_from(at).unwrap_or(0);
            match heap.step(*step, self.kind, deciding) {
                Ok(false) => {}
                Ok(true) => return Some(format!("return {}", at + 1)),
                Err(WrongUse::Unused) => return None,
                Err(WrongUse::Error(kind)) => return Some(format!("{kind} in line {line}")),
            }
        }
        Some("return 0".to_owned())
    }
}

impl Heap {
    /// Whether a step returns.
    fn step(&mut self, step: RandomStep, kind: EntryKind, deciding: &mut Deciding) -> Result<bool, WrongUse> {
        match step {
            RandomStep::IfNull(a) => Ok(self.follow(a, deciding)? == NULL),
            RandomStep::IfSame(a, b) => {
                let (a, b) = (self.follow(a, deciding)?, self.follow(b, deciding)?);
                Ok((a.object, a.at) == (b.object, b.at))
            }
            RandomStep::IfMember => {
                let [p, q, ..] = self.variables;
                Ok(q.object.is_some() && (p.object, p.at) == (q.object, q.at + 1))
            }
            RandomStep::IfApart(a, b, c) => {
                let (a, b) = (self.variables[a], self.variables[b]);
                Ok(a.object == b.object && a.at + c == b.at)
            }
            RandomStep::IfValue(a, index, c) => {
                let (object, at) = self.cell(a, index, kind, "read", deciding)?;
                let cell = &mut self.objects[object].cells[at];
                Ok(*cell.get_or_insert_with(|| u8::try_from(deciding.choose(4)).unwrap_or(0)) == c)
            }
            RandomStep::Store(a, index, c) => {
                let (object, at) = self.cell(a, index, kind, "write", deciding)?;
                self.objects[object].cells[at] = Some(c);
                Ok(false)
            }
            RandomStep::Assign(variable, a) => {
                self.variables[variable] = self.follow(a, deciding)?;
                Ok(false)
            }
            RandomStep::AssignMember => {
                let q = self.variables[1];
                if q.object.is_some() {
                    self.variables[0] = HeapPointer { at: q.at + 1, ..q };
                }
                Ok(false)
            }
            RandomStep::Advance(variable) => {
                self.variables[variable].at += 1;
                Ok(false)
            }
            RandomStep::Skip(..) => Ok(false),
        }
    }

    /// `n & 3`
    fn number(&mut self, deciding: &mut Deciding) -> usize {
        *self.n.get_or_insert_with(|| deciding.choose(4))
    }

    fn follow(&mut self, way: PointerWay, deciding: &mut Deciding) -> Result<HeapPointer, WrongUse> {
        let mut pointer = self.variables[way.variable];
        for _ in 0..way.next {
            let (object, _) = self.element(pointer, 0, "read")?;
            pointer = match self.objects[object].next {
                Some(next) => next,
                None => {
                    let next = deciding.next_node(self);
                    self.objects[object].next = Some(next);
                    next
                }
            };
        }
        Ok(pointer)
    }

    fn cell(
        &mut self,
        way: PointerWay,
        index: StepIndex,
        kind: EntryKind,
        verb: &str,
        deciding: &mut Deciding,
    ) -> Result<(usize, usize), WrongUse> {
        let pointer = self.follow(way, deciding)?;
        let index = match (kind, index) {
            (EntryKind::Lists, _) => 0,
            (_, StepIndex::Known(i)) => i,
            (_, StepIndex::Given) => self.number(deciding),
        };
        self.element(pointer, index, verb)
    }

    fn element(&self, pointer: HeapPointer, index: usize, verb: &str) -> Result<(usize, usize), WrongUse> {
        let Some(object) = pointer.object else { return Err(WrongUse::Error("null-dereference")) };
        let at = pointer.at + index;
        if at < self.objects[object].cells.len() {
            return Ok((object, at));
        }
        match (pointer.past, verb) {
            (true, _) => Err(WrongUse::Unused),
            (_, "read") => Err(WrongUse::Error("out-of-bounds-read")),
            _ => Err(WrongUse::Error("out-of-bounds-write")),
        }
    }
}
