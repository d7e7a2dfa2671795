//! What a path started with, under a witness: the arguments of the entry and every object that they lead to.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use taw_expr::Assignment;
use taw_ir::{FuncId, GlobalId, HeldUnion, Program, TypeId};

use super::callback::callback_symbol;
use super::own::own_shape;
use super::stream::stream_name;
use super::{Argument, MadeOf, PointerChoice, Promise, UnknownObject, UnknownShapes, Unknowns, parameter_name};
use crate::memory::{Status, bytes_of};
use crate::state::{MadeInput, State};

/// The arguments of an entry and the objects that they lead to.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ObjectGraph {
    /// The arguments, in order.
    pub arguments: Vec<GraphArgument>,
    /// The objects, those that arguments point at first.
    pub objects: Vec<GraphObject>,
    /// Names of the inputs that all this was made of, but for arguments that are numbers.
    pub inputs: Vec<String>,
}

/// An argument.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GraphArgument {
    /// A number: the input of that name.
    Number(String),
    /// A pointer: the parameter's name, and where it points.
    Pointer(String, Option<GraphPointer>),
    /// A copy of an object.
    Copy(GraphPointer),
    /// Room for the result.
    Result,
}

impl GraphArgument {
    /// The object that it is a copy of.
    pub(crate) fn copied(&self) -> Option<usize> {
        match self {
            GraphArgument::Copy(of) => Some(of.object),
            _ => None,
        }
    }
}

/// Where a pointer points that is not null.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GraphPointer {
    /// At which object.
    pub object: usize,
    /// How many bytes into it.
    pub plus: u64,
}

/// An object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GraphObject {
    /// Its address on the path.
    pub(crate) base: u64,
    /// How C calls the pointer that it belongs to: `p`, `b->data`.
    pub name: String,
    /// The type of an element, if that is known.
    pub element: Option<TypeId>,
    /// Whether the path has freed it.
    pub freed: bool,
    /// How many elements it has.
    pub count: u64,
    /// Whether it is an array, though it may have one element only.
    pub array: bool,
    /// Its content before the call; zeros where nobody looked.
    pub bytes: Vec<u8>,
    /// Pointers in it, by offset; null ones too.
    pub pointers: Vec<(u64, Option<GraphPointer>)>,
    /// What its unions hold, where one that may hold a pointer was looked at.
    pub held: Vec<HeldUnion>,
    /// Of a function or stream, which has no bytes: its symbol.
    pub code: Option<String>,
    /// Set if it is a global variable.
    pub global: Option<GraphGlobal>,
}

/// A global variable in a graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GraphGlobal {
    /// Which.
    pub id: GlobalId,
    /// What is set of it before the call: offsets and numbers of bytes, each the whole of a number, a row of numbers or a pointer.
    pub set: Vec<(u64, u64)>,
}

/// What an object of a graph is on the path.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum GraphSource {
    Object(usize),
    /// What a parameter points at that the path has not used.
    Unused(usize),
    Function(FuncId),
    Stream(GlobalId),
}

/// Makes a graph out of what there is on a path.
struct Making<'a> {
    state: &'a State,
    unknowns: &'a Unknowns,
    witness: &'a Assignment,
    big_endian: bool,
    program: &'a Program,
    /// Numbers of objects in the graph.
    numbers: BTreeMap<GraphSource, usize>,
    waiting: VecDeque<GraphSource>,
}

impl ObjectGraph {
    /// What the entry of a state was called with, if it started in the middle of a program.
    pub(crate) fn of(state: &State, program: &Program, shapes: &UnknownShapes) -> Option<ObjectGraph> {
        let unknowns = &*state.unknowns;
        if program.functions[state.start].name == "main" {
            return None;
        }
        let mut making = Making {
            state,
            unknowns,
            witness: state.witness.assignment(),
            big_endian: program.layout.big_endian,
            program,
            numbers: BTreeMap::new(),
            waiting: VecDeque::new(),
        };
        let mut graph = ObjectGraph { inputs: unknowns.inputs().into_iter().collect(), ..ObjectGraph::default() };
        for argument in &unknowns.arguments {
            graph.arguments.push(match argument {
                Argument::Number(record) => GraphArgument::Number(record.name.clone()),
                Argument::Copy(number) => GraphArgument::Copy(making.whole(*number)),
                Argument::Result => GraphArgument::Result,
                Argument::Waiting(number) => {
                    let name = parameter_name(&program.functions[state.start], *number);
                    GraphArgument::Pointer(name, Some(making.known(GraphSource::Unused(*number))))
                }
                Argument::Pointer(number) => {
                    GraphArgument::Pointer(unknowns.pointers[*number].name.clone(), making.target(*number))
                }
            });
        }
        for &number in unknowns.globals.values().filter(|number| !unknowns.objects[**number].made.is_empty()) {
            making.whole(number);
        }
        while let Some(source) = making.waiting.pop_front() {
            graph.objects.push(match source {
                GraphSource::Object(number) => making.object(&unknowns.objects[number]),
                GraphSource::Unused(number) => making.object(&unused(program, shapes, state.start, number)),
                GraphSource::Stream(id) => code(stream_name(&program.globals[id].name), None),
                GraphSource::Function(func) => code(&program.functions[func].name, program.functions[func].source),
            });
        }
        Some(graph)
    }
}

impl ObjectGraph {
    /// Whether the caller passes the stream of that name.
    pub(crate) fn has_stream(&self, name: &str) -> bool {
        self.objects.iter().any(|object| object.code.as_deref() == Some(name))
    }
}

impl Unknowns {
    /// Names of the inputs that pointers and objects were made of.
    fn inputs(&self) -> BTreeSet<String> {
        let choosing = self.pointers.iter().flat_map(|pointer| pointer.selector.iter().chain(&pointer.index));
        let contents = self.objects.iter().flat_map(|object| {
            let made = object.made.iter().filter_map(|made| match &made.what {
                MadeOf::Input(record) => Some(record),
                MadeOf::Pointer(_) => None,
            });
            let unions = object.unions.iter().filter_map(|union| union.selector.as_ref());
            made.chain(&object.further).chain(unions)
        });
        let staged = self.staged.iter().filter_map(|staged| staged.selector.as_ref());
        choosing.chain(contents).chain(staged).map(|record| record.name.clone()).collect()
    }
}

impl Making<'_> {
    fn word(&self, record: &MadeInput) -> u64 {
        self.witness.value(record.vars[0])
    }

    /// The number of elements of an object.
    fn count(&self, object: &UnknownObject) -> u64 {
        if let Some(tied) = object.promise.tied() {
            return self.word(&tied.number).saturating_add(u64::from(object.flexible)).min(object.most);
        }
        let further = object.further.as_ref().map_or(0, |record| self.word(record));
        (further + 1).min(object.most)
    }

    /// The number of bytes of an object.
    fn size(&self, object: &UnknownObject) -> u64 {
        // A tied array may have no element.
        object.head + self.count(object) * object.each - object.each
    }

    /// Where a pointer points.
    fn target(&mut self, pointer: usize) -> Option<GraphPointer> {
        let pointer = &self.unknowns.pointers[pointer];
        let way = pointer.selector.as_ref().map_or(0, |record| self.word(record));
        let choice = *pointer.choices.get(way as usize)?;
        let number = match choice {
            PointerChoice::Function(func) => return Some(self.known(GraphSource::Function(func))),
            PointerChoice::Stream(id) => return Some(self.known(GraphSource::Stream(id))),
            choice => choice.object()?,
        };
        let object = &self.unknowns.objects[number];
        if let PointerChoice::Inside(place) = choice {
            let index = pointer.index.as_ref().filter(|_| place.has_index()).map_or(0, |record| self.word(record));
            return Some(GraphPointer { plus: place.offset(index), ..self.whole(number) });
        }
        let plus = match choice {
            PointerChoice::Element(_) => pointer.index.as_ref().map_or(0, |record| self.word(record)) * object.each,
            PointerChoice::Past(_) => self.size(object),
            _ => 0,
        };
        Some(GraphPointer { plus, ..self.whole(number) })
    }

    /// An object from its beginning on, which becomes one of the graph.
    fn whole(&mut self, number: usize) -> GraphPointer {
        self.known(GraphSource::Object(number))
    }

    fn known(&mut self, source: GraphSource) -> GraphPointer {
        let next = self.numbers.len();
        let object = *self.numbers.entry(source).or_insert(next);
        if object == next {
            self.waiting.push_back(source);
        }
        GraphPointer { object, plus: 0 }
    }

    fn object(&mut self, object: &UnknownObject) -> GraphObject {
        if let (Some(slot), Some(ty)) = (object.callback, object.element) {
            let symbol = callback_symbol(self.program, ty, slot);
            return GraphObject { base: object.base, name: object.name.clone(), ..code(&symbol, Some(ty)) };
        }
        let count = if object.flexible { 1 } else { self.count(object) };
        let initial = object.global.as_ref().and_then(|global| self.program.globals[global.id].init.as_ref());
        let mut bytes = initial.map_or_else(|| vec![0; self.size(object) as usize], |init| init.bytes.clone());
        let mut pointers = Vec::new();
        let mut made: Vec<_> = object.made.iter().filter(|made| (made.offset as usize) < bytes.len()).collect();
        made.sort_by_key(|made| made.offset);
        let set = made.iter().map(|made| (made.offset, made.bytes)).collect();
        for made in made {
            match &made.what {
                MadeOf::Input(record) => {
                    let content = self.content(record);
                    for (to, from) in bytes[made.offset as usize..].iter_mut().zip(content) {
                        *to = from;
                    }
                }
                MadeOf::Pointer(number) => {
                    bytes[made.offset as usize..(made.offset + made.bytes) as usize].fill(0);
                    pointers.push((made.offset, self.target(*number)));
                }
            }
        }
        let name = object.name.clone();
        let freed = self.state.memory.object(object.base).is_some_and(|object| object.status == Status::Freed);
        GraphObject {
            base: object.base,
            name,
            element: object.element,
            freed,
            count,
            array: object.is_array(),
            bytes,
            pointers,
            held: object.held(),
            code: None,
            global: object.global.as_ref().map(|global| GraphGlobal { id: global.id, set }),
        }
    }

    fn content(&self, record: &MadeInput) -> Vec<u8> {
        let element = record.size / record.vars.len().max(1);
        let value = |var| bytes_of(self.witness.value(var), element, self.big_endian);
        record.vars.iter().flat_map(|&var| value(var).into_iter().take(element)).collect()
    }
}

/// The object of a parameter that the path has not used: as small as it may be.
fn unused(program: &Program, shapes: &UnknownShapes, entry: FuncId, number: usize) -> UnknownObject {
    let function = &program.functions[entry];
    let to = function.params[number].source.and_then(|source| program.types.pointee(source));
    own_shape(program, shapes, &parameter_name(function, number), to, Promise::None)
}

/// A function, or a stream of the C library's.
fn code(symbol: &str, ty: Option<TypeId>) -> GraphObject {
    GraphObject {
        base: 0,
        name: symbol.to_owned(),
        element: ty,
        freed: false,
        count: 0,
        array: false,
        bytes: Vec::new(),
        pointers: Vec::new(),
        held: Vec::new(),
        code: Some(symbol.to_owned()),
        global: None,
    }
}
