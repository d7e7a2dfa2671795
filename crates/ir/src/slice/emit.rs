//! The program that is left: instructions that are kept, in their order, and jumps to what is observed next.
//!
//! A goal is marked by an instruction that does nothing, before its own, which may be gone. Where nothing is observed any more, the slice ends: an
//! `unreachable` that no goal lies behind. Functions that the slice does not enter stay as they are.

use std::collections::{BTreeMap, BTreeSet};

use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap};

use super::control::{First, Firsts, ObservedPoint};
use super::index::SliceIndex;
use super::needs::SliceNeeds;
use super::webs::Step;
use crate::callgraph::Site;
use crate::function::{Block, ConstData, Edge, Function, RegData, Switch};
use crate::inst::{Inst, Operand};
use crate::program::{BlockId, ConstValue, EdgeId, FuncId, LocId, Program, Symbol, Ty};

pub(super) struct Emitter<'a> {
    index: &'a SliceIndex<'a>,
    needs: &'a SliceNeeds<'a>,
    /// Instructions of functions that the slice may enter.
    pub(super) after: usize,
    /// Where goals are.
    pub(super) sites: BTreeMap<Site, Site>,
}

impl<'a> Emitter<'a> {
    pub(super) fn new(index: &'a SliceIndex<'a>, needs: &'a SliceNeeds<'a>) -> Self {
        Emitter { index, needs, after: 0, sites: BTreeMap::new() }
    }

    pub(super) fn program(&mut self) -> Program {
        let mut program = self.index.program.clone();
        let pinned = functions_with_labels(&program);
        for &func in self.index.running.iter().filter(|func| self.needs.functions[**func].entered) {
            let function = &self.index.program.functions[func];
            let observation = self.needs.functions[func].observation(function);
            let before = crate::cfg::Predecessors::of(function);
            let firsts = Firsts::of(function, &before, &observation);
            let mut body = Body::new(self.needs, func, firsts);
            body.write(pinned.contains(&func));
            let sites = body.goals.iter().map(|&(old, new)| (Site { func, pc: old }, Site { func, pc: new }));
            self.sites.extend(sites);
            self.after += body.new.code.len();
            program.functions[func] = body.new;
        }
        program
    }
}

/// Functions that have blocks whose address is taken: those keep their numbers.
fn functions_with_labels(program: &Program) -> BTreeSet<FuncId> {
    let mut found = BTreeSet::new();
    let constants = program.functions.values().flat_map(|function| function.consts.values()).map(|data| &data.value);
    let relocations =
        program.globals.values().filter_map(|global| global.init.as_ref()).flat_map(|init| &init.relocations);
    constants.chain(relocations.map(|relocation| &relocation.value)).for_each(|value| note_labels(value, &mut found));
    found
}

fn note_labels(value: &ConstValue, found: &mut BTreeSet<FuncId>) {
    match value {
        ConstValue::Address(Symbol::Block(func, _), _) => {
            found.insert(*func);
        }
        ConstValue::Add(a, b) | ConstValue::Sub(a, b) => {
            note_labels(a, found);
            note_labels(b, found);
        }
        ConstValue::Address(..) | ConstValue::Bits(_) | ConstValue::Undef => {}
    }
}

/// The making of one function.
struct Body<'a> {
    needs: &'a SliceNeeds<'a>,
    func: FuncId,
    old: &'a Function,
    firsts: Firsts<'a>,
    new: Function,
    /// For each instruction, and for each edge, the block that has it.
    block_of: Vec<BlockId>,
    owner: SecondaryMap<EdgeId, Option<BlockId>>,
    /// For each block its number in the slice.
    numbers: SecondaryMap<BlockId, Option<BlockId>>,
    /// Where paths go on that come to nothing.
    end: BlockId,
    undefined: BTreeMap<Ty, Operand>,
    marker: Option<Inst>,
    /// Goals: where they were, and where they are.
    goals: Vec<(u32, u32)>,
}

impl<'a> Body<'a> {
    fn new(needs: &'a SliceNeeds<'a>, func: FuncId, firsts: Firsts<'a>) -> Self {
        let old = &needs.index.program.functions[func];
        let new = Function {
            code: Vec::new(),
            locs: Vec::new(),
            blocks: PrimaryMap::new(),
            edges: PrimaryMap::new(),
            switches: PrimaryMap::new(),
            lists: PrimaryMap::new(),
            edge_lists: PrimaryMap::new(),
            ..old.clone()
        };
        let mut block_of = vec![BlockId::from_u32(0); old.code.len()];
        let mut owner = SecondaryMap::new();
        for (id, block) in &old.blocks {
            block_of[block.start as usize..block.end as usize].fill(id);
            old.edges_from(id).for_each(|edge| owner[edge] = Some(id));
        }
        Body {
            needs,
            func,
            old,
            firsts,
            new,
            block_of,
            owner,
            numbers: SecondaryMap::new(),
            end: BlockId::from_u32(0),
            undefined: BTreeMap::new(),
            marker: None,
            goals: Vec::new(),
        }
    }

    /// Writes the blocks that the slice may come to, or all of them.
    fn write(&mut self, all: bool) {
        let blocks = if all { self.old.blocks.keys().collect() } else { self.blocks_met() };
        for (at, &block) in blocks.iter().enumerate() {
            self.numbers[block] = Some(BlockId::new(at));
        }
        self.end = BlockId::new(blocks.len());
        for block in blocks {
            let start = self.new.code.len() as u32;
            self.write_block(block);
            self.new.blocks.push(Block { start, end: self.new.code.len() as u32 });
        }
        if self.new.edges.values().any(|edge| edge.to == self.end) {
            let start = self.new.code.len() as u32;
            self.push(Inst::Unreachable, None);
            self.new.blocks.push(Block { start, end: start + 1 });
        }
    }

    fn blocks_met(&self) -> Vec<BlockId> {
        let mut met = BTreeSet::new();
        let mut waiting = vec![BlockId::from_u32(0)];
        while let Some(block) = waiting.pop() {
            if met.insert(block) {
                waiting.extend(self.ways(block).into_iter().filter_map(|edge| self.lands(edge)));
            }
        }
        met.into_iter().collect()
    }

    fn is_kept(&self, pc: u32) -> bool {
        self.needs.functions[self.func].kept.contains(pc as usize)
    }

    /// The edges by which the slice leaves a block.
    fn ways(&self, block: BlockId) -> Vec<EdgeId> {
        let last = self.old.blocks[block].end - 1;
        match self.is_kept(last) {
            true => self.old.edges_from(block).collect(),
            false => self.only_way(last).into_iter().collect(),
        }
    }

    /// The edge by which a jump or branch that is not kept leads on: to the one thing that is observed behind it.
    fn only_way(&self, last: u32) -> Option<EdgeId> {
        let behind = self.firsts.behind(last);
        assert!(behind != First::Many, "a branch that decides is kept");
        let ways = || self.old.edges_of(&self.old.code[last as usize]);
        // One of its own edges is taken now, not after a way round to here.
        let own = ways().find(|edge| behind == First::One(ObservedPoint::Edge(*edge)));
        own.or_else(|| ways().find(|edge| behind != First::Nothing && self.firsts.on(*edge) == behind))
    }

    /// The block that an edge leads to in the slice, if anything is observed behind it. Nothing is observed before that block's own.
    fn lands(&self, edge: EdgeId) -> Option<BlockId> {
        let to = self.old.edges[edge].to;
        match self.firsts.from(self.old.blocks[to].start) {
            First::Nothing => None,
            First::One(ObservedPoint::Inst(pc)) => Some(self.block_of[pc as usize]),
            First::One(ObservedPoint::Edge(edge)) => self.owner[edge],
            First::Many => unreachable!("a branch that decides is kept"),
        }
    }

    fn push(&mut self, inst: Inst, loc: Option<LocId>) {
        self.new.code.push(inst);
        self.new.locs.push(loc);
    }

    fn write_block(&mut self, block: BlockId) {
        let old = self.old;
        for pc in old.blocks[block].start..old.blocks[block].end {
            let (inst, loc) = (old.code[pc as usize], old.locs[pc as usize]);
            if self.needs.functions[self.func].goals.contains(pc as usize) {
                self.goals.push((pc, self.new.code.len() as u32));
                let marker = self.marker();
                self.push(marker, loc);
            }
            if inst.is_terminator() {
                let last = self.last(pc, inst);
                self.push(last, loc);
            } else if self.is_kept(pc) {
                if let Inst::Call { call } = inst {
                    for at in 0..old.calls[call].args.len() {
                        let arg = old.calls[call].args[at];
                        self.new.calls[call].args[at].value = self.wanted(pc, arg.value, arg.ty);
                    }
                }
                self.push(inst, loc);
            }
        }
    }

    /// How a block ends.
    fn last(&mut self, pc: u32, inst: Inst) -> Inst {
        let old = self.old;
        match inst {
            Inst::Ret { values } if self.needs.functions[self.func].returns() => {
                let needed = &self.needs.functions[self.func].results;
                let values = (old.lists[values].iter().zip(&old.returns).enumerate())
                    .map(|(at, (value, ty))| match needed.contains(at) {
                        true => *value,
                        false => self.undefined(*ty),
                    })
                    .collect();
                Inst::Ret { values: self.new.lists.push(values) }
            }
            Inst::Ret { .. } | Inst::Unreachable => Inst::Unreachable,
            Inst::CondBr { cond, then, otherwise } if self.is_kept(pc) => {
                Inst::CondBr { cond, then: self.edge(then), otherwise: self.edge(otherwise) }
            }
            Inst::Switch { switch } if self.is_kept(pc) => {
                let Switch { value, width, ref cases, default } = old.switches[switch];
                let cases = cases.iter().map(|&(case, edge)| (case, self.edge(edge))).collect();
                let default = self.edge(default);
                Inst::Switch { switch: self.new.switches.push(Switch { value, width, cases, default }) }
            }
            Inst::IndirectBr { addr, edges } if self.is_kept(pc) => {
                let ways = old.edge_lists[edges].iter().map(|&edge| self.very_edge(edge)).collect();
                Inst::IndirectBr { addr, edges: self.new.edge_lists.push(ways) }
            }
            _ => match self.only_way(pc) {
                Some(way) => Inst::Br { edge: self.edge(way) },
                None => Inst::Unreachable,
            },
        }
    }

    /// An edge, to what is observed next.
    fn edge(&mut self, edge: EdgeId) -> EdgeId {
        let to = self.lands(edge).and_then(|block| self.numbers[block]).unwrap_or(self.end);
        let moves = self.needs.moves(self.func, edge);
        self.new.edges.push(Edge { to, moves })
    }

    /// An edge to the very block that it leads to: an address says so. Blocks have their numbers still.
    fn very_edge(&mut self, edge: EdgeId) -> EdgeId {
        let moves = self.needs.moves(self.func, edge);
        self.new.edges.push(Edge { to: self.old.edges[edge].to, moves })
    }

    /// An operand if it is needed, else no particular value.
    fn wanted(&mut self, pc: u32, operand: Operand, ty: Ty) -> Operand {
        if self.needs.needs(self.func, Step::Inst(pc), operand) { operand } else { self.undefined(ty) }
    }

    fn undefined(&mut self, ty: Ty) -> Operand {
        let consts = &mut self.new.consts;
        let make = || Operand::constant(consts.push(ConstData { ty, value: ConstValue::Undef }));
        *self.undefined.entry(ty).or_insert_with(make)
    }

    /// An instruction that does nothing.
    fn marker(&mut self) -> Inst {
        let Function { regs, consts, .. } = &mut self.new;
        *self.marker.get_or_insert_with(|| {
            let ty = Ty::Int(1);
            let dst = regs.push(RegData { ty, name: String::new(), source: None });
            let zero = consts.push(ConstData { ty, value: ConstValue::Bits([0].into()) });
            Inst::Copy { dst, src: Operand::constant(zero) }
        })
    }
}
