//! What a conversion of a float gives beyond the range of the integer. C leaves it open; a program that does it gets what its
//! compiler's code for the machine happens to give, and tests must show the same.

/// The result where the truncated number does not fit, or is none.
///
/// *Indefinite* is the machine's answer: only the highest bit set.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Beyond {
    /// The nearest number there is; 0 of a NaN (`llvm.fptosi.sat`).
    Sat,
    /// The low bits of a conversion to 16 signed bits, which is indefinite beyond them.
    Low16,
    /// The low bits of a conversion to 32 signed bits.
    Low32,
    /// The low bits of a conversion to 64 signed bits.
    Low64,
    /// Of a negative number the signed conversion of the same width, else the unsigned one; both indefinite beyond.
    Halves,
    /// Below half of the range the signed conversion, else the unsigned one, which is 0 beyond (and of a NaN).
    X87,
    /// The nearest number there is; of a NaN the greatest, or the least if its sign is set.
    Soft,
    /// Depends on more than is known here: the path ends.
    Open,
}

impl Beyond {
    /// All, for the text form.
    pub(crate) const ALL: &'static [Beyond] = {
        use Beyond::*;
        &[Sat, Low16, Low32, Low64, Halves, X87, Soft, Open]
    };
}
