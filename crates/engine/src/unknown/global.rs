//! Global variables where a path starts in the middle of a program.
//!
//! There each variable of the user's that is not constant is *open*: it has a limit, which is its size, so that every access looks closer. The first
//! one after constructors makes it an object of the unknown state. That holds anything of the variable's type, made where it is touched (`--globals
//! unknown`); or its initial value, and it is noted if a path reads that before it has written it ([`Premise::Initial`]).
//!
//! Boundary: content is made as that of any object (`content.rs`). Invariant: a variable is closed when nothing of it is left to be made or noted; from
//! then on an access costs what it costs elsewhere.

use std::rc::Rc;

use taw_expr::Terms;
use taw_ir::{Global, GlobalId, Origin, Program, SecondaryMap};

use super::UnknownObject;
use crate::access::Access;
use crate::cx::Cx;
use crate::memory::{Memory, ObjectKind};
use crate::reason::Premise;
use crate::state::Phase;
use crate::stop::Stop;

/// A global variable as an object of an unknown state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct UnknownGlobal {
    pub id: GlobalId,
    pub content: GlobalContent,
}

/// What a global variable holds where a path starts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum GlobalContent {
    /// Anything of its type.
    Unknown,
    /// Its initial value; which of it the path has written, as ranges in order that do not touch.
    Initial(Vec<(u64, u64)>),
}

/// Whether a variable may hold something else than its initial value when somebody calls a function.
pub fn may_change(global: &Global) -> bool {
    global.origin == Origin::User && !global.constant && global.init.is_some() && global.size > 0
}

/// Memory with all of these variables open; with `any_past` those of libraries too, whose initial values are noted then.
pub(crate) fn opened(
    memory: &Memory,
    program: &Program,
    places: &SecondaryMap<GlobalId, u64>,
    terms: &mut Terms,
    any_past: bool,
) -> Memory {
    let mut memory = memory.clone();
    let is_kept = |global: &Global| any_past && !global.constant && global.init.is_some() && global.size > 0;
    for (id, global) in program.globals.iter().filter(|(_, global)| may_change(global) || is_kept(global)) {
        let size = terms.bv(program.layout.pointer_bits, global.size);
        memory.object_mut(places[id]).limit = Some(size);
    }
    memory
}

impl UnknownObject {
    /// Whether it is a variable with its initial value.
    pub(super) fn holds_initial(&self) -> bool {
        self.global.as_ref().is_some_and(|global| global.content != GlobalContent::Unknown)
    }
}

impl Cx<'_, '_> {
    /// Before an access: a variable that is open becomes an object of the unknown state. Constructors find what the program begins with.
    pub(crate) fn meet_global(&mut self, address: u64) -> Result<(), Stop> {
        let Some(object) = self.state.memory.object(address).filter(|object| object.limit.is_some()) else {
            return Ok(());
        };
        match object.kind {
            ObjectKind::Global(id) if !self.is_before_start() => self.object_of_global(id).map(|_| ()),
            _ => Ok(()),
        }
    }

    fn is_before_start(&self) -> bool {
        match self.state.phase {
            Phase::Booting(_) => true,
            Phase::Starting(started) => started <= self.engine.program.constructors.len(),
            Phase::Running | Phase::Exiting(..) => false,
        }
    }

    /// The object that a variable is.
    pub(super) fn object_of_global(&mut self, id: GlobalId) -> Result<usize, Stop> {
        if let Some(&number) = self.state.unknowns.globals.get(&id) {
            return Ok(number);
        }
        let program = self.engine.program;
        let global = &program.globals[id];
        let is_unknown = self.engine.config.unknown_globals.contains(&global.name);
        let element = global.source.filter(|ty| program.types.bytes(*ty, &program.layout) == Some(global.size));
        if is_unknown && element.is_none() {
            let why = format!("the debug information does not say what the global variable `{}` may hold", global.name);
            return Err(Stop::Unsupported(format!("{why} (--globals {}=initial)", global.name)));
        }
        let content = if is_unknown { GlobalContent::Unknown } else { GlobalContent::Initial(Vec::new()) };
        let object = UnknownObject {
            base: self.image.globals[id],
            element,
            head: global.size,
            each: global.size,
            global: Some(UnknownGlobal { id, content }),
            inside: self.may_be_in_global(id),
            ..UnknownObject::nobodys(&global.name)
        };
        let unknowns = Rc::make_mut(&mut self.state.unknowns);
        let number = unknowns.objects.len();
        unknowns.objects.push(Rc::new(object));
        unknowns.globals.insert(id, number);
        Ok(number)
    }

    /// Closes a variable of which everything is made.
    pub(super) fn close_made(&mut self, number: usize) {
        let object = &self.state.unknowns.objects[number];
        let is_whole = || object.made.iter().map(|made| made.bytes).sum::<u64>() >= object.room();
        if object.global.is_some() && is_whole() {
            self.state.memory.object_mut(object.base).limit = None;
        }
    }

    /// A variable is used as a whole, in a way that nobody looks into.
    pub(crate) fn use_whole_global(&mut self, address: u64) -> Result<(), Stop> {
        self.meet_global(address)?;
        if let Some(ObjectKind::Global(_)) = self.state.memory.object(address).map(|object| object.kind) {
            self.touch_at(address, 0, 0)?;
            self.note_initial(address, 0, 0, Access::Read);
        }
        Ok(())
    }

    /// `len` bytes of an object are read or written, which may be a variable with its initial value; nobody knows which if there are none.
    pub(crate) fn note_initial(&mut self, base: u64, from: u64, len: u64, access: Access) {
        let Some(number) = self.unknown_at(base) else { return };
        let object = &self.state.unknowns.objects[number];
        let (base, size) = (object.base, object.room());
        let Some(UnknownGlobal { id, content: GlobalContent::Initial(written) }) = &object.global else { return };
        let (id, part) = (*id, if len == 0 { (0, size) } else { (from, from + len) });
        let is_written = written.iter().any(|(first, end)| *first <= part.0 && part.1 <= *end);
        let is_closed = match access {
            Access::Read if is_written => false,
            Access::Read => {
                if !self.engine.config.any_past || self.is_in_call() {
                    self.engine.premises.insert(Premise::Initial(id));
                }
                true
            }
            Access::Write if len == 0 || is_written => false,
            Access::Write => {
                let written = joined(written, part);
                let is_whole = written == [(0, size)];
                let unknowns = Rc::make_mut(&mut self.state.unknowns);
                let content = GlobalContent::Initial(written);
                Rc::make_mut(&mut unknowns.objects[number]).global = Some(UnknownGlobal { id, content });
                is_whole
            }
        };
        if is_closed {
            self.state.memory.object_mut(base).limit = None;
        }
    }
}

/// Ranges with another one among them.
fn joined(ranges: &[(u64, u64)], (from, to): (u64, u64)) -> Vec<(u64, u64)> {
    let (touching, mut others): (Vec<_>, Vec<_>) =
        ranges.iter().copied().partition(|(first, end)| *first <= to && from <= *end);
    let first = touching.iter().map(|(first, _)| *first).chain([from]).min().unwrap_or(from);
    let end = touching.iter().map(|(_, end)| *end).chain([to]).max().unwrap_or(to);
    others.push((first, end));
    others.sort_unstable();
    others
}

#[cfg(test)]
mod tests {
    use super::joined;

    #[test]
    fn ranges_that_touch_become_one() {
        assert_eq!(joined(&[], (4, 8)), [(4, 8)]);
        assert_eq!(joined(&[(4, 8)], (12, 16)), [(4, 8), (12, 16)]);
        assert_eq!(joined(&[(4, 8), (12, 16)], (8, 12)), [(4, 16)]);
        assert_eq!(joined(&[(4, 8), (12, 16)], (0, 2)), [(0, 2), (4, 8), (12, 16)]);
    }
}
