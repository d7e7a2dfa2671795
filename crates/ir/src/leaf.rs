//! What lies at an offset of a type: the number, pointer or run of numbers that has that byte.
//!
//! Invariant: the leaves of a type do not overlap and leave no byte out, so content can be made leaf by leaf. Those of a structure with a flexible
//! member go on behind its end, element by element.

use crate::program::Layout;
use crate::types::{RecordKind, Type, TypeId, Types};

/// A part of a type that has no parts of its own, or an array of such parts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Leaf {
    /// Where it begins.
    pub start: u64,
    /// How many bytes it has.
    pub bytes: u64,
    /// What it is.
    pub what: LeafKind,
    /// How C gets there from the whole: `.items[2].name`; empty if it is the whole.
    pub path: String,
}

/// What a leaf is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LeafKind {
    /// A number of this type, or several in a row.
    Numbers(TypeId),
    /// A pointer to that.
    Pointer(TypeId),
    /// Bytes of which nothing is known: bit fields, padding, unions of numbers.
    Bytes,
    /// A union of this type that may hold a pointer: what it is, its content says ([`Types::leaf_held`]).
    Union(TypeId),
}

impl Leaf {
    pub(crate) fn whole(bytes: u64, what: LeafKind) -> Self {
        Leaf { start: 0, bytes, what, path: String::new() }
    }

    /// The same inside of something larger.
    pub(crate) fn within(self, start: u64, step: &str) -> Self {
        Leaf { start: self.start + start, path: format!("{step}{}", self.path), ..self }
    }
}

impl Types {
    /// The leaf at an offset of a type that has a size; past its end, bytes.
    pub fn leaf_at(&self, id: TypeId, at: u64, layout: &Layout) -> Leaf {
        let plain = self.plain(id);
        let bytes = self.bytes(plain, layout).unwrap_or(1).max(1);
        match &self.all[plain] {
            Type::Integer { .. } | Type::Float { .. } | Type::Enum { .. } | Type::Other { .. } => {
                Leaf::whole(bytes, LeafKind::Numbers(id))
            }
            Type::Pointer { to } => Leaf::whole(bytes, LeafKind::Pointer(*to)),
            Type::Array { of, .. } => self.in_array(*of, bytes, at, layout),
            Type::Record(record) if record.kind == RecordKind::Union => match self.has_pointer(plain) {
                true => Leaf::whole(bytes, LeafKind::Union(plain)),
                false => Leaf::whole(bytes, LeafKind::Bytes),
            },
            Type::Record(_) => self.in_structure(plain, at, layout),
            Type::Void | Type::Function { .. } | Type::Typedef { .. } => {
                Leaf { start: at, ..Leaf::whole(1, LeafKind::Bytes) }
            }
        }
    }

    fn in_array(&self, of: TypeId, bytes: u64, at: u64, layout: &Layout) -> Leaf {
        if self.is_number(of) {
            return Leaf::whole(bytes, LeafKind::Numbers(of));
        }
        let each = self.bytes(of, layout).unwrap_or(1).max(1);
        let index = at / each;
        self.leaf_at(of, at - index * each, layout).within(index * each, &format!("[{index}]"))
    }

    fn in_structure(&self, id: TypeId, at: u64, layout: &Layout) -> Leaf {
        // Elements that would lie partly in the padding before the end are bytes.
        let size = self.bytes(id, layout).unwrap_or(0);
        let flexible = self.flexible(id, layout).filter(|flexible| (size - flexible.at).is_multiple_of(flexible.each));
        if let Some(flexible) = flexible.filter(|flexible| at >= flexible.at) {
            let start = flexible.at + (at - flexible.at) / flexible.each * flexible.each;
            let step = format!(".{}[{}]", flexible.name, (start - flexible.at) / flexible.each);
            return self.leaf_at(flexible.of, at - start, layout).within(start, &step);
        }
        for member in self.members(id).unwrap_or_default().iter().filter(|member| member.width.is_none()) {
            let (start, bytes) = (member.offset / 8, self.bytes(member.ty, layout).unwrap_or(0));
            if (start..start + bytes).contains(&at) {
                let step = if member.name.is_empty() { String::new() } else { format!(".{}", member.name) };
                return self.leaf_at(member.ty, at - start, layout).within(start, &step);
            }
        }
        self.between_members(id, at, layout)
    }

    /// Bit fields and padding, from the member before to the next.
    fn between_members(&self, id: TypeId, at: u64, layout: &Layout) -> Leaf {
        let size = self.bytes(id, layout).unwrap_or(0);
        if at >= size {
            return Leaf { start: at, path: format!("[byte {at}]"), ..Leaf::whole(1, LeafKind::Bytes) };
        }
        let (mut start, mut end) = (0, size);
        for member in self.members(id).unwrap_or_default().iter().filter(|member| member.width.is_none()) {
            let (first, bytes) = (member.offset / 8, self.bytes(member.ty, layout).unwrap_or(0));
            match first > at {
                true => end = end.min(first),
                false => start = start.max(first + bytes),
            }
        }
        Leaf { start, path: format!("[byte {start}]"), ..Leaf::whole(end - start, LeafKind::Bytes) }
    }

    /// Whether a type is a number, behind its other names.
    pub fn is_number(&self, id: TypeId) -> bool {
        matches!(
            self.all[self.plain(id)],
            Type::Integer { .. } | Type::Float { .. } | Type::Enum { .. } | Type::Other { .. }
        )
    }

    /// Whether there is a pointer in it.
    pub fn has_pointer(&self, id: TypeId) -> bool {
        match &self.all[self.plain(id)] {
            Type::Pointer { .. } => true,
            Type::Array { of, .. } => self.has_pointer(*of),
            Type::Record(_) => self.members(id).unwrap_or_default().iter().any(|member| self.has_pointer(member.ty)),
            _ => false,
        }
    }
}
