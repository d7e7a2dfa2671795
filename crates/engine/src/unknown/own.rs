//! The objects that unknown pointers own: how large they are, what stands for those that are not tried, and where they lie.

use std::rc::Rc;

use taw_ir::{Program, Type, TypeId};

use super::kinship::is_plain_char;
use super::pointer::not_void;
use super::stream::is_stream;
use super::{MayPoint, Promise, Strings, UnknownObject, UnknownShapes};
use crate::cx::Cx;
use crate::memory::{FILL, ObjectKind, Region};
use crate::reason::Bound;
use crate::stop::Stop;

/// Bytes of an array, at most: one of large structures has fewer elements.
const LARGEST: u64 = 1 << 16;

/// Bytes of an object that is bytes, for each element that an array may have.
const BYTES: u64 = 8;

impl Cx<'_, '_> {
    /// The object of a pointer's own, of as many elements as are tried.
    pub(super) fn own_object(
        &mut self,
        name: &str,
        to: Option<TypeId>,
        depth: u32,
        owner: usize,
        promise: Promise,
        inside: MayPoint,
    ) -> Result<usize, Stop> {
        let shapes = &self.engine.config.shapes;
        let bound_of_depth = (depth > shapes.nesting).then_some(Bound::Nesting(shapes.nesting));
        let mut unknown = own_shape(self.engine.program, shapes, name, to, promise);
        self.stage_shape(&mut unknown, depth);
        let callback = to.and_then(|to| self.callback_slot(to));
        if callback.is_some() {
            (unknown.head, unknown.each, unknown.most, unknown.element) = (1, 1, 1, to);
        }
        let opaque = self.opaque(to).filter(|_| callback.is_none());
        self.place(UnknownObject { owner, depth, inside, callback, bound: opaque.or(bound_of_depth), ..unknown })
    }

    /// Why what a pointer points at cannot be made, if it cannot.
    pub(super) fn opaque(&self, to: Option<TypeId>) -> Option<Bound> {
        let types = &self.engine.program.types;
        match &types.all[types.plain(to?)] {
            ty if is_stream(ty) => Some(Bound::Stream),
            Type::Record(record) if record.name == "__va_list_tag" => Some(Bound::VariadicList),
            Type::Function { .. } => Some(Bound::Callback),
            _ => None,
        }
    }

    /// Gives an object an address.
    pub(super) fn place(&mut self, mut unknown: UnknownObject) -> Result<usize, Stop> {
        let number = self.state.unknowns.objects.len();
        let kind = ObjectKind::Unknown(u32::try_from(number).expect("fewer than 2^32 objects"));
        let room = unknown.room();
        let full = || Stop::Unsupported("no room for what a parameter points at".to_owned());
        unknown.base = self.state.memory.allocate(Region::Heap, room, 16, kind, FILL).ok_or_else(full)?;
        let bits = self.pointer_bits();
        // Whoever sees a limit looks closer: no content is read before it is made.
        self.state.memory.object_mut(unknown.base).limit = Some(self.engine.terms.bv(bits, room));
        let (base, is_tied) = (unknown.base, unknown.promise.tied().is_some());
        Rc::make_mut(&mut self.state.unknowns).objects.push(Rc::new(unknown));
        if is_tied {
            let limit = self.limit(number)?;
            self.state.memory.object_mut(base).limit = Some(limit);
        }
        Ok(number)
    }

    /// An object that stands for what is not tried.
    pub(super) fn phantom(&mut self, own: usize, bound: Bound) -> Result<usize, Stop> {
        let own = UnknownObject::clone(&self.state.unknowns.objects[own]);
        self.place(UnknownObject {
            bound: Some(bound),
            most: 1,
            text: false,
            promise: Promise::None,
            callback: None,
            ..own
        })
    }

    /// The address of arguments that the caller of the entry passes beyond its parameters.
    pub(crate) fn arguments_not_tried(&mut self) -> Result<u64, Stop> {
        const AREA: u64 = 1024;
        let bound = Some(Bound::VariadicList);
        let object = UnknownObject { bound, head: AREA, each: AREA, ..UnknownObject::nobodys("...") };
        let number = self.place(object)?;
        Ok(self.state.unknowns.objects[number].base)
    }
}

/// The object of a pointer's own, of as many elements as are tried, as far as the types say what it is.
pub(super) fn own_shape(
    program: &Program,
    shapes: &UnknownShapes,
    name: &str,
    to: Option<TypeId>,
    promise: Promise,
) -> UnknownObject {
    let element = own_element(program, to);
    let each = element.and_then(|ty| program.types.bytes(ty, &program.layout)).unwrap_or(1);
    let is_record = element.is_some_and(|ty| matches!(program.types.all[program.types.plain(ty)], Type::Record(_)));
    let is_char = element.is_some_and(|ty| is_plain_char(program, ty));
    let text = match &promise {
        Promise::None => is_char && shapes.strings == Strings::Terminated,
        Promise::Text => true,
        Promise::Elements(_) => false,
    };
    let wanted = match (element, promise.tied()) {
        (None, _) => shapes.array * BYTES,
        (Some(_), Some(tied)) if tied.characters => shapes.string,
        (Some(_), Some(_)) => shapes.array,
        (Some(_), None) if is_char || text => shapes.string + 1,
        (Some(_), None) if is_record => shapes.records,
        (Some(_), None) => shapes.array,
    };
    let most = wanted.min(LARGEST / each).max(1);
    let flexible = element.and_then(|ty| program.types.flexible(ty, &program.layout));
    let (head, each, most) = match flexible {
        Some(member) => {
            let wanted = if is_plain_char(program, member.of) { shapes.string } else { shapes.array };
            (each, member.each, wanted.min(LARGEST / member.each) + 1)
        }
        None => (each, each, most),
    };
    UnknownObject {
        element,
        head,
        each,
        most,
        text,
        promise,
        flexible: flexible.is_some(),
        ..UnknownObject::nobodys(name)
    }
}

/// What the object of a pointer's own has elements of; nothing if it is bytes.
pub(super) fn own_element(program: &Program, to: Option<TypeId>) -> Option<TypeId> {
    not_void(program, to).filter(|to| program.types.bytes(*to, &program.layout).is_some_and(|bytes| bytes > 0))
}
