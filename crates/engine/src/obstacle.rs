//! Why paths cannot start at a function: the one place that knows.

use taw_ir::{Function, Ty};

/// What keeps paths from starting at a function, if something does.
pub fn entry_obstacle(function: &Function) -> Option<&'static str> {
    if function.name == "main" {
        return None;
    }
    let structure = function.params.iter().any(|param| param.byval.is_some());
    let pointer = function.params.iter().any(|param| param.ty == Ty::Ptr);
    match (structure, pointer) {
        (true, _) => Some("a parameter is a structure"),
        (_, true) => Some("a parameter is a pointer"),
        _ => None,
    }
}
