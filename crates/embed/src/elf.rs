//! ELF, as little as is needed: sections by name, and one more section at the end of an object file.
//!
//! An object is never laid out anew: the section's content, a longer table of names and a longer table of sections are
//! appended, and only the file's header changes. So whatever else is in it stays as the compiler wrote it.

use object::LittleEndian as LE;
use object::elf::{ET_REL, FileHeader32, FileHeader64, SHN_LORESERVE, SHT_NOBITS, SHT_PROGBITS};
use object::elf::{SectionHeader32, SectionHeader64};
use object::pod::{bytes_of, bytes_of_slice, from_bytes};
use object::read::elf::{FileHeader, SectionHeader};

use crate::record::ALIGN;
use crate::{BrokenFile, SECTION};

/// What is written in the headers of one ELF class. All else is read, for which `object` has the functions.
trait Class: FileHeader<Endian = LE, SectionHeader: Copy> {
    /// The header of a section of plain content.
    fn section(name: u32) -> Self::SectionHeader;
    /// Sets a section's offset and size.
    fn place(section: &mut Self::SectionHeader, offset: usize, size: usize);
    /// Sets where the table of sections is. A count that the header cannot have stands in the table's first entry.
    fn set_table(&mut self, offset: usize, first: &mut Self::SectionHeader, count: usize);
}

macro_rules! class {
    ($header:ident, $section:ident, $number:ty) => {
        impl Class for $header<LE> {
            fn section(name: u32) -> $section<LE> {
                let (empty, _) = from_bytes::<$section<LE>>(&[0; 64]).expect("no section's header is longer");
                let mut section = *empty;
                section.sh_name.set(LE, name);
                section.sh_type.set(LE, SHT_PROGBITS);
                section.sh_addralign.set(LE, ALIGN as $number);
                section
            }

            fn place(section: &mut $section<LE>, offset: usize, size: usize) {
                section.sh_offset.set(LE, offset as $number);
                section.sh_size.set(LE, size as $number);
            }

            fn set_table(&mut self, offset: usize, first: &mut $section<LE>, count: usize) {
                self.e_shoff.set(LE, offset as $number);
                let few = u16::try_from(count).ok().filter(|count| *count < SHN_LORESERVE);
                self.e_shnum.set(LE, few.unwrap_or(0));
                if few.is_none() {
                    first.sh_size.set(LE, count as $number);
                }
            }
        }
    };
}

class!(FileHeader32, SectionHeader32, u32);
class!(FileHeader64, SectionHeader64, u64);

/// Calls a function for the class of an ELF file.
macro_rules! by_class {
    ($file:expr, $function:ident($($argument:expr),*)) => {
        match ($file.get(4), $file.get(5)) {
            (Some(1 | 2), Some(2)) => Err(BrokenFile::BigEndian),
            (Some(1), _) => $function::<FileHeader32<LE>>($file, $($argument),*),
            _ => $function::<FileHeader64<LE>>($file, $($argument),*),
        }
    };
}

/// The contents of the sections of this name, in their order.
pub(crate) fn sections<'f>(file: &'f [u8], name: &str) -> Result<Vec<&'f [u8]>, BrokenFile> {
    by_class!(file, sections_in(name))
}

fn sections_in<'f, C: Class>(file: &'f [u8], name: &str) -> Result<Vec<&'f [u8]>, BrokenFile> {
    let table = C::parse(file)?.sections(LE, file)?;
    let mut found = Vec::new();
    for section in table.iter().skip(1) {
        if section.sh_type(LE) != SHT_NOBITS && table.section_name(LE, section)? == name.as_bytes() {
            found.push(section.data(LE, file)?);
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
    by_class!(object, append_in(content))
}

fn append_in<C: Class>(object: &[u8], content: &[u8]) -> Result<Option<Appended>, BrokenFile> {
    let mut header = *C::parse(object)?;
    if header.e_type(LE) != ET_REL {
        return Ok(None);
    }
    let strings = header.shstrndx(LE, object)?;
    let mut table = header.section_headers(LE, object)?.to_vec();
    let entry = table.get_mut(strings as usize).filter(|_| strings != 0);
    let entry = entry.ok_or(BrokenFile::Damaged("its sections have no names"))?;
    let mut names = entry.data(LE, object)?.to_vec();
    let name = names.len() as u32;
    names.extend(SECTION.as_bytes());
    names.push(0);

    let mut tail = Tail { start: object.len(), bytes: Vec::new() };
    let mut section = C::section(name);
    C::place(&mut section, tail.add(content), content.len());
    C::place(entry, tail.add(&names), names.len());
    table.push(section);
    let count = table.len();
    // The table's place is known before its content: what it says of itself is in its first entry.
    let place = tail.end();
    header.set_table(place, &mut table[0], count);
    tail.add(bytes_of_slice(&table));
    Ok(Some(Appended { tail: tail.bytes, header: bytes_of(&header).to_vec() }))
}

/// What is appended, and where it starts.
struct Tail {
    start: usize,
    bytes: Vec<u8>,
}

impl Tail {
    /// Where in the file the next bytes will be.
    fn end(&self) -> usize {
        (self.start + self.bytes.len()).next_multiple_of(ALIGN)
    }

    /// Adds bytes at an aligned place; their offset in the file.
    fn add(&mut self, bytes: &[u8]) -> usize {
        let at = self.end();
        self.bytes.resize(at - self.start, 0);
        self.bytes.extend(bytes);
        at
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use object::write;
    use object::{Architecture, BinaryFormat, Endianness, SectionKind};
    use proptest::prelude::*;

    /// An object with so many sections of its own.
    fn object(architecture: Architecture, sections: usize) -> Vec<u8> {
        let mut object = write::Object::new(BinaryFormat::Elf, architecture, Endianness::Little);
        for _ in 0..sections {
            let section = object.add_section(Vec::new(), b".names".to_vec(), SectionKind::ReadOnlyData);
            object.set_section_data(section, &b"own"[..], 1);
        }
        object.write().expect("it can be written")
    }

    fn header(file: &[u8]) -> &FileHeader64<LE> {
        FileHeader64::parse(file).expect("it is well-formed")
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
        for architecture in [Architecture::I386, Architecture::X86_64] {
            let plain = object(architecture, 1);
            assert_eq!(sections(&plain, SECTION), Ok(vec![]));
            let once = with(&plain, b"first");
            assert_eq!(sections(&once, SECTION), Ok(vec![&b"first"[..]]));
            let twice = with(&once, b"second, longer");
            assert_eq!(sections(&twice, SECTION), Ok(vec![&b"first"[..], b"second, longer"]));
            assert_eq!(sections(&twice, ".names"), Ok(vec![&b"own"[..]]));
        }
    }

    #[test]
    fn more_sections_than_the_header_can_count() {
        let few = usize::from(header(&object(Architecture::X86_64, 0)).e_shnum(LE));
        let file = object(Architecture::X86_64, usize::from(SHN_LORESERVE) - 1 - few);
        assert_eq!(header(&file).e_shnum(LE), SHN_LORESERVE - 1);
        let more = with(&file, b"content");
        assert_eq!(header(&more).e_shnum(LE), 0);
        assert_eq!(sections(&more, SECTION), Ok(vec![&b"content"[..]]));
        assert_eq!(sections(&with(&more, b"again"), SECTION), Ok(vec![&b"content"[..], b"again"]));
    }

    #[test]
    fn other_files_are_left_alone() {
        assert_eq!(append_section(b"BC\xC0\xDE", b""), Ok(None));
        let mut executable = object(Architecture::X86_64, 1);
        executable[16] = 2;
        assert_eq!(append_section(&executable, b""), Ok(None));
        let mut big = object(Architecture::X86_64, 1);
        big[5] = 2;
        assert_eq!(append_section(&big, b""), Err(BrokenFile::BigEndian));
    }

    proptest! {
        #[test]
        fn damage_never_panics(changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6), cut in any::<prop::sample::Index>()) {
            let mut file = with(&object(Architecture::X86_64, 1), b"content");
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
