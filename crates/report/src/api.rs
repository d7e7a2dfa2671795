//! Whether a finding of a start in the middle is reachable through the library's own functions, as it is stored and told (`--build-with`).

use serde::{Deserialize, Serialize};

/// What is known of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum ApiVerdict {
    /// A sequence of calls leads to it.
    #[serde(rename = "reachable")]
    Reachable,
    /// No sequence of so many calls does, within what `says` names.
    #[serde(rename = "none")]
    Nowhere,
    /// None was found, which proves nothing.
    #[serde(rename = "not found")]
    NotFound,
}

/// What came of the search for calls that lead to a finding.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ApiRecord {
    /// Whether there is a sequence.
    pub verdict: ApiVerdict,
    /// All of it in words.
    pub says: String,
    /// Why a native run of the sequence did not show it; absent if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirmation: Option<String>,
    /// The test that makes these calls, relative to the output directory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub test: Option<String>,
    /// The calls as C, line by line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub c: Vec<String>,
}

impl ApiRecord {
    /// What findings have in common that are reachable.
    pub const HEADING: &'static str = "reachable through the API";

    /// Whether a sequence leads to it.
    pub fn is_reachable(&self) -> bool {
        self.verdict == ApiVerdict::Reachable
    }
}

/// The calls that a test makes which Taw has put together, and the inputs that they tell.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct BuiltRecord {
    /// As C, line by line.
    pub c: Vec<String>,
    /// Names of the inputs.
    pub inputs: Vec<String>,
}
