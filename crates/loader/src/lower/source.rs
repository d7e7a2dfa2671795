//! Types of the source out of the debug information.
//!
//! Structures are numbered when they are met and filled afterwards, one after the other: so they may refer to each other and to themselves, and
//! however they are chained nothing recurses but from a name to what it names. Other types are the same if they look the same.

use std::collections::{HashMap, HashSet};

use taw_ir::{Member, Program, Record, RecordBody, RecordKind, Type, TypeId};

use crate::llvm::DebugNode;

/// DWARF tags of types.
mod tag {
    pub const ARRAY: u32 = 0x01;
    pub const CLASS: u32 = 0x02;
    pub const ENUM: u32 = 0x04;
    pub const MEMBER: u32 = 0x0d;
    pub const POINTER: u32 = 0x0f;
    pub const REFERENCE: u32 = 0x10;
    pub const STRUCT: u32 = 0x13;
    pub const FUNCTION: u32 = 0x15;
    pub const TYPEDEF: u32 = 0x16;
    pub const UNION: u32 = 0x17;
    pub const INHERITANCE: u32 = 0x1c;
    pub const BASE: u32 = 0x24;
    pub const CONST: u32 = 0x26;
    pub const VOLATILE: u32 = 0x35;
    pub const RESTRICT: u32 = 0x37;
    pub const RVALUE_REFERENCE: u32 = 0x42;
    pub const ATOMIC: u32 = 0x47;
}

/// DWARF encodings of basic types.
mod encoding {
    pub const BOOLEAN: u32 = 0x02;
    pub const COMPLEX_FLOAT: u32 = 0x03;
    pub const FLOAT: u32 = 0x04;
    pub const SIGNED: u32 = 0x05;
    pub const SIGNED_CHAR: u32 = 0x06;
    pub const UNSIGNED: u32 = 0x07;
    pub const UNSIGNED_CHAR: u32 = 0x08;
    pub const UTF: u32 = 0x10;
}

/// Names of names of names: more is not meant seriously.
const DEEPEST: u32 = 64;

/// The types met so far.
#[derive(Default)]
pub struct SourceTypes<'m> {
    known: HashMap<DebugNode<'m>, TypeId>,
    alike: HashMap<Type, TypeId>,
    /// Types on whose parts it depends what they are. In C none of them is a part of itself but for structures; a file may say what it likes.
    open: HashSet<DebugNode<'m>>,
    /// Structures that have a number and no members yet.
    waiting: Vec<(TypeId, DebugNode<'m>)>,
}

impl<'m> SourceTypes<'m> {
    /// The number of a type; nothing is `void`.
    pub fn of(&mut self, program: &mut Program, node: Option<DebugNode<'m>>) -> TypeId {
        let id = self.number(program, node, 0);
        while let Some((record, node)) = self.waiting.pop() {
            let body = self.body(program, node);
            if let Type::Record(record) = &mut program.types.all[record] {
                record.body = Some(body);
            }
        }
        id
    }

    fn number(&mut self, program: &mut Program, node: Option<DebugNode<'m>>, depth: u32) -> TypeId {
        let Some(node) = node else { return self.intern(program, Type::Void) };
        if let Some(&known) = self.known.get(&node) {
            return known;
        }
        let id = match node.tag() {
            _ if depth > DEEPEST || !self.open.insert(node) => return self.intern(program, other(node)),
            tag::CONST | tag::VOLATILE | tag::RESTRICT | tag::ATOMIC => self.number(program, node.base(), depth + 1),
            tag::STRUCT | tag::CLASS | tag::UNION => self.record(program, node),
            _ => {
                let ty = self.plain(program, node, depth);
                self.intern(program, ty)
            }
        };
        self.open.remove(&node);
        self.known.insert(node, id);
        id
    }

    fn intern(&mut self, program: &mut Program, ty: Type) -> TypeId {
        *self.alike.entry(ty.clone()).or_insert_with(|| program.types.all.push(ty))
    }

    fn record(&mut self, program: &mut Program, node: DebugNode<'m>) -> TypeId {
        let kind = if node.tag() == tag::UNION { RecordKind::Union } else { RecordKind::Struct };
        let id = program.types.all.push(Type::Record(Record { kind, name: node.name(), body: None }));
        if !node.is_only_declared() {
            self.waiting.push((id, node));
        }
        id
    }

    fn plain(&mut self, program: &mut Program, node: DebugNode<'m>, depth: u32) -> Type {
        let mut base = || self.number(program, node.base(), depth + 1);
        match node.tag() {
            tag::POINTER | tag::REFERENCE | tag::RVALUE_REFERENCE => Type::Pointer { to: base() },
            tag::TYPEDEF => Type::Typedef { of: base(), name: node.name() },
            tag::ARRAY => self.array(program, node, depth),
            tag::FUNCTION => self.function(program, node, depth),
            tag::ENUM => enumeration(node),
            tag::BASE => basic(node),
            _ => other(node),
        }
    }

    /// An array of several dimensions is one of arrays.
    fn array(&mut self, program: &mut Program, node: DebugNode<'m>, depth: u32) -> Type {
        let mut of = self.number(program, node.base(), depth + 1);
        let dimensions = node.elements();
        let count = |range: &Option<DebugNode<'m>>| range.and_then(DebugNode::subrange);
        for range in dimensions.iter().skip(1).rev() {
            of = self.intern(program, Type::Array { of, count: count(range) });
        }
        Type::Array { of, count: dimensions.first().and_then(count) }
    }

    /// The parts of a function are its result and its parameters; one that is nothing stands for `...`.
    fn function(&mut self, program: &mut Program, node: DebugNode<'m>, depth: u32) -> Type {
        let parts = node.elements();
        let returns = self.number(program, parts.first().copied().flatten(), depth + 1);
        let rest = parts.get(1..).unwrap_or_default();
        let params = rest.iter().flatten().map(|&part| self.number(program, Some(part), depth + 1)).collect();
        Type::Function { returns, params, variadic: rest.iter().any(Option::is_none) }
    }

    fn body(&mut self, program: &mut Program, node: DebugNode<'m>) -> RecordBody {
        let mut members = Vec::new();
        for part in node.elements().into_iter().flatten() {
            let is_member = part.tag() == tag::MEMBER && !part.is_static_member();
            if is_member || part.tag() == tag::INHERITANCE {
                let (bits, offset) = part.size_and_offset();
                let width = part.is_bit_field().then_some(bits as u32);
                let name = if is_member { part.name() } else { String::new() };
                members.push(Member { name, offset, ty: self.number(program, part.base(), 0), width });
            }
        }
        RecordBody { bits: whole_bytes(node), members }
    }
}

/// Whether a type is a pointer to `const`, behind other names and qualifiers.
pub fn points_at_constant(node: DebugNode<'_>) -> bool {
    let pointer = behind(node, &[tag::TYPEDEF, tag::CONST, tag::VOLATILE, tag::RESTRICT, tag::ATOMIC]);
    let pointee = pointer.filter(|node| node.tag() == tag::POINTER).and_then(DebugNode::base);
    let pointee = pointee.and_then(|node| behind(node, &[tag::TYPEDEF, tag::VOLATILE]));
    pointee.is_some_and(|node| node.tag() == tag::CONST)
}

/// What a type is behind types of these tags.
fn behind<'m>(node: DebugNode<'m>, tags: &[u32]) -> Option<DebugNode<'m>> {
    let mut node = Some(node);
    for _ in 0..DEEPEST {
        node = node.and_then(|node| if tags.contains(&node.tag()) { node.base() } else { Some(node) });
    }
    node
}

fn whole_bytes(node: DebugNode<'_>) -> u64 {
    node.size_and_offset().0.next_multiple_of(8)
}

fn other(node: DebugNode<'_>) -> Type {
    let name = node.name();
    Type::Other { name: if name.is_empty() { "(unknown)".to_owned() } else { name }, bits: whole_bytes(node) }
}

fn basic(node: DebugNode<'_>) -> Type {
    use encoding::*;
    let (name, bits) = (node.name(), whole_bytes(node));
    match node.encoding() {
        _ if bits == 0 => other(node),
        SIGNED | SIGNED_CHAR => Type::Integer { name, signed: true, bits },
        UNSIGNED | UNSIGNED_CHAR | BOOLEAN | UTF => Type::Integer { name, signed: false, bits },
        FLOAT => Type::Float { name, bits },
        // All of them are called `complex`.
        COMPLEX_FLOAT => Type::Other { name: complex(bits).to_owned(), bits },
        _ => other(node),
    }
}

/// A complex number of that size.
fn complex(bits: u64) -> &'static str {
    match bits {
        64 => "_Complex float",
        128 => "_Complex double",
        _ => "_Complex long double",
    }
}

fn enumeration(node: DebugNode<'_>) -> Type {
    let enumerators: Vec<(String, i64)> =
        node.elements().into_iter().flatten().map(|e| (e.name(), e.enumerator())).collect();
    // One that is only declared, or whose integer is not named, is an `int`.
    let mut base = node.base();
    for _ in 0..DEEPEST {
        base = base.and_then(|base| if base.tag() == tag::TYPEDEF { base.base() } else { Some(base) });
    }
    let signed = base.is_none_or(|base| matches!(base.encoding(), encoding::SIGNED | encoding::SIGNED_CHAR));
    let bits = if node.is_only_declared() { 32 } else { whole_bytes(node).max(8) };
    Type::Enum { name: node.name(), signed, bits, enumerators }
}

/// After all: what one file declares and another defines is one type. Debug information that makes no sense is not used.
pub fn finish(program: &mut Program) {
    complete(program);
    if taw_ir::verify_types(program).is_err() {
        program.forget_types();
    }
}

/// Unless there are several of that name that differ.
fn complete(program: &mut Program) {
    let mut defined: HashMap<(RecordKind, String), Option<RecordBody>> = HashMap::new();
    for ty in program.types.all.values() {
        let Type::Record(Record { kind, name, body: Some(body) }) = ty else { continue };
        let known = defined.entry((*kind, name.clone())).or_insert_with(|| Some(body.clone()));
        if known.as_ref().is_some_and(|known| !is_alike(known, body)) {
            *known = None;
        }
    }
    for ty in program.types.all.values_mut() {
        if let Type::Record(Record { kind, name, body: body @ None }) = ty
            && !name.is_empty()
        {
            *body = defined.get(&(*kind, name.clone())).cloned().flatten();
        }
    }
}

fn is_alike(a: &RecordBody, b: &RecordBody) -> bool {
    let looks = |m: &Member| (m.name.clone(), m.offset, m.width);
    a.bits == b.bits && a.members.iter().map(looks).eq(b.members.iter().map(looks))
}
