//! Global variables in the text of a call: what is set of them before it (`limit = 3;`).

use taw_engine::GraphGlobal;
use taw_ir::{Global, GlobalId, LeafKind, TypeId};

use super::Text;
use super::initialiser::{Initialiser, quoted};

impl Text<'_> {
    /// The lines that set what a path has looked at; pointers come when all objects are there.
    pub(super) fn settings(&self, number: usize, global: &GraphGlobal, late: &mut Vec<String>) -> Vec<String> {
        let (object, name) = (&self.graph.objects[number], &self.names[number]);
        let (types, layout) = (&self.program.types, &self.program.layout);
        let Some(ty) = object.element else { return Vec::new() };
        let mut lines = Vec::new();
        for &(at, bytes) in &global.set {
            let leaf = types.leaf_held(ty, at, layout, &object.held);
            let place = format!("{name}{}", leaf.path);
            let raw = &object.bytes[at as usize..(at + bytes) as usize];
            match leaf.what {
                LeafKind::Pointer(to) => {
                    let target = object.pointers.iter().find(|(offset, _)| *offset == at).and_then(|(_, to)| *to);
                    late.push(format!("{place} = {};", self.pointer(target, Some(to))));
                }
                LeafKind::Numbers(of) => lines.push(self.numbers(&place, of, raw)),
                LeafKind::Bytes | LeafKind::Union(_) => {
                    lines.push(format!("memcpy((char *)&{name} + {at}, {}, {bytes});", quoted(raw)));
                }
            }
        }
        lines
    }

    /// A number, or several in a row.
    fn numbers(&self, place: &str, of: TypeId, raw: &[u8]) -> String {
        let types = &self.program.types;
        let each = types.bytes(of, &self.program.layout).unwrap_or(1).max(1);
        let count = raw.len() as u64 / each;
        let mut no_pointer = |_: u64, _: TypeId, _: &str| String::new();
        let mut making =
            Initialiser { program: self.program, bytes: raw, held: &[], pointer: &mut no_pointer, raw: Vec::new() };
        let value = if count == 1 { making.value(of, 0, place) } else { making.elements(of, count, 0, place) };
        match (making.raw.is_empty(), count) {
            (false, _) => format!("memcpy(&{place}, {}, {});", quoted(raw), raw.len()),
            (true, 1) => format!("{place} = {value};"),
            (true, _) if value.starts_with('"') => format!("memcpy({place}, {value}, {count});"),
            (true, _) => {
                format!("memcpy({place}, ({}){value}, sizeof {place});", types.declared(of, format!("[{count}]")))
            }
        }
    }

    /// Whether a variable can be named where the call is written.
    pub(super) fn is_in_sight(&self, id: GlobalId) -> bool {
        let global = &self.program.globals[id];
        !global.name.contains('.') && self.is_in_own_file(global)
    }

    fn is_in_own_file(&self, global: &Global) -> bool {
        let file = |loc: Option<taw_ir::LocId>| loc.map(|loc| self.program.locs[loc].file);
        file(global.loc) == self.function().and_then(|function| file(function.loc))
    }

    /// Why a variable cannot be named where the call is written, if one cannot.
    pub(super) fn out_of_sight(&self) -> Option<String> {
        self.graph.objects.iter().filter_map(|object| object.global.as_ref()).find_map(|global| {
            let global = &self.program.globals[global.id];
            match global.name.contains('.') {
                true => Some(format!("C cannot name `{}` outside of its function or file", global.name)),
                false if !self.is_in_own_file(global) => {
                    Some(format!("`{}` is a variable of another file", global.name))
                }
                false => None,
            }
        })
    }
}
