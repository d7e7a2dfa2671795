//! Why paths cannot start at a function: the one place that knows.

use taw_ir::Function;

/// What keeps paths from starting at a function, if something does.
pub fn entry_obstacle(function: &Function) -> Option<&'static str> {
    let starts = function.name == "main" || !function.params.iter().any(taw_ir::Param::shares_register);
    (!starts).then_some("a parameter is a structure whose parts share a register")
}
