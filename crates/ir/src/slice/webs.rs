//! Registers by what is put into them: a *web* is the definitions of a register that some reader cannot tell apart, and its readers.
//!
//! A local that is used twice for different things is two webs, so that one of them may be needed without the other. Registers with one definition
//! are one web, without any search. What is there when the function begins, an argument or nothing in particular, is a definition as well.
//!
//! Invariant: whatever a reader may read was put there by a definition of its web.

use std::collections::HashMap;

use cranelift_entity::EntityRef;
use fixedbitset::FixedBitSet;

use crate::function::Function;
use crate::inst::Operand;
use crate::program::{BlockId, EdgeId, Reg};

/// An instruction, or a move on an edge by its position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) enum Step {
    Inst(u32),
    Move(EdgeId, usize),
}

/// A web, by its number in its function.
pub(super) type WebId = usize;

/// The webs of a function. Those of registers with one definition have the register's number.
#[derive(Clone, Debug, Default)]
pub(super) struct Webs {
    /// For each web its register, its definitions, and whether what is there at the beginning is one of them.
    webs: Vec<(Reg, Vec<Step>, bool)>,
    /// For each register that has several webs, by who reads and writes it, which it is.
    readers: HashMap<(Step, Reg), WebId>,
    writers: HashMap<(Step, Reg), WebId>,
    /// Which it is at the beginning.
    initial: HashMap<Reg, WebId>,
}

impl Webs {
    pub(super) fn of(function: &Function) -> Self {
        let mut webs = Webs::default();
        let mut definitions: Vec<Vec<Step>> = vec![Vec::new(); function.regs.len()];
        for_each_step(function, |step, _, written| {
            written.iter().for_each(|dst| definitions[dst.index()].push(step));
        });
        let mut is_param = FixedBitSet::with_capacity(function.regs.len());
        function.params.iter().for_each(|param| is_param.insert(param.reg.index()));
        let is_split = |reg: usize| definitions[reg].len() + usize::from(is_param.contains(reg)) > 1;
        let mut split = FixedBitSet::with_capacity(function.regs.len());
        split.extend((0..definitions.len()).filter(|reg| is_split(*reg)));
        webs.webs = (definitions.into_iter().enumerate())
            .map(|(reg, steps)| {
                (Reg::new(reg), if split.contains(reg) { Vec::new() } else { steps }, !split.contains(reg))
            })
            .collect();
        if !split.is_clear() {
            Reaching::new(function, &split).split_into(&mut webs);
        }
        webs
    }

    pub(super) fn count(&self) -> usize {
        self.webs.len()
    }

    /// The web that a step reads in a register.
    pub(super) fn read(&self, step: Step, reg: Reg) -> WebId {
        self.readers.get(&(step, reg)).copied().unwrap_or(reg.index())
    }

    /// The web that a step writes in a register.
    pub(super) fn written(&self, step: Step, reg: Reg) -> WebId {
        self.writers.get(&(step, reg)).copied().unwrap_or(reg.index())
    }

    /// The web of what a register holds at the beginning.
    pub(super) fn initial(&self, reg: Reg) -> WebId {
        self.initial.get(&reg).copied().unwrap_or(reg.index())
    }

    pub(super) fn register(&self, web: WebId) -> Reg {
        self.webs[web].0
    }

    pub(super) fn definitions(&self, web: WebId) -> &[Step] {
        &self.webs[web].1
    }

    /// Whether what was passed may be read in it.
    pub(super) fn has_initial(&self, web: WebId) -> bool {
        self.webs[web].2
    }
}

/// Calls `visit` for each step of a function with the registers that it reads and writes.
fn for_each_step(function: &Function, mut visit: impl FnMut(Step, &[Reg], &[Reg])) {
    for block in function.blocks.keys() {
        for_each_step_of(function, block, &mut visit);
        for edge in function.edges_from(block) {
            for_each_move(function, edge, &mut visit);
        }
    }
}

fn for_each_step_of(function: &Function, block: BlockId, visit: &mut impl FnMut(Step, &[Reg], &[Reg])) {
    for pc in function.blocks[block].start..function.blocks[block].end {
        let (mut read, mut written) = (Vec::new(), Vec::new());
        let inst = &function.code[pc as usize];
        inst.for_each_use(function, |operand: Operand| read.extend(operand.as_reg()));
        inst.for_each_dst(function, |dst| written.push(dst));
        visit(Step::Inst(pc), &read, &written);
    }
}

fn for_each_move(function: &Function, edge: EdgeId, visit: &mut impl FnMut(Step, &[Reg], &[Reg])) {
    for (at, (dst, src)) in function.edges[edge].moves.iter().enumerate() {
        visit(Step::Move(edge, at), src.as_reg().as_slice(), &[*dst]);
    }
}

/// Which definitions reach where, of the registers that have several.
struct Reaching<'a> {
    function: &'a Function,
    split: &'a FixedBitSet,
    /// For each definition its register and its step, none at the beginning.
    all: Vec<(Reg, Option<Step>)>,
    number: HashMap<(Reg, Option<Step>), usize>,
    of_reg: HashMap<Reg, Vec<usize>>,
    /// For each definition one of its web, of which one is its own.
    leader: Vec<usize>,
}

impl<'a> Reaching<'a> {
    fn new(function: &'a Function, split: &'a FixedBitSet) -> Self {
        let mut reaching = Reaching {
            function,
            split,
            all: Vec::new(),
            number: HashMap::new(),
            of_reg: HashMap::new(),
            leader: Vec::new(),
        };
        split.ones().for_each(|reg| reaching.add(Reg::new(reg), None));
        for_each_step(function, |step, _, written| {
            for dst in written.iter().filter(|dst| split.contains(dst.index())) {
                reaching.add(*dst, Some(step));
            }
        });
        reaching
    }

    fn add(&mut self, reg: Reg, step: Option<Step>) {
        let number = self.all.len();
        if self.number.insert((reg, step), number).is_none() {
            self.all.push((reg, step));
            self.leader.push(number);
            self.of_reg.entry(reg).or_default().push(number);
        }
    }

    fn find(&mut self, mut at: usize) -> usize {
        while self.leader[at] != at {
            self.leader[at] = self.leader[self.leader[at]];
            at = self.leader[at];
        }
        at
    }

    /// A step replaces what registers hold.
    fn pass(&self, live: &mut FixedBitSet, step: Step, written: &[Reg]) {
        for dst in written.iter().filter(|dst| self.split.contains(dst.index())) {
            self.of_reg[dst].iter().for_each(|other| live.set(*other, false));
            live.insert(self.number[&(*dst, Some(step))]);
        }
    }

    /// What reaches the beginning of each block.
    fn at_start(&self) -> Vec<FixedBitSet> {
        let function = self.function;
        let nothing = FixedBitSet::with_capacity(self.all.len());
        let mut at_start = vec![nothing; function.blocks.len()];
        at_start[0].extend(0..self.split.count_ones(..));
        let mut waiting = vec![BlockId::from_u32(0)];
        let mut seen = FixedBitSet::with_capacity(function.blocks.len());
        seen.insert(0);
        while let Some(block) = waiting.pop() {
            let mut live = at_start[block.index()].clone();
            for_each_step_of(function, block, &mut |step, _, written| self.pass(&mut live, step, written));
            for edge in function.edges_from(block) {
                let mut live = live.clone();
                for_each_move(function, edge, &mut |step, _, written| self.pass(&mut live, step, written));
                let to = function.edges[edge].to;
                if !live.is_subset(&at_start[to.index()]) || !seen.contains(to.index()) {
                    at_start[to.index()].union_with(&live);
                    seen.insert(to.index());
                    waiting.push(to);
                }
            }
        }
        at_start
    }

    fn split_into(mut self, webs: &mut Webs) {
        let at_start = self.at_start();
        let mut readers: Vec<((Step, Reg), usize)> = Vec::new();
        for block in self.function.blocks.keys() {
            let function = self.function;
            let mut live = at_start[block.index()].clone();
            for_each_step_of(function, block, &mut |step, read, written| {
                self.unite(&live, step, read, &mut readers);
                self.pass(&mut live, step, written);
            });
            for edge in function.edges_from(block) {
                let mut live = live.clone();
                for_each_move(function, edge, &mut |step, read, written| {
                    self.unite(&live, step, read, &mut readers);
                    self.pass(&mut live, step, written);
                });
            }
        }
        let mut web_of: HashMap<usize, WebId> = HashMap::new();
        for number in 0..self.all.len() {
            let leader = self.find(number);
            let (reg, step) = self.all[number];
            let web = *web_of.entry(leader).or_insert_with(|| {
                webs.webs.push((reg, Vec::new(), false));
                webs.webs.len() - 1
            });
            match step {
                Some(step) => {
                    webs.webs[web].1.push(step);
                    webs.writers.insert((step, reg), web);
                }
                None => {
                    webs.webs[web].2 = true;
                    webs.initial.insert(reg, web);
                }
            }
        }
        for (reader, number) in readers {
            let leader = self.find(number);
            webs.readers.insert(reader, web_of[&leader]);
        }
    }

    /// What a reader may read is one web.
    fn unite(&mut self, live: &FixedBitSet, step: Step, read: &[Reg], readers: &mut Vec<((Step, Reg), usize)>) {
        for &reg in read.iter().filter(|reg| self.split.contains(reg.index())) {
            let reaching: Vec<usize> = self.of_reg[&reg].iter().copied().filter(|one| live.contains(*one)).collect();
            // Nothing reaches what never runs.
            let first = reaching.first().copied().unwrap_or(self.of_reg[&reg][0]);
            for other in reaching {
                let (a, b) = (self.find(first), self.find(other));
                self.leader[b] = a;
            }
            readers.push(((step, reg), first));
        }
    }
}
