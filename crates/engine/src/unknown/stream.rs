//! A `FILE *` that the caller passes: standard input, output or error, as far as the program has them. Other streams are not tried.

use taw_ir::{GlobalId, Type};

use super::PointerChoice;
use crate::cx::Cx;

/// The C library's streams, with what C calls them.
const STREAMS: [(&str, &str); 3] =
    [("__stdin_FILE", "stdin"), ("__stdout_FILE", "stdout"), ("__stderr_FILE", "stderr")];

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
