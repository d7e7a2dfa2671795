//! Where objects lie in memory is Taw's choice; natively it is the compiler's, the allocator's and the kernel's, another in every run.
//!
//! So what the user's code decides by comparing addresses of different objects, or numbers made of addresses (hashes, low bits), may go the
//! other way natively: it is noted, nothing is concluded from what was not found, and a test may go its own way. What C promises is
//! no such thing: offsets within an object, equality, null, the alignment of a type.
//! Boundary: an address is followed through arithmetic of words by its provenance; one that went through memory byte by byte is not.

use std::rc::Rc;

use taw_expr::{BinOp, Node, Term};
use taw_ir::{CmpOp, IntOp, Origin};

use crate::cx::Cx;
use crate::memory::ObjectKind;
use crate::provenance::Provenance;
use crate::reason::Doubt;
use crate::value::Value;

/// Terms looked at to tell an address from a distance.
const GLANCE: u32 = 256;

/// Pointers that are remembered because their order was asked for.
const ORDERED: usize = 64;

impl Cx<'_, '_> {
    /// Notes that a comparison of the user's code depends on where objects lie, if it does.
    #[cold]
    pub(super) fn note_compared(&mut self, op: CmpOp, a: Value, b: Value) {
        let is_users = self.engine.program.functions[self.state.top.func].origin == Origin::User;
        if !is_users {
            return;
        }
        let is_far = op.is_order() && self.keep_ordered(a, b);
        let is_doubted = self.engine.doubts.iter().any(|doubt| matches!(doubt, Doubt::LayoutDecides(_)));
        if !(self.state.layout_decides && is_doubted) {
            let depends = self.depends_on_layout(op, a, b);
            self.state.layout_decides |= depends;
            if (depends || is_far) && !is_doubted {
                let at = self.engine.stack_of(self.state).swap_remove(0);
                self.engine.doubts.insert(Doubt::LayoutDecides(at));
            }
        }
    }

    /// Remembers pointers of one object that depend on inputs: which numbers they are is known when the path is over. Whether the witness moves one so
    /// far that it leads round the whole of memory.
    fn keep_ordered(&mut self, a: Value, b: Value) -> bool {
        let (of_a, of_b) = (self.provenance_of(a), self.provenance_of(b));
        if !of_a.is_known() || of_a != of_b {
            return false;
        }
        for pointer in [a, b].into_iter().filter_map(Value::as_term) {
            let is_new = !self.state.ordered.iter().any(|(known, _)| *known == pointer);
            if is_new && self.state.ordered.len() < ORDERED {
                Rc::make_mut(&mut self.state.ordered).push((pointer, of_a));
            }
        }
        self.is_far(a, of_a) || self.is_far(b, of_b)
    }

    fn depends_on_layout(&mut self, op: CmpOp, a: Value, b: Value) -> bool {
        let is_order = op.is_order();
        let [of_a, of_b] = [a, b].map(|value| self.provenance_of(value));
        let (is_a, is_b) = (self.is_pointer(a), self.is_pointer(b));
        let is_nowhere = |value: Value| value.as_word().is_some_and(|word| self.state.memory.is_nowhere(word));
        match (of_a.is_known(), of_b.is_known()) {
            (false, false) => false,
            // Of one object: the distance decides.
            (true, true) if of_a == of_b => false,
            (true, true) => is_order || !(is_a && is_b),
            (true, false) => !is_a || (is_order && !is_nowhere(b)),
            (false, true) => !is_b || (is_order && !is_nowhere(a)),
        }
    }

    /// Whether an address is so far from the objects that it is derived from that natively, where these lie elsewhere, it may be on their other side.
    fn is_far(&mut self, value: Value, of: Provenance) -> bool {
        let address = value.as_term().map_or_else(|| value.as_word().unwrap_or_default(), |t| self.witness_word(t));
        self.engine.provenances.is_far(of, address)
    }

    /// Whether a value is an address, and not a number made of some, such as a distance; one that is chosen among addresses is.
    fn is_pointer(&self, value: Value) -> bool {
        match value.as_term() {
            None => value.as_word().is_some_and(|word| self.state.memory.is_address(word)),
            Some(t) => {
                let mut left = GLANCE;
                self.addresses_in(t, &mut left).is_none_or(|count| count == 1)
            }
        }
    }

    /// How many addresses are added up in a term, less those that are taken away; none if it is made in another way, or is too long.
    fn addresses_in(&self, t: Term, left: &mut u32) -> Option<i32> {
        *left = left.checked_sub(1)?;
        let is_address = |word: u64| self.state.memory.is_address(word);
        match *self.engine.terms.node(t) {
            Node::Const(ref bits) => Some(i32::from(is_address(bits.low())) - i32::from(is_address(bits.neg().low()))),
            Node::Var(_) => Some(0),
            Node::Ite(_, a, b) => {
                let (a, b) = (self.addresses_in(a, left)?, self.addresses_in(b, left)?);
                // Null is one of several addresses.
                Some(if a.abs() > b.abs() { a } else { b })
            }
            Node::Bin(BinOp::Add, a, b) => Some(self.addresses_in(a, left)? + self.addresses_in(b, left)?),
            Node::Bin(BinOp::Sub, a, b) => Some(self.addresses_in(a, left)? - self.addresses_in(b, left)?),
            Node::ZExt(inner, _) | Node::SExt(inner, _) => self.addresses_in(inner, left),
            // An address with other low bits is one.
            Node::Bin(BinOp::And | BinOp::Or, ..) => None,
            Node::Bin(..) => Some(0),
            _ => None,
        }
    }

    /// The result of an operation on words of which one is an address.
    #[cold]
    pub(super) fn with_address(&mut self, op: IntOp, a: Value, b: Value, result: u64) -> Value {
        match op {
            IntOp::Add | IntOp::Sub => self.moved_integer(op, a, b, result),
            _ => self.made_of_address(op, a, b, result),
        }
    }

    /// Where a number comes from that is no sum.
    fn made_of_address(&mut self, op: IntOp, a: Value, b: Value, result: u64) -> Value {
        let (Some(x), Some(y)) = (a.as_word(), b.as_word()) else { return Value::word(result) };
        let memory = &self.state.memory;
        let (address, other) = if memory.is_address(x) { (x, y) } else { (y, x) };
        let is_moved = memory.is_address(result) && memory.in_one_slot(address, result);
        let low_bits = match op {
            IntOp::And => other.wrapping_add(1),
            IntOp::URem => other,
            _ => 0,
        };
        let is_promised = low_bits.is_power_of_two() && low_bits <= self.promised_alignment(address);
        if is_moved || is_promised {
            return Value::word(result);
        }
        let of = [x, y].map(|word| self.provenance_of(Value::word(word)));
        Value::word(result).with_provenance(self.engine.provenances.sum(of[0], of[1]))
    }

    /// The alignment of the object at an address that any compiler and allocator keeps to.
    fn promised_alignment(&self, address: u64) -> u64 {
        let program = self.engine.program;
        match self.state.memory.object(address).map(|object| object.kind) {
            Some(ObjectKind::Heap) => 2 * u64::from(self.pointer_bits() / 8),
            Some(ObjectKind::Global(id)) => program.globals[id].align,
            Some(ObjectKind::Stack(func, id)) => program.functions[func].allocas[id].align,
            _ => 1,
        }
    }
}
