//! The syntax of a C source, as clang tells it: functions, their statements, and where each begins.
//!
//! Boundary: only what conditions of places need of a tree that has everything. Places are bytes of the source itself; what a macro has written is
//! where the macro stands, and what an included file has is nowhere.

use std::ffi::OsStr;
use std::path::Path;
use std::process::Stdio;

use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::compile::{InputLanguage, command, extended};
use crate::{Clang, LoadError, Sources};

/// A node of the tree. One that stands for nothing, as the condition of `for (;;)`, has no kind.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct SyntaxNode {
    pub kind: String,
    pub name: Option<String>,
    pub opcode: Option<String>,
    range: SyntaxRange,
    pub referenced_decl: Option<SyntaxName>,
    pub inner: Vec<SyntaxNode>,
}

/// What a name in the source means.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct SyntaxName {
    pub name: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct SyntaxRange {
    begin: SyntaxLoc,
    end: SyntaxLoc,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct SyntaxLoc {
    offset: Option<usize>,
    included_from: Option<IgnoredAny>,
    expansion_loc: Option<Box<SyntaxLoc>>,
}

/// A place in the source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct SyntaxPlace {
    pub offset: usize,
    /// Whether a macro stands there, which has written what is meant.
    pub in_macro: bool,
}

impl SyntaxLoc {
    fn place(&self) -> Option<SyntaxPlace> {
        let at = self.expansion_loc.as_deref().unwrap_or(self);
        let offset = at.offset.filter(|_| at.included_from.is_none())?;
        Some(SyntaxPlace { offset, in_macro: self.expansion_loc.is_some() })
    }
}

impl SyntaxNode {
    pub(crate) fn begin(&self) -> Option<SyntaxPlace> {
        self.range.begin.place()
    }

    /// Where its last word begins.
    pub(crate) fn end(&self) -> Option<SyntaxPlace> {
        self.range.end.place()
    }

    /// The body of a function, if it has one.
    pub(crate) fn body(&self) -> Option<&SyntaxNode> {
        self.inner.iter().find(|inner| inner.kind == "CompoundStmt").filter(|_| self.kind == "FunctionDecl")
    }

    /// Whether it is, or has in it, a node of which that is true.
    pub(crate) fn any(&self, is: &dyn Fn(&SyntaxNode) -> bool) -> bool {
        is(self) || self.inner.iter().any(|inner| inner.any(is))
    }
}

/// Why there is no syntax.
#[derive(Debug)]
pub(crate) enum NoSyntax {
    /// What the compiler says of the source.
    Refused(String),
    /// There is no compiler, or it says what nobody understands.
    Failed(LoadError),
}

/// The functions of a source that have bodies, with what `sources` adds to it; if a name is given, at least those that are called so.
pub(crate) fn functions(sources: &Sources, file: &Path, name: Option<&str>) -> Result<Vec<SyntaxNode>, NoSyntax> {
    let clang = Clang::find().map_err(NoSyntax::Failed)?;
    let broken = |error| NoSyntax::Failed(LoadError::ClangFailed { path: clang.path().into(), error });
    let folder = taw_files::scratch("taw-").map_err(broken)?;
    let extended = extended(sources, file, &folder.path().join("asked.c")).map_err(broken)?;
    let filter = name.map(|name| format!("-ast-dump-filter={name}"));
    let mut made: Vec<&OsStr> = ["-fsyntax-only", "-Xclang", "-ast-dump=json"].map(OsStr::new).into();
    made.extend(filter.iter().flat_map(|filter| [OsStr::new("-Xclang"), OsStr::new(filter)]));
    let mut command = command(&clang, sources, file, extended.as_ref(), InputLanguage::C, &made);
    let output = command.stdout(Stdio::piped()).output().map_err(broken)?;
    if !output.status.success() {
        return Err(NoSyntax::Refused(String::from_utf8_lossy(&output.stderr).into_owned()));
    }
    let mut reader = serde_json::Deserializer::from_slice(&output.stdout);
    // Statements nest as deeply as their author likes; who calls this has a large stack.
    reader.disable_recursion_limit();
    let mut found = Vec::new();
    for node in reader.into_iter::<SyntaxNode>() {
        let node = node.map_err(|error| broken(error.into()))?;
        let all = if node.kind == "TranslationUnitDecl" { node.inner } else { vec![node] };
        found.extend(all.into_iter().filter(|function| function.body().is_some()));
    }
    Ok(found)
}
