//! Static libraries: the members of an `ar` archive (System V, GNU and BSD), in their order.

use object::read::archive::ArchiveFile;

use crate::BrokenFile;

/// The bytes of each member; tables of symbols and of names are none.
pub(crate) fn members(file: &[u8]) -> Result<Vec<&[u8]>, BrokenFile> {
    let archive = ArchiveFile::parse(file)?;
    if archive.is_thin() {
        return Err(BrokenFile::Thin);
    }
    Ok(archive.members().map(|member| member?.data(file)).collect::<Result<_, _>>()?)
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
        assert_eq!(members(&file), Ok(vec![&b"odd"[..], b"BSD!", b""]));
    }

    #[test]
    fn damage_is_told() {
        let mut file = b"!<arch>\n".to_vec();
        file.extend(header("a.o/", 10));
        file.extend(b"short");
        assert!(matches!(members(&file), Err(BrokenFile::Unreadable(_))));
        assert!(matches!(members(b"!<arch>\nxx"), Err(BrokenFile::Unreadable(_))));
        assert_eq!(members(b"!<thin>\n"), Err(BrokenFile::Thin));
        let mut file = b"!<arch>\n".to_vec();
        file.extend(header("a.o/", 10).iter().map(|b| if b.is_ascii_digit() { b'x' } else { *b }));
        assert!(matches!(members(&file), Err(BrokenFile::Unreadable(_))));
    }
}
