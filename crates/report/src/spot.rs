//! What a native run can be seen to pass, as a test stores it: kept beside the claim that a path leads there.

use serde::{Deserialize, Serialize};

/// A place that a native run can be seen to pass.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Spot {
    /// Code of a source line.
    Line {
        /// The file, as the debug information names it.
        file: String,
        /// The line, from 1.
        line: u32,
    },
    /// The start of a function.
    Function(String),
    /// A marker with that label.
    Label(String),
    /// A condition that holds, by its label; a program that is built for it asks it.
    Condition(String),
}
