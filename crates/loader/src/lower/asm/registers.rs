//! Names of the general registers. The stack and frame pointers are left out: what they hold is not the program's to know.

/// A general register, or a part of one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Register {
    /// Which, below [`COUNT`].
    pub number: usize,
    /// The first bit of the part: 8 for `ah` and its like.
    pub low: u32,
    /// Bits of the part.
    pub width: u32,
}

/// How many general registers there are.
pub const COUNT: usize = 16;

/// Numbers of the registers that instructions use without naming them.
pub const AX: usize = 0;
/// See [`AX`].
pub const CX: usize = 1;
/// See [`AX`].
pub const DX: usize = 2;
/// See [`AX`].
pub const BX: usize = 3;

/// The register of a name as in texts and constraints, without `%`.
pub fn named(name: &str) -> Option<Register> {
    let whole = |number, width| Some(Register { number, low: 0, width });
    if let Some(numbered) = name.strip_prefix('r')
        && numbered.starts_with(|c: char| c.is_ascii_digit())
    {
        let digits = numbered.trim_end_matches(|c: char| !c.is_ascii_digit());
        let number = digits.parse().ok().filter(|n| (8..COUNT).contains(n))?;
        return match &numbered[digits.len()..] {
            "" => whole(number, 64),
            "d" => whole(number, 32),
            "w" => whole(number, 16),
            "b" => whole(number, 8),
            _ => None,
        };
    }
    const LETTERS: [(&str, usize); 4] = [("a", AX), ("c", CX), ("d", DX), ("b", BX)];
    const WORDS: [(&str, usize); 6] = [("ax", AX), ("cx", CX), ("dx", DX), ("bx", BX), ("si", 6), ("di", 7)];
    let find = |table: &[(&str, usize)], key: &str| table.iter().find(|row| row.0 == key).map(|row| row.1);
    if let Some(number) = find(&WORDS, name) {
        return whole(number, 16);
    }
    if let Some(number) = name.strip_prefix('e').and_then(|word| find(&WORDS, word)) {
        return whole(number, 32);
    }
    if let Some(number) = name.strip_prefix('r').and_then(|word| find(&WORDS, word)) {
        return whole(number, 64);
    }
    if let Some(number) = name.strip_suffix('h').and_then(|letter| find(&LETTERS, letter)) {
        return Some(Register { number, low: 8, width: 8 });
    }
    let low = name.strip_suffix('l')?;
    whole(find(&LETTERS, low).or_else(|| find(&WORDS[4..], low))?, 8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_has_its_part() {
        let parts = |name| named(name).map(|r| (r.number, r.low, r.width));
        for (names, number) in [(["rax", "eax", "ax", "al"], 0), (["rdi", "edi", "di", "dil"], 7)] {
            assert_eq!(names.map(parts), [64, 32, 16, 8].map(|width| Some((number, 0, width))));
        }
        assert_eq!(
            ["r8", "r15d", "r9w", "r10b"].map(parts),
            [(8, 64), (15, 32), (9, 16), (10, 8)].map(|(n, w)| Some((n, 0, w)))
        );
        assert_eq!(["ah", "bh"].map(parts), [Some((0, 8, 8)), Some((3, 8, 8))]);
    }

    #[test]
    fn other_names_are_none() {
        for name in ["rsp", "ebp", "rip", "fs", "xmm0", "r7", "r16", "r8h", "sih", "st", ""] {
            assert_eq!(named(name), None, "{name:?}");
        }
    }
}
