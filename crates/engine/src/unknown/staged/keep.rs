//! Stage 1: where an invariant returns, the structure that it holds of is kept.
//!
//! The invariant is the entry of the run and is executed like a predicate of `--invariant`: it may read whatever it likes, and what would leave
//! something behind ends the path. Pointers are made where they are read, at whole objects ([`super::super::Alias::Nodes`]): each graph of objects comes up
//! once. Where the invariant returns something else than zero, the pointers that it has read and not decided are decided, each way on a path of its own.

use std::collections::BTreeMap;
use std::rc::Rc;

use taw_expr::{Formula, FormulaInput, Term, Var};
use taw_ir::{LeafKind, Type};

use super::super::{Argument, Made, MadeOf, PointerChoice, UnknownObject, Upholding};
use super::{CellContent, ObjectCount, Structure, StructureCell, StructureObject, StructurePointer};
use crate::cx::Cx;
use crate::finding::FindingKind;
use crate::reason::Bound;
use crate::state::Phase;
use crate::stop::Stop;
use crate::value::Value;

/// A structure in the making.
#[derive(Default)]
struct Keeping {
    /// Objects of the path, as the structure numbers them.
    objects: Vec<usize>,
    /// Inputs that are decided: choices, lengths, and numbers that may be nothing else.
    given: BTreeMap<Var, u64>,
    /// Names of the others.
    named: BTreeMap<Var, FormulaInput>,
    structure: Structure,
}

fn not_kept(what: impl std::fmt::Display) -> Stop {
    Stop::Unsupported(format!("a structure with {what}, which a stage does not keep"))
}

impl Cx<'_, '_> {
    /// The invariant begins: it leaves nothing behind.
    pub(crate) fn begin_staging(&mut self) {
        if self.engine.config.staging.is_some() {
            let (memory, covered) = (self.state.memory.clone(), self.state.covered.clone());
            let sides = self.state.sides.clone();
            self.state.upholding = Some(Rc::new(Upholding { memory, covered, sides, asked: None }));
        }
    }

    /// Gives an object that is looked at for a stage its size: one node, or as many elements as were said.
    pub(in crate::unknown) fn stage_shape(&self, unknown: &mut UnknownObject, depth: u32) {
        let Some(staging) = &self.engine.config.staging else { return };
        let types = &self.engine.program.types;
        let is_record = unknown.element.is_some_and(|ty| matches!(types.all[types.plain(ty)], Type::Record(_)));
        match staging.count.filter(|_| depth == 1) {
            Some(count) => (unknown.most, unknown.fixed, unknown.text) = (count, true, false),
            None if is_record && !unknown.flexible => (unknown.most, unknown.fixed) = (1, true),
            None => {}
        }
    }

    /// Before an object is touched: whether there are not too many of its type.
    pub(in crate::unknown) fn check_nodes(&self, number: usize) -> Result<(), Stop> {
        let Some(staging) = &self.engine.config.staging else { return Ok(()) };
        let objects = &self.state.unknowns.objects;
        let (types, own) = (&self.engine.program.types, objects[number].element);
        let plain = |object: &UnknownObject| object.element.map(|ty| types.plain(ty));
        let is_other = |object: &&Rc<UnknownObject>| {
            !object.made.is_empty()
                && plain(object) == own.map(|ty| types.plain(ty))
                && object.base != objects[number].base
        };
        match objects.iter().filter(is_other).count() as u64 >= staging.nodes {
            true => Err(Stop::NotTried(Bound::Nodes(staging.nodes))),
            false => Ok(()),
        }
    }

    /// Whether a path ends because an invariant was given null and does not take it: then null is no structure.
    pub(in crate::unknown) fn refuses_null(&self, stop: &Stop) -> bool {
        let is_null = |argument: &Argument| match argument {
            Argument::Pointer(number) => {
                let pointer = &self.state.unknowns.pointers[*number];
                let way = pointer.selector.as_ref().map_or(0, |selector| {
                    let witness = self.state.witness.assignment();
                    witness.value(selector.vars[0])
                });
                pointer.choices.get(way as usize) == Some(&PointerChoice::Null)
            }
            _ => false,
        };
        let is_of_null =
            matches!(stop, Stop::Bug(FindingKind::NullDereference, _) | Stop::BugAt(FindingKind::NullDereference, ..));
        self.engine.config.staging.is_some() && is_of_null && self.state.unknowns.arguments.iter().any(is_null)
    }

    /// The entry returns. If it is an invariant and holds, the structure that it was given is kept.
    ///
    /// # Errors
    /// If the structure is not one that is tried, or cannot be kept.
    pub(crate) fn keep_structure(&mut self, result: Option<Value>) -> Result<(), Stop> {
        if self.engine.config.staging.is_none() || self.state.phase != Phase::Running {
            return Ok(());
        }
        let function = &self.engine.program.functions[self.state.start];
        let width = function.returns.first().map_or(1, |ty| ty.bits(&self.engine.program.layout));
        let result = result.unwrap_or(Value::word(1)).to_term(self.terms(), width);
        let zero = self.terms().bv(width, 0);
        let holds = self.terms().ne(result, zero);
        let holds = self.value(holds);
        if self.branch(holds) {
            let structure = self.structure(result)?;
            self.engine.structures.push(structure);
        }
        self.forget_predicates();
        Ok(())
    }

    fn structure(&mut self, result: Term) -> Result<Structure, Stop> {
        let mut keeping = Keeping::default();
        let unknowns = Rc::clone(&self.state.unknowns);
        for argument in &unknowns.arguments {
            let root = match argument {
                Argument::Pointer(number) => self.keep_pointer(&mut keeping, *number)?,
                Argument::Waiting(_) => return Err(not_kept("a parameter that the invariant does not look at")),
                _ => return Err(not_kept("a parameter that is no pointer")),
            };
            keeping.structure.roots.push(root);
        }
        self.check_count(&keeping)?;
        self.split_shapes(&mut keeping);
        self.fix_numbers(&mut keeping);
        self.keep_conditions(&mut keeping)?;
        let result = self.engine.terms.given(result, &|var| keeping.given.get(&var).copied());
        let (word, width) = (self.witness_word(result), self.engine.terms.width(result));
        let this = self.engine.terms.bv(width, word);
        let is_this = self.engine.terms.eq(result, this);
        keeping.structure.returns = (self.settled_side(is_this) == Some(true)).then_some(word);
        Ok(keeping.structure)
    }

    /// Decides where a pointer points, and keeps what it leads to.
    fn keep_pointer(&mut self, keeping: &mut Keeping, number: usize) -> Result<StructurePointer, Stop> {
        let pointer = Rc::clone(&self.state.unknowns.pointers[number]);
        let way = match &pointer.selector {
            None => 0,
            Some(selector) => {
                let which = self.input_term(selector.vars[0]);
                let which = self.value(which);
                let way = self.concretise(which, 8);
                keeping.given.insert(selector.vars[0], way);
                way
            }
        };
        let object = match pointer.choices.get(way as usize) {
            Some(PointerChoice::Null) => return Ok(None),
            Some(PointerChoice::Object(object)) => *object,
            _ => return Err(not_kept(format_args!("`{}` as it is", pointer.name))),
        };
        if let Some(known) = keeping.objects.iter().position(|known| *known == object) {
            return Ok(Some(known));
        }
        self.keep_object(keeping, object).map(Some)
    }

    fn keep_object(&mut self, keeping: &mut Keeping, number: usize) -> Result<usize, Stop> {
        let object = Rc::clone(&self.state.unknowns.objects[number]);
        if let Some(bound) = object.bound {
            return Err(Stop::NotTried(bound));
        }
        let (Some(element), false) = (object.element, object.flexible || object.callback.is_some()) else {
            return Err(not_kept(format_args!("`{}` as it is", object.name)));
        };
        if !object.unions.is_empty() {
            return Err(not_kept(format_args!("a union in `{}`", object.name)));
        }
        self.complete(number)?;
        let object = Rc::clone(&self.state.unknowns.objects[number]);
        let at = keeping.objects.len();
        let count = self.keep_count(keeping, number)?;
        keeping.objects.push(number);
        let ty = self.engine.program.types.spelled(element);
        keeping.structure.objects.push(StructureObject { ty, count, cells: Vec::new() });
        let mut made: Vec<&Made> = object.made.iter().collect();
        made.sort_by_key(|made| made.offset);
        for made in made {
            match &made.what {
                MadeOf::Pointer(pointer) => {
                    let target = self.keep_pointer(keeping, *pointer)?;
                    self.keep_cell(keeping, at, &object, (made.offset, made.bytes), CellContent::Pointer(target));
                }
                MadeOf::Input(record) => {
                    let bytes = (record.size / record.vars.len().max(1)) as u64;
                    for (i, &var) in record.vars.iter().enumerate() {
                        let from = made.offset + i as u64 * bytes;
                        let name = (u32::try_from(at).ok(), u32::try_from(from).ok());
                        let (Some(object_name), Some(offset)) = name else { return Err(not_kept("too many numbers")) };
                        keeping.named.insert(var, (object_name, offset));
                        let word = self.state.witness.assignment().value(var);
                        self.keep_cell(keeping, at, &object, (from, bytes), CellContent::Free(word));
                    }
                }
            }
        }
        Ok(at)
    }

    /// Makes the numbers of a node that the invariant has not looked at, but for arrays: they may be anything, and belong to it.
    fn complete(&mut self, number: usize) -> Result<(), Stop> {
        let object = Rc::clone(&self.state.unknowns.objects[number]);
        if !object.fixed || object.most > 1 || object.made.is_empty() {
            return Ok(());
        }
        let mut at = 0;
        while at < object.room() {
            let leaf = self.leaf(&object, at, at + 1);
            let is_number = matches!(leaf.what, LeafKind::Numbers(_)) && leaf.bytes <= 8;
            let own = leaf.path.strip_prefix(object.name.as_str()).unwrap_or_default();
            if is_number && !own.contains('[') {
                self.touch(number, leaf.start, leaf.start + leaf.bytes)?;
            }
            at = (leaf.start + leaf.bytes).max(at + 1);
        }
        Ok(())
    }

    /// How many elements an object has, which is decided if it matters.
    fn keep_count(&mut self, keeping: &mut Keeping, number: usize) -> Result<ObjectCount, Stop> {
        let object = Rc::clone(&self.state.unknowns.objects[number]);
        if object.fixed {
            keeping.given.extend(object.further.as_ref().map(|further| (further.vars[0], object.most - 1)));
            return Ok(ObjectCount::Exactly(object.most));
        }
        let Some(further) = &object.further else { return Ok(ObjectCount::Open) };
        let length = self.input_term(further.vars[0]);
        let length = self.value(length);
        let length = self.concretise(length, 16);
        keeping.given.insert(further.vars[0], length);
        match length < object.most {
            true => Ok(ObjectCount::Exactly(length + 1)),
            false => Err(Stop::NotTried(object.length_bound())),
        }
    }

    fn keep_cell(
        &self,
        keeping: &mut Keeping,
        at: usize,
        object: &UnknownObject,
        (offset, bytes): (u64, u64),
        content: CellContent,
    ) {
        let leaf = self.leaf(object, offset, offset + 1);
        let types = &self.engine.program.types;
        let name = &object.name;
        let whole = leaf.path.strip_prefix('*').unwrap_or(&leaf.path);
        let mut path = whole.strip_prefix(name.as_str()).unwrap_or(whole).replacen("->", ".", 1);
        let ty = match leaf.what {
            LeafKind::Numbers(ty) => {
                if leaf.bytes > bytes {
                    path = format!("{path}[{}]", (offset - leaf.start) / bytes);
                }
                types.spelled(ty)
            }
            LeafKind::Pointer(to) => format!("{} *", types.spelled(to)),
            _ => "char".to_owned(),
        };
        keeping.structure.objects[at].cells.push(StructureCell { at: offset, bytes, path, ty, content });
    }

    /// A structure has at most so many objects of one type.
    fn check_count(&self, keeping: &Keeping) -> Result<(), Stop> {
        let Some(staging) = &self.engine.config.staging else { return Ok(()) };
        let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
        for object in &keeping.structure.objects {
            *counts.entry(&object.ty).or_default() += 1;
        }
        match counts.values().any(|count| *count > staging.nodes) {
            true => Err(Stop::NotTried(Bound::Nodes(staging.nodes))),
            false => Ok(()),
        }
    }

    /// Members that are part of the shape: a path for each value.
    fn split_shapes(&mut self, keeping: &mut Keeping) {
        let split = self.engine.config.staging.as_ref().map(|staging| staging.split.clone()).unwrap_or_default();
        for (var, (object, at)) in keeping.named.clone() {
            let cells = &keeping.structure.objects[object as usize].cells;
            let is_named = |cell: &StructureCell| {
                cell.at == u64::from(at) && split.iter().any(|name| cell.path.trim_start_matches('.') == *name)
            };
            if cells.iter().any(is_named) {
                let t = self.input_term(var);
                let width = self.engine.terms.width(t);
                let value = self.value(t);
                self.concretise(value, width);
            }
        }
    }

    /// Numbers of which the path leaves one value are that.
    fn fix_numbers(&mut self, keeping: &mut Keeping) {
        for (&var, &(object, at)) in &keeping.named {
            let t = self.engine.terms.var(var);
            let Some(word) = self.only_value(t) else { continue };
            keeping.given.insert(var, word);
            let cells = &mut keeping.structure.objects[object as usize].cells;
            for cell in cells.iter_mut().filter(|cell| cell.at == u64::from(at)) {
                cell.content = CellContent::Fixed(word);
            }
        }
    }

    fn keep_conditions(&mut self, keeping: &mut Keeping) -> Result<(), Stop> {
        let conditions: Vec<Term> = self.state.path.conditions().iter().map(|condition| condition.term).collect();
        let mut kept = Vec::new();
        for condition in conditions {
            let condition = self.engine.terms.given(condition, &|var| keeping.given.get(&var).copied());
            if self.engine.terms.as_u64(condition) == Some(1) || kept.contains(&condition) {
                continue;
            }
            kept.push(condition);
        }
        for condition in kept {
            let formula = Formula::of(&self.engine.terms, condition, &|var| keeping.named.get(&var).copied());
            keeping.structure.conditions.push(formula.map_err(|what| not_kept(format_args!("a condition on {what}")))?);
        }
        Ok(())
    }
}
