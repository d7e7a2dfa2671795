//! ELF, as little as is needed: sections by name, and one more section at the end of an object file.
//!
//! An object is never laid out anew: the section's content, a longer table of names and a longer table of sections are
//! appended, and only the file's header changes. So whatever else is in it stays as the compiler wrote it.

use crate::record::ALIGN;
use crate::{BrokenFile, SECTION};

/// Offsets of the fields of one ELF class, and the width of its addresses.
struct Class {
    address: usize,
    /// In the file's header: table of sections, its entry size, entry count, index of the table of names.
    shoff: usize,
    shentsize: usize,
    /// Size of an entry, and in it: offset, size, link, alignment.
    entry: usize,
    offset: usize,
    size: usize,
    link: usize,
    addralign: usize,
}

const CLASS32: Class =
    Class { address: 4, shoff: 0x20, shentsize: 0x2E, entry: 40, offset: 16, size: 20, link: 24, addralign: 32 };
const CLASS64: Class =
    Class { address: 8, shoff: 0x28, shentsize: 0x3A, entry: 64, offset: 24, size: 32, link: 40, addralign: 48 };

const TYPE: usize = 16;
const RELOCATABLE: u64 = 1;
const PROGBITS: u32 = 1;
const NOBITS: u64 = 8;
/// Counts and indices from here on are kept in the first entry instead of the header.
const RESERVED: usize = 0xFF00;
const XINDEX: u64 = 0xFFFF;

const CUT: BrokenFile = BrokenFile::Damaged("the ELF file is cut off");

/// An ELF file with its table of sections.
struct Elf<'f> {
    file: &'f [u8],
    class: &'static Class,
    table: usize,
    count: usize,
    names: usize,
}

impl<'f> Elf<'f> {
    fn parse(file: &'f [u8]) -> Result<Self, BrokenFile> {
        if !file.starts_with(b"\x7FELF") {
            return Err(BrokenFile::Foreign);
        }
        let class = match (file.get(4), file.get(5)) {
            (Some(1), Some(1)) => &CLASS32,
            (Some(2), Some(1)) => &CLASS64,
            (Some(1 | 2), Some(2)) => return Err(BrokenFile::BigEndian),
            _ => return Err(CUT),
        };
        let header = |at, width| number(file, at, width);
        let table = index(header(class.shoff, class.address)?)?;
        let entry = header(class.shentsize, 2)?;
        let [count, names] = [header(class.shentsize + 2, 2)?, header(class.shentsize + 4, 2)?];
        let mut elf = Elf { file, class, table, count: 1, names: 0 };
        if table == 0 {
            return Ok(Elf { count: 0, ..elf });
        }
        if entry != class.entry as u64 {
            return Err(BrokenFile::Damaged("its table of sections has entries of an unknown size"));
        }
        elf.count = index(if count == 0 { elf.field(0, class.size, class.address)? } else { count })?;
        elf.names = index(if names == XINDEX { elf.field(0, class.link, 4)? } else { names })?;
        Ok(elf)
    }

    fn field(&self, section: usize, field: usize, width: usize) -> Result<u64, BrokenFile> {
        let start = section.checked_mul(self.class.entry).and_then(|at| at.checked_add(self.table)).ok_or(CUT)?;
        number(self.file, start.saturating_add(field), width)
    }

    fn content(&self, section: usize) -> Result<&'f [u8], BrokenFile> {
        let width = self.class.address;
        let offset = index(self.field(section, self.class.offset, width)?)?;
        let size = index(self.field(section, self.class.size, width)?)?;
        offset.checked_add(size).and_then(|end| self.file.get(offset..end)).ok_or(CUT)
    }

    fn has_name(&self, section: usize, names: &[u8], wanted: &str) -> Result<bool, BrokenFile> {
        let name = names.get(index(self.field(section, 0, 4)?)?..).unwrap_or_default();
        Ok(name.strip_prefix(wanted.as_bytes()).is_some_and(|rest| rest.first() == Some(&0)))
    }
}

fn number(file: &[u8], at: usize, width: usize) -> Result<u64, BrokenFile> {
    let bytes = at.checked_add(width).and_then(|end| file.get(at..end)).ok_or(CUT)?;
    Ok(bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
}

fn index(number: u64) -> Result<usize, BrokenFile> {
    usize::try_from(number).map_err(|_| CUT)
}

/// The contents of the sections of this name, in their order.
pub(crate) fn sections<'f>(file: &'f [u8], name: &str) -> Result<Vec<&'f [u8]>, BrokenFile> {
    let elf = Elf::parse(file)?;
    if elf.count == 0 || elf.names == 0 {
        return Ok(Vec::new());
    }
    let names = elf.content(elf.names)?;
    let mut found = Vec::new();
    for section in 1..elf.count {
        if elf.has_name(section, names, name)? && elf.field(section, 4, 4)? != NOBITS {
            found.push(elf.content(section)?);
        }
    }
    Ok(found)
}

/// What makes an object file carry a section: write `tail` at its end, and then `header` over its beginning.
///
/// In this order a writer that is interrupted leaves a file that is as good as before.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Appended {
    /// Comes after what is there.
    pub tail: Vec<u8>,
    /// Replaces the first bytes.
    pub header: Vec<u8>,
}

/// Adds a section of the name [`SECTION`] with this content to an object file. `None` if the file is no ELF object
/// (an executable, bitcode, text).
pub fn append_section(object: &[u8], content: &[u8]) -> Result<Option<Appended>, BrokenFile> {
    if !object.starts_with(b"\x7FELF") {
        return Ok(None);
    }
    let elf = Elf::parse(object)?;
    if number(object, TYPE, 2)? != RELOCATABLE {
        return Ok(None);
    }
    if elf.count == 0 || elf.names == 0 || elf.names >= elf.count {
        return Err(BrokenFile::Damaged("its sections have no names"));
    }
    let class = elf.class;
    let end = elf.count.checked_mul(class.entry).and_then(|size| size.checked_add(elf.table)).ok_or(CUT)?;
    let mut table = object.get(elf.table..end).ok_or(CUT)?.to_vec();
    let mut tail = Tail { start: object.len(), bytes: Vec::new() };
    let content = tail.add(content);
    let mut names = elf.content(elf.names)?.to_vec();
    let name = names.len() as u32;
    names.extend(SECTION.as_bytes());
    names.push(0);
    let names = tail.add(&names);

    let strings = class.entry * elf.names;
    place(&mut table, strings, class, names);
    let fresh = table.len();
    table.resize(fresh + class.entry, 0);
    put(&mut table, fresh, 4, u64::from(name));
    put(&mut table, fresh + 4, 4, u64::from(PROGBITS));
    place(&mut table, fresh, class, content);
    put(&mut table, fresh + class.addralign, class.address, ALIGN as u64);

    let count = elf.count + 1;
    let mut header = object[..class.shentsize + 6].to_vec();
    if count >= RESERVED {
        put(&mut table, class.size, class.address, count as u64);
    }
    put(&mut header, class.shentsize + 2, 2, if count >= RESERVED { 0 } else { count as u64 });
    let (at, _) = tail.add(&table);
    put(&mut header, class.shoff, class.address, at as u64);
    Ok(Some(Appended { tail: tail.bytes, header }))
}

/// What is appended, and where it starts.
struct Tail {
    start: usize,
    bytes: Vec<u8>,
}

impl Tail {
    /// Adds bytes at an aligned place; their offset in the file and their size.
    fn add(&mut self, bytes: &[u8]) -> (usize, usize) {
        let at = (self.start + self.bytes.len()).next_multiple_of(ALIGN);
        self.bytes.resize(at - self.start, 0);
        self.bytes.extend(bytes);
        (at, bytes.len())
    }
}

/// Sets a section's offset and size.
fn place(table: &mut [u8], entry: usize, class: &Class, (offset, size): (usize, usize)) {
    put(table, entry + class.offset, class.address, offset as u64);
    put(table, entry + class.size, class.address, size as u64);
}

/// Writes a number in the lowest `width` bytes.
fn put(bytes: &mut [u8], at: usize, width: usize, number: u64) {
    bytes[at..at + width].copy_from_slice(&number.to_le_bytes()[..width]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The smallest object: a null section and the table of names.
    fn object(class: &'static Class) -> Vec<u8> {
        let mut file = vec![0; 64];
        file[..6].copy_from_slice(&[0x7F, b'E', b'L', b'F', if class.address == 8 { 2 } else { 1 }, 1]);
        put(&mut file, TYPE, 2, RELOCATABLE);
        file.extend(b"\0.names\0");
        let table = file.len();
        file.resize(table + 2 * class.entry, 0);
        put(&mut file, table + class.entry, 4, 1);
        place(&mut file, table + class.entry, class, (64, 8));
        put(&mut file, class.shoff, class.address, table as u64);
        put(&mut file, class.shentsize, 2, class.entry as u64);
        put(&mut file, class.shentsize + 2, 2, 2);
        put(&mut file, class.shentsize + 4, 2, 1);
        file
    }

    fn with(object: &[u8], content: &[u8]) -> Vec<u8> {
        let appended = append_section(object, content).expect("it is well-formed").expect("it is an object");
        let mut file = object.to_vec();
        file.extend(&appended.tail);
        file[..appended.header.len()].copy_from_slice(&appended.header);
        file
    }

    #[test]
    fn sections_are_found_again_in_their_order() {
        for class in [&CLASS32, &CLASS64] {
            let plain = object(class);
            assert_eq!(sections(&plain, SECTION), Ok(vec![]));
            let once = with(&plain, b"first");
            assert_eq!(sections(&once, SECTION), Ok(vec![&b"first"[..]]));
            let twice = with(&once, b"second, longer");
            assert_eq!(sections(&twice, SECTION), Ok(vec![&b"first"[..], b"second, longer"]));
            assert_eq!(sections(&twice, ".names").map(|found| found.len()), Ok(1));
        }
    }

    #[test]
    fn more_sections_than_the_header_can_count() {
        let class = &CLASS64;
        let mut file = object(class);
        let table = file.len() - 2 * class.entry;
        let count = RESERVED - 1;
        file.resize(table + count * class.entry, 0);
        put(&mut file, class.shentsize + 2, 2, count as u64);
        let more = with(&file, b"content");
        assert_eq!(number(&more, class.shentsize + 2, 2), Ok(0));
        assert_eq!(sections(&more, SECTION), Ok(vec![&b"content"[..]]));
        assert_eq!(sections(&with(&more, b"again"), SECTION), Ok(vec![&b"content"[..], b"again"]));
    }

    #[test]
    fn other_files_are_left_alone() {
        assert_eq!(append_section(b"BC\xC0\xDE", b""), Ok(None));
        let mut executable = object(&CLASS64);
        put(&mut executable, TYPE, 2, 2);
        assert_eq!(append_section(&executable, b""), Ok(None));
        let mut big = object(&CLASS64);
        big[5] = 2;
        assert_eq!(append_section(&big, b""), Err(BrokenFile::BigEndian));
    }

    proptest! {
        #[test]
        fn damage_never_panics(changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6), cut in any::<prop::sample::Index>()) {
            let mut file = with(&object(&CLASS64), b"content");
            for (at, byte) in changes {
                let at = at.index(file.len());
                file[at] = byte;
            }
            file.truncate(cut.index(file.len() + 1));
            let _ = sections(&file, SECTION);
            let _ = append_section(&file, b"more");
            let _ = crate::records(&file);
        }
    }
}
