//! Types of the source, as the debug information has them: what a parameter, variable or result is in C.
//!
//! Registers and memory know scalars and bytes only ([`Ty`](crate::Ty)); this table says which bytes are which member, and what is at the other end
//! of a pointer. Qualifiers are dropped. Nothing in a run depends on it but what is said of inputs, so it may be empty.
//!
//! Invariant (`verify_types`): a type contains itself only behind a pointer or a function, so sizes are finite and a walk through members ends.

use cranelift_entity::{PrimaryMap, entity_impl};

use crate::program::Layout;

/// A type of the source.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeId(u32);
entity_impl!(TypeId, "type");

/// Types by number.
#[derive(Clone, Debug, Default)]
pub struct Types {
    /// All of them.
    pub all: PrimaryMap<TypeId, Type>,
}

/// A type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// No value.
    Void,
    /// A whole number; `char` and `_Bool` too.
    Integer {
        /// As C spells it.
        name: String,
        /// Whether it has a sign.
        signed: bool,
        /// Size in memory.
        bits: u64,
    },
    /// A floating-point number.
    Float {
        /// As C spells it.
        name: String,
        /// Size in memory: of a `long double` of x86 more than its value has.
        bits: u64,
    },
    /// Something else that has a size and no parts: a complex number, what another language has.
    Other {
        /// Its name.
        name: String,
        /// Size in memory.
        bits: u64,
    },
    /// An address.
    Pointer {
        /// Of what.
        to: TypeId,
    },
    /// Elements in a row.
    Array {
        /// Of what.
        of: TypeId,
        /// How many; unknown for `a[]`, a flexible member, and a length that is computed.
        count: Option<u64>,
    },
    /// A structure or union.
    Record(Record),
    /// An enumeration.
    Enum {
        /// Its tag; empty if it has none.
        name: String,
        /// Whether the integer that it is has a sign.
        signed: bool,
        /// Size in memory.
        bits: u64,
        /// Names and values.
        enumerators: Vec<(String, i64)>,
    },
    /// Another name of a type.
    Typedef {
        /// The name.
        name: String,
        /// Of what.
        of: TypeId,
    },
    /// A function.
    Function {
        /// What it returns.
        returns: TypeId,
        /// What it takes.
        params: Vec<TypeId>,
        /// Whether it takes further arguments.
        variadic: bool,
    },
}

/// Whether members lie one after the other or all at one place.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RecordKind {
    /// One after the other.
    Struct,
    /// All at one place.
    Union,
}

impl RecordKind {
    /// The word of C, and of the text form.
    pub fn word(self) -> &'static str {
        match self {
            RecordKind::Struct => "struct",
            RecordKind::Union => "union",
        }
    }
}

/// A structure or union.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Record {
    /// Which of the two.
    pub kind: RecordKind,
    /// Its tag; empty if it has none.
    pub name: String,
    /// Its inside; nothing if it is only declared.
    pub body: Option<RecordBody>,
}

/// The inside of a structure or union.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct RecordBody {
    /// Size in memory, padding included.
    pub bits: u64,
    /// Its members in the order of the source.
    pub members: Vec<Member>,
}

/// A member of a structure or union.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Member {
    /// Its name; empty for a structure whose members are used as if they were those of the one around it.
    pub name: String,
    /// Where it begins, in bits from the start.
    pub offset: u64,
    /// Its type.
    pub ty: TypeId,
    /// Of a bit field, how many bits it has.
    pub width: Option<u32>,
}

/// The last member of a structure as an array without a length: `int data[];`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FlexibleMember<'t> {
    /// Its name.
    pub name: &'t str,
    /// Where it begins, in bytes.
    pub at: u64,
    /// The type of an element.
    pub of: TypeId,
    /// Bytes of an element.
    pub each: u64,
}

impl Types {
    /// What a type is behind its other names.
    pub fn plain(&self, mut id: TypeId) -> TypeId {
        while let Type::Typedef { of, .. } = self.all[id] {
            id = of;
        }
        id
    }

    /// Size in bits; unknown for what is only declared, for arrays of unknown length, for functions and `void`.
    pub fn bits(&self, id: TypeId, layout: &Layout) -> Option<u64> {
        match &self.all[id] {
            Type::Void | Type::Function { .. } => None,
            Type::Integer { bits, .. }
            | Type::Float { bits, .. }
            | Type::Other { bits, .. }
            | Type::Enum { bits, .. } => Some(*bits),
            Type::Pointer { .. } => Some(u64::from(layout.pointer_bits)),
            Type::Array { of, count } => self.bits(*of, layout)?.checked_mul((*count)?),
            Type::Record(record) => record.body.as_ref().map(|body| body.bits),
            Type::Typedef { of, .. } => self.bits(*of, layout),
        }
    }

    /// Size in bytes; see [`Types::bits`].
    pub fn bytes(&self, id: TypeId, layout: &Layout) -> Option<u64> {
        self.bits(id, layout).map(|bits| bits.div_ceil(8))
    }

    /// The last member of a structure, if it is an array without a length.
    pub fn flexible(&self, id: TypeId, layout: &Layout) -> Option<FlexibleMember<'_>> {
        let Type::Record(Record { kind: RecordKind::Struct, body: Some(body), .. }) = &self.all[self.plain(id)] else {
            return None;
        };
        let last = body.members.last()?;
        let Type::Array { of, count: None | Some(0) } = self.all[self.plain(last.ty)] else { return None };
        let each = self.bytes(of, layout).filter(|each| *each > 0)?;
        Some(FlexibleMember { name: &last.name, at: last.offset / 8, of, each })
    }

    /// What a pointer points at, behind its other names.
    pub fn pointee(&self, id: TypeId) -> Option<TypeId> {
        match self.all[self.plain(id)] {
            Type::Pointer { to } => Some(to),
            _ => None,
        }
    }

    /// The members of a structure or union, behind its other names; nothing for any other type and one that is only declared.
    pub fn members(&self, id: TypeId) -> Option<&[Member]> {
        match &self.all[self.plain(id)] {
            Type::Record(record) => Some(&record.body.as_ref()?.members),
            _ => None,
        }
    }

    /// The member of that name, in anonymous members too, with its offset from the start of the whole.
    pub fn member(&self, id: TypeId, name: &str) -> Option<(u64, &Member)> {
        for member in self.members(id)? {
            if member.name == name {
                return Some((member.offset, member));
            }
            if member.name.is_empty()
                && let Some((offset, inner)) = self.member(member.ty, name)
            {
                return Some((member.offset + offset, inner));
            }
        }
        None
    }
}
