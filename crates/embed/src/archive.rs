//! Static libraries: the members of an `ar` archive (System V, GNU and BSD), in their order.

use crate::BrokenFile;

const HEADER: usize = 60;

/// The bytes of each member. Tables of symbols and of names are members too; they are no ELF files.
pub(crate) fn members(file: &[u8]) -> Result<Vec<&[u8]>, BrokenFile> {
    if file.starts_with(b"!<thin>\n") {
        return Err(BrokenFile::Thin);
    }
    let mut rest = file.get(8..).ok_or(BrokenFile::Foreign)?;
    let mut members = Vec::new();
    while !rest.is_empty() {
        let (header, after) = rest.split_at_checked(HEADER).ok_or(CUT)?;
        let size = number(&header[48..58]).ok_or(BrokenFile::Damaged("a member's size is no number"))?;
        let (member, after) = after.split_at_checked(size).ok_or(CUT)?;
        members.push(&member[long_name(header).min(member.len())..]);
        // Members start at even offsets.
        rest = after.get(size % 2..).unwrap_or_default();
    }
    Ok(members)
}

const CUT: BrokenFile = BrokenFile::Damaged("the archive is cut off");

/// BSD's long names stand before the content, as part of it: their length.
fn long_name(header: &[u8]) -> usize {
    header.strip_prefix(b"#1/").and_then(|rest| number(&rest[..13])).unwrap_or(0)
}

fn number(field: &[u8]) -> Option<usize> {
    std::str::from_utf8(field).ok()?.trim_end().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(name: &str, size: usize) -> Vec<u8> {
        format!("{name:<16}{:<12}{:<6}{:<6}{:<8}{size:<10}`\n", 0, 0, 0, 644).into_bytes()
    }

    #[test]
    fn members_are_found_whatever_their_names_and_sizes() {
        let mut file = b"!<arch>\n".to_vec();
        for (name, content) in [("/", &b"sy"[..]), ("odd.o/", b"odd"), ("#1/4", b"nameBSD!"), ("empty/", b"")] {
            file.extend(header(name, content.len()));
            file.extend(content);
            file.extend(&b"\n"[..content.len() % 2]);
        }
        assert_eq!(members(&file), Ok(vec![&b"sy"[..], b"odd", b"BSD!", b""]));
    }

    #[test]
    fn damage_is_told() {
        let mut file = b"!<arch>\n".to_vec();
        file.extend(header("a.o/", 10));
        file.extend(b"short");
        assert_eq!(members(&file), Err(CUT));
        assert_eq!(members(b"!<arch>\nxx"), Err(CUT));
        assert_eq!(members(b"!<thin>\n"), Err(BrokenFile::Thin));
        let mut file = b"!<arch>\n".to_vec();
        file.extend(header("a.o/", 10).iter().map(|b| if b.is_ascii_digit() { b'x' } else { *b }));
        assert!(matches!(members(&file), Err(BrokenFile::Damaged(_))));
    }
}
