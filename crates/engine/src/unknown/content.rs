//! The content of an object that is not known, made where it is first touched; and its length.

use std::rc::Rc;

use taw_expr::Term;
use taw_ir::{Leaf, LeafKind, Type, TypeId};

use super::{Made, MadeOf, UnknownObject};
use crate::cx::Cx;
use crate::state::MadeInput;
use crate::stop::Stop;
use crate::test_case::InputType;

impl Cx<'_, '_> {
    /// Makes the content of an object between two offsets, as far as it is not there.
    pub(crate) fn touch(&mut self, number: usize, from: u64, to: u64) -> Result<(), Stop> {
        let mut at = from;
        while at < to {
            let object = Rc::clone(&self.state.unknowns.objects[number]);
            if at >= object.room() || object.holds_initial() {
                return Ok(());
            }
            at = match object.made_until(at) {
                Some(end) => end,
                None => {
                    let leaf = self.leaf(&object, at, to);
                    if let LeafKind::Union(of) = leaf.what {
                        self.decide_union(number, &leaf, of)?;
                        continue;
                    }
                    let end = leaf.start + leaf.bytes;
                    self.make(number, &object, leaf)?;
                    end
                }
            };
        }
        self.close_made(number);
        Ok(())
    }

    /// What has to be made at an offset, for an access up to another; its path is the whole way to it.
    pub(super) fn leaf(&self, object: &UnknownObject, at: u64, to: u64) -> Leaf {
        let types = &self.engine.program.types;
        let name = &object.name;
        let star = if object.depth == 0 { "" } else { "*" };
        let whole = |what| Leaf { start: 0, bytes: object.room(), what, path: format!("{star}{name}") };
        match object.element {
            None => object.untyped_leaf(at, to),
            Some(ty) if types.is_number(ty) => whole(LeafKind::Numbers(ty)),
            Some(ty) => {
                let index = if object.flexible { 0 } else { at / object.each };
                let mut held = object.held();
                held.retain_mut(|union| {
                    let own = union.at.checked_sub(index * object.each);
                    union.at = own.unwrap_or_default();
                    own.is_some()
                });
                let leaf = types.leaf_held(ty, at - index * object.each, &self.engine.program.layout, &held);
                let path = match (index, leaf.path.strip_prefix('.')) {
                    (0, Some(member)) if object.depth == 0 => format!("{name}.{member}"),
                    (0, Some(member)) => format!("{name}->{member}"),
                    (0, None) if leaf.path.is_empty() => format!("{star}{name}"),
                    (0, None) if object.depth == 0 => format!("{name}{}", leaf.path),
                    _ => format!("{name}[{index}]{}", leaf.path),
                };
                Leaf { start: leaf.start + index * object.each, path, ..leaf }
            }
        }
    }

    fn make(&mut self, number: usize, object: &Rc<UnknownObject>, leaf: Leaf) -> Result<(), Stop> {
        let what = match leaf.what {
            LeafKind::Union(_) => unreachable!("what a union holds is decided before it is made"),
            LeafKind::Pointer(to) => return self.make_pointer(number, leaf.start, &leaf.path, Some(to)),
            LeafKind::Numbers(ty) => MadeOf::Input(self.make_numbers(object, &leaf, Some(ty))?),
            LeafKind::Bytes => MadeOf::Input(self.make_numbers(object, &leaf, None)?),
        };
        let made = Made { offset: leaf.start, bytes: leaf.bytes, what };
        let unknowns = Rc::make_mut(&mut self.state.unknowns);
        Rc::make_mut(&mut unknowns.objects[number]).made.push(made);
        if matches!(leaf.what, LeafKind::Numbers(_)) {
            self.suppose_length(number, leaf.start)?;
        }
        if object.text {
            self.suppose_text(number)?;
        }
        Ok(())
    }

    /// Makes a pointer, to that type if it is known, at an offset.
    pub(super) fn make_pointer(&mut self, number: usize, at: u64, name: &str, to: Option<TypeId>) -> Result<(), Stop> {
        self.make_kin(to)?;
        let object = Rc::clone(&self.state.unknowns.objects[number]);
        let value = self.unknown_pointer(name, to, Some((number, at)), object.inside.clone())?;
        let (width, big_endian) = (self.pointer_bits(), self.big_endian());
        let memory = self.state.memory.object_mut(object.base);
        memory.store(&mut self.engine.terms, at as usize, value, width, big_endian);
        let what = MadeOf::Pointer(self.state.unknowns.pointers.len() - 1);
        let made = Made { offset: at, bytes: u64::from(width / 8), what };
        let unknowns = Rc::make_mut(&mut self.state.unknowns);
        Rc::make_mut(&mut unknowns.objects[number]).made.push(made);
        Ok(())
    }

    /// What the input is that a number or several are, and how many bytes each of its variables has.
    pub(super) fn number_input(&self, leaf: &Leaf, ty: Option<TypeId>) -> (InputType, u64) {
        let program = self.engine.program;
        let each = ty.and_then(|ty| program.types.bytes(ty, &program.layout)).unwrap_or(1);
        let piece = [8, 4, 2].into_iter().find(|piece: &u64| each.is_multiple_of(*piece)).unwrap_or(1);
        let count = leaf.bytes / each;
        let input = match ty {
            None => InputType::Bytes,
            Some(ty) if count == 1 => InputType::Scalar(program.types.spelled(ty)),
            Some(ty) => InputType::Scalar(format!("{}[{count}]", program.types.spelled(ty))),
        };
        (input, piece)
    }

    /// Makes a number or several an input.
    fn make_numbers(&mut self, object: &UnknownObject, leaf: &Leaf, ty: Option<TypeId>) -> Result<Rc<MadeInput>, Stop> {
        let program = self.engine.program;
        let (input_type, piece) = self.number_input(leaf, ty);
        let vars = self.make_input(&leaf.path, input_type, leaf.bytes as usize, piece as usize);
        let record = Rc::clone(self.state.inputs.newest_first().next().expect("one was made"));
        let is_bool = ty.is_some_and(|ty| is_bool(&program.types.all[program.types.plain(ty)]));
        let big_endian = self.big_endian();
        for (i, &var) in vars.iter().enumerate() {
            let t = self.input_term(var);
            if is_bool {
                let one = self.engine.terms.bv(piece as u32 * 8, 1);
                let fits = self.engine.terms.ule(t, one);
                self.suppose(fits)?;
            }
            let (value, at) = (self.value(t), leaf.start as usize + i * piece as usize);
            let memory = self.state.memory.object_mut(object.base);
            memory.store(&mut self.engine.terms, at, value, piece as u32 * 8, big_endian);
        }
        Ok(record)
    }

    /// Text ends with a zero byte, unless it is longer than what is tried.
    fn suppose_text(&mut self, number: usize) -> Result<(), Stop> {
        let further = self.further(number)?;
        let object = Rc::clone(&self.state.unknowns.objects[number]);
        let Some(MadeOf::Input(record)) = object.made.first().map(|made| made.what.clone()) else { return Ok(()) };
        let mut all = self.engine.terms.bool(true);
        for (i, &var) in record.vars.iter().enumerate() {
            let byte = self.input_term(var);
            let terms = &mut self.engine.terms;
            let (zero, here) = (terms.bv(8, 0), terms.bv(16, i as u64));
            let (ends, is_last) = (terms.eq(byte, zero), terms.eq(further, here));
            let is_inner = terms.not(is_last);
            let fine = terms.or(is_inner, ends);
            all = terms.and(all, fine);
        }
        self.suppose(all)
    }

    /// How many elements an object has beyond the first, 16 bits wide; of one that is not tied.
    fn further(&mut self, number: usize) -> Result<Term, Stop> {
        if self.state.unknowns.objects[number].global.is_some() {
            return Ok(self.engine.terms.bv(16, 0));
        }
        self.length_of(number)?;
        let record = self.state.unknowns.objects[number].further.clone().expect("just made");
        Ok(self.input_term(record.vars[0]))
    }

    /// Lets an object have a length, if it has none yet.
    pub(super) fn length_of(&mut self, number: usize) -> Result<(), Stop> {
        let object = Rc::clone(&self.state.unknowns.objects[number]);
        if object.further.is_some() || object.promise.tied().is_some() || object.global.is_some() {
            return Ok(());
        }
        if !self.tie_flexible(number)? {
            let name = format!("{}.further", object.name);
            let record = self.record_of(&name, InputType::Scalar("unsigned short".into()), 2);
            let further = self.input_term(record.vars[0]);
            let (most, terms) = (object.most, &mut self.engine.terms);
            let last = terms.bv(16, if object.fixed { most - 1 } else { most });
            let fits = if object.fixed { terms.eq(further, last) } else { terms.ule(further, last) };
            self.suppose(fits)?;
            let unknowns = Rc::make_mut(&mut self.state.unknowns);
            Rc::make_mut(&mut unknowns.objects[number]).further = Some(record);
        }
        let limit = self.limit(number)?;
        self.state.memory.object_mut(object.base).limit = Some(limit);
        Ok(())
    }

    /// An object that has a length.
    fn measured(&mut self, number: usize) -> Result<Rc<UnknownObject>, Stop> {
        self.length_of(number)?;
        Ok(Rc::clone(&self.state.unknowns.objects[number]))
    }

    /// Bytes that may be used: of one that is longer than what is tried, all that there are.
    pub(super) fn limit(&mut self, number: usize) -> Result<Term, Stop> {
        let object = self.measured(number)?;
        let bits = self.pointer_bits();
        let is_longer = self.is_longer(number)?;
        let further = match object.promise.tied() {
            None => {
                let further = self.further(number)?;
                self.engine.terms.zext(further, bits)
            }
            // One less than none is taken back by what is added.
            Some(tied) => {
                let count = self.tied_count(&object, tied);
                let terms = &mut self.engine.terms;
                let (count, one) = (terms.zext(count, bits), terms.bv(bits, 1));
                terms.sub(count, one)
            }
        };
        let terms = &mut self.engine.terms;
        let (head, each) = (terms.bv(bits, object.head), terms.bv(bits, object.each));
        let behind = terms.mul(further, each);
        let length = terms.add(head, behind);
        let all = terms.bv(bits, object.room());
        Ok(terms.ite(is_longer, all, length))
    }

    /// Whether an object is longer than what is tried.
    pub(super) fn is_longer(&mut self, number: usize) -> Result<Term, Stop> {
        let object = self.measured(number)?;
        if let Some(tied) = object.promise.tied() {
            return Ok(self.is_tied_longer(&object, tied));
        }
        let further = self.further(number)?;
        let most = self.engine.terms.bv(16, object.most);
        Ok(self.engine.terms.eq(further, most))
    }

    /// Whether an object has an element of that number.
    pub(super) fn has_element(&mut self, number: usize, index: Term) -> Result<Term, Stop> {
        let object = self.measured(number)?;
        let width = self.engine.terms.width(index);
        Ok(match object.promise.tied() {
            Some(tied) => {
                let count = self.tied_count(&object, tied);
                let count = self.engine.terms.zext(count, width);
                self.engine.terms.ult(index, count)
            }
            None => {
                let further = self.further(number)?;
                let further = self.engine.terms.zext(further, width);
                self.engine.terms.ule(index, further)
            }
        })
    }
}

fn is_bool(ty: &Type) -> bool {
    matches!(ty, Type::Integer { name, .. } if matches!(name.as_str(), "_Bool" | "bool"))
}
