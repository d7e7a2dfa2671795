//! Executes states.
//!
//! Boundary: knows how to run one state for one slice; what to run next is an explorer's choice, what library
//! functions do is `env`'s, what is written where is `report`'s (through [`Sink`]).

mod access;
mod asked;
mod config;
mod conflict;
mod coverage;
mod cx;
mod finding;
mod follow;
mod goals;
mod guards;
mod holds;
mod image;
mod input;
mod input_names;
mod judge;
mod leak;
mod loops;
mod meant;
mod memory;
mod model;
mod obstacle;
mod output;
mod path;
mod points_to;
mod prefix_file;
mod provenance;
mod reason;
mod registers;
mod run;
mod shadow;
mod signature;
mod sink;
mod slice;
mod state;
mod stats;
mod step;
mod stop;
mod stub;
mod surroundings;
mod test_case;
mod trace;
mod trail;
mod turn;
mod unknown;
mod value;
mod walked;
mod within;

pub use taw_expr::Marks;

pub use access::{Access, ObjectPlace};
pub use asked::{CONDITION_MODELS, condition_label};
pub use config::{Checks, Config, EngineError, Precondition, Recorded};
pub use conflict::DeadEnd;
pub use coverage::{Coverage, PathCoverage, UserNumbers};
pub use cx::{Cx, Engine};
pub use finding::{Finding, FindingKind, StackEntry};
pub use follow::{Divergence, Followed, Others, Prefix, PrefixTurn};
pub use goals::{Arrival, ErrorAt, Goal, GoalStep, Goals};
pub use holds::HoldsTerms;
pub use image::undefined;
pub use judge::{CallerClass, CallerNeed, Judgement, ShortArray};
pub use loops::{JUMPS_PER_INSTRUCTION, LoopMode};
pub use memory::{Memory, Object, ObjectKind, Region, Status};
pub use model::{ModelArgument, ModelDef, ModelFn, Models, OwnModel};
pub use obstacle::entry_obstacle;
pub use output::{LateOutput, Stream, Writer, Written};
pub use path::{Condition, Decision, Path, PathWays};
pub use prefix_file::{PrefixError, program_identity, read_prefixes, write_prefixes};
pub use provenance::Provenance;
pub use reason::{
    Bound, Cut, Doubt, Halt, Limit, NativeFailure, NoResult, Premise, Reason, Refusal, StagePremise, StubGap,
    Unanswered,
};
pub use run::{End, Slice};
pub use signature::Signature;
pub use sink::{Reception, Sink};
pub use state::{Frame, Jump, Phase, State, Witness};
pub use stats::Stats;
pub use stop::Stop;
pub use stub::{Stub, StubShape};
pub use surroundings::{Boot, BootFn, Given, Nothing, SharedSurroundings, Surroundings};
pub use test_case::{Input, InputType, Outcome, TestCase};
pub use trace::TraceEvent;
pub use trail::Trail;
pub use turn::{PartsPay, TurnBy, TurnCall, Turned};
pub use unknown::{
    Alias, CallersUnknown, GraphArgument, GraphGlobal, GraphObject, GraphPointer, ObjectGraph, Strings, UnknownShapes,
};
pub use unknown::{ArrayTie, CallerPromises, Invariant, StringTie, TiedNumber, TiedPointer};
pub use unknown::{CALLBACKS, CallbackShape, callback_symbol, is_stream, may_be_passed, may_change, opened_with};
pub use unknown::{CallOutcome, ChangedGlobal, FoundBy, ObjectFate, OutcomeContent, OutcomeObject, OutcomePointer};
pub use unknown::{
    CellContent, ObjectCount, StagedParameters, Staging, Structure, StructureCell, StructureObject, StructurePointer,
    StructureSet,
};
pub use value::{Value, mask, signed};
pub use walked::{FirstInputs, Prediction, WalkEdge, WalkedPath};

pub use taw_expr::{Formula, FormulaInput, Terms};
