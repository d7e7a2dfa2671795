//! Taw's program representation: a register machine, close to LLVM IR but made to be executed.
//!
//! Differences from LLVM, each of which makes the interpreter simpler or faster:
//! - registers are mutable slots of scalar type (integer, float, pointer): vectors and aggregates are split
//!   into one register per scalar, phis are moves on edges, and scalar locals whose address never escapes
//!   live in registers too (`promote`);
//! - constants are in a table per function; an [`Operand`] is a register or a constant;
//! - code is one flat list per function, blocks are ranges of it;
//! - everything is by typed index: no pointers, no lifetimes.
//!
//! What the debug information says of the source's types is a table beside it (`types`). Analyses that need no run are here as well.
//!
//! Boundary: knows nothing of LLVM (that is `loader`) and nothing of execution (that is `engine`).

mod argument;
mod beyond;
mod callgraph;
mod cfg;
mod defined;
mod distance;
mod dominators;
mod effect;
mod flags;
mod function;
mod guards;
mod held;
mod identity;
mod inner_path;
mod inst;
mod leaf;
mod liveness;
mod loops;
mod middle;
mod pattern;
mod points_to;
mod program;
mod promote;
mod read;
mod requirement;
mod returns;
mod slice;
mod spell;
mod table;
mod text;
mod text_types;
mod types;
mod uses;
mod verify;
mod verify_types;

pub use argument::SourceArgument;
pub use beyond::Beyond;
pub use callgraph::{CallGraph, Site, functions_taken};
pub use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap};
pub use distance::Distances;
pub use dominators::{Dominators, PostDominators};
pub use effect::{Conduct, Effect};
pub use flags::{FlagBranch, flag_branches};
pub use function::{
    Alloca, Block, ByVal, Call, CallArg, Callee, ConstData, Edge, Function, Param, Passing, RegData, Switch,
};
pub use guards::{Comparison, Guard, guards};
pub use held::{HeldUnion, UnionContent};
pub use identity::{CodeIdentity, layout_text};
pub use inst::{
    AtomicOp, BitOp, CastOp, CmpOp, FloatBinOp, FloatCmpOp, FloatTy, FloatUnOp, Inst, IntFlags, IntOp, Operand,
    OverflowOp,
};
pub use leaf::{Leaf, LeafKind};
pub use liveness::Liveness;
pub use loops::{Loop, LoopId, Loops};
pub use middle::{from_block, shifted_site};
pub use pattern::matches_pattern;
pub use points_to::{
    AbstractObject, MovedResult, Pointees, PointerConduct, PointerConducts, PointerMoves, PointsTo, PointsToObstacle,
};
pub use program::{
    AllocaId, BlockId, CallId, ConstId, EdgeId, EdgeListId, FuncId, GlobalId, ListId, Reg, SwitchId, UnsupportedId,
};
pub use program::{
    CONDITION_FILE, ConstValue, FileId, Global, Initializer, Layout, Loc, LocId, Origin, Program, Relocation,
    SourceFile, Symbol, Ty,
};
pub use promote::promote;
pub use read::{TextError, read_program};
pub use requirement::Requirement;
pub use slice::{CallActs, CallConduct, CallConducts, ProgramSlice, SliceObstacle, Slicer};
pub use types::{FlexibleMember, Member, Record, RecordBody, RecordKind, Type, TypeId, Types};
pub use verify::{Violation, verify};
pub use verify_types::verify_types;
