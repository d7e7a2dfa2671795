//! Source places of the text form: `file.c:3:10 in inlined at file.c:7:1`.

use std::collections::HashMap;

use cranelift_entity::PrimaryMap;

use super::Read;
use crate::program::{FileId, Loc, LocId, SourceFile};

/// The files and places read so far.
#[derive(Default)]
pub(super) struct ReadPlaces {
    pub(super) files: PrimaryMap<FileId, SourceFile>,
    pub(super) locs: PrimaryMap<LocId, Loc>,
    known_files: HashMap<String, FileId>,
    known: HashMap<Loc, LocId>,
}

impl ReadPlaces {
    /// The place that `text` names, in `function` unless it says that it was inlined.
    pub(super) fn read(&mut self, text: &str, function: &str) -> Read<LocId> {
        // A function may be called `at`: so by the first blanks, not by the words.
        let (here, inlined) = match text.split_once(" in ") {
            Some((here, rest)) => (here, rest.split_once(" at ")),
            None => (text, None),
        };
        let inlined_at = inlined.map(|(_, outer)| self.read(outer, function)).transpose()?;
        let function = inlined.map_or(function, |(inner, _)| inner);
        let mut parts = here.rsplitn(3, ':');
        let column = parts.next().and_then(|n| n.parse().ok());
        let line = parts.next().and_then(|n| n.parse().ok());
        let (Some(column), Some(line), Some(path)) = (column, line, parts.next()) else {
            return Err(format!("`{here}` is no place"));
        };
        let path = path.to_owned();
        let file = *self.known_files.entry(path.clone()).or_insert_with(|| self.files.push(SourceFile { path }));
        let loc = Loc { file, line, column, function: function.to_owned(), inlined_at };
        Ok(*self.known.entry(loc.clone()).or_insert_with(|| self.locs.push(loc)))
    }
}
