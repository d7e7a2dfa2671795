//! Source places, and types as C spells them.

use std::collections::HashMap;

use taw_ir::{FileId, Loc, LocId, Program, SourceFile};

use crate::llvm::{File, Location, Node};

/// Places and files that were met, each made once.
#[derive(Default)]
pub struct Debug<'m> {
    locations: HashMap<Location<'m>, LocId>,
    /// Different nodes may be the same place.
    locs: HashMap<Loc, LocId>,
    files: HashMap<File<'m>, FileId>,
    paths: HashMap<String, FileId>,
}

impl<'m> Debug<'m> {
    /// The place of an instruction.
    pub fn place(&mut self, program: &mut Program, location: Location<'m>) -> Option<LocId> {
        if let Some(&known) = self.locations.get(&location) {
            return Some(known);
        }
        let inlined_at = match location.inlined_at() {
            Some(outer) => self.place(program, outer),
            None => None,
        };
        let loc = Loc {
            file: self.file(program, location.file()?),
            line: location.line(),
            column: location.column(),
            function: location.function().map(Node::name).unwrap_or_default(),
            inlined_at,
        };
        let id = self.intern(program, loc);
        self.locations.insert(location, id);
        Some(id)
    }

    /// Where a function or variable is declared.
    pub fn declared(&mut self, program: &mut Program, node: Node<'m>, function: &str) -> Option<LocId> {
        let (file, line) = node.declared()?;
        let file = self.file(program, file);
        Some(self.intern(program, Loc { file, line, column: 0, function: function.to_string(), inlined_at: None }))
    }

    fn intern(&mut self, program: &mut Program, loc: Loc) -> LocId {
        *self.locs.entry(loc.clone()).or_insert_with(|| program.locs.push(loc))
    }

    fn file(&mut self, program: &mut Program, file: File<'m>) -> FileId {
        if let Some(&known) = self.files.get(&file) {
            return known;
        }
        let (folder, name) = file.names();
        let path = if name.starts_with('/') || folder.is_empty() { name } else { format!("{folder}/{name}") };
        let id = *self.paths.entry(path.clone()).or_insert_with(|| program.files.push(SourceFile { path }));
        self.files.insert(file, id);
        id
    }
}

/// DWARF tags of types.
mod tag {
    pub const ARRAY: u32 = 0x01;
    pub const CLASS: u32 = 0x02;
    pub const ENUM: u32 = 0x04;
    pub const POINTER: u32 = 0x0f;
    pub const REFERENCE: u32 = 0x10;
    pub const STRUCT: u32 = 0x13;
    pub const FUNCTION: u32 = 0x15;
    pub const TYPEDEF: u32 = 0x16;
    pub const UNION: u32 = 0x17;
    pub const BASE: u32 = 0x24;
    pub const CONST: u32 = 0x26;
    pub const VOLATILE: u32 = 0x35;
    pub const RESTRICT: u32 = 0x37;
    pub const RVALUE_REFERENCE: u32 = 0x42;
    pub const ATOMIC: u32 = 0x47;
}

/// A type as C spells it. A typedef of a basic type (`size_t`) is given as that type (`unsigned long`): what reads the
/// spelling wants to know size and sign.
pub fn spell(ty: Option<Node<'_>>) -> String {
    declare(ty, String::new(), 0)
}

/// `ty` as it declares `name`, inside out: `name` is `*` for a pointer to `ty`. Types may be cyclic, hence `depth`.
fn declare(ty: Option<Node<'_>>, name: String, depth: u32) -> String {
    let Some(node) = ty else { return join("void", &name) };
    if depth > 32 {
        return join("...", &name);
    }
    let base = node.base();
    let go = |name: String| declare(base, name, depth + 1);
    let named = |prefix: &str| {
        let own = node.name();
        join(&format!("{prefix}{}", if own.is_empty() { "(anonymous)" } else { &own }), &name)
    };
    match node.tag() {
        tag::POINTER => go(pointer("*", base, &name)),
        tag::REFERENCE => go(pointer("&", base, &name)),
        tag::RVALUE_REFERENCE => go(pointer("&&", base, &name)),
        tag::ARRAY => go(format!("{name}{}", dimensions(node))),
        tag::FUNCTION => function(node, &name, depth),
        tag::CONST => qualified("const", base, &name, depth),
        tag::VOLATILE => qualified("volatile", base, &name, depth),
        tag::RESTRICT => qualified("restrict", base, &name, depth),
        tag::ATOMIC => qualified("_Atomic", base, &name, depth),
        tag::TYPEDEF => match basic(base, depth) {
            Some(basic) => join(&basic, &name),
            None => named(""),
        },
        tag::STRUCT => named("struct "),
        tag::CLASS => named("class "),
        tag::UNION => named("union "),
        tag::ENUM => named("enum "),
        _ => named(""),
    }
}

fn join(ty: &str, name: &str) -> String {
    if name.is_empty() { ty.to_string() } else { format!("{ty} {name}") }
}

fn pointer(mark: &str, base: Option<Node<'_>>, name: &str) -> String {
    match base.map(Node::tag) {
        Some(tag::ARRAY | tag::FUNCTION) => format!("({mark}{name})"),
        _ => format!("{mark}{name}"),
    }
}

/// A qualifier of a pointer stands after the star, any other before the type.
fn qualified(word: &str, base: Option<Node<'_>>, name: &str, depth: u32) -> String {
    match base.map(Node::tag) {
        Some(tag::POINTER) => declare(base, join(word, name), depth + 1),
        _ => format!("{word} {}", declare(base, name.to_string(), depth + 1)),
    }
}

fn dimensions(array: Node<'_>) -> String {
    let size = |range: Option<Node<'_>>| range.and_then(Node::subrange).map(|n| n.to_string()).unwrap_or_default();
    array.elements().into_iter().map(|range| format!("[{}]", size(range))).collect()
}

fn function(node: Node<'_>, name: &str, depth: u32) -> String {
    let parts = node.elements();
    let result = parts.first().copied().flatten();
    let params: Vec<String> = parts.iter().skip(1).map(|p| declare(*p, String::new(), depth + 1)).collect();
    declare(result, format!("{name}({})", params.join(", ")), depth + 1)
}

/// The name of the basic type that a typedef leads to.
fn basic(ty: Option<Node<'_>>, depth: u32) -> Option<String> {
    let node = ty?;
    match node.tag() {
        tag::BASE => Some(node.name()),
        tag::TYPEDEF if depth < 32 => basic(node.base(), depth + 1),
        _ => None,
    }
}
