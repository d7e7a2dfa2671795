//! What is left of a run: test cases, findings, coverage, statistics.
//!
//! Boundary: turns what the engine found into files and records; it runs no program and prints nothing. What a native run needs to
//! repeat a test is among the records ([`Recipe`], [`Spot`]); who makes such runs is above.
//! Every file appears whole or not at all (`taw_files::write_atomically`), so an output directory is readable whenever the run dies.

mod api;
mod c;
mod call;
mod caller;
mod document;
mod findings;
mod formats;
mod given;
mod keep;
mod lcov;
mod lines;
mod output_dir;
mod place;
pub mod plot;
mod recipe;
mod returned;
pub mod shell;
mod spot;
mod stage_file;
mod stage_instances;
pub mod suite;
mod test_file;
mod value;
mod words;
mod writer;

pub use api::{ApiRecord, ApiVerdict, BuiltRecord};
pub use call::{
    ArgumentRecord, CallRecord, GlobalRecord, ObjectRecord, ObjectSpot, PointerRecord, UnionRecord, one_word,
};
pub use caller::CallerRecord;
pub use document::{ConcolicRecord, CoverageTotals, Document, FunctionRecord, Paths, Share, Statistics};
pub use findings::{Because, Confirmed, FindingRecord, Findings};
pub use formats::{FORMATS, FinishedRun, FormatDef, FormatError, NamedTest, SeedError, read_seed, read_seeds};
pub use given::{Blob, FileRecord, GivenRecord, VariableRecord};
pub use keep::{Keep, fewest};
pub use lcov::lcov;
pub use lines::{BranchSide, FileCoverage, FunctionCoverage, file_coverage, function_coverage, function_files};
pub use output_dir::{CommandRecord, Destination, Finished, OutputDir, OutputError, TARGETS, TARGETS_SARIF};
pub use place::{Places, StackFrame};
pub use recipe::{AskedConditions, EntryPoint, MachineValue, Marker, Parameter, Recipe, Source};
pub use returned::{AfterPointer, AfterRecord, ContentRecord, FoundRecord, ReturnRecord};
pub use spot::Spot;
pub use stage_file::{ObjectType, StageError, StageFile, StageHead, identity_hash};
pub use stage_instances::{StageInstances, number_in_c};
pub use test_file::{InputRecord, OutcomeRecord, TestFile, TestReadError};
pub use value::in_c;
pub use words::{codes, premises_in_words, sentence, sentences, unknown_callers_in_words};
