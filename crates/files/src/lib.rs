//! Files in places where somebody else may have been before: folders of our own, files that appear whole, reading that ends.
//!
//! Boundary: knows the file system and nothing of Taw. Invariant: no symbolic link is followed when a file is written, nobody
//! else can look into a scratch folder, and no name that a file mentions makes reading go on for ever.

mod appendix;
mod read;
mod scratch;
mod write;

pub use appendix::{ExtendedSource, SourceAdditions, extend_source};
pub use read::{open_regular, read_named, read_regular, read_stream};
pub use scratch::{only_ours, private_folder, scratch, user};
pub use write::{PART, write_atomically};
