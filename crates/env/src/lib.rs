//! Models of library functions: what is not worth, or not possible, to execute as C.
//!
//! Boundary: models see a state only through [`taw_engine::Cx`]. Plain string and number functions are C, in `runtime/`;
//! here is what talks to the engine (inputs, assumptions, heap, exit) or is better done at once (copies, formatting, maths).
//! A new function is one `fn` and one row in its header's table; a new header is one file and one line in [`MODELS`].

mod format;
mod heap;
mod jump;
mod klee;
mod libm;
mod math;
mod otter;
mod process;
mod stdio;
mod string;
mod taw;
mod unsupported;
mod verifier;

pub use libm::libm_function;
use taw_engine::ModelDef;

/// Every model, by header.
pub const MODELS: &[&[ModelDef]] = &[
    taw::MODELS,
    klee::MODELS,
    verifier::MODELS,
    otter::MODELS,
    heap::MODELS,
    process::MODELS,
    jump::MODELS,
    stdio::MODELS,
    string::MODELS,
    math::MODELS,
    libm::MODELS,
    unsupported::MODELS,
];

#[cfg(test)]
mod tests {
    #[test]
    fn no_function_is_modelled_twice() {
        let mut names: Vec<&str> = super::MODELS.iter().copied().flatten().map(|m| m.name).collect();
        names.sort_unstable();
        let count = names.len();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}
