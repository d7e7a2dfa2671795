//! A `FILE *` that the caller passes: a file of unknown content that is open for reading, for writing or for both; standard input, output or
//! error; as far as the program has them. Other streams are not tried.
//!
//! Boundary: the C library has them (`runtime/musl/streams.c`), the modelled kernel what is in them (`env/src/streams.rs`).

use taw_ir::{GlobalId, Type};

use super::PointerChoice;
use crate::cx::Cx;

/// The C library's streams, with what C calls them; those that get furthest first.
const STREAMS: [(&str, &str); 6] = [
    ("__taw_file_rw_FILE", "file_rw"),
    ("__taw_file_r_FILE", "file_r"),
    ("__taw_file_w_FILE", "file_w"),
    ("__stdin_FILE", "stdin"),
    ("__stdout_FILE", "stdout"),
    ("__stderr_FILE", "stderr"),
];

/// Files that callers have opened, and how.
const FILES: [(&str, &str); 3] = [("file_r", "r"), ("file_w", "w"), ("file_rw", "r+")];

/// With what mode the caller has opened a stream of that name, if it is a file of the caller's.
pub fn opened_with(name: &str) -> Option<&'static str> {
    FILES.iter().find(|(known, _)| *known == name).map(|(_, mode)| *mode)
}

/// Whether a type is a stream.
pub fn is_stream(ty: &Type) -> bool {
    matches!(ty, Type::Record(record) if matches!(record.name.as_str(), "_IO_FILE" | "FILE" | "__sFILE"))
}

/// What C calls a stream of the C library's.
pub(crate) fn stream_name(symbol: &str) -> &'static str {
    STREAMS.iter().find(|(known, _)| *known == symbol).map_or("", |(_, name)| name)
}

impl Cx<'_, '_> {
    /// The streams that the program has.
    pub(super) fn streams(&self) -> Vec<PointerChoice> {
        let globals = &self.engine.program.globals;
        let named = |symbol: &str| globals.iter().find(|(_, global)| global.name == symbol).map(|(id, _)| id);
        STREAMS.iter().filter_map(|(symbol, _)| named(symbol)).map(PointerChoice::Stream).collect()
    }

    /// Where it lies.
    pub(super) fn stream_address(&self, id: GlobalId) -> u64 {
        self.image.globals[id]
    }
}
