//! A function: registers, constants, code, blocks and the side tables of its larger instructions.

use cranelift_entity::PrimaryMap;

use crate::inst::{Inst, Operand};
use crate::program::*;
use crate::types::{TypeId, Types};

/// A function, defined (has code) or only declared (has none).
#[derive(Clone, Debug, Default)]
pub struct Function {
    /// Link name.
    pub name: String,
    /// Parameters in order, after splitting aggregates and vectors.
    pub params: Vec<Param>,
    /// Results, after splitting.
    pub returns: Vec<Ty>,
    /// Whether it takes further arguments.
    pub variadic: bool,
    /// Its type in the source, with what it returns and takes there.
    pub source: Option<TypeId>,
    /// Whether a call never comes back.
    pub noreturn: bool,
    /// Whether its code is known not to have been optimised.
    pub unoptimised: bool,
    /// Whether only its own file can name it.
    pub is_static: bool,
    /// Registers; a parameter's register receives the argument.
    pub regs: PrimaryMap<Reg, RegData>,
    /// The constants that operands name.
    pub consts: PrimaryMap<ConstId, ConstData>,
    /// Instructions of all blocks.
    pub code: Vec<Inst>,
    /// For each instruction its source place.
    pub locs: Vec<Option<LocId>>,
    /// Blocks; the first is the entry.
    pub blocks: PrimaryMap<BlockId, Block>,
    /// The edges between blocks, each with its moves.
    pub edges: PrimaryMap<EdgeId, Edge>,
    /// The calls: callee, arguments and result.
    pub calls: PrimaryMap<CallId, Call>,
    /// The switches: values and edges.
    pub switches: PrimaryMap<SwitchId, Switch>,
    /// Stack allocations.
    pub allocas: PrimaryMap<AllocaId, Alloca>,
    /// Operand lists of `Ret`.
    pub lists: PrimaryMap<ListId, Vec<Operand>>,
    /// Edge lists of `IndirectBr`.
    pub edge_lists: PrimaryMap<EdgeListId, Vec<EdgeId>>,
    /// Constructs that cannot be executed, in words: `inline assembly "..."`.
    pub unsupported: PrimaryMap<UnsupportedId, String>,
    /// Where it is declared.
    pub loc: Option<LocId>,
    /// Whose it is.
    pub origin: Origin,
}

impl Function {
    /// Whether it has a body.
    pub fn is_defined(&self) -> bool {
        !self.code.is_empty()
    }

    /// Whether it can take what a call through a pointer passes: at least as many arguments as it has parameters, floats where
    /// it wants floats. A run ends at such a call of a function that cannot, and the call graph relies on that.
    pub fn accepts(&self, call: &Call) -> bool {
        call.args.len() >= self.params.len()
            && self.params.iter().zip(&call.args).all(|(param, arg)| param.ty.is_float() == arg.ty.is_float())
    }
}

/// A parameter.
#[derive(Clone, Debug)]
pub struct Param {
    /// The register that receives it.
    pub reg: Reg,
    /// Its type.
    pub ty: Ty,
    /// Its source name, or empty.
    pub name: String,
    /// The type that the parameter has in the source: of the whole, where this is a part of it or points at a copy.
    pub source: Option<TypeId>,
    /// Passed by a pointer to a copy that the callee owns.
    pub byval: Option<ByVal>,
    /// How native code passes it.
    pub passing: Passing,
    /// Whether it is a pointer to `const`, by its type in the source: then a callee that keeps to it writes nothing through it.
    pub read_only: bool,
    /// Of a pointer, how many bytes the caller promises behind it (`int a[static 3]`); 0 if it promises nothing.
    pub at_least: u64,
}

impl Param {
    /// Its type in the source as C writes it, or empty.
    pub fn spelled(&self, types: &Types) -> String {
        self.source.map(|source| types.spelled(source)).unwrap_or_default()
    }
}

/// How native code passes a parameter, as far as its type does not tell.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Passing {
    /// As its type.
    #[default]
    Plain,
    /// Widened by its sign.
    SignExtended,
    /// Widened by zeros.
    ZeroExtended,
    /// With others in one place: it is a part of a vector or structure.
    Part,
    /// It is where the result goes, which is too large for registers.
    Result,
}

impl Passing {
    /// Each with its word in the text form; the plain one has none.
    pub(crate) const WORDS: [(Passing, &'static str); 4] = [
        (Self::SignExtended, "signext"),
        (Self::ZeroExtended, "zeroext"),
        (Self::Part, "part"),
        (Self::Result, "result"),
    ];
}

/// A copy made at a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ByVal {
    /// Bytes to copy.
    pub size: u64,
    /// Alignment of the copy.
    pub align: u64,
}

/// A register.
#[derive(Clone, Debug)]
pub struct RegData {
    /// Its type.
    pub ty: Ty,
    /// The source variable it holds, or empty.
    pub name: String,
    /// The type of that variable, of which this may be a part.
    pub source: Option<TypeId>,
}

/// A constant.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ConstData {
    /// Its type.
    pub ty: Ty,
    /// Its value.
    pub value: ConstValue,
}

/// A basic block: the instructions `start..end`, of which the last, and only the last, is a terminator.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    /// First instruction.
    pub start: u32,
    /// One past the last instruction.
    pub end: u32,
}

/// A control-flow edge.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edge {
    /// Where it leads.
    pub to: BlockId,
    /// Moves made on the way, one after the other (the loader has ordered them and broken cycles).
    pub moves: Vec<(Reg, Operand)>,
}

/// A call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Call {
    /// Who is called.
    pub callee: Callee,
    /// Arguments, after splitting; more than the parameters for a variadic function.
    pub args: Vec<CallArg>,
    /// Registers for the results, after splitting; empty if the result is not used.
    pub dsts: Vec<Reg>,
    /// Types of the results as the call sees them.
    pub returns: Vec<Ty>,
}

/// Who is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Callee {
    /// A known function.
    Direct(FuncId),
    /// Whatever the operand points at.
    Indirect(Operand),
}

/// An argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CallArg {
    /// Its value.
    pub value: Operand,
    /// Its type.
    pub ty: Ty,
    /// Passed as a copy of what it points at.
    pub byval: Option<ByVal>,
}

/// A multi-way branch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Switch {
    /// What is compared.
    pub value: Operand,
    /// Width of the value in bits.
    pub width: u32,
    /// The cases: value and edge. Values are distinct; wider than 64 bits is not supported by the loader.
    pub cases: Vec<(u64, EdgeId)>,
    /// Taken if no case matches.
    pub default: EdgeId,
}

/// A stack allocation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Alloca {
    /// Receives the address.
    pub dst: Reg,
    /// Bytes per element.
    pub size: u64,
    /// Number of elements.
    pub count: Operand,
    /// Width of `count` in bits.
    pub count_width: u32,
    /// Alignment in bytes.
    pub align: u64,
    /// Granularity for symbolic content, as in [`Global::element`].
    pub element: u32,
    /// The source variable, or empty.
    pub name: String,
    /// Its type in the source.
    pub source: Option<TypeId>,
}
