//! Where objects of one type lie in those of another: members, elements, elements of members.
//!
//! Invariant: the places that are listed do not overlap; whatever else may be there is told ([`TypeParts::more`]).

use taw_ir::{Program, RecordKind, Type, TypeId};

use super::kinship::{contains, is_same, is_storage};

/// The longest array of which a pointer's index can name all elements.
const LONGEST: u64 = 1 << 15;

/// Places that are listed of one array of structures, at most.
const FEW: usize = 8;

/// Objects of a type in a row.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct TypePart {
    /// Where the first begins.
    pub at: u64,
    /// How many bytes each has.
    pub stride: u64,
    /// How many there are.
    pub count: u64,
}

/// Objects of a type in another.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct TypeParts {
    pub list: Vec<TypePart>,
    /// Whether there may be others: in unions, in room for characters, in arrays that are too long to list or have no length.
    pub more: bool,
}

/// Where objects of type `part` lie in one of type `whole`, which may be the same.
pub(super) fn parts_of(program: &Program, whole: TypeId, part: TypeId) -> TypeParts {
    let mut found = TypeParts::default();
    add_parts(program, whole, part, 0, &mut found);
    found
}

fn add_parts(program: &Program, whole: TypeId, part: TypeId, at: u64, found: &mut TypeParts) {
    let types = &program.types;
    if is_same(program, whole, part) {
        let stride = types.bytes(whole, &program.layout).unwrap_or(1).max(1);
        found.list.push(TypePart { at, stride, count: 1 });
        return;
    }
    match &types.all[types.plain(whole)] {
        Type::Array { of, count } => add_elements(program, *of, *count, part, at, found),
        Type::Record(record) if record.kind == RecordKind::Union => found.more |= contains(program, whole, part),
        Type::Record(_) => {
            // A bit-field has no address.
            for member in types.members(whole).unwrap_or_default().iter().filter(|member| member.width.is_none()) {
                add_parts(program, member.ty, part, at + member.offset / 8, found);
            }
        }
        _ => {}
    }
}

fn add_elements(program: &Program, of: TypeId, count: Option<u64>, part: TypeId, at: u64, found: &mut TypeParts) {
    let inner = parts_of(program, of, part);
    let each = program.types.bytes(of, &program.layout).unwrap_or(1).max(1);
    let count = count.unwrap_or(0);
    found.more |= is_storage(program, of, count, part);
    match inner.list[..] {
        [] => found.more |= inner.more,
        _ if inner.more || count == 0 => found.more = true,
        // Arrays in arrays are one.
        [one] if one.at == 0 && one.stride * one.count == each && one.count * count <= LONGEST => {
            found.list.push(TypePart { at, stride: one.stride, count: one.count * count });
        }
        _ if inner.list.len() as u64 * count <= FEW as u64 => {
            let shifted = |i: u64| inner.list.iter().map(move |part| TypePart { at: at + i * each + part.at, ..*part });
            found.list.extend((0..count).flat_map(shifted));
        }
        _ => found.more = true,
    }
}
