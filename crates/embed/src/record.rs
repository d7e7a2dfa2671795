//! One record: the bitcode of one source, or why there is none.
//!
//! Layout, little-endian: magic (8 bytes, its last the version), length of the body (u64), checksum of the body (u64),
//! body: kind (u64), then source, directory, target and content, each as length (u64) and bytes; zeros up to a multiple
//! of 8. Linkers may put more zeros between records, never anything else.

use crate::BrokenFile;

const MAGIC: [u8; 7] = *b"\xF5TAW\0BC";
const VERSION: u8 = 1;
/// Records start at multiples of this in their section.
pub(crate) const ALIGN: usize = 8;
const HEAD: usize = 24;

const BITCODE: u64 = 0;
const MISSING: u64 = 1;

/// What `taw cc` knows of one source that it compiled.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct SourceRecord {
    /// The source as it was named on the command line.
    pub source: String,
    /// The folder in which it was compiled.
    pub directory: String,
    /// The target triple.
    pub target: String,
    /// The bitcode, if there is any.
    pub content: SourceBitcode,
}

/// The bitcode of a source.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum SourceBitcode {
    /// A module of unoptimised bitcode with debug information.
    Bitcode(Vec<u8>),
    /// There is none, and why, in words.
    Missing(String),
}

impl SourceRecord {
    /// The record as bytes, whose number is a multiple of 8.
    pub fn to_bytes(&self) -> Vec<u8> {
        let (kind, content) = match &self.content {
            SourceBitcode::Bitcode(bitcode) => (BITCODE, bitcode.as_slice()),
            SourceBitcode::Missing(reason) => (MISSING, reason.as_bytes()),
        };
        let mut body = kind.to_le_bytes().to_vec();
        for part in [self.source.as_bytes(), self.directory.as_bytes(), self.target.as_bytes(), content] {
            body.extend((part.len() as u64).to_le_bytes());
            body.extend(part);
        }
        body.resize(body.len().next_multiple_of(ALIGN), 0);
        let mut bytes = MAGIC.to_vec();
        bytes.push(VERSION);
        bytes.extend((body.len() as u64).to_le_bytes());
        bytes.extend(checksum(&body).to_le_bytes());
        bytes.extend(body);
        bytes
    }

    fn from_body(body: &[u8]) -> Option<Self> {
        let mut rest = body;
        let kind = word(&mut rest)?;
        let mut part = || {
            let length = usize::try_from(word(&mut rest)?).ok()?;
            let (part, after) = rest.split_at_checked(length)?;
            rest = after;
            Some(part)
        };
        let [source, directory, target, content] = [part()?, part()?, part()?, part()?];
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let content = match kind {
            BITCODE => SourceBitcode::Bitcode(content.to_vec()),
            MISSING => SourceBitcode::Missing(text(content)),
            _ => return None,
        };
        Some(SourceRecord { source: text(source), directory: text(directory), target: text(target), content })
    }
}

/// Appends the records of a section to `all`.
pub(crate) fn parse_all(section: &[u8], all: &mut Vec<SourceRecord>) -> Result<(), BrokenFile> {
    let mut rest = section;
    loop {
        let zeros = rest.iter().take_while(|byte| **byte == 0).count();
        rest = &rest[zeros..];
        if rest.is_empty() {
            return Ok(());
        }
        let (head, after) = rest.split_at_checked(HEAD).ok_or(BrokenFile::Damaged("a record is cut off"))?;
        if head[..7] != MAGIC {
            return Err(BrokenFile::Damaged("a record does not start where it should"));
        }
        if head[7] != VERSION {
            return Err(BrokenFile::Version);
        }
        let mut numbers = &head[8..];
        let (length, sum) = (word(&mut numbers).unwrap_or(0), word(&mut numbers).unwrap_or(0));
        let length = usize::try_from(length).map_err(|_| BrokenFile::Damaged("a record is too long"))?;
        let (body, after) = after.split_at_checked(length).ok_or(BrokenFile::Damaged("a record is cut off"))?;
        if checksum(body) != sum {
            return Err(BrokenFile::Damaged("a record's checksum is wrong"));
        }
        all.push(SourceRecord::from_body(body).ok_or(BrokenFile::Damaged("a record contradicts itself"))?);
        rest = after;
    }
}

fn word(rest: &mut &[u8]) -> Option<u64> {
    let (word, after) = rest.split_first_chunk::<8>()?;
    *rest = after;
    Some(u64::from_le_bytes(*word))
}

/// FNV-1a over words: it finds damage, and is no protection against malice. The length is a multiple of 8 in all
/// records that we write; what remains otherwise is damage by itself.
fn checksum(body: &[u8]) -> u64 {
    let (words, rest) = body.as_chunks::<8>();
    let start = 0xCBF2_9CE4_8422_2325 ^ rest.len() as u64;
    words.iter().fold(start, |sum, word| {
        let mixed = (sum ^ u64::from_le_bytes(*word)).wrapping_mul(0x0100_0000_01B3);
        mixed ^ (mixed >> 32)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn content() -> impl Strategy<Value = SourceBitcode> {
        prop_oneof![any::<Vec<u8>>().prop_map(SourceBitcode::Bitcode), any::<String>().prop_map(SourceBitcode::Missing)]
    }

    fn record() -> impl Strategy<Value = SourceRecord> {
        (any::<String>(), any::<String>(), any::<String>(), content())
            .prop_map(|(source, directory, target, content)| SourceRecord { source, directory, target, content })
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_again(records in prop::collection::vec((record(), 0usize..4), 0..4)) {
            let mut section = Vec::new();
            for (record, gap) in &records {
                section.extend(record.to_bytes());
                section.resize(section.len() + gap * ALIGN, 0);
            }
            let mut read = Vec::new();
            prop_assert_eq!(parse_all(&section, &mut read), Ok(()));
            prop_assert_eq!(read, records.into_iter().map(|(record, _)| record).collect::<Vec<_>>());
        }

        #[test]
        fn a_flipped_bit_is_found(record in record(), at in any::<prop::sample::Index>(), bit in 0..8) {
            let mut bytes = record.to_bytes();
            let at = at.index(bytes.len());
            bytes[at] ^= 1u8 << bit;
            prop_assert!(parse_all(&bytes, &mut Vec::new()).is_err());
        }

        #[test]
        fn a_cut_is_found(record in record(), at in any::<prop::sample::Index>()) {
            let bytes = record.to_bytes();
            let at = 1 + at.index(bytes.len() - 1);
            prop_assert!(parse_all(&bytes[..at], &mut Vec::new()).is_err());
        }
    }
}
