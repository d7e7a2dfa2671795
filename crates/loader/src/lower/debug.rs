//! Source places.

use std::collections::HashMap;

use taw_ir::{FileId, Loc, LocId, Program, SourceFile};

use crate::llvm::{DebugFile, DebugNode, Location};

/// Places and files that were met, each made once.
#[derive(Default)]
pub struct Debug<'m> {
    locations: HashMap<Location<'m>, LocId>,
    /// Different nodes may be the same place.
    locs: HashMap<Loc, LocId>,
    files: HashMap<DebugFile<'m>, FileId>,
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
            function: location.function().map(DebugNode::name).unwrap_or_default(),
            inlined_at,
        };
        let id = self.intern(program, loc);
        self.locations.insert(location, id);
        Some(id)
    }

    /// Where a function or variable is declared.
    pub fn declared(&mut self, program: &mut Program, node: DebugNode<'m>, function: &str) -> Option<LocId> {
        let (file, line) = node.declared()?;
        let file = self.file(program, file);
        Some(self.intern(program, Loc { file, line, column: 0, function: function.to_string(), inlined_at: None }))
    }

    fn intern(&mut self, program: &mut Program, loc: Loc) -> LocId {
        *self.locs.entry(loc.clone()).or_insert_with(|| program.locs.push(loc))
    }

    fn file(&mut self, program: &mut Program, file: DebugFile<'m>) -> FileId {
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
