//! An unknown state: what a path starts with that starts in the middle of a program.
//!
//! A number is an input. A pointer is a *choice*: an input says which of the places it points at that `docs/soundness.md` lists (its own
//! object, null, an object that another pointer has), and the pointer is the term that is the address of that place. Comparing it is
//! comparing terms, and forks only where it matters; an access decides the choice (`settle.rs`). An object has its address from the start and
//! its content when it is first touched (`content.rs`): numbers are inputs, pointers are choices again. What is not tried is a choice as
//! well: an object that ends the path which touches it, with the [`Bound`] that it is named after. So nothing is lost without a word, and
//! what no path touches costs nothing; a parameter that is a pointer is not even made before something uses it (`waiting.rs`).
//!
//! Boundary: `ir`'s types say what lies where; `graph.rs` says what was made, for tests. Invariant: choices of a pointer are disjoint, and
//! an object is pointed at as another's only where its own pointer points at it: no graph is made twice.

mod apart;
mod argument;
mod callback;
mod content;
mod global;
mod graph;
mod holds;
mod inside;
mod invariant;
mod kinship;
mod may_point;
mod outcome;
mod own;
mod parts;
mod pointer;
mod settle;
mod staged;
mod stream;
mod ties;
mod untyped;
mod waiting;

use std::collections::BTreeMap;
use std::rc::Rc;

use taw_expr::Var;
use taw_ir::{FuncId, GlobalId, TypeId};

pub use callback::{CALLBACKS, CallbackShape, callback_symbol, may_be_passed};
pub use global::may_change;
pub use graph::{GraphArgument, GraphGlobal, GraphObject, GraphPointer, ObjectGraph};
pub use invariant::Invariant;
pub use may_point::CallersUnknown;
pub use outcome::{CallOutcome, ChangedGlobal, FoundBy, ObjectFate, OutcomeContent, OutcomeObject, OutcomePointer};
pub use staged::{
    CellContent, ObjectCount, StagedParameters, Staging, Structure, StructureCell, StructureObject, StructurePointer,
    StructureSet,
};
pub use stream::{is_stream, opened_with};
pub use ties::{ArrayTie, CallerPromises, StringTie, TiedNumber, TiedPointer};

pub(crate) use apart::Traffic;
pub(crate) use argument::{argument_obstacle, containers_first, parameter_name};
pub(crate) use global::{UnknownGlobal, opened};
pub(crate) use holds::UnknownUnion;
pub(crate) use inside::{GlobalPlaces, InnerPlace, place_in_words};
pub(crate) use invariant::Upholding;
pub(crate) use may_point::MayPoint;
pub(crate) use outcome::Returned;
pub(crate) use settle::{Past, Settled};
pub(crate) use staged::StagedArgument;
pub(crate) use stream::stream_name;
pub(crate) use ties::Promise;
pub(crate) use untyped::same_bytes;

use crate::reason::Bound;
use crate::state::MadeInput;

/// How large what is not known may be, and what else is said of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownShapes {
    /// The most elements of an array of numbers or pointers. Default: 4.
    pub array: u64,
    /// The most elements of an array of structures. Default: 1.
    pub records: u64,
    /// The longest string, without its end. Default: 8.
    pub string: u64,
    /// The longest chain of objects behind objects. Default: 4.
    pub nesting: u32,
    /// Whether pointers may point at one object.
    pub alias: Alias,
    /// What a `char *` points at.
    pub strings: Strings,
}

impl Default for UnknownShapes {
    fn default() -> Self {
        UnknownShapes {
            array: 4,
            records: 1,
            string: 8,
            nesting: 4,
            alias: Alias::PointsTo,
            strings: Strings::Terminated,
        }
    }
}

/// Whether pointers may point at one object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Alias {
    /// They do not: the caller sees to it.
    None,
    /// Those of one type may, but not at an object that leads to the pointer.
    SameType,
    /// Those of one type may.
    Cyclic,
    /// As [`Alias::SameType`]; and where the whole program is there, only as it calls the entry.
    PointsTo,
    /// Those of one structure may, wherever that lies, at the whole of it: a graph of nodes, as `taw stage` looks for.
    Nodes,
}

/// What a `char *` points at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strings {
    /// Text that ends with a zero byte.
    Terminated,
    /// Any characters.
    Any,
}

/// What a path has that it did not make itself.
#[derive(Clone, Debug, Default)]
pub struct Unknowns {
    pub(crate) pointers: Vec<Rc<Pointer>>,
    pub(crate) objects: Vec<Rc<UnknownObject>>,
    /// Global variables that were met, by the numbers of their objects.
    pub(crate) globals: BTreeMap<GlobalId, usize>,
    /// The parameters of the entry, in order.
    pub(crate) arguments: Vec<Argument>,
    /// Those that wait and that a register holds, in the order in which they are made.
    pub(crate) waiting: Vec<usize>,
    /// The address of the room for a result that is returned in memory.
    pub(crate) room: Option<u64>,
    /// Arguments out of stages, as the settings name them.
    pub(crate) staged: Vec<StagedArgument>,
}

impl Unknowns {
    /// The pointer that an input chooses for.
    fn chosen_by(&self, var: Var) -> Option<usize> {
        let is_chosen = |pointer: &Rc<Pointer>| pointer.selector.as_ref().is_some_and(|record| record.vars[0] == var);
        self.pointers.iter().position(is_chosen)
    }

    /// The parameter of that name, if it is a number and was made.
    fn number_named(&self, name: &str) -> Option<Rc<MadeInput>> {
        self.arguments.iter().find_map(|argument| match argument {
            Argument::Number(record) if record.name == name => Some(Rc::clone(record)),
            _ => None,
        })
    }

    /// What a pointer points at, by the type of its own object.
    pub(crate) fn pointee(&self, pointer: &Pointer) -> Option<TypeId> {
        let own = pointer.choices.iter().find_map(|choice| match choice {
            PointerChoice::Object(own) => Some(*own),
            _ => None,
        });
        self.objects[own?].element
    }
}

/// A parameter of the entry.
#[derive(Clone, Debug)]
pub(crate) enum Argument {
    /// A number.
    Number(Rc<MadeInput>),
    /// A pointer, by its number.
    Pointer(usize),
    /// A structure passed by copy: the object that it is.
    Copy(usize),
    /// Room for the result, which the caller makes.
    Result,
    /// A pointer that nothing has used yet: the number of its parameter.
    Waiting(usize),
}

/// A pointer that is not known.
#[derive(Clone, Debug)]
pub(crate) struct Pointer {
    /// How C gets there: `p`, `b->data`.
    pub name: String,
    /// The object that it lies in; none for a parameter.
    pub holder: Option<usize>,
    /// Which of the choices it is; none if there is one only.
    pub selector: Option<Rc<MadeInput>>,
    /// Which element of an array, where it points at one of another pointer's.
    pub index: Option<Rc<MadeInput>>,
    /// Where it may point.
    pub choices: Vec<PointerChoice>,
    /// What the whole program lets it be.
    pub may: MayPoint,
}

/// Where a pointer may point. Objects by number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PointerChoice {
    /// At the beginning of an object.
    Object(usize),
    /// At an element of an array.
    Element(usize),
    /// Just past the end of an object.
    Past(usize),
    /// At something in an object, or at a global variable.
    Inside(InnerPlace),
    /// At a function of the program.
    Function(FuncId),
    /// At a stream of the C library's.
    Stream(GlobalId),
    /// Nowhere.
    Null,
}

impl PointerChoice {
    pub(crate) fn object(self) -> Option<usize> {
        match self {
            PointerChoice::Object(object) | PointerChoice::Element(object) | PointerChoice::Past(object) => {
                Some(object)
            }
            PointerChoice::Inside(place) => Some(place.object),
            PointerChoice::Function(_) | PointerChoice::Stream(_) | PointerChoice::Null => None,
        }
    }
}

/// An object that is not known.
#[derive(Clone, Debug)]
pub(crate) struct UnknownObject {
    /// Its address.
    pub base: u64,
    /// The pointer that it is the own object of.
    pub owner: usize,
    /// How C calls that pointer.
    pub name: String,
    /// The type of an element; bytes if that is not known.
    pub element: Option<TypeId>,
    /// Size of its first element; of a structure with a flexible member, of what is before that.
    pub head: u64,
    /// Size of each further element.
    pub each: u64,
    /// The most elements, the first included.
    pub most: u64,
    /// How many objects lead here, this one included.
    pub depth: u32,
    /// Whether it is text that ends with a zero byte.
    pub text: bool,
    /// What was said of its pointer, or of its flexible member.
    pub promise: Promise,
    /// Whether it has as many elements as it may have, no fewer and no more.
    pub fixed: bool,
    /// Whether it is one structure, and further elements are those of its flexible member.
    pub flexible: bool,
    /// How many elements there are beyond the first, once that matters; `most` stands for more than there may be. Of a tied array
    /// a number says it.
    pub further: Option<Rc<MadeInput>>,
    /// Structures in it whose invariants are or were checked: where each begins, and which invariant.
    pub upheld: Vec<(u64, usize)>,
    /// What was made of its content, by offset.
    pub made: Vec<Made>,
    /// Unions in it that were touched, and what they hold.
    pub unions: Vec<UnknownUnion>,
    /// What the whole program lets pointers in it be.
    pub inside: MayPoint,
    /// Of a function of the caller's: which of those of its type.
    pub callback: Option<u32>,
    /// Set if it is a global variable: it has one address and one size.
    pub global: Option<UnknownGlobal>,
    /// What was done to it.
    pub traffic: Traffic,
    /// Set if it is not tried: the path that touches it ends.
    pub bound: Option<Bound>,
}

/// Content that was made.
#[derive(Clone, Debug)]
pub(crate) struct Made {
    pub offset: u64,
    pub bytes: u64,
    pub what: MadeOf,
}

#[derive(Clone, Debug)]
pub(crate) enum MadeOf {
    /// Numbers.
    Input(Rc<MadeInput>),
    /// A pointer, by its number.
    Pointer(usize),
}

impl UnknownObject {
    /// One element that no pointer owns.
    fn nobodys(name: &str) -> Self {
        UnknownObject {
            base: 0,
            owner: usize::MAX,
            name: name.to_owned(),
            element: None,
            head: 1,
            each: 1,
            most: 1,
            depth: 0,
            text: false,
            promise: Promise::None,
            fixed: false,
            flexible: false,
            further: None,
            upheld: Vec::new(),
            made: Vec::new(),
            unions: Vec::new(),
            inside: MayPoint::default(),
            callback: None,
            global: None,
            traffic: Traffic::default(),
            bound: None,
        }
    }

    /// Bytes that there are in memory.
    fn room(&self) -> u64 {
        self.head + self.each * (self.most - 1)
    }

    /// Whether a pointer may point at one of several elements.
    pub(crate) fn is_array(&self) -> bool {
        // A tied array may have no element.
        (self.most > 1 || self.promise.tied().is_some()) && !self.flexible
    }

    /// What limits the number of its elements.
    fn length_bound(&self) -> Bound {
        let (is_characters, first) =
            (self.promise.tied().is_some_and(|tied| tied.characters), u64::from(self.flexible));
        match self.text {
            true => Bound::String(self.most - 1),
            false if is_characters => Bound::String(self.most - first),
            false => Bound::Array(self.most - first),
        }
    }

    /// The end of what was made around an offset, if something was.
    fn made_until(&self, at: u64) -> Option<u64> {
        let made = self.made.iter().find(|made| (made.offset..made.offset + made.bytes).contains(&at))?;
        Some(made.offset + made.bytes)
    }
}
