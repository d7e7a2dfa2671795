//! What was executed: instructions and edges.
//!
//! A block counts as covered when it was left; of a block in which a path ended, the instructions up to there.

use std::rc::Rc;

use taw_ir::{BlockId, EdgeId, EntityRef, FuncId, Function, Origin, Program, SecondaryMap};

/// What one path has covered: blocks left and edges taken, as a set of numbers that [`Coverage`] hands out.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PathCoverage {
    words: Rc<Vec<u64>>,
}

impl PathCoverage {
    #[inline]
    pub(crate) fn has(&self, number: u32) -> bool {
        self.words.get(number as usize / 64).is_some_and(|word| word >> (number % 64) & 1 == 1)
    }

    pub(crate) fn insert(&mut self, number: u32) {
        if self.has(number) {
            return;
        }
        let words = Rc::make_mut(&mut self.words);
        let at = number as usize / 64;
        if words.len() <= at {
            words.resize(at + 1, 0);
        }
        words[at] |= 1 << (number % 64);
    }

    /// Adds what another path has covered.
    pub fn add(&mut self, other: &PathCoverage) {
        if other.words.len() > self.words.len() {
            Rc::make_mut(&mut self.words).resize(other.words.len(), 0);
        }
        if other.has_more_than(self, |_| true) {
            Rc::make_mut(&mut self.words).iter_mut().zip(other.words.iter()).for_each(|(mine, theirs)| *mine |= theirs);
        }
    }

    /// Whether it has a number of that kind that another has not.
    pub fn has_more_than(&self, other: &PathCoverage, kind: impl Fn(u32) -> bool) -> bool {
        let known = other.words.iter().chain(std::iter::repeat(&0));
        let more = self.words.iter().zip(known).enumerate().filter(|(_, (mine, theirs))| **mine & !**theirs != 0);
        more.flat_map(|(at, (mine, theirs))| bits(at, *mine & !*theirs)).any(kind)
    }

    /// The numbers, ascending.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.words.iter().enumerate().flat_map(|(at, word)| bits(at, *word))
    }
}

/// The numbers in a word of the set.
fn bits(at: usize, word: u64) -> impl Iterator<Item = u32> {
    (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| at as u32 * 64 + bit)
}

/// Which numbers of a [`PathCoverage`] are of the user's code: the rest are the library's.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct UserNumbers {
    /// Blocks and edges of the user's functions come first.
    first: u32,
    /// Then those of the library, and from here on the instructions of the user's at which a path ended.
    stops: u32,
}

impl UserNumbers {
    /// Those of a program.
    pub fn of(program: &Program) -> Self {
        let count = |wanted: &dyn Fn(Origin) -> bool| -> u32 {
            program.functions.values().filter(|f| wanted(f.origin)).map(blocks_and_edges).sum()
        };
        UserNumbers { first: count(&Origin::counts), stops: count(&|_| true) }
    }

    /// Whether the number is of the user's code.
    pub fn has(self, number: u32) -> bool {
        number < self.first || number >= self.stops
    }
}

fn blocks_and_edges(function: &Function) -> u32 {
    (function.blocks.len() + function.edges.len()) as u32
}

/// Covered instructions and edges, by function.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    /// For each instruction whether some path executed it.
    pub instructions: SecondaryMap<FuncId, Vec<bool>>,
    /// For each edge whether it was taken.
    pub edges: SecondaryMap<FuncId, Vec<bool>>,
    /// Blocks in the order in which they were first left.
    pub log: Vec<(FuncId, BlockId)>,
    blocks: SecondaryMap<FuncId, Vec<bool>>,
    /// For each function the number of its first block; its edges follow its blocks.
    first: SecondaryMap<FuncId, u32>,
    /// For each function the number of a stop at its first instruction.
    first_stop: SecondaryMap<FuncId, u32>,
}

impl Coverage {
    /// Nothing covered yet.
    pub fn new(program: &Program) -> Self {
        let mut coverage = Coverage::default();
        let UserNumbers { first: mut library, stops: mut next_stop } = UserNumbers::of(program);
        let mut user = 0;
        for (id, function) in &program.functions {
            coverage.instructions[id] = vec![false; function.code.len()];
            coverage.edges[id] = vec![false; function.edges.len()];
            coverage.blocks[id] = vec![false; function.blocks.len()];
            let next = if function.origin.counts() { &mut user } else { &mut library };
            coverage.first[id] = *next;
            *next += blocks_and_edges(function);
            coverage.first_stop[id] = next_stop;
            if function.origin.counts() {
                next_stop += function.code.len() as u32;
            }
        }
        coverage
    }

    /// Adds what another run of the same program has covered.
    pub fn add(&mut self, program: &Program, other: &Coverage) {
        let join = |mine: &mut Vec<bool>, theirs: &Vec<bool>| mine.iter_mut().zip(theirs).for_each(|(m, t)| *m |= *t);
        for id in program.functions.keys() {
            join(&mut self.instructions[id], &other.instructions[id]);
            join(&mut self.edges[id], &other.edges[id]);
            join(&mut self.blocks[id], &other.blocks[id]);
        }
        self.log.extend(&other.log);
    }

    /// What some paths have covered of the user's code.
    pub fn of(program: &Program, paths: &PathCoverage) -> Self {
        let mut coverage = Coverage::new(program);
        for (id, function) in program.functions.iter().filter(|(_, f)| f.origin.counts()) {
            let first = coverage.first[id];
            let instructions = &mut coverage.instructions[id];
            for (block, range) in &function.blocks {
                let (start, end) = (range.start as usize, range.end as usize);
                let stops = (start..end).rev().find(|&pc| paths.has(coverage.first_stop[id] + pc as u32));
                let until = if paths.has(first + block.as_u32()) { end } else { stops.map_or(start, |pc| pc + 1) };
                instructions[start..until].fill(true);
                coverage.blocks[id][block.index()] = until == end;
            }
            for edge in function.edges.keys() {
                coverage.edges[id][edge.index()] = paths.has(coverage.edge_number(id, edge));
            }
        }
        coverage
    }

    /// The number of a block.
    pub(crate) fn block_number(&self, func: FuncId, block: BlockId) -> u32 {
        self.first[func] + block.as_u32()
    }

    /// The number of an edge.
    pub(crate) fn edge_number(&self, func: FuncId, edge: EdgeId) -> u32 {
        self.first[func] + self.blocks[func].len() as u32 + edge.as_u32()
    }

    /// Whether leaving the block by that edge covers something that the path has not covered.
    #[inline]
    pub(crate) fn is_new(&self, path: &PathCoverage, func: FuncId, block: BlockId, edge: Option<EdgeId>) -> bool {
        let first = self.first[func];
        !path.has(first + block.as_u32()) || edge.is_some_and(|e| !path.has(self.edge_number(func, e)))
    }

    /// Whether a path has left a block.
    pub fn has_left(&self, path: &PathCoverage, func: FuncId, block: BlockId) -> bool {
        path.has(self.first[func] + block.as_u32())
    }

    /// Marks a block that was left, and the edge, for the path and for all; returns whether it is new to all.
    pub(crate) fn mark(
        &mut self,
        path: &mut PathCoverage,
        func: FuncId,
        block: BlockId,
        function: &Function,
        edge: Option<EdgeId>,
    ) -> bool {
        path.insert(self.block_number(func, block));
        let new = !std::mem::replace(&mut self.blocks[func][block.index()], true);
        if new {
            self.log.push((func, block));
            let range = &function.blocks[block];
            self.instructions[func][range.start as usize..range.end as usize].fill(true);
        }
        let new_edge = edge.is_some_and(|e| self.mark_edge(path, func, e));
        new || new_edge
    }

    /// Marks an edge alone; returns whether that is new to all.
    pub(crate) fn mark_edge(&mut self, path: &mut PathCoverage, func: FuncId, edge: EdgeId) -> bool {
        path.insert(self.edge_number(func, edge));
        !std::mem::replace(&mut self.edges[func][edge.index()], true)
    }

    /// Marks a block up to and including an instruction, at which the path ends.
    pub(crate) fn mark_until(
        &mut self,
        path: &mut PathCoverage,
        func: FuncId,
        block: BlockId,
        function: &Function,
        pc: u32,
    ) {
        if function.origin.counts() {
            path.insert(self.first_stop[func] + pc);
        }
        let start = function.blocks[block].start as usize;
        if let Some(range) = self.instructions[func].get_mut(start..=pc as usize) {
            range.fill(true);
        }
    }
}
