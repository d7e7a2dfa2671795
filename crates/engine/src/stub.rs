//! Functions that are declared and defined nowhere, as the user says that they behave (`--stub`), and what their declarations tell.
//!
//! Boundary: what a call does is `step/stub.rs`; the C that does the same natively is made by `native`, from the [`StubShape`] that both
//! read here. Invariant: exploring and native run ask for the same inputs in the same order, because both follow the declaration,
//! never the call.

use taw_ir::{Function, Layout, Param, Program, Ty, Type, TypeId, Types};

use crate::test_case::InputType;

/// How a function behaves that is declared and defined nowhere.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Stub {
    /// It gives back an unknown value, and changes nothing.
    Return,
    /// It also writes unknown values through its pointers that are not to `const`.
    Havoc,
    /// A call of it is an error.
    Fail,
    /// It is not called.
    Never,
}

impl Stub {
    /// Each with its word on the command line.
    pub const WORDS: [(Stub, &'static str); 4] =
        [(Self::Return, "return"), (Self::Havoc, "havoc"), (Self::Fail, "fail"), (Self::Never, "never")];

    /// The word on the command line.
    pub fn word(self) -> &'static str {
        Self::WORDS.iter().find(|(stub, _)| *stub == self).map_or("", |(_, word)| word)
    }

    /// The one with that word.
    pub fn named(word: &str) -> Option<Self> {
        Self::WORDS.iter().find(|(_, known)| *known == word).map(|(stub, _)| *stub)
    }
}

/// How the name of an input ends that says whether a result points at an object.
pub(crate) const IS_SOME: &str = " != NULL";
/// Bytes of a string that a function gives back, its end included.
const STRING: u64 = 8;
/// Bytes of an object that nobody can look into: its type has no inside.
const OPAQUE: u64 = 1;

/// What a declaration says of the memory that a call has to do with.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct StubShape {
    /// The structure that it returns by way of memory, for which its first argument is the address; with its bytes.
    pub place: Option<(TypeId, u64)>,
    /// What its result may point at, with its bytes; nothing if the result is no pointer, or to nobody knows what.
    pub object: Option<(TypeId, u64)>,
}

impl StubShape {
    /// That of a function.
    pub fn of(program: &Program, function: &Function) -> Self {
        let Some(returns) = function.source.and_then(|source| match program.types.all[program.types.plain(source)] {
            Type::Function { returns, .. } => Some(returns),
            _ => None,
        }) else {
            return StubShape::default();
        };
        let (types, layout) = (&program.types, &program.layout);
        let place = match function.returns[..] {
            [] => types.bytes(returns, layout).map(|bytes| (returns, bytes)),
            _ => None,
        };
        let object = match function.returns[..] {
            [Ty::Ptr] => types.pointee(returns).and_then(|to| Some((to, object_bytes(types, layout, to)?))),
            _ => None,
        };
        StubShape { place, object }
    }

    /// The type of the result as C writes it, if it is one scalar.
    pub(crate) fn result_type(program: &Program, function: &Function) -> String {
        let spelled = function.source.and_then(|source| match program.types.all[program.types.plain(source)] {
            Type::Function { returns, .. } => Some(program.types.spelled(returns)),
            _ => None,
        });
        let bits = function.returns.first().map_or(0, |ty| ty.bits(&program.layout));
        spelled.unwrap_or_else(|| format!("i{bits}"))
    }
}

/// What a pointer that a function gives back points at: one thing of its type, but of characters a string.
pub(crate) fn object_bytes(types: &Types, layout: &Layout, to: TypeId) -> Option<u64> {
    match types.all[types.plain(to)] {
        Type::Void | Type::Function { .. } => None,
        Type::Integer { bits: 8, .. } => Some(STRING),
        _ => Some(types.bytes(to, layout).unwrap_or(OPAQUE)),
    }
}

/// What is at the other end of a parameter: nothing if it is no pointer, or its type is not known.
pub(crate) fn pointee(program: &Program, param: &Param) -> Option<TypeId> {
    param.source.and_then(|source| program.types.pointee(source))
}

/// A scalar, or several of one type in a row, within a larger type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct StubPart {
    /// Where it begins.
    pub offset: u64,
    /// How long it is, all elements together.
    pub bytes: u64,
    /// Bytes of an element.
    pub element: u64,
    pub kind: PartKind,
    /// As a test names it.
    pub ty: InputType,
}

/// What may be in a leaf.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PartKind {
    /// Any bits.
    Bits,
    /// Zero or one.
    Bool,
    /// An address.
    Address,
}

/// The leaves of `count` things of a type in a row, from `offset` on. Padding belongs to none.
pub(crate) fn leaves(program: &Program, ty: TypeId, count: u64, offset: u64, found: &mut Vec<StubPart>) {
    let (types, layout) = (&program.types, &program.layout);
    let Some(bytes) = types.bytes(ty, layout).filter(|bytes| *bytes > 0) else { return };
    let kind = match &types.all[types.plain(ty)] {
        Type::Array { of, count: Some(elements) } => return leaves(program, *of, count * elements, offset, found),
        Type::Record(record) => {
            let members = record.body.as_ref().map_or(&[][..], |body| &body.members);
            for at in (0..count).map(|i| offset + i * bytes) {
                for member in members {
                    let before = found.len();
                    leaves(program, member.ty, 1, at + member.offset / 8, found);
                    // Bit fields share bytes with others, and members of a union all: what is there is written once.
                    let new = found.split_off(before);
                    let is_new =
                        |leaf: &StubPart| !found.iter().rev().take(members.len()).any(|known| known.overlaps(leaf));
                    let new: Vec<StubPart> = new.into_iter().filter(is_new).collect();
                    found.extend(new);
                }
            }
            return;
        }
        Type::Pointer { .. } => PartKind::Address,
        Type::Integer { name, .. } if name == "_Bool" || name == "bool" => PartKind::Bool,
        _ => PartKind::Bits,
    };
    let spelled = types.spelled(ty);
    let is_number = matches!(types.all[types.plain(ty)], Type::Integer { .. } | Type::Enum { .. } | Type::Float { .. });
    let ty = match count {
        _ if !is_number || bytes > 8 => InputType::Bytes,
        1 => InputType::Scalar(spelled),
        _ => InputType::Scalar(format!("{spelled}[{count}]")),
    };
    let element = if bytes.is_power_of_two() && bytes <= 8 { bytes } else { 1 };
    found.push(StubPart { offset, bytes: bytes * count, element, kind, ty });
}

impl StubPart {
    fn overlaps(&self, other: &StubPart) -> bool {
        self.offset < other.offset + other.bytes && other.offset < self.offset + self.bytes
    }
}

/// How many bytes from `offset` on belong to what a pointer there points at, if that has `bytes`: the rest of an array of such elements,
/// else the thing itself. Nothing where the variable, which is of type `ty`, has nothing of that size there.
pub(crate) fn room(types: &Types, layout: &Layout, ty: TypeId, offset: u64, bytes: u64) -> Option<u64> {
    let whole = types.bytes(ty, layout)?;
    match &types.all[types.plain(ty)] {
        Type::Array { of, count: Some(count) } => {
            let each = types.bytes(*of, layout).filter(|each| *each > 0)?;
            match each == bytes && offset.is_multiple_of(each) {
                true => Some((each * count).saturating_sub(offset)),
                false => room(types, layout, *of, offset % each, bytes),
            }
        }
        _ if offset == 0 && whole == bytes => Some(bytes),
        Type::Record(record) => record.body.as_ref()?.members.iter().find_map(|member| {
            let (start, size) = (member.offset / 8, types.bytes(member.ty, layout)?);
            let inside = (start..start + size).contains(&offset);
            inside.then(|| room(types, layout, member.ty, offset - start, bytes)).flatten()
        }),
        _ => None,
    }
}
