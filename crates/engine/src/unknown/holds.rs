//! What a union of an unknown state holds: a choice, decided where the union is first touched.
//!
//! Each content (`ir`'s `UnionContent`) is a path, and its leaves are made as those of any structure. Read as another member, a union has the bytes
//! of what it holds: a pointer read as a number is its address. A number that is used as a pointer is an error where nothing lies; that it is the
//! address of an object is not tried ([`Bound::Union`]), because a union that holds the pointer is; nor is a pointer in parts or as a float.

use std::rc::Rc;

use taw_expr::{Term, Var};
use taw_ir::{HeldUnion, Inst, Leaf, TypeId, UnionContent};

use super::{MadeOf, UnknownObject};
use crate::cx::Cx;
use crate::reason::Bound;
use crate::state::MadeInput;
use crate::stop::Stop;
use crate::test_case::InputType;
use crate::value::Value;

/// A union that was touched.
#[derive(Clone, Debug)]
pub(crate) struct UnknownUnion {
    /// How C gets there.
    pub name: String,
    /// Where it begins.
    pub at: u64,
    pub bytes: u64,
    pub of: TypeId,
    /// Which of the contents it has; none if there is one only.
    pub selector: Option<Rc<MadeInput>>,
    pub contents: Rc<[UnionContent]>,
    /// The same, once it is decided.
    pub decided: Option<usize>,
}

impl UnknownUnion {
    /// The content of that number in words: "`n`", "`n` or `d`".
    pub(crate) fn in_words(content: &UnionContent) -> String {
        content.names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" or ")
    }
}

impl UnknownObject {
    /// What its unions hold, as far as that is decided.
    pub(crate) fn held(&self) -> Vec<HeldUnion> {
        let known = |union: &UnknownUnion| {
            let content = &union.contents[union.decided?];
            Some(HeldUnion { at: union.at, of: union.of, member: content.member })
        };
        self.unions.iter().filter_map(known).collect()
    }

    /// Whether an offset is in a union that may hold a pointer.
    fn is_in_union(&self, at: u64) -> bool {
        self.unions.iter().any(|union| union.at <= at && at < union.at + union.bytes)
    }

    /// Whether an input is a number that a union of it holds.
    fn holds_number(&self, var: Var) -> bool {
        self.made.iter().any(|made| match &made.what {
            MadeOf::Input(record) => self.is_in_union(made.offset) && record.vars.contains(&var),
            MadeOf::Pointer(_) | MadeOf::Word(_) => false,
        })
    }
}

impl Cx<'_, '_> {
    /// Decides what a union holds that is touched for the first time: as the witness says, other contents are split off.
    pub(super) fn decide_union(&mut self, number: usize, leaf: &Leaf, of: TypeId) -> Result<(), Stop> {
        let is_it = |union: &UnknownUnion| (union.at, union.of) == (leaf.start, of);
        let place = match self.state.unknowns.objects[number].unions.iter().position(is_it) {
            Some(place) => place,
            None => self.new_union(number, leaf, of)?,
        };
        let selector = self.state.unknowns.objects[number].unions[place].selector.clone();
        let way = match selector {
            None => 0,
            Some(record) => {
                let which = self.input_term(record.vars[0]);
                let which = self.value(which);
                self.concretise(which, 8) as usize
            }
        };
        let unknowns = Rc::make_mut(&mut self.state.unknowns);
        Rc::make_mut(&mut unknowns.objects[number]).unions[place].decided = Some(way);
        Ok(())
    }

    fn new_union(&mut self, number: usize, leaf: &Leaf, of: TypeId) -> Result<usize, Stop> {
        let program = self.engine.program;
        let contents: Rc<[UnionContent]> = program.types.union_contents(of, &program.layout).into();
        if contents.len() > 256 {
            return Err(Stop::Unsupported(format!("`{}` may hold more than 256 things", leaf.path)));
        }
        let mut selector = None;
        if contents.len() > 1 {
            let words = contents.iter().map(UnknownUnion::in_words).collect();
            let record = self.record_of(&leaf.path, InputType::Choice(words), 1);
            let last = self.engine.terms.bv(8, contents.len() as u64 - 1);
            let which = self.input_term(record.vars[0]);
            let fits = self.engine.terms.ule(which, last);
            self.suppose(fits)?;
            selector = Some(record);
        }
        let name = leaf.path.clone();
        let union = UnknownUnion { name, at: leaf.start, bytes: leaf.bytes, of, selector, contents, decided: None };
        let unknowns = Rc::make_mut(&mut self.state.unknowns);
        let unions = &mut Rc::make_mut(&mut unknowns.objects[number]).unions;
        unions.push(union);
        Ok(unions.len() - 1)
    }

    /// An address that may be a number of the caller's that it may have put a pointer in the place of. Of a union it goes on where nothing can lie,
    /// which is an error; elsewhere is not tried, nor are bytes without a type.
    pub(crate) fn check_number(&mut self, address: Value) -> Result<(), Stop> {
        let Some(t) = address.as_term().filter(|_| !self.state.unknowns.objects.is_empty()) else { return Ok(()) };
        if self.provenance_of(address).is_known() {
            return Ok(());
        }
        match self.is_of_union(t) {
            true => self.require_nowhere(t),
            false if self.is_of_bytes(t) => Err(Stop::NotTried(Bound::Bytes)),
            false => Ok(()),
        }
    }

    /// Goes on where nothing can lie.
    pub(crate) fn require_nowhere(&mut self, address: Term) -> Result<(), Stop> {
        let (bits, (first, last)) = (self.pointer_bits(), self.state.memory.span());
        let terms = &mut self.engine.terms;
        let (first, last) = (terms.bv(bits, first), terms.bv(bits, last));
        let (below, above) = (terms.ult(address, first), terms.ult(last, address));
        let nowhere = terms.or(below, above);
        let nowhere = self.value(nowhere);
        if self.branch(nowhere) { Ok(()) } else { Err(Stop::NotTried(Bound::Union)) }
    }

    /// A pointer that a union holds is read as a floating-point number: what that is depends on addresses, and nobody follows it.
    pub(crate) fn check_no_float(&self, value: Value) -> Result<(), Stop> {
        let is_pointer = value.as_term().is_some() && value.provenance().is_known();
        let is_of_union = || self.state.unknowns.objects.iter().any(|object| !object.unions.is_empty());
        let function = &self.engine.program.functions[self.state.top.func];
        let is_float = || match function.code.get(self.state.top.pc as usize) {
            Some(Inst::Load { dst, .. }) => function.regs[*dst].ty.is_float(),
            _ => false,
        };
        if is_pointer && is_of_union() && is_float() { Err(Stop::NotTried(Bound::Union)) } else { Ok(()) }
    }

    /// Bytes at an unknown offset are accessed that may be some of a pointer in a union: where they are, nobody follows what comes of it.
    pub(crate) fn check_apart(&mut self, base: u64, offset: Term, len: u64) -> Result<(), Stop> {
        let Some(number) = self.unknown_at(base) else { return Ok(()) };
        let object = Rc::clone(&self.state.unknowns.objects[number]);
        let pointers = object.made.iter().filter(|made| matches!(made.what, MadeOf::Pointer(_)));
        for made in pointers.filter(|made| object.is_in_union(made.offset)) {
            let bits = self.pointer_bits();
            let terms = &mut self.engine.terms;
            let (first, end) = (terms.bv(bits, made.offset), terms.bv(bits, made.offset + made.bytes));
            let len = terms.bv(bits, len);
            let last = terms.add(offset, len);
            let (behind, before) = (terms.ule(end, offset), terms.ule(last, first));
            let (from_first, to_end) = (terms.ule(offset, first), terms.ule(end, last));
            let (apart, whole) = (terms.or(behind, before), terms.and(from_first, to_end));
            let fine = terms.or(apart, whole);
            let fine = self.value(fine);
            if !self.branch(fine) {
                return Err(Stop::NotTried(Bound::Union));
            }
        }
        Ok(())
    }

    /// Whether an address that is no pointer depends on a number in a union that might have held a pointer.
    pub(crate) fn is_of_union(&self, address: Term) -> bool {
        let objects = || self.state.unknowns.objects.iter().filter(|object| !object.unions.is_empty());
        let terms = &self.engine.terms;
        objects().next().is_some()
            && terms.vars_in(terms.vars_of(address)).any(|var| objects().any(|object| object.holds_number(var)))
    }
}
