//! What must hold where an `Inst::Require` stands; that it does not is an error.

/// What was promised, or what a check that the compiler has put into the code is about.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Requirement {
    /// `__builtin_assume`.
    Promise,
    /// The subscript of a vector that is read is one of its elements.
    ElementRead,
    /// The subscript of a vector that is written is one of its elements.
    ElementWrite,
    /// A signed sum fits its type.
    Sum,
    /// A signed difference fits its type.
    Difference,
    /// A signed product fits its type.
    Product,
    /// A signed number has a negation in its type.
    Negation,
    /// A signed quotient fits its type.
    Quotient,
    /// A float fits the integer type that it is converted to.
    FloatCast,
}

impl Requirement {
    /// All, for the text form.
    pub(crate) const ALL: &'static [Requirement] = {
        use Requirement::*;
        &[Promise, ElementRead, ElementWrite, Sum, Difference, Product, Negation, Quotient, FloatCast]
    };
}
