//! Models of library functions: what is not worth, or not possible, to execute as C.
//!
//! Boundary: models see a state only through [`taw_engine::Cx`]. Plain string and number functions are C, in `runtime/`;
//! here is what talks to the engine (inputs, assumptions, heap, exit) or is better done at once (copies, formatting, maths).
//! A new function is one `fn` and one row in its header's table; a new header is one file and one line in [`MODELS`]. A row has the
//! function's signature and what it does to the flow of control.

mod boot;
mod code;
mod heap;
mod jump;
mod kernel;
mod klee;
mod late;
mod libm;
mod math;
mod number;
mod otter;
mod process;
mod pure;
mod start;
mod streams;
mod string;
mod syscall;
mod taw;
mod unsupported;
mod verifier;
mod world;

pub use boot::boot;
pub use kernel::Kernel;
pub use libm::libm_function;
pub use pure::{Prototype, Scalar, pure_models, worker_source};
pub use start::Start;
pub use world::{Arg, Content, PeerAddress, World};

use taw_engine::Models;

/// Every model, by header.
pub const MODELS: Models = Models {
    always: &[
        taw::MODELS,
        klee::MODELS,
        verifier::MODELS,
        otter::MODELS,
        heap::MODELS,
        process::MODELS,
        jump::MODELS,
        late::MODELS,
        string::MODELS,
        syscall::MODELS,
        math::MODELS,
        libm::MODELS,
    ],
    stand_ins: &[unsupported::MODELS],
    code: code::EFFECTS,
};

#[cfg(test)]
mod tests {
    #[test]
    fn no_function_is_modelled_twice() {
        let tables = [super::MODELS.always, super::MODELS.stand_ins].concat();
        let mut names: Vec<&str> = tables.into_iter().flatten().map(|m| m.name).collect();
        names.sort_unstable();
        let count = names.len();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}
