//! A whole program: functions, globals, source places, data layout.

use std::collections::BTreeMap;

use cranelift_entity::{PrimaryMap, entity_impl};

use crate::function::Function;
use crate::types::{TypeId, Types};

macro_rules! entity {
    ($($(#[$doc:meta])* $name:ident $prefix:literal)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(u32);
        entity_impl!($name, $prefix);
    )*};
}

entity! {
    /// A function of the program, defined or only declared.
    FuncId "fn"
    /// A global variable.
    GlobalId "g"
    /// A source file.
    FileId "file"
    /// A source place.
    LocId "loc"
    /// A register of a function.
    Reg "v"
    /// A constant of a function.
    ConstId "c"
    /// A basic block of a function.
    BlockId "b"
    /// A control-flow edge of a function.
    EdgeId "e"
    /// The details of a call.
    CallId "call"
    /// The details of a switch.
    SwitchId "switch"
    /// The details of a stack allocation.
    AllocaId "alloca"
    /// A list of operands.
    ListId "list"
    /// A list of edges.
    EdgeListId "edges"
    /// The name of a construct that cannot be executed.
    UnsupportedId "unsupported"
}

/// A program, linked and ready to run.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Every function; see also [`Program::function_named`].
    pub functions: PrimaryMap<FuncId, Function>,
    /// Every global variable.
    pub globals: PrimaryMap<GlobalId, Global>,
    /// The source files that places refer to.
    pub files: PrimaryMap<FileId, SourceFile>,
    /// The source places, interned.
    pub locs: PrimaryMap<LocId, Loc>,
    /// The types of the source, as far as the debug information has them.
    pub types: Types,
    /// What the program was compiled for.
    pub layout: Layout,
    /// Functions to run before the entry, in order.
    pub constructors: Vec<FuncId>,
    /// Functions to run after the entry returned or `exit` was called, in order.
    pub destructors: Vec<FuncId>,
    /// Functions by name (also through aliases).
    pub names: BTreeMap<String, FuncId>,
    /// Globals by name (also through aliases).
    pub global_names: BTreeMap<String, GlobalId>,
}

impl Program {
    /// The function with that link name.
    pub fn function_named(&self, name: &str) -> Option<FuncId> {
        self.names.get(name).copied()
    }

    /// Forgets the types of the source: nothing refers to one any more.
    pub fn forget_types(&mut self) {
        self.types = Types::default();
        self.globals.values_mut().for_each(|global| global.source = None);
        for function in self.functions.values_mut() {
            function.source = None;
            function.params.iter_mut().for_each(|param| param.source = None);
            function.regs.values_mut().for_each(|reg| reg.source = None);
            function.allocas.values_mut().for_each(|alloca| alloca.source = None);
        }
    }
}

/// Data layout.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Layout {
    /// 32 or 64.
    pub pointer_bits: u32,
    /// Whether the most significant byte comes first.
    pub big_endian: bool,
    /// LLVM's target triple, for messages and for compiling the replay alike.
    pub triple: String,
}

impl Layout {
    /// Size of a pointer in bytes.
    pub fn pointer_bytes(&self) -> u32 {
        self.pointer_bits / 8
    }
}

/// The type of a register or constant: always a scalar.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Ty {
    /// An integer of so many bits (1 to 2^23).
    Int(u32),
    /// A float.
    Float(crate::inst::FloatTy),
    /// A pointer, of the layout's width.
    Ptr,
}

impl Ty {
    /// Whether it is a floating-point type.
    pub fn is_float(self) -> bool {
        matches!(self, Ty::Float(_))
    }

    /// Width in bits.
    pub fn bits(self, layout: &Layout) -> u32 {
        match self {
            Ty::Int(w) => w,
            Ty::Float(f) => f.bits(),
            Ty::Ptr => layout.pointer_bits,
        }
    }
}

/// A global variable.
#[derive(Clone, Debug)]
pub struct Global {
    /// Link name.
    pub name: String,
    /// Size in bytes; 0 for an external global of unknown size.
    pub size: u64,
    /// Alignment in bytes.
    pub align: u64,
    /// Its initial content; `None` if it is defined nowhere in the program.
    pub init: Option<Initializer>,
    /// Whether writing to it is an error.
    pub constant: bool,
    /// Size in bytes of the scalar it is an array of (or 1 if mixed): the granularity for symbolic content.
    pub element: u32,
    /// Its type in the source.
    pub source: Option<TypeId>,
    /// Where it is declared.
    pub loc: Option<LocId>,
    /// Whose it is.
    pub origin: Origin,
}

/// Initial content of a global.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Initializer {
    /// The bytes, with zeros where a relocation goes; as long as the global.
    pub bytes: Vec<u8>,
    /// Values known only once addresses are.
    pub relocations: Vec<Relocation>,
}

/// A value to be put into a global's initial content.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Relocation {
    /// Where in the global.
    pub offset: u64,
    /// How many bytes.
    pub bytes: u32,
    /// The value that is there.
    pub value: ConstValue,
}

/// A constant whose value may depend on addresses.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum ConstValue {
    /// Plain bits, least significant word first.
    Bits(Box<[u64]>),
    /// No particular value (`undef`, `poison`).
    Undef,
    /// An address plus a number of bytes; the low bits of it if the constant is narrower than a pointer.
    Address(Symbol, i64),
    /// Sum, at the width of the constant.
    Add(Box<ConstValue>, Box<ConstValue>),
    /// Difference, at the width of the constant.
    Sub(Box<ConstValue>, Box<ConstValue>),
}

/// Something with an address.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Symbol {
    /// A function.
    Function(FuncId),
    /// A global.
    Global(GlobalId),
    /// A basic block (`&&label`).
    Block(FuncId, BlockId),
}

/// Whose code or data it is: coverage and summaries speak only of the user's.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Origin {
    /// The program under test.
    #[default]
    User,
    /// Taw's runtime library.
    Library,
    /// Taw's runtime library where its coverage is asked for.
    CountedLibrary,
}

impl Origin {
    /// Whether it counts in coverage, and in what strategies are rewarded for.
    pub fn counts(self) -> bool {
        self != Origin::Library
    }
}

/// A source file as the debug information names it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct SourceFile {
    /// Path; absolute if the debug information has the directory.
    pub path: String,
}

/// What the file is called in which conditions of places are (`file.c:LINE if EXPR`).
pub const CONDITION_FILE: &str = "--target";

impl SourceFile {
    /// Whether it is the program's: conditions of places stand in its functions and are none of its code.
    pub fn is_programs(&self) -> bool {
        self.path.rsplit('/').next() != Some(CONDITION_FILE)
    }
}

/// A source place.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Loc {
    /// The source file.
    pub file: FileId,
    /// Line, from 1; 0 if the compiler gave none.
    pub line: u32,
    /// Column, from 1; 0 if the compiler gave none.
    pub column: u32,
    /// The source function it is in; differs from the executing function when inlined.
    pub function: String,
    /// Where that function was inlined.
    pub inlined_at: Option<LocId>,
}
