//! What constants and the initial content of globals point at.

use super::AbstractObject;
use super::solve::{PointerNode, PointerSolver};
use crate::function::ConstData;
use crate::program::{ConstValue, GlobalId, Symbol, Ty};

/// Addresses below this, and as many at the other end, are no objects: `(void *)-1`, `SIG_IGN`.
const FIRST_PAGE: u64 = 4096;

fn is_no_address(word: u64, bits: u32) -> bool {
    let top = if bits >= 64 { u64::MAX } else { (1 << bits) - 1 };
    word < FIRST_PAGE || word > top - FIRST_PAGE.min(top)
}

impl PointerSolver<'_> {
    /// What a constant may be.
    pub(super) fn constant(&mut self, node: PointerNode, data: &ConstData) {
        let bits = data.ty.bits(&self.program.layout);
        match (&data.value, data.ty) {
            (ConstValue::Bits(words), ty) => match words[..] {
                [] | [0] if ty == Ty::Ptr => self.add(node, AbstractObject::Null),
                [word] if is_no_address(word, bits) && ty == Ty::Ptr => self.add(node, AbstractObject::Nowhere),
                [word] if is_no_address(word, bits) => {}
                _ if ty == Ty::Ptr => self.add(node, AbstractObject::Anything),
                _ => self.add(node, AbstractObject::Number),
            },
            (value, ty) => {
                self.symbols(node, value);
                if ty != Ty::Ptr && !matches!(value, ConstValue::Address(..)) {
                    self.add(node, AbstractObject::Number);
                }
            }
        }
    }

    /// The symbols in a constant.
    fn symbols(&mut self, node: PointerNode, value: &ConstValue) {
        match value {
            ConstValue::Address(Symbol::Function(func), _) => self.add(node, AbstractObject::Function(*func)),
            ConstValue::Address(Symbol::Global(id), _) => self.add(node, AbstractObject::Global(*id)),
            ConstValue::Add(a, b) | ConstValue::Sub(a, b) => {
                self.symbols(node, a);
                self.symbols(node, b);
            }
            ConstValue::Address(Symbol::Block(..), _) | ConstValue::Bits(_) | ConstValue::Undef => {}
        }
    }

    /// What a global holds at first.
    pub(super) fn initial(&mut self, cell: PointerNode, id: GlobalId) {
        match &self.program.globals[id].init {
            None => self.add(cell, AbstractObject::Anything),
            Some(init) => init.relocations.iter().for_each(|relocation| self.symbols(cell, &relocation.value)),
        }
    }

    /// Whether an object is a constant that holds nothing but addresses: then no pointer in it is null.
    pub(super) fn is_full_of_addresses(&self, object: AbstractObject) -> bool {
        let AbstractObject::Global(id) = object else { return false };
        let global = &self.program.globals[id];
        let bytes = u64::from(self.program.layout.pointer_bytes());
        let is_address =
            |value: &ConstValue| matches!(value, ConstValue::Address(Symbol::Function(_) | Symbol::Global(_), _));
        let relocations = global.init.as_ref().map_or(&[][..], |init| &init.relocations);
        let is_full = relocations.iter().all(|one| u64::from(one.bytes) == bytes && is_address(&one.value));
        global.constant && is_full && relocations.len() as u64 * bytes == global.size
    }
}
