//! Making a pointer that is not known: where it may point, and which of that it is.

use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use taw_expr::Term;
use taw_ir::{EntityRef, Param, Program, Ty, Type, TypeId};

use super::kinship::{Kinship, kinship};
use super::stream::stream_name;
use super::{Alias, Argument, MayPoint, Pointer, PointerChoice, Promise, UnknownObject};
use crate::cx::Cx;
use crate::path::Condition;
use crate::reason::Bound;
use crate::state::MadeInput;
use crate::stop::Stop;
use crate::test_case::InputType;
use crate::value::Value;

impl Cx<'_, '_> {
    /// A pointer that is not known, to something of that type, called `name`, in that object at that offset, as far as the whole program allows it.
    ///
    /// # Errors
    /// If a query was not answered.
    pub(super) fn unknown_pointer(
        &mut self,
        name: &str,
        to: Option<TypeId>,
        place: Option<(usize, u64)>,
        may: MayPoint,
    ) -> Result<Value, Stop> {
        let promise = self.promise(name, to, place)?;
        let holder = place.map(|(holder, _)| holder);
        let number = self.state.unknowns.pointers.len();
        let to = not_void(self.engine.program, to);
        let depth = holder.map_or(0, |holder| self.state.unknowns.objects[holder].depth) + 1;
        let inside = self.may_be_inside(&may);
        let own = self.own_object(name, to, depth, number, promise, inside)?;
        let mut choices = self.own_choices(own, to, &may);
        let (others, has_circle) = self.others_objects(own, holder, &may)?;
        let inner = self.inner_choices(own, holder, &may)?;
        let mut bounds = inner.bounds;
        let mine = &self.state.unknowns.objects[own];
        let is_open = mine.text && !matches!(mine.promise, Promise::Text) && self.may_be_unterminated(&may);
        bounds.extend(is_open.then_some(Bound::Unterminated));
        bounds.extend(has_circle.then_some(Bound::Cycle));
        for bound in bounds {
            choices.push(PointerChoice::Object(self.phantom(own, bound)?));
        }
        choices.extend(self.functions_tried(own, to, &may)?);
        choices.extend(others);
        choices.extend(inner.choices);
        if choices.is_empty() {
            // No call passes a pointer at all: then it is as if nobody knew.
            return self.unknown_pointer(name, to, place, MayPoint::default());
        }
        let pointer = self.choice_input(name, choices, holder, may)?;
        Rc::make_mut(&mut self.state.unknowns).pointers.push(Rc::new(pointer));
        self.suppose_owned(number)?;
        self.suppose_promised(number)?;
        self.pointer_value(number)
    }

    /// A parameter of the entry.
    ///
    /// # Errors
    /// If a query was not answered.
    pub(super) fn unknown_argument(&mut self, position: usize, name: &str, param: &Param) -> Result<Value, Stop> {
        let program = self.engine.program;
        if let Some(copy) = param.byval {
            return self.copied_argument(position, name, param, copy.size);
        }
        if param.ty == Ty::Ptr {
            let to = self.pointee_of(param);
            let may = self.may_of_parameter(param);
            let value = self.unknown_pointer(name, to, None, may)?;
            let number = self.state.unknowns.pointers.len() - 1;
            Rc::make_mut(&mut self.state.unknowns).arguments[position] = Argument::Pointer(number);
            return Ok(value);
        }
        let width = param.ty.bits(&program.layout);
        let ty = super::argument::number_type(program, param);
        let value = self.scalar_input(name, &ty, width);
        let record = Rc::clone(self.state.inputs.newest_first().next().expect("one was made"));
        Rc::make_mut(&mut self.state.unknowns).arguments[position] = Argument::Number(record);
        Ok(value)
    }

    /// What a parameter points at, by its type.
    pub(super) fn pointee_of(&self, param: &Param) -> Option<TypeId> {
        param.source.and_then(|source| self.engine.program.types.pointee(source))
    }

    /// A structure passed by copy: an object that nobody else has.
    fn copied_argument(&mut self, position: usize, name: &str, param: &Param, size: u64) -> Result<Value, Stop> {
        let may = self.may_of_parameter(param);
        let (inside, size) = (self.may_be_inside(&may), size.max(1));
        let object =
            UnknownObject { element: param.source, head: size, each: size, inside, ..UnknownObject::nobodys(name) };
        let number = self.place(object)?;
        Rc::make_mut(&mut self.state.unknowns).arguments[position] = Argument::Copy(number);
        Ok(Value::word(self.state.unknowns.objects[number].base))
    }

    /// What a pointer may be without any other: an object of its own, null, a stream.
    fn own_choices(&mut self, own: usize, to: Option<TypeId>, may: &MayPoint) -> Vec<PointerChoice> {
        let types = &self.engine.program.types;
        let is_code = to.is_some_and(|to| matches!(types.all[types.plain(to)], Type::Function { .. }));
        let mut choices = Vec::new();
        if self.state.unknowns.objects[own].bound == Some(Bound::Stream) {
            // The first is the one that gets furthest.
            choices = self.streams();
            choices.retain(|choice| !matches!(choice, PointerChoice::Stream(id) if !self.may_be_global(may, *id)));
        }
        if if is_code { self.may_be_unknown_code(may) } else { self.may_be_object(may) } {
            choices.push(PointerChoice::Object(own));
        }
        if self.may_be_null(may) {
            choices.push(PointerChoice::Null);
        }
        choices
    }

    /// Objects of other pointers that this one may point at; and whether there are more, which lead to it.
    fn others_objects(
        &mut self,
        own: usize,
        holder: Option<usize>,
        may: &MayPoint,
    ) -> Result<(Vec<PointerChoice>, bool), Stop> {
        let alias = self.engine.config.shapes.alias;
        let (mut choices, mut has_circle) = (Vec::new(), false);
        if alias == Alias::None {
            return Ok((choices, false));
        }
        let unknowns = Rc::clone(&self.state.unknowns);
        let mine = &unknowns.objects[own];
        let may_lead_back = matches!(alias, Alias::Cyclic | Alias::Nodes);
        let before = if may_lead_back { BTreeSet::new() } else { self.leading_to(holder) };
        for (number, other) in unknowns.objects.iter().enumerate() {
            let is_own = unknowns
                .pointers
                .get(other.owner)
                .is_some_and(|owner| owner.choices[0] == PointerChoice::Object(number));
            if !is_own
                || kinship(self.engine.program, mine.element, other.element) != Kinship::Same
                || !self.may_be_there(other)
                || !self.may_share(may, &unknowns.pointers[other.owner].may)
            {
                continue;
            }
            if before.contains(&number) {
                has_circle = true;
                continue;
            }
            if alias == Alias::Nodes {
                choices.extend((other.fixed && other.most == 1).then_some(PointerChoice::Object(number)));
                continue;
            }
            if other.bound.is_some() || other.callback.is_some() {
                choices.push(PointerChoice::Object(number));
                continue;
            }
            choices.push(if other.is_array() { PointerChoice::Element(number) } else { PointerChoice::Object(number) });
            // Behind a flexible member nothing of the type begins.
            if !other.flexible {
                choices.push(PointerChoice::Past(number));
                self.length_of(number)?;
            }
        }
        Ok((choices, has_circle))
    }

    /// The objects that an object can be got to from, itself among them, as far as nobody has decided otherwise.
    pub(super) fn leading_to(&mut self, object: Option<usize>) -> BTreeSet<usize> {
        let unknowns = Rc::clone(&self.state.unknowns);
        let mut found: BTreeSet<usize> = object.into_iter().collect();
        let mut todo: Vec<usize> = found.iter().copied().collect();
        while let Some(object) = todo.pop() {
            for pointer in unknowns.pointers.iter().filter(|pointer| pointer.holder.is_some()) {
                let way = pointer.choices.iter().position(|choice| choice.object() == Some(object));
                if let (Some(way), Some(holder)) = (way, pointer.holder)
                    && self.may_be(pointer, way)
                    && found.insert(holder)
                {
                    todo.push(holder);
                }
            }
        }
        found
    }

    /// Whether a pointer may be one of its choices, as far as that is plain.
    fn may_be(&mut self, pointer: &Pointer, way: usize) -> bool {
        let Some(record) = &pointer.selector else { return way == 0 };
        let selector = self.input_term(record.vars[0]);
        let known = self.engine.terms.as_u64(selector).or_else(|| self.only_value(selector));
        known.is_none_or(|known| known == way as u64)
    }

    /// Whether the pointer that an object belongs to may still point at it.
    pub(super) fn may_be_there(&mut self, object: &UnknownObject) -> bool {
        let unknowns = Rc::clone(&self.state.unknowns);
        self.may_be(&unknowns.pointers[object.owner], 0)
    }

    /// The inputs that choose.
    fn choice_input(
        &mut self,
        name: &str,
        choices: Vec<PointerChoice>,
        holder: Option<usize>,
        may: MayPoint,
    ) -> Result<Pointer, Stop> {
        if choices.len() > 256 {
            return Err(Stop::Unsupported(format!("`{name}` may point at more than 256 places")));
        }
        let words: Arc<[String]> = choices.iter().map(|choice| self.in_words(*choice)).collect();
        let selector = self.record_of(name, InputType::Choice(words), 1);
        let last = self.engine.terms.bv(8, choices.len() as u64 - 1);
        let which = self.input_term(selector.vars[0]);
        let fits = self.engine.terms.ule(which, last);
        self.suppose(fits)?;
        let has_index = choices.iter().any(|choice| match choice {
            PointerChoice::Inside(place) => place.has_index(),
            choice => matches!(choice, PointerChoice::Element(_)),
        });
        let index =
            has_index.then(|| self.record_of(&format!("{name}.index"), InputType::Scalar("unsigned short".into()), 2));
        Ok(Pointer { name: name.to_owned(), holder, selector: Some(selector), index, choices, may })
    }

    fn in_words(&self, choice: PointerChoice) -> String {
        let name = |object: usize| &self.state.unknowns.objects[object].name;
        match choice {
            PointerChoice::Null => "null".to_owned(),
            PointerChoice::Stream(id) => stream_name(&self.engine.program.globals[id].name).to_owned(),
            PointerChoice::Function(func) => format!("the function `{}`", self.engine.program.functions[func].name),
            PointerChoice::Object(object) => match self.state.unknowns.objects[object].bound {
                None if self.state.unknowns.objects[object].callback.is_some() => {
                    format!("a function of the caller's, `{}`", name(object))
                }
                None => format!("an object of `{}`", name(object)),
                Some(_) => format!("what is not tried of `{}`", name(object)),
            },
            PointerChoice::Element(object) => format!("an element of `{}`", name(object)),
            PointerChoice::Past(object) => format!("past the end of `{}`", name(object)),
            PointerChoice::Inside(place) => {
                let end = if place.past { "past the end of what is " } else { "" };
                format!("{end}inside of `{}`, byte {}", name(place.object), place.part.at)
            }
        }
    }

    /// An input of one variable, as it was recorded.
    pub(super) fn record_of(&mut self, name: &str, ty: InputType, bytes: usize) -> Rc<MadeInput> {
        self.make_input(name, ty, bytes, bytes);
        Rc::clone(self.state.inputs.newest_first().next().expect("one was made"))
    }

    /// A pointer points at another's object only where that one does, and at an element that there is.
    fn suppose_owned(&mut self, number: usize) -> Result<(), Stop> {
        let unknowns = Rc::clone(&self.state.unknowns);
        let pointer = &unknowns.pointers[number];
        for (way, choice) in pointer.choices.iter().enumerate() {
            let Some(object) = choice.object().filter(|object| unknowns.objects[*object].owner != number) else {
                continue;
            };
            let chosen = self.chosen(pointer, way);
            // A variable of the program is nobody's.
            let mut fine = match unknowns.pointers.get(unknowns.objects[object].owner) {
                Some(owner) => self.chosen(owner, 0),
                None => self.engine.terms.bool(true),
            };
            if let (PointerChoice::Inside(place), Some(index)) = (choice, &pointer.index)
                && place.has_index()
            {
                let (index, count) = (self.input_term(index.vars[0]), self.engine.terms.bv(16, place.part.count));
                let there = self.engine.terms.ult(index, count);
                fine = self.engine.terms.and(fine, there);
            }
            if let (PointerChoice::Element(_), Some(index)) = (choice, &pointer.index) {
                let index = self.input_term(index.vars[0]);
                let there = self.has_element(object, index)?;
                let most = self.engine.terms.bv(16, unknowns.objects[object].most);
                let inside = self.engine.terms.ult(index, most);
                fine = self.engine.terms.and(fine, there);
                fine = self.engine.terms.and(fine, inside);
            }
            let not = self.engine.terms.not(chosen);
            let condition = self.engine.terms.or(not, fine);
            self.suppose(condition)?;
        }
        Ok(())
    }

    /// Whether a pointer is one of its choices.
    pub(super) fn chosen(&mut self, pointer: &Pointer, way: usize) -> Term {
        match &pointer.selector {
            None => self.engine.terms.bool(way == 0),
            Some(record) => {
                let which = self.input_term(record.vars[0]);
                let way = self.engine.terms.bv(8, way as u64);
                self.engine.terms.eq(which, way)
            }
        }
    }

    /// The pointer as a value: a conditional address.
    pub(super) fn pointer_value(&mut self, number: usize) -> Result<Value, Stop> {
        let unknowns = Rc::clone(&self.state.unknowns);
        let pointer = &unknowns.pointers[number];
        let mut value: Option<Term> = None;
        for (way, choice) in pointer.choices.iter().enumerate().rev() {
            let address = self.address_of(pointer, *choice)?;
            value = Some(match value {
                None => address,
                Some(otherwise) => {
                    let chosen = self.chosen(pointer, way);
                    self.engine.terms.ite(chosen, address, otherwise)
                }
            });
        }
        let value = value.expect("a pointer has choices");
        let base = |choice: &PointerChoice| match choice {
            PointerChoice::Stream(id) => Some(self.stream_address(*id)),
            choice => Some(unknowns.objects[choice.object()?].base),
        };
        let objects: BTreeSet<u64> = pointer.choices.iter().filter_map(base).collect();
        let provenance = self.engine.provenances.of(&objects);
        Ok(self.value(value).with_provenance(provenance))
    }

    fn address_of(&mut self, pointer: &Pointer, choice: PointerChoice) -> Result<Term, Stop> {
        let bits = self.pointer_bits();
        let Some(number) = choice.object() else {
            let address = match choice {
                PointerChoice::Function(func) => self.state.memory.function_address(func.index()),
                PointerChoice::Stream(id) => self.stream_address(id),
                _ => 0,
            };
            return Ok(self.engine.terms.bv(bits, address));
        };
        let object = Rc::clone(&self.state.unknowns.objects[number]);
        let base = self.engine.terms.bv(bits, object.base);
        let distance = match (choice, &pointer.index) {
            (PointerChoice::Element(_), Some(index)) => {
                let index = self.input_term(index.vars[0]);
                let terms = &mut self.engine.terms;
                let (index, each) = (terms.zext(index, bits), terms.bv(bits, object.each));
                terms.mul(index, each)
            }
            (PointerChoice::Past(_), _) => self.limit(number)?,
            (PointerChoice::Inside(place), Some(index)) if place.has_index() => {
                let index = self.input_term(index.vars[0]);
                let terms = &mut self.engine.terms;
                let (index, stride) = (terms.zext(index, bits), terms.bv(bits, place.part.stride));
                let (rows, at) = (terms.mul(index, stride), terms.bv(bits, place.part.at));
                terms.add(at, rows)
            }
            (PointerChoice::Inside(place), _) => self.engine.terms.bv(bits, place.offset(0)),
            _ => return Ok(base),
        };
        Ok(self.engine.terms.add(base, distance))
    }

    /// Goes on only where a condition holds that belongs to what is made, not to the program.
    pub(crate) fn suppose(&mut self, condition: Term) -> Result<(), Stop> {
        if self.engine.terms.as_u64(condition) == Some(1) {
            return Ok(());
        }
        let crate::state::State { seeds, .. } = self.state;
        seeds.retain_mut(|seed| seed.witness.holds(&self.engine.terms, condition));
        if !self.state.witness.holds(&self.engine.terms, condition) {
            self.engine.find_witness(self.state, condition)?;
        }
        self.state.assume(&self.engine.terms, Condition::assumed(condition));
        Ok(())
    }
}

/// What a pointer points at; nothing for `void *`.
pub(super) fn not_void(program: &Program, to: Option<TypeId>) -> Option<TypeId> {
    to.filter(|to| program.types.all[program.types.plain(*to)] != Type::Void)
}
