//! Which objects may be the same, or lie in each other, by what C lets pointers of two types point at.

use taw_ir::{Program, Type, TypeId};

/// How objects of two types may lie in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kinship {
    /// One may be the other.
    Same,
    /// One may be a part of the other.
    Part,
    /// They have nothing in common.
    Strangers,
}

/// The kinship of what two pointers point at; no type stands for bytes.
pub(super) fn kinship(program: &Program, a: Option<TypeId>, b: Option<TypeId>) -> Kinship {
    match (a, b) {
        (None, None) => Kinship::Same,
        (Some(a), Some(b)) if is_same(program, a, b) => Kinship::Same,
        (Some(a), Some(b)) if !is_character(program, a) && !is_character(program, b) => {
            let part = contains(program, a, b) || contains(program, b, a);
            if part { Kinship::Part } else { Kinship::Strangers }
        }
        // Code is nothing that one looks into.
        _ if [a, b].into_iter().flatten().any(|id| is_function(program, id)) => Kinship::Strangers,
        // Characters may be those of anything.
        _ => Kinship::Part,
    }
}

/// Whether a type is a character: any object may be looked at as characters.
pub(super) fn is_character(program: &Program, id: TypeId) -> bool {
    matches!(&program.types.all[program.types.plain(id)], Type::Integer { name, bits: 8, .. } if name.ends_with("char"))
}

/// Whether a type is that of text: `char`, and no other character.
pub(super) fn is_plain_char(program: &Program, id: TypeId) -> bool {
    matches!(&program.types.all[program.types.plain(id)], Type::Integer { name, bits: 8, .. } if name == "char")
}

pub(super) fn is_function(program: &Program, id: TypeId) -> bool {
    matches!(program.types.all[program.types.plain(id)], Type::Function { .. })
}

/// Whether two types are one for C, but for signs.
pub(super) fn is_same(program: &Program, a: TypeId, b: TypeId) -> bool {
    let types = &program.types;
    let (a, b) = (types.plain(a), types.plain(b));
    match (&types.all[a], &types.all[b]) {
        _ if a == b => true,
        // With or without a sign.
        (
            Type::Integer { bits: x, .. } | Type::Enum { bits: x, .. },
            Type::Integer { bits: y, .. } | Type::Enum { bits: y, .. },
        ) => x == y,
        (Type::Pointer { to: x }, Type::Pointer { to: y }) => {
            types.plain(*x) == types.plain(*y) || is_same(program, *x, *y)
        }
        (Type::Array { of: x, count: m }, Type::Array { of: y, count: n }) => m == n && is_same(program, *x, *y),
        (
            Type::Function { returns: x, params: p, variadic: v },
            Type::Function { returns: y, params: q, variadic: w },
        ) => {
            let alike = |(a, b): (&TypeId, &TypeId)| is_same(program, *a, *b);
            v == w && p.len() == q.len() && is_same(program, *x, *y) && p.iter().zip(q).all(alike)
        }
        // One structure has several numbers, if several files use it.
        (Type::Record(x), Type::Record(y)) => {
            let bits = |record: &taw_ir::Record| record.body.as_ref().map(|body| body.bits);
            !x.name.is_empty() && (x.kind, &x.name, bits(x)) == (y.kind, &y.name, bits(y))
        }
        _ => false,
    }
}

/// Whether an object of a type may have one of another in it.
pub(crate) fn contains(program: &Program, whole: TypeId, part: TypeId) -> bool {
    let types = &program.types;
    let has = |inner: TypeId| is_same(program, inner, part) || contains(program, inner, part);
    match &types.all[types.plain(whole)] {
        Type::Array { of, count } => has(*of) || is_storage(program, *of, count.unwrap_or(0), part),
        // A bit-field has no address.
        Type::Record(_) => {
            let members = types.members(whole).unwrap_or_default();
            members.iter().filter(|member| member.width.is_none()).any(|member| has(member.ty))
        }
        _ => false,
    }
}

/// Whether an array is room for characters in which something of another type may be put.
pub(super) fn is_storage(program: &Program, of: TypeId, count: u64, part: TypeId) -> bool {
    let bytes = program.types.bytes(part, &program.layout).unwrap_or(0);
    is_character(program, of) && (count == 0 || count >= bytes)
}
