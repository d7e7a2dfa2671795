//! Structures that satisfy an invariant, found once (`taw stage`) and put in place wherever they are wanted (`--stage`): J. H. Siddiqui,
//! S. Khurshid, *Staged symbolic execution* (SAC 2012).
//!
//! A [`Structure`] is a path on which the invariant holds, without the path: a graph of objects in which every pointer is decided, and a
//! condition over the numbers in it. What the invariant has not looked at is not part of it, and stays unknown.
//! Stage 1 (`keep.rs`) makes them where the invariant returns; stage 2 (`place.rs`) gives one to a parameter, with nothing executed and nothing
//! asked; a call of the invariant on one that nobody has changed is answered from it (`answer.rs`). The paper executes the invariant again
//! along a stored solution; that is no longer needed once shape and condition are kept themselves.
//!
//! Boundary: files are `report`'s, who may use which stage is `taw`'s. Invariant: the structures of a stage are disjoint, and no two are isomorphic
//! with the same condition; objects are numbered in the order in which a walk through them, cells by offset, meets them first.

mod answer;
mod keep;
mod place;

use std::rc::Rc;
use std::sync::Arc;

use taw_expr::Formula;
use taw_ir::Function;

use super::parameter_name;
use crate::cx::{Cx, Engine};
use crate::reason::{Premise, StagePremise};
use crate::state::MadeInput;

/// Structures of which an invariant holds.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct StructureSet {
    /// How the user calls it.
    pub name: String,
    /// The function that holds of them.
    pub invariant: String,
    /// Whether its result depends on nothing but the structure.
    pub decides_alone: bool,
    /// What is not among them though the invariant may hold of it, in words.
    pub cut: Vec<String>,
    /// The structures.
    pub structures: Vec<Structure>,
}

/// What an invariant is given: an object graph with a condition over its numbers.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Structure {
    /// What the parameters of the invariant point at.
    pub roots: Vec<StructurePointer>,
    /// The objects.
    pub objects: Vec<StructureObject>,
    /// What holds of the numbers that are not fixed: inputs are named by object and offset.
    pub conditions: Vec<Formula>,
    /// What the invariant returns, if that is one number.
    pub returns: Option<u64>,
}

/// Where a pointer points: at the beginning of an object, by number; nothing stands for null.
pub type StructurePointer = Option<usize>;

/// An object of a structure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StructureObject {
    /// The type of an element, as C writes it.
    pub ty: String,
    /// How many elements it has.
    pub count: ObjectCount,
    /// What the invariant has looked at, by offset.
    pub cells: Vec<StructureCell>,
}

/// How many elements an object has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ObjectCount {
    /// So many.
    Exactly(u64),
    /// At least one; the invariant does not say.
    Open,
}

/// A number or pointer in an object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StructureCell {
    /// Where it begins.
    pub at: u64,
    /// How many bytes it has.
    pub bytes: u64,
    /// How C gets there from the beginning of the object: `.left`, `[1].key`; nothing if it is the object.
    pub path: String,
    /// Its type, as C writes it.
    pub ty: String,
    /// What it holds.
    pub content: CellContent,
}

/// What a cell holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CellContent {
    /// A pointer.
    Pointer(StructurePointer),
    /// This number.
    Fixed(u64),
    /// A number that the conditions leave open; this one satisfies them, together with the others.
    Free(u64),
}

/// Parameters that are structures of a stage: one for each parameter of its invariant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StagedParameters {
    /// The function whose parameters they are.
    pub entry: String,
    /// Their names.
    pub parameters: Vec<String>,
    /// The stage.
    pub stage: Arc<StructureSet>,
}

/// How structures are looked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Staging {
    /// The most objects of one type.
    pub nodes: u64,
    /// How many elements the parameter leads to, if that was said.
    pub count: Option<u64>,
    /// Members whose values are part of the shape: each value is a structure of its own.
    pub split: Vec<String>,
}

/// Parameters of a path that are one structure of a stage.
#[derive(Clone, Debug, Default)]
pub(crate) struct StagedArgument {
    /// Which structure it is.
    pub selector: Option<Rc<MadeInput>>,
    /// Set when it is in place: the numbers of its objects.
    pub placed: Option<Rc<[usize]>>,
    /// Whether the program has written to it.
    pub changed: bool,
}

impl StagedParameters {
    /// Whether the parameters are those of a function.
    fn are_of(&self, function: &Function) -> bool {
        self.entry == function.name
    }
}

impl Engine<'_> {
    /// What paths that start at a function take for granted of its parameters.
    pub(crate) fn stages_said(&self, entry: &str) -> Vec<Premise> {
        let Some(function) = self.program.function_named(entry).map(|id| &self.program.functions[id]) else {
            return Vec::new();
        };
        let own = self.config.staged.iter().filter(|staged| staged.are_of(function));
        let premise = |staged: &StagedParameters| {
            Premise::Staged(StagePremise {
                parameters: staged.parameters.clone(),
                stage: staged.stage.name.clone(),
                structures: staged.stage.structures.len(),
                invariant: staged.stage.invariant.clone(),
                cut: staged.stage.cut.clone(),
            })
        };
        own.map(premise).collect()
    }
}

impl Cx<'_, '_> {
    /// Whether a parameter is part of a structure of a stage.
    pub(super) fn is_staged(&self, function: &Function, number: usize) -> bool {
        let (staged, name) = (&self.engine.config.staged, parameter_name(function, number));
        staged.iter().any(|staged| staged.parameters.contains(&name) && staged.are_of(function))
    }
}
