//! How bitcode rides in object files.
//!
//! `taw cc` puts one [`SourceRecord`] per compiled source into a section of its own in the object. Linkers and archivers carry
//! sections that they do not know along, and concatenate those of one name: so an executable has the records of exactly
//! the objects that were linked into it, in the order in which they were linked.
//!
//! Boundary: bytes in, bytes out; no LLVM, no processes. Invariant: whatever bytes are given, the answer is records or
//! a [`BrokenFile`], never a panic.

mod archive;
mod elf;
mod record;

use std::collections::BTreeSet;

use thiserror::Error;

pub use elf::{Appended, append_section};
pub use record::{SourceBitcode, SourceRecord};

/// The name of the section.
pub const SECTION: &str = ".taw.bc";

/// Why a file could not be understood.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum BrokenFile {
    /// Neither ELF nor an archive.
    #[error("it is neither an ELF file nor an archive")]
    Foreign,
    /// ELF for a machine of the other byte order.
    #[error("it is an ELF file for big-endian machines")]
    BigEndian,
    /// The file ends too early or contradicts itself, as ELF or as an archive.
    #[error("it is damaged: {0}")]
    Unreadable(#[from] object::read::Error),
    /// What it carries is cut off or contradicts itself.
    #[error("it is damaged: {0}")]
    Damaged(&'static str),
    /// A thin archive has the names of its members only.
    #[error("it is a thin archive, which only names its members; make it without `T`")]
    Thin,
    /// A record of another version of the format.
    #[error("it was made by another version of Taw; build it anew")]
    Version,
}

/// What a file is, by its first bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileKind {
    /// An object, executable or shared library.
    Elf,
    /// A static library.
    Archive,
}

/// Which kind of carrier it is, if it is one.
pub fn kind(file: &[u8]) -> Option<FileKind> {
    match file.get(..8) {
        Some(b"!<arch>\n" | b"!<thin>\n") => Some(FileKind::Archive),
        _ if file.starts_with(b"\x7FELF") => Some(FileKind::Elf),
        _ => None,
    }
}

/// All records of an ELF file or of an archive's members, in their order, equal ones once.
///
/// Equal records come from objects that were linked partially (`ld -r`) and then again.
pub fn records(file: &[u8]) -> Result<Vec<SourceRecord>, BrokenFile> {
    let mut all = Vec::new();
    match kind(file) {
        None => return Err(BrokenFile::Foreign),
        Some(FileKind::Elf) => records_of_elf(file, &mut all)?,
        Some(FileKind::Archive) => {
            // Members of other kinds (bitcode, text) have no records.
            for member in archive::members(file)?.into_iter().filter(|member| kind(member) == Some(FileKind::Elf)) {
                records_of_elf(member, &mut all)?;
            }
        }
    }
    let mut seen = BTreeSet::new();
    let fresh: Vec<bool> = all.iter().map(|record| seen.insert(record)).collect();
    let mut fresh = fresh.into_iter();
    all.retain(|_| fresh.next() == Some(true));
    Ok(all)
}

fn records_of_elf(file: &[u8], all: &mut Vec<SourceRecord>) -> Result<(), BrokenFile> {
    for section in elf::sections(file, SECTION)? {
        record::parse_all(section, all)?;
    }
    Ok(())
}
