//! Places and stacks in words: from the engine's ids to functions, files and lines.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use taw_engine::StackEntry;
use taw_ir::{FileId, LocId, Origin, Program};

/// One call on a stack, as reports show it. Inlined calls have frames of their own.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct StackFrame {
    /// The function, by its source name where known.
    pub function: String,
    /// Its file; none without debug information.
    pub file: Option<String>,
    /// The line, from 1; none without debug information.
    pub line: Option<u32>,
    /// The column, from 1; none if the compiler gave none.
    pub column: Option<u32>,
    /// Whether it is the program's own and not the runtime library's.
    pub user: bool,
}

impl StackFrame {
    /// The frame of a stack that a report points at: the innermost of the user's, else the innermost.
    pub fn reported(stack: &[StackFrame]) -> Option<&StackFrame> {
        stack.iter().find(|frame| frame.user).or(stack.first())
    }

    /// `file:line:column`, as far as known.
    pub fn place(&self) -> String {
        match (&self.file, self.line, self.column) {
            (Some(file), Some(line), Some(column)) => format!("{file}:{line}:{column}"),
            (Some(file), Some(line), None) => format!("{file}:{line}"),
            (Some(file), None, _) => file.clone(),
            (None, ..) => format!("{} (no debug information)", self.function),
        }
    }
}

/// Turns ids of one program into words.
#[derive(Clone, Debug)]
pub struct Places<'p> {
    program: &'p Program,
    base: PathBuf,
}

impl<'p> Places<'p> {
    /// Files below `base` (the current directory, as a rule) are named relative to it.
    pub fn new(program: &'p Program, base: PathBuf) -> Self {
        Places { program, base }
    }

    /// The program whose ids these are.
    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// The name of a file.
    pub fn file(&self, id: FileId) -> String {
        self.named(&self.program.files[id].path)
    }

    /// A path of the program's as people see it.
    pub fn named(&self, path: &str) -> String {
        let path = Path::new(path);
        path.strip_prefix(&self.base).unwrap_or(path).display().to_string()
    }

    /// The stack, innermost first, with inlined calls unfolded.
    pub fn stack(&self, entries: &[StackEntry]) -> Vec<StackFrame> {
        entries.iter().flat_map(|entry| self.frames(entry)).collect()
    }

    fn frames(&self, entry: &StackEntry) -> Vec<StackFrame> {
        let function = &self.program.functions[entry.function];
        let user = function.origin == Origin::User;
        let Some(loc) = entry.loc else {
            return vec![StackFrame { function: function.name.clone(), file: None, line: None, column: None, user }];
        };
        let chain = std::iter::successors(Some(loc), |&id| self.program.locs[id].inlined_at);
        chain.map(|id| self.frame(id, &function.name, user)).collect()
    }

    fn frame(&self, id: LocId, link_name: &str, user: bool) -> StackFrame {
        let loc = &self.program.locs[id];
        let name = if loc.function.is_empty() { link_name } else { &loc.function };
        StackFrame {
            function: name.to_owned(),
            file: Some(self.file(loc.file)),
            line: (loc.line > 0).then_some(loc.line),
            column: (loc.column > 0).then_some(loc.column),
            user,
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use taw_ir::{FuncId, Function, Loc, SourceFile};

    /// `helper` (line 3) inlined into `main` (line 9, the user's), called by `start` (the library's).
    pub(crate) fn program() -> (Program, FuncId, FuncId, LocId) {
        let mut program = Program::default();
        let file = program.files.push(SourceFile { path: "/src/dir/a.c".into() });
        let place =
            |line, function: &str, inlined_at| Loc { file, line, column: 5, function: function.into(), inlined_at };
        let outer = program.locs.push(place(9, "main", None));
        let inner = program.locs.push(place(3, "helper", Some(outer)));
        let main = program.functions.push(Function { name: "main".into(), ..Default::default() });
        let library = Function { name: "start".into(), origin: Origin::Library, ..Default::default() };
        let start = program.functions.push(library);
        (program, main, start, inner)
    }

    #[test]
    fn inlined_calls_are_unfolded_and_paths_are_relative() {
        let (program, main, start, inner) = program();
        let places = Places::new(&program, "/src".into());
        let stack =
            places.stack(&[StackEntry { function: main, loc: Some(inner) }, StackEntry { function: start, loc: None }]);
        let words: Vec<String> = stack.iter().map(|f| format!("{} {} {}", f.function, f.place(), f.user)).collect();
        assert_eq!(
            words,
            ["helper dir/a.c:3:5 true", "main dir/a.c:9:5 true", "start start (no debug information) false"]
        );
    }

    #[test]
    fn the_innermost_frame_of_the_users_is_reported() {
        let (program, main, start, inner) = program();
        let places = Places::new(&program, "/".into());
        let library = StackEntry { function: start, loc: None };
        let stack = places.stack(&[library.clone(), StackEntry { function: main, loc: Some(inner) }]);
        assert_eq!(StackFrame::reported(&stack).map(|f| f.line), Some(Some(3)));
        assert_eq!(StackFrame::reported(&places.stack(&[library])).map(|f| f.function.as_str()), Some("start"));
    }
}
