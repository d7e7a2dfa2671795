//! A copy of a binary that traps at some addresses: how a program that was built by others is watched.

use std::fs;
use std::path::Path;

use object::{Architecture, Object, ObjectSegment};

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

fn trap(bytes: &mut [u8], address: u64) -> Option<()> {
    let binary = object::File::parse(&*bytes).ok()?;
    let code: &[u8] = match binary.architecture() {
        Architecture::I386 | Architecture::X86_64 => &[0xcc],
        Architecture::Aarch64 => &[0x00, 0x00, 0x20, 0xd4],
        _ => return None,
    };
    let offset = binary.segments().find_map(|segment| {
        let (start, length) = segment.file_range();
        let within = address.checked_sub(segment.address()).filter(|within| *within < length)?;
        start.checked_add(within)
    })?;
    let offset = usize::try_from(offset).ok()?;
    bytes.get_mut(offset..offset.checked_add(code.len())?)?.copy_from_slice(code);
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A header of 64 bits with one segment: file offset 120, address 0x400078, 8 bytes.
    fn image() -> Vec<u8> {
        let mut bytes = vec![0; 128];
        bytes[..7].copy_from_slice(&[0x7f, b'E', b'L', b'F', 2, 1, 1]);
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
