//! The decision procedures behind the chain's last stages.

pub(crate) mod bitblast;
pub(crate) mod cadical;
pub(crate) mod z3;
