//! Modules that ride in executables, objects and libraries which `taw cc` has built.
//!
//! The linker has chosen which objects belong to the program, and in which order; their modules are linked just so. What
//! it cannot be told from the file is not known here: `--wrap`, `--defsym`, symbols that were renamed afterwards.

use std::path::Path;

use taw_embed::{FileKind, SourceBitcode, SourceRecord, records};

use crate::compile::{self, Maker, Unit};
use crate::{LoadError, Sources};

/// The modules of a file that is a carrier of them; `None` if it is of another kind.
///
/// Sources without bitcode are named in a warning: paths that get there will not go on.
pub(crate) fn units(sources: &Sources, path: &Path, bytes: &[u8]) -> Option<Result<Vec<Unit>, LoadError>> {
    let kind = taw_embed::kind(bytes)?;
    let all = records(bytes).map_err(|broken| LoadError::Carrier { path: path.into(), reason: broken.to_string() });
    Some(all.and_then(|all| modules(sources, path, kind, all)))
}

fn modules(sources: &Sources, path: &Path, kind: FileKind, all: Vec<SourceRecord>) -> Result<Vec<Unit>, LoadError> {
    if let Some(warning) = mixed(path, &all) {
        sources.warn(&warning);
    }
    let mut units = Vec::new();
    let mut missing = Vec::new();
    for record in all {
        let name = record.source;
        match record.content {
            SourceBitcode::Bitcode(bitcode) => {
                let content = compile::ModuleContent::Bitcode(bitcode);
                units.push(Unit { name, content, maker: Maker::OurCompiler });
            }
            SourceBitcode::Missing(reason) => missing.push((name, reason)),
        }
    }
    if units.is_empty() {
        return Err(nothing(path, kind, &missing));
    }
    for (source, reason) in missing {
        sources.warn(&format!(
            "warning: `{source}` is in `{}` as machine code only ({reason}): paths that enter it end as unsupported\n",
            path.display()
        ));
    }
    Ok(units)
}

/// Two C libraries in one program do not fit together, though linkers link them.
fn mixed(path: &Path, all: &[SourceRecord]) -> Option<String> {
    let mut known = all.iter().filter(|record| !record.target.is_empty());
    let first = known.next()?;
    let other = known.find(|record| record.target != first.target)?;
    Some(format!(
        "warning: in `{}`, `{}` is compiled for {} and `{}` for {}: build all of it with TAW_CC_LIBC=host\n",
        path.display(),
        first.source,
        first.target,
        other.source,
        other.target
    ))
}

fn nothing(path: &Path, kind: FileKind, missing: &[(String, String)]) -> LoadError {
    let path = path.into();
    match missing {
        [] => LoadError::NoBitcode { path, kind: if kind == FileKind::Archive { "an archive" } else { "an ELF file" } },
        [(source, reason), ..] => {
            let reason = format!("`{source}` has no bitcode: {reason}");
            LoadError::Carrier { path, reason }
        }
    }
}
