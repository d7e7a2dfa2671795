//! What a call of the entry gave: its result, what it left in the objects that it was called with, and the objects that these lead to now.
//!
//! A call that returns leaves its values and its memory in the state ([`Returned`]); what they are under the witness is said when the path is
//! over. What nobody can compare natively is left out of the masks: padding, bytes that were never written, numbers made of addresses.
//! Boundary: `graph.rs` says what there was before. Invariant: an object has one number, that of the graph if it was there before.

use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

use taw_expr::Marks;
use taw_ir::{FuncId, GlobalId, LeafKind, Origin, Type, TypeId};

use super::global::may_change;
use super::{GraphArgument, GraphObject, MadeOf, ObjectGraph};
use crate::cx::Cx;
use crate::holds::HoldsTerms;
use crate::memory::{FILL, Memory, Object, ObjectKind, Status, word_of};
use crate::state::Phase;
use crate::value::Value;

/// New objects of one test, at most.
const OBJECTS: usize = 256;
/// Bytes of all of them, at most.
const BYTES: u64 = 1 << 16;

/// What was there when the entry returned.
#[derive(Clone, Debug)]
pub(crate) struct Returned {
    values: Vec<Value>,
    memory: Memory,
}

impl HoldsTerms for Returned {
    fn mark(&self, marks: &mut Marks) {
        let Returned { values, memory } = self;
        values.mark(marks);
        memory.mark(marks);
    }
}

/// What a call gave.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CallOutcome {
    /// Its result; nothing if it has none.
    pub result: Option<OutcomeContent>,
    /// The objects afterwards: those of the graph by their numbers, then others that the result and these lead to.
    pub objects: Vec<OutcomeObject>,
    /// Whether there are more than those.
    pub more: bool,
    /// Global variables of the user's that hold something else than their initial value now, beside those of the graph.
    pub globals: Vec<ChangedGlobal>,
}

/// A global variable that a call has changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChangedGlobal {
    /// Which.
    pub id: GlobalId,
    /// Its bytes when the program begins.
    pub before: Vec<u8>,
    /// What it holds now. Nothing is said of pointers in it.
    pub content: OutcomeContent,
}

/// An object after the call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OutcomeObject {
    /// What is left of it.
    pub fate: ObjectFate,
    /// Of one that the graph does not have: the first pointer to it.
    pub found: Option<FoundBy>,
}

/// What is left of an object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ObjectFate {
    /// This.
    Holds(OutcomeContent),
    /// Nothing: it was freed.
    Freed,
    /// The caller does not see it: it was a copy for the callee.
    Unseen,
}

/// How an object was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FoundBy {
    /// The number of the object that has the pointer; none if the result has it.
    pub holder: Option<usize>,
    /// Where in it.
    pub at: u64,
    /// How many bytes into the object it points.
    pub plus: u64,
    /// The name of the variable of the program that the object is.
    pub global: Option<String>,
}

/// Bytes, and what is known of them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct OutcomeContent {
    /// The type of an element, if that is known.
    pub element: Option<TypeId>,
    /// How many elements there are.
    pub count: u64,
    /// The bytes.
    pub bytes: Vec<u8>,
    /// Which of their bits are a claim; those of pointers are none.
    pub mask: Vec<u8>,
    /// Pointers, by offset.
    pub pointers: Vec<(u64, OutcomePointer)>,
}

/// Where a pointer points after the call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OutcomePointer {
    /// Nowhere.
    Null,
    /// Into an object of the list, so many bytes.
    Object(usize, u64),
    /// At a function of the program.
    Function(String),
}

impl Cx<'_, '_> {
    /// The entry returns: what there is now is kept for the test.
    pub(crate) fn keep_returned(&mut self, values: Vec<Value>) {
        let is_main = self.engine.program.functions[self.state.start].name == "main";
        if self.state.phase == Phase::Running && !is_main {
            self.state.returned = Some(Rc::new(Returned { values, memory: self.state.memory.clone() }));
        }
    }

    /// What the call of the entry gave, if it returned.
    pub(crate) fn call_outcome(&mut self, graph: Option<&ObjectGraph>) -> Option<CallOutcome> {
        let returned = self.state.returned.clone()?;
        let mut walk = Walk {
            memory: &returned.memory,
            numbers: BTreeMap::new(),
            outcome: CallOutcome::default(),
            waiting: VecDeque::new(),
            left: BYTES,
            cx: self,
        };
        if let Some(graph) = graph {
            walk.number_graph(graph);
        }
        walk.outcome.result = walk.result(&returned.values);
        if let Some(graph) = graph {
            walk.graph_afterwards(graph);
        }
        while let Some((number, base, element)) = walk.waiting.pop_front() {
            let content = walk.found_content(base, element, Some(number));
            walk.outcome.objects[number].fate = ObjectFate::Holds(content);
        }
        walk.outcome.globals = walk.changed_globals();
        Some(walk.outcome)
    }
}

struct Walk<'a, 'c, 'e, 'p> {
    cx: &'c mut Cx<'e, 'p>,
    memory: &'a Memory,
    /// Numbers of objects by their addresses.
    numbers: BTreeMap<u64, usize>,
    outcome: CallOutcome,
    /// New ones whose content is not there yet: number, address, type.
    waiting: VecDeque<(usize, u64, Option<TypeId>)>,
    /// How many bytes new ones may still have.
    left: u64,
}

impl Walk<'_, '_, '_, '_> {
    fn number_graph(&mut self, graph: &ObjectGraph) {
        for (number, object) in graph.objects.iter().enumerate() {
            if object.base != 0 {
                self.numbers.insert(object.base, number);
            }
            self.outcome.objects.push(OutcomeObject { fate: ObjectFate::Unseen, found: None });
        }
    }

    /// The result as an object that has it.
    fn result(&mut self, values: &[Value]) -> Option<OutcomeContent> {
        let program = self.cx.engine.program;
        let function = &program.functions[self.cx.state.start];
        let ty = function.result_type(&program.types);
        let size = ty.and_then(|ty| program.types.bytes(ty, &program.layout));
        if let Some(room) = self.cx.state.unknowns.room {
            let object = Rc::clone(self.memory.object(room)?);
            let known = ty.filter(|_| size == Some(object.size))?;
            return Some(self.content(&object, Some(known), object.size, None));
        }
        let offsets = function.result_offsets(&program.types, &program.layout);
        let ends = offsets.iter().zip(&function.returns);
        let end = ends.map(|(at, ty)| at + u64::from(ty.bits(&program.layout).div_ceil(8))).max()?;
        let size = size.unwrap_or(end).max(end);
        let mut object = Object::new(0, size, ObjectKind::Internal("the result"), FILL);
        let big_endian = self.cx.big_endian();
        for ((value, at), ty) in values.iter().zip(&offsets).zip(&function.returns) {
            let width = ty.bits(&program.layout);
            object.store(&mut self.cx.engine.terms, *at as usize, *value, width, big_endian);
        }
        let known = ty.filter(|ty| program.types.bytes(*ty, &program.layout) == Some(size));
        Some(self.content(&object, known, size, None))
    }

    /// What is left of the objects that there were.
    fn graph_afterwards(&mut self, graph: &ObjectGraph) {
        let copies: Vec<usize> = graph.arguments.iter().filter_map(GraphArgument::copied).collect();
        let is_callers = |(number, object): &(usize, &GraphObject)| !copies.contains(number) && object.code.is_none();
        for (number, before) in graph.objects.iter().enumerate().filter(is_callers) {
            let unused = || Rc::new(Object::new(0, before.bytes.len() as u64, ObjectKind::Internal("an object"), 0));
            let object = self.memory.object(before.base).cloned().unwrap_or_else(unused);
            self.outcome.objects[number].fate = match object.status {
                Status::Live => {
                    let object = self.with_untouched(&object, before.bytes.len());
                    let len = before.bytes.len() as u64;
                    ObjectFate::Holds(self.content(&object, before.element, len, Some(number)))
                }
                _ => ObjectFate::Freed,
            };
        }
    }

    /// An object with zeros where nobody looked, as tests have them.
    fn with_untouched(&self, object: &Object, len: usize) -> Object {
        let mut object = object.clone();
        let ObjectKind::Unknown(number) = object.kind else { return object };
        let unknown = &self.cx.state.unknowns.objects[number as usize];
        let mut made: Vec<(u64, u64)> =
            unknown.made.iter().map(|made| (made.offset, made.offset + made.bytes)).collect();
        debug_assert!(unknown.made.iter().all(|made| matches!(made.what, MadeOf::Input(_) | MadeOf::Pointer(_))));
        made.sort_unstable();
        let mut at = 0;
        for (from, to) in made.into_iter().chain([(len as u64, u64::MAX)]) {
            if from > at {
                object.write(at as usize, &vec![0; (from.min(len as u64).saturating_sub(at)) as usize]);
            }
            at = at.max(to);
            if at >= len as u64 {
                break;
            }
        }
        object
    }

    /// The user's variables, beside those of the graph, that hold something else than in the beginning.
    fn changed_globals(&mut self) -> Vec<ChangedGlobal> {
        let program = self.cx.engine.program;
        let mut changed = Vec::new();
        for (id, global) in program.globals.iter().filter(|(_, global)| may_change(global)) {
            let base = self.cx.image.globals[id];
            let known = global.source.filter(|ty| program.types.bytes(*ty, &program.layout) == Some(global.size));
            let (Some(element), Some(init)) = (known, &global.init) else { continue };
            let object = match self.memory.object(base) {
                Some(object) if !self.numbers.contains_key(&base) && global.size <= BYTES => Rc::clone(object),
                _ => continue,
            };
            let (content, _) = self.numbers_in(&object, Some(element), global.size);
            let is_changed = |at: usize| (content.bytes[at] ^ init.bytes[at]) & content.mask[at] != 0;
            if (0..content.bytes.len()).any(is_changed) {
                changed.push(ChangedGlobal { id, before: init.bytes.clone(), content });
            }
        }
        changed
    }

    /// The content of an object that was not there before.
    fn found_content(&mut self, base: u64, element: Option<TypeId>, holder: Option<usize>) -> OutcomeContent {
        let Some(object) = self.memory.object(base).cloned() else { return OutcomeContent::default() };
        let size = self.size_of(&object);
        self.content(&object, element, size, holder)
    }

    /// How many bytes of an object there are under the witness.
    fn size_of(&mut self, object: &Object) -> u64 {
        match object.limit {
            None => object.size,
            Some(limit) => self.cx.state.witness.bits(&self.cx.engine.terms, limit).low().min(object.size),
        }
    }

    /// `size` bytes of an object of elements of that type; `holder` is its number, or nothing for the result.
    fn content(
        &mut self,
        object: &Object,
        element: Option<TypeId>,
        size: u64,
        holder: Option<usize>,
    ) -> OutcomeContent {
        let (mut content, each) = self.numbers_in(object, element, size);
        self.pointers(object, holder, each, &mut content);
        content
    }

    /// The same without its pointers, and how many bytes an element has.
    fn numbers_in(&mut self, object: &Object, element: Option<TypeId>, size: u64) -> (OutcomeContent, u64) {
        let program = self.cx.engine.program;
        let each = element.and_then(|ty| program.types.bytes(ty, &program.layout)).filter(|each| *each > 0);
        let element = element.filter(|_| each.is_some_and(|each| size >= each));
        let each = each.filter(|_| element.is_some()).unwrap_or(1);
        // One structure with a flexible member is larger than its type.
        let is_flexible = element.is_some_and(|ty| program.types.flexible(ty, &program.layout).is_some());
        let each = if is_flexible { size } else { each };
        let mut content = OutcomeContent { element, count: size / each, ..OutcomeContent::default() };
        let defined = element.map(|ty| program.types.defined_bits_of(ty, each, &program.layout));
        for at in 0..size as usize {
            let (byte, is_claim) = self.byte(object, at);
            let mask = defined.as_ref().map_or(0xff, |defined| defined[at % each as usize]);
            content.bytes.push(byte);
            content.mask.push(if is_claim { mask } else { 0 });
        }
        (content, each)
    }

    /// A byte under the witness, and whether anybody wrote it, and no address.
    fn byte(&mut self, object: &Object, at: usize) -> (u8, bool) {
        let value = object.byte(&mut self.cx.engine.terms, at);
        let engine = &mut *self.cx.engine;
        match value.as_term() {
            None => {
                let byte = value.as_word().unwrap_or_default() as u8;
                (byte, byte != FILL && !value.provenance().is_known())
            }
            Some(t) => {
                let is_unwritten = engine.shadows.depends(&mut engine.terms, t).is_some();
                let byte = self.cx.state.witness.bits(&self.cx.engine.terms, t).low() as u8;
                (byte, !is_unwritten && !value.provenance().is_known())
            }
        }
    }

    /// Finds the pointers: where the type has them, and where words are addresses.
    fn pointers(&mut self, object: &Object, holder: Option<usize>, each: u64, content: &mut OutcomeContent) {
        let program = self.cx.engine.program;
        let word = u64::from(program.layout.pointer_bytes());
        let size = content.bytes.len() as u64;
        let mut at = 0;
        while at < size {
            let leaf = content.element.map(|ty| {
                let index = at / each;
                let leaf = program.types.leaf_at(ty, at - index * each, &program.layout);
                (leaf.start + index * each, leaf.bytes.max(1), leaf.what)
            });
            let (start, bytes, to) = match leaf {
                Some((start, bytes, LeafKind::Pointer(to))) => (start, bytes, Some(Some(to))),
                Some((start, bytes, _)) => (start.max(at), bytes.min(start + bytes - at), None),
                None => (at, size - at, None),
            };
            match to {
                Some(to) if start + word <= size => self.pointer(object, holder, start, to, content),
                _ => {
                    let first = start.next_multiple_of(word);
                    for at in (first..start + bytes).step_by(word as usize).filter(|at| at + word <= start + bytes) {
                        let number = self.word_at(&content.bytes, at);
                        if self.is_place(number) {
                            self.pointer(object, holder, at, None, content);
                        }
                    }
                }
            }
            at = start + bytes;
        }
    }

    fn word_at(&self, bytes: &[u8], at: u64) -> u64 {
        let word = self.cx.engine.program.layout.pointer_bytes() as usize;
        word_of(&bytes[at as usize..at as usize + word], self.cx.engine.program.layout.big_endian)
    }

    /// Whether a number is the address of something.
    fn is_place(&self, number: u64) -> bool {
        let functions = self.cx.engine.program.functions.len();
        self.memory.function_at(number).is_some_and(|function| function < functions)
            || self.memory.is_address(number) && self.memory.object(number).is_some()
    }

    /// A pointer that lies at an offset: what it says is no number.
    fn pointer(
        &mut self,
        object: &Object,
        holder: Option<usize>,
        at: u64,
        to: Option<TypeId>,
        content: &mut OutcomeContent,
    ) {
        let bytes = at as usize..at as usize + self.cx.engine.program.layout.pointer_bytes() as usize;
        let number = self.word_at(&content.bytes, at);
        let is_unwritten = bytes.clone().all(|i| object.known(i, 1) == Some(&[FILL]));
        if !is_unwritten && number != 0 && !self.is_place(number) {
            // A number in the place of a pointer, such as -1.
            return;
        }
        content.mask[bytes.clone()].fill(0);
        content.bytes[bytes].fill(0);
        if let Some(target) = self.target(number, to, holder, at).filter(|_| !is_unwritten) {
            content.pointers.push((at, target));
        }
    }

    /// Where a pointer points; nothing if natively nobody could tell.
    fn target(&mut self, number: u64, to: Option<TypeId>, holder: Option<usize>, at: u64) -> Option<OutcomePointer> {
        if number == 0 {
            return Some(OutcomePointer::Null);
        }
        let program = self.cx.engine.program;
        if let Some(function) = self.memory.function_at(number) {
            let function = &program.functions[FuncId::from_u32(u32::try_from(function).ok()?)];
            return (function.origin == Origin::User).then(|| OutcomePointer::Function(function.name.clone()));
        }
        let object = Rc::clone(self.memory.object(number)?);
        let plus = number.wrapping_sub(object.base);
        if object.status != Status::Live || plus > object.size {
            return None;
        }
        if let Some(&known) = self.numbers.get(&object.base) {
            return Some(OutcomePointer::Object(known, plus));
        }
        let global = match object.kind {
            ObjectKind::Heap => None,
            ObjectKind::Global(id) if program.globals[id].origin == Origin::User => {
                Some(program.globals[id].name.clone())
            }
            _ => return None,
        };
        let size = self.size_of(&object);
        if self.outcome.objects.len() >= OBJECTS || size > self.left {
            self.outcome.more = true;
            return None;
        }
        self.left -= size;
        let known = self.outcome.objects.len();
        self.numbers.insert(object.base, known);
        let fate = ObjectFate::Holds(OutcomeContent::default());
        self.outcome.objects.push(OutcomeObject { fate, found: Some(FoundBy { holder, at, plus, global }) });
        self.waiting.push_back((known, object.base, self.element_of(to, plus)));
        Some(OutcomePointer::Object(known, plus))
    }

    /// The type of an object's elements, by that of a pointer into it.
    fn element_of(&self, to: Option<TypeId>, plus: u64) -> Option<TypeId> {
        let program = self.cx.engine.program;
        let to =
            to.filter(|to| !matches!(program.types.all[program.types.plain(*to)], Type::Void | Type::Function { .. }))?;
        let each = program.types.bytes(to, &program.layout).filter(|each| *each > 0)?;
        plus.is_multiple_of(each).then_some(to)
    }
}
