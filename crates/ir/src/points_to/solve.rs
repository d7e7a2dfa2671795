//! Sets, inclusions between them, and the worklist that makes them hold.
//!
//! A node is a set that grows: of a register, a constant, a result, or what an object holds (its cell). Only what is new in a set is passed on.

use std::collections::{HashMap, HashSet, VecDeque};

use cranelift_entity::{EntityRef, SecondaryMap};

use super::{AbstractObject, Pointees, PointerConducts, PointsTo, PointsToObstacle};
use crate::callgraph::functions_taken;
use crate::inst::Operand;
use crate::program::{FuncId, Program, Reg};

/// A set, by its number.
pub(super) type PointerNode = u32;

/// The objects that are always there, in the order of their numbers.
pub(super) const FIXED: [AbstractObject; 8] = [
    AbstractObject::Null,
    AbstractObject::Number,
    AbstractObject::Anything,
    AbstractObject::Nowhere,
    AbstractObject::Kernel,
    AbstractObject::Arguments,
    AbstractObject::ArgumentText,
    AbstractObject::Given,
];

pub(super) const NULL: u32 = 0;
pub(super) const NUMBER: u32 = 1;
pub(super) const ANYTHING: u32 = 2;
pub(super) const NOWHERE: u32 = 3;
/// From here on they are places that two pointers may share.
pub(super) const FIRST_OBJECT: u32 = NOWHERE;

/// How a set is passed on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum SetPassing {
    /// As it is.
    Whole,
    /// Into memory: null and numbers are what is read out of any.
    Stored,
    /// An integer becomes a pointer: a number may be any address.
    Cast,
    /// An integer is taken for a pointer by a call of another type, which C does not define: a number is none, but for null.
    Mistaken,
}

/// What follows from each object in a set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum PointerRule {
    /// What it holds goes there; as pointers, null among them, or as integers.
    Load(PointerNode, Loaded),
    /// It holds what is there.
    Store(PointerNode),
    /// It is called, by this call.
    Call(usize),
    /// It is called by the kernel or a library, which passes what is there.
    CallBack(PointerNode),
}

/// What memory is read as.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Loaded {
    Pointer,
    Bytes,
}

#[derive(Default)]
struct PointerNodeData {
    /// Ascending.
    set: Vec<u32>,
    /// What of it was not passed on.
    new: Vec<u32>,
    edges: Vec<(PointerNode, SetPassing)>,
    rules: Vec<PointerRule>,
    waits: bool,
}

/// A function that may run: where its sets are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sets {
    registers: PointerNode,
    constants: PointerNode,
    pub(super) results: PointerNode,
}

impl Sets {
    pub(super) fn operand(self, operand: Operand) -> PointerNode {
        match operand.as_reg() {
            Some(reg) => self.registers + reg.as_u32(),
            None => self.constants + operand.const_index() as PointerNode,
        }
    }
}

/// The analysis while it is made.
pub(super) struct PointerSolver<'p> {
    pub(super) program: &'p Program,
    pub(super) conducts: &'p dyn PointerConducts,
    nodes: Vec<PointerNodeData>,
    known: HashSet<(PointerNode, PointerNode, SetPassing)>,
    waiting: VecDeque<PointerNode>,
    objects: Vec<AbstractObject>,
    numbers: HashMap<AbstractObject, u32>,
    /// For each object what it holds.
    cells: Vec<PointerNode>,
    pub(super) functions: SecondaryMap<FuncId, Option<Sets>>,
    /// Functions whose sets were made and whose instructions were not looked at.
    pub(super) entered: Vec<FuncId>,
    /// Calls through pointers, and calls of functions that hand theirs on.
    pub(super) calls: Vec<super::calls::CallSite>,
    /// Functions whose address is taken.
    pub(super) taken: Vec<FuncId>,
    /// What was handed to the kernel.
    pub(super) kernel: PointerNode,
    /// What is written to places that nobody knows: every object holds it.
    wild: PointerNode,
    pub(super) obstacle: Option<PointsToObstacle>,
}

impl<'p> PointerSolver<'p> {
    pub(super) fn new(program: &'p Program, conducts: &'p dyn PointerConducts) -> Self {
        let mut solver = PointerSolver {
            program,
            conducts,
            nodes: Vec::new(),
            known: HashSet::new(),
            waiting: VecDeque::new(),
            objects: Vec::new(),
            numbers: HashMap::new(),
            cells: Vec::new(),
            functions: SecondaryMap::new(),
            entered: Vec::new(),
            calls: Vec::new(),
            taken: functions_taken(program),
            kernel: 0,
            wild: 0,
            obstacle: None,
        };
        solver.wild = solver.node();
        for object in FIXED {
            solver.number(object);
        }
        solver.kernel = solver.node();
        solver.add(solver.kernel, AbstractObject::Kernel);
        let (arguments, given) = (solver.cell(AbstractObject::Arguments), solver.cell(AbstractObject::Kernel));
        solver.add(arguments, AbstractObject::ArgumentText);
        solver.include(solver.kernel, given, SetPassing::Stored);
        solver
    }

    /// A new set.
    pub(super) fn node(&mut self) -> PointerNode {
        self.nodes.push(PointerNodeData::default());
        (self.nodes.len() - 1) as PointerNode
    }

    fn nodes(&mut self, count: usize) -> PointerNode {
        let first = self.nodes.len() as PointerNode;
        self.nodes.extend((0..count).map(|_| PointerNodeData::default()));
        first
    }

    /// The sets of a function, which may run from now on.
    pub(super) fn enter(&mut self, func: FuncId) -> Sets {
        if let Some(sets) = self.functions[func] {
            return sets;
        }
        let function = &self.program.functions[func];
        let registers = self.nodes(function.regs.len());
        let constants = self.nodes(function.consts.len());
        let results = self.nodes(function.returns.len());
        let sets = Sets { registers, constants, results };
        self.functions[func] = Some(sets);
        self.entered.push(func);
        sets
    }

    pub(super) fn register(&self, func: FuncId, reg: Reg) -> PointerNode {
        self.functions[func].expect("it may run").registers + reg.as_u32()
    }

    pub(super) fn operand(&self, func: FuncId, operand: Operand) -> PointerNode {
        self.functions[func].expect("it may run").operand(operand)
    }

    /// The number of an object.
    pub(super) fn number(&mut self, object: AbstractObject) -> u32 {
        if let Some(&number) = self.numbers.get(&object) {
            return number;
        }
        let number = self.objects.len() as u32;
        let cell = self.node();
        self.objects.push(object);
        self.numbers.insert(object, number);
        self.cells.push(cell);
        match object {
            AbstractObject::Null | AbstractObject::Number | AbstractObject::Nowhere | AbstractObject::Function(_) => {}
            AbstractObject::Anything => self.put(cell, ANYTHING),
            _ => {
                self.include(self.wild, cell, SetPassing::Whole);
            }
        }
        if let AbstractObject::Global(id) = object {
            self.initial(cell, id);
        }
        number
    }

    /// What an object holds.
    pub(super) fn cell(&mut self, object: AbstractObject) -> PointerNode {
        let number = self.number(object);
        self.cells[number as usize]
    }

    pub(super) fn add(&mut self, node: PointerNode, object: AbstractObject) {
        let number = self.number(object);
        self.put(node, number);
    }

    pub(super) fn put(&mut self, node: PointerNode, object: u32) {
        self.put_all(node, &[object]);
    }

    /// Adds objects to a set, ascending.
    fn put_all(&mut self, node: PointerNode, objects: &[u32]) {
        let data = &mut self.nodes[node as usize];
        let before = data.new.len();
        let PointerNodeData { set, new, .. } = data;
        // Anything is every object: no other has to be told of.
        let last = if set.binary_search(&ANYTHING).is_ok() { ANYTHING } else { u32::MAX };
        let is_new = |object: &u32| *object <= last && set.binary_search(object).is_err();
        new.extend(objects.iter().copied().filter(is_new));
        if new.len() == before {
            return;
        }
        set.extend_from_slice(&new[before..]);
        // Two runs that are sorted: a stable sort merges them.
        set.sort();
        if !data.waits {
            data.waits = true;
            self.waiting.push_back(node);
        }
    }

    /// What is in the first set is in the second.
    pub(super) fn include(&mut self, from: PointerNode, to: PointerNode, passing: SetPassing) {
        if from == to || !self.known.insert((from, to, passing)) {
            return;
        }
        self.nodes[from as usize].edges.push((to, passing));
        if matches!(passing, SetPassing::Cast | SetPassing::Mistaken) {
            self.put(to, NULL);
            self.put(to, NOWHERE);
        }
        let set = self.nodes[from as usize].set.clone();
        self.pass_on(&set, to, passing);
    }

    fn pass_on(&mut self, objects: &[u32], to: PointerNode, passing: SetPassing) {
        match passing {
            SetPassing::Whole => self.put_all(to, objects),
            SetPassing::Stored => {
                let kept: Vec<u32> = objects.iter().copied().filter(|object| *object >= ANYTHING).collect();
                self.put_all(to, &kept);
            }
            SetPassing::Cast | SetPassing::Mistaken => {
                let kept: Vec<u32> = objects.iter().copied().filter(|object| *object != NUMBER).collect();
                self.put_all(to, &kept);
                if passing == SetPassing::Cast && kept.len() < objects.len() {
                    self.put(to, ANYTHING);
                }
            }
        }
    }

    /// Something follows from each object in a set.
    pub(super) fn rule(&mut self, node: PointerNode, rule: PointerRule) {
        if self.nodes[node as usize].rules.contains(&rule) {
            return;
        }
        self.nodes[node as usize].rules.push(rule);
        if let PointerRule::Load(to, Loaded::Bytes) = rule {
            self.put(to, NUMBER);
        }
        for object in self.nodes[node as usize].set.clone() {
            self.apply(rule, object);
        }
    }

    fn apply(&mut self, rule: PointerRule, object: u32) {
        match rule {
            PointerRule::Load(..) | PointerRule::Store(_) if matches!(object, NULL | NUMBER | NOWHERE) => {}
            PointerRule::Load(to, loaded) => {
                let what = self.objects[object as usize];
                self.include(self.cells[object as usize], to, SetPassing::Whole);
                if loaded == Loaded::Pointer && !self.is_full_of_addresses(what) {
                    self.put(to, NULL);
                }
            }
            PointerRule::Store(from) if object == ANYTHING => self.include(from, self.wild, SetPassing::Stored),
            PointerRule::Store(from) => self.include(from, self.cells[object as usize], SetPassing::Stored),
            PointerRule::Call(_) | PointerRule::CallBack(_) => self.called(rule, object),
        }
    }

    /// The functions that an object of a set stands for are called.
    fn called(&mut self, rule: PointerRule, object: u32) {
        let functions = match self.objects[object as usize] {
            AbstractObject::Function(func) => vec![func],
            AbstractObject::Anything => self.taken.clone(),
            AbstractObject::Given => {
                if let PointerRule::Call(site) = rule {
                    self.call_unseen(site);
                }
                return;
            }
            _ => return,
        };
        for func in functions {
            match rule {
                PointerRule::Call(site) => self.call_through(site, func),
                PointerRule::CallBack(from) => self.call_back(func, from),
                _ => {}
            }
        }
    }

    /// Goes on until everything holds.
    pub(super) fn solve(&mut self) {
        loop {
            while let Some(func) = self.entered.pop() {
                self.constrain(func);
            }
            let Some(node) = self.waiting.pop_front() else { return };
            let data = &mut self.nodes[node as usize];
            data.waits = false;
            let mut new = std::mem::take(&mut data.new);
            new.sort_unstable();
            for at in 0..self.nodes[node as usize].edges.len() {
                let (to, passing) = self.nodes[node as usize].edges[at];
                self.pass_on(&new, to, passing);
            }
            for at in 0..self.nodes[node as usize].rules.len() {
                let rule = self.nodes[node as usize].rules[at];
                for &object in &new {
                    self.apply(rule, object);
                }
            }
        }
    }

    /// The result.
    pub(super) fn finish(self) -> PointsTo {
        let sets: Vec<Pointees> = self.nodes.into_iter().map(|node| Pointees(node.set)).collect();
        let set = |node: PointerNode| sets[node as usize].clone();
        let mut parameters: SecondaryMap<FuncId, Option<Vec<Pointees>>> = SecondaryMap::new();
        for (func, function) in &self.program.functions {
            let of = |sets: Sets| {
                let one = |param: &crate::function::Param| set(sets.registers + param.reg.index() as PointerNode);
                function.params.iter().map(one).collect()
            };
            parameters[func] = self.functions[func].map(of);
        }
        let cells = self.cells.iter().map(|cell| set(*cell)).collect();
        let PointerSolver { objects, numbers, functions, obstacle, .. } = self;
        PointsTo { objects, numbers, cells, parameters, functions, sets, obstacle }
    }
}
