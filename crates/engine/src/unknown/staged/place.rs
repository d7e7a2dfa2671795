//! Stage 2: a parameter is any structure of a stage.
//!
//! Which one is an input (`t.structure`); each has a path of its own from the start, and is there before the first instruction: its objects, numbers as
//! inputs, its condition as part of the path, and the values that the stage knows to satisfy it. So nothing is executed and nothing is asked.

use std::rc::Rc;
use std::sync::Arc;

use taw_expr::{FormulaInput, Var};
use taw_ir::{Leaf, LeafKind, TypeId};

use super::super::{Argument, Made, MadeOf, Pointer, PointerChoice, Promise, UnknownObject, own, parameter_name};
use super::{CellContent, ObjectCount, StagedArgument, Structure, StructureCell, StructurePointer};
use crate::cx::Cx;
use crate::state::MadeInput;
use crate::stop::Stop;
use crate::test_case::InputType;
use crate::value::Value;

/// A structure that is being put in place.
struct Placing<'a> {
    structure: &'a Structure,
    /// Numbers of its objects on the path, as far as they are there.
    objects: Vec<usize>,
    /// The inputs that its numbers are.
    vars: Vec<(FormulaInput, Var)>,
}

/// A file may say anything.
fn damaged() -> Stop {
    Stop::Unsupported("a structure of a stage does not fit the program".to_owned())
}

impl Cx<'_, '_> {
    /// Gives the parameters that the settings name a structure each; paths with the other structures are split off.
    ///
    /// # Errors
    /// If there is no such structure, as a recorded path may say.
    pub(crate) fn place_staged(&mut self) -> Result<(), Stop> {
        let function = &self.engine.program.functions[self.state.start];
        for number in 0..self.engine.config.staged.len() {
            let unknowns = Rc::make_mut(&mut self.state.unknowns);
            unknowns.staged.resize(self.engine.config.staged.len(), StagedArgument::default());
            let staged = &self.engine.config.staged[number];
            if unknowns.staged[number].placed.is_some() || !staged.are_of(function) {
                continue;
            }
            let (stage, names) = (Arc::clone(&staged.stage), staged.parameters.clone());
            let selector = match &unknowns.staged[number].selector {
                Some(selector) => Rc::clone(selector),
                None => self.part_structures(number, &names, stage.structures.len()),
            };
            let which = self.state.witness.assignment().value(selector.vars[0]);
            let structure = usize::try_from(which).ok().and_then(|which| stage.structures.get(which));
            let structure = structure.ok_or(Stop::Infeasible)?;
            let (chosen, this) = (self.input_term(selector.vars[0]), self.engine.terms.bv(32, which));
            let is_this = self.engine.terms.eq(chosen, this);
            if self.engine.terms.as_u64(is_this).is_none() {
                self.decide(which as u32, is_this);
            }
            self.place_structure(number, structure, &names)?;
        }
        Ok(())
    }

    /// The input that says which structure it is; paths with each of the others are split off, none of which has to be checked.
    fn part_structures(&mut self, number: usize, names: &[String], count: usize) -> Rc<MadeInput> {
        let name = format!("{}.structure", names.join(","));
        let selector = self.record_of(&name, InputType::Scalar("unsigned int".into()), 4);
        Rc::make_mut(&mut self.state.unknowns).staged[number].selector = Some(Rc::clone(&selector));
        let var = selector.vars[0];
        let own = self.state.witness.assignment().value(var);
        if self.engine.config.replay.is_some() {
            return selector;
        }
        self.state.registers.share(&self.state.top);
        let all_seeds = std::mem::take(&mut self.state.seeds);
        let seeds_of = |which: u64| {
            let is_its = move |seed: &&crate::state::Seed| seed.witness.assignment().value(var) == which;
            all_seeds.iter().filter(is_its).cloned().collect::<Vec<_>>()
        };
        for which in (0..count as u64).rev().filter(|which| *which != own) {
            let mut fork = self.state.clone();
            fork.witness.set(var, which);
            fork.seeds = seeds_of(which);
            if let Some(seed) = fork.seeds.first() {
                fork.witness = seed.witness.clone();
            }
            self.engine.stats.forks += 1;
            self.forks.push(fork);
        }
        self.state.seeds = seeds_of(own);
        selector
    }

    fn place_structure(&mut self, number: usize, structure: &Structure, names: &[String]) -> Result<(), Stop> {
        let program = self.engine.program;
        let function = &program.functions[self.state.start];
        let arguments = function.arguments(&program.types, &program.layout);
        let mut placing = Placing { structure, objects: Vec::new(), vars: Vec::new() };
        for (name, root) in names.iter().zip(&structure.roots) {
            let is_it = |argument: &taw_ir::SourceArgument| parameter_name(function, argument.params.start) == *name;
            let position = arguments.iter().position(is_it).ok_or_else(damaged)?;
            let param = &function.params[arguments[position].params.start];
            let (pointer, value) = self.place_pointer(&mut placing, name, self.pointee_of(param), None, *root)?;
            Rc::make_mut(&mut self.state.unknowns).arguments[position] = Argument::Pointer(pointer);
            self.state.top.regs[param.reg.as_u32() as usize] = value;
        }
        if placing.objects.len() != structure.objects.len() {
            return Err(damaged());
        }
        for condition in &structure.conditions {
            let concrete = self.engine.config.concrete.then(|| self.state.witness.assignment().clone());
            let var = |name: FormulaInput| placing.vars.iter().find(|(known, _)| *known == name).map(|(_, var)| *var);
            if condition.inputs().any(|name| var(name).is_none()) {
                return Err(damaged());
            }
            let term = condition.term(&mut self.engine.terms, &mut |terms, name| {
                let var = var(name).expect("just looked for");
                let t = terms.var(var);
                match &concrete {
                    None => t,
                    Some(witness) => terms.bv(terms.width(t), witness.value(var)),
                }
            });
            self.suppose(term)?;
        }
        Rc::make_mut(&mut self.state.unknowns).staged[number].placed = Some(placing.objects.into());
        Ok(())
    }

    /// A pointer of the structure, which leads to an object that is made if it is not there yet: its number, and its value.
    fn place_pointer(
        &mut self,
        placing: &mut Placing<'_>,
        name: &str,
        to: Option<TypeId>,
        holder: Option<usize>,
        target: StructurePointer,
    ) -> Result<(usize, Value), Stop> {
        let number = self.state.unknowns.pointers.len();
        let new = target.filter(|object| *object == placing.objects.len());
        if let Some(object) = new {
            let made = placing.structure.objects.get(object).ok_or_else(damaged)?;
            let mut unknown = own::own_shape(self.engine.program, &self.engine.config.shapes, name, to, Promise::None);
            unknown.element.ok_or_else(damaged)?;
            if let ObjectCount::Exactly(count) = made.count {
                (unknown.most, unknown.fixed, unknown.text) = (count, true, false);
            }
            let at = self.place(UnknownObject { owner: number, depth: 1, ..unknown })?;
            placing.objects.push(at);
        }
        let choice = match target {
            None => PointerChoice::Null,
            Some(object) => PointerChoice::Object(*placing.objects.get(object).ok_or_else(damaged)?),
        };
        let pointer = Pointer {
            name: name.to_owned(),
            holder,
            selector: None,
            index: None,
            choices: vec![choice],
            may: Default::default(),
        };
        Rc::make_mut(&mut self.state.unknowns).pointers.push(Rc::new(pointer));
        let base = choice.object().map_or(0, |object| self.state.unknowns.objects[object].base);
        if let Some(object) = new {
            self.place_cells(placing, object)?;
        }
        Ok((number, Value::word(base)))
    }

    fn place_cells(&mut self, placing: &mut Placing<'_>, object: usize) -> Result<(), Stop> {
        let structure = placing.structure;
        let number = placing.objects[object];
        let cells = &structure.objects[object].cells;
        let mut at = 0;
        while let Some(cell) = cells.get(at) {
            let unknown = Rc::clone(&self.state.unknowns.objects[number]);
            if cell.at >= unknown.room() {
                return Err(damaged());
            }
            let leaf = self.leaf(&unknown, cell.at, cell.at + 1);
            match (leaf.what, cell.content) {
                (LeafKind::Pointer(to), CellContent::Pointer(target)) if leaf.start == cell.at => {
                    let (pointer, value) = self.place_pointer(placing, &leaf.path, Some(to), Some(number), target)?;
                    self.store_cell(unknown.base, &leaf, value);
                    self.note_made(number, &leaf, MadeOf::Pointer(pointer));
                    at += 1;
                }
                (LeafKind::Numbers(_), CellContent::Fixed(_) | CellContent::Free(_)) => {
                    let count = self.place_numbers(placing, (object, number), &leaf, &cells[at..])?;
                    at += count;
                }
                _ => return Err(damaged()),
            }
        }
        Ok(())
    }

    fn note_made(&mut self, number: usize, leaf: &Leaf, what: MadeOf) {
        let made = Made { offset: leaf.start, bytes: leaf.bytes, what };
        let unknowns = Rc::make_mut(&mut self.state.unknowns);
        Rc::make_mut(&mut unknowns.objects[number]).made.push(made);
    }

    fn store_cell(&mut self, base: u64, leaf: &Leaf, value: Value) {
        let (width, big_endian) = (self.pointer_bits(), self.big_endian());
        let memory = self.state.memory.object_mut(base);
        memory.store(&mut self.engine.terms, leaf.start as usize, value, width, big_endian);
    }

    /// Numbers in a row, or one: an input of which every part is a cell. Gives how many.
    fn place_numbers(
        &mut self,
        placing: &mut Placing<'_>,
        (object, number): (usize, usize),
        leaf: &Leaf,
        cells: &[StructureCell],
    ) -> Result<usize, Stop> {
        let LeafKind::Numbers(ty) = leaf.what else { return Err(damaged()) };
        let (input, piece) = self.number_input(leaf, Some(ty));
        let count = (leaf.bytes / piece) as usize;
        let is_whole = cells.len() >= count
            && (0..count).all(|i| (cells[i].at, cells[i].bytes) == (leaf.start + i as u64 * piece, piece));
        if !is_whole {
            return Err(damaged());
        }
        let vars = self.make_input(&leaf.path, input, leaf.bytes as usize, piece as usize);
        let record = Rc::clone(self.state.inputs.newest_first().next().expect("one was made"));
        let (width, big_endian) = (piece as u32 * 8, self.big_endian());
        let is_told = !self.state.seeds.is_empty() || self.engine.config.replay.is_some();
        for (&var, cell) in vars.iter().zip(cells) {
            let (CellContent::Fixed(word) | CellContent::Free(word)) = cell.content else { return Err(damaged()) };
            if !is_told {
                self.state.witness.set(var, word);
            }
            let t = self.input_term(var);
            let value = match cell.content {
                CellContent::Fixed(_) => {
                    let word_term = self.engine.terms.bv(width, word);
                    let is_it = self.engine.terms.eq(t, word_term);
                    self.suppose(is_it)?;
                    Value::word(word)
                }
                _ => self.value(t),
            };
            let base = self.state.unknowns.objects[number].base;
            let memory = self.state.memory.object_mut(base);
            memory.store(&mut self.engine.terms, cell.at as usize, value, width, big_endian);
            let name = (u32::try_from(object).ok(), u32::try_from(cell.at).ok());
            let (Some(object), Some(at)) = name else { return Err(damaged()) };
            placing.vars.push(((object, at), var));
        }
        self.note_made(number, leaf, MadeOf::Input(record));
        Ok(count)
    }
}
