//! A copy of a binary that traps at some addresses: how a program that was built by others is watched.
//!
//! Knows of ELF only what it needs: where in the file an address of the memory image is.

use std::fs;
use std::path::Path;

/// Copies `binary` to `copy` with a trap at each address.
///
/// # Errors
/// If it is no ELF file of a machine that is known, has no such address, or cannot be copied.
pub(crate) fn patch(binary: &Path, addresses: &[u64], copy: &Path) -> Result<(), String> {
    let mut bytes = fs::read(binary).map_err(|error| format!("cannot read `{}`: {error}", binary.display()))?;
    for &address in addresses {
        trap(&mut bytes, address).ok_or_else(|| format!("`{}` has no code at {address:#x}", binary.display()))?;
    }
    let place = |error| format!("cannot copy `{}`: {error}", binary.display());
    // The copy keeps the permissions.
    fs::copy(binary, copy).map_err(place)?;
    fs::write(copy, bytes).map_err(place)
}

/// Where the fields of a header are.
struct HeaderLayout {
    /// Bytes of an address.
    word: usize,
    /// Position of the program headers, of their size and of their number in the file's header.
    headers: (usize, usize, usize),
    /// Position of offset, address and size within a program header.
    segment: (usize, usize, usize),
}

const ELF32: HeaderLayout = HeaderLayout { word: 4, headers: (28, 42, 44), segment: (4, 8, 16) };
const ELF64: HeaderLayout = HeaderLayout { word: 8, headers: (32, 54, 56), segment: (8, 16, 32) };
const LOAD: u64 = 1;

fn number(bytes: &[u8], at: usize, size: usize) -> Option<u64> {
    let field = bytes.get(at..at.checked_add(size)?)?;
    Some(field.iter().rev().fold(0, |value, byte| value << 8 | u64::from(*byte)))
}

fn trap(bytes: &mut [u8], address: u64) -> Option<()> {
    let layout = match bytes.get(..6)? {
        [0x7f, b'E', b'L', b'F', 1, 1] => ELF32,
        [0x7f, b'E', b'L', b'F', 2, 1] => ELF64,
        _ => return None,
    };
    let code: &[u8] = match number(bytes, 18, 2)? {
        3 | 62 => &[0xcc],
        183 => &[0x00, 0x00, 0x20, 0xd4],
        _ => return None,
    };
    let offset = usize::try_from(offset_of(bytes, &layout, address)?).ok()?;
    bytes.get_mut(offset..offset + code.len())?.copy_from_slice(code);
    Some(())
}

fn offset_of(bytes: &[u8], layout: &HeaderLayout, address: u64) -> Option<u64> {
    let (table, size, count) = layout.headers;
    let table = number(bytes, table, layout.word)?;
    let (size, count) = (number(bytes, size, 2)?, number(bytes, count, 2)?);
    for index in 0..count {
        let at = usize::try_from(table + index * size).ok()?;
        let field = |within: usize| number(bytes, at + within, layout.word);
        let (offset, start, length) = (field(layout.segment.0)?, field(layout.segment.1)?, field(layout.segment.2)?);
        if number(bytes, at, 4)? == LOAD && (start..start.saturating_add(length)).contains(&address) {
            return Some(offset + (address - start));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A header of 64 bits with one segment: file offset 120, address 0x400078, 8 bytes.
    fn image() -> Vec<u8> {
        let mut bytes = vec![0; 128];
        bytes[..6].copy_from_slice(&[0x7f, b'E', b'L', b'F', 2, 1]);
        let mut put =
            |at: usize, value: u64, size: usize| bytes[at..at + size].copy_from_slice(&value.to_le_bytes()[..size]);
        put(18, 62, 2);
        put(32, 64, 8);
        put(54, 56, 2);
        put(56, 1, 2);
        put(64, 1, 4);
        put(64 + 8, 120, 8);
        put(64 + 16, 0x400078, 8);
        put(64 + 32, 8, 8);
        bytes
    }

    #[test]
    fn an_address_is_patched_where_it_is_in_the_file() {
        let mut bytes = image();
        assert!(trap(&mut bytes, 0x40007a).is_some());
        assert_eq!(bytes[122], 0xcc);
        assert!(trap(&mut bytes, 0x400080).is_none() && trap(&mut bytes, 0).is_none());
    }

    #[test]
    fn what_is_no_binary_is_refused() {
        assert!(trap(&mut b"#!/bin/sh\n".to_vec(), 0).is_none());
        assert!(trap(&mut image()[..70].to_vec(), 0x40007a).is_none());
    }
}
