//! Why paths cannot start at a function: the one place that knows.

use taw_ir::{Function, Program};

use crate::unknown::argument_obstacle;

/// What keeps paths from starting at a function, if something does.
pub fn entry_obstacle(program: &Program, function: &Function) -> Option<&'static str> {
    if function.name == "main" {
        return None;
    }
    let arguments = function.arguments(&program.types, &program.layout);
    arguments.iter().find_map(|argument| argument_obstacle(function, argument))
}
