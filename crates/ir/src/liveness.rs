//! Which registers still matter at a place: those that may be read before they are written.
//!
//! Boundary: within one function, by its branches. A `longjmp` comes back to where `setjmp` was called with the registers as they are then: in a
//! function that calls `setjmp`, what is live behind that call is live wherever the jump may be made. Who drops registers by this must
//! look for such calls (`CallGraph` knows them).

use cranelift_entity::EntityRef;
use fixedbitset::FixedBitSet;

use crate::function::Function;
use crate::inst::{Inst, Operand};
use crate::program::{BlockId, EdgeId, Reg};

/// For each block the registers that matter where it begins.
#[derive(Clone, Debug)]
pub struct Liveness {
    at_start: Vec<FixedBitSet>,
}

impl Liveness {
    /// That of a function: the least sets that agree with each other.
    pub fn of(function: &Function) -> Self {
        let nothing = FixedBitSet::with_capacity(function.regs.len());
        let mut liveness = Liveness { at_start: vec![nothing; function.blocks.len()] };
        let mut before = vec![Vec::new(); function.blocks.len()];
        for block in function.blocks.keys() {
            function.blocks_after(block).for_each(|to| before[to.index()].push(block));
        }
        let mut waiting: Vec<BlockId> = function.blocks.keys().collect();
        while let Some(block) = waiting.pop() {
            let live = liveness.before(function, function.blocks[block].start);
            if live != liveness.at_start[block.index()] {
                liveness.at_start[block.index()] = live;
                waiting.extend(&before[block.index()]);
            }
        }
        liveness
    }

    /// Whether a register matters where a block begins.
    pub fn is_live(&self, block: BlockId, reg: Reg) -> bool {
        self.at_start[block.index()].contains(reg.index())
    }

    /// The registers that matter where a block begins, ascending.
    pub fn at_start(&self, block: BlockId) -> impl Iterator<Item = Reg> + '_ {
        self.at_start[block.index()].ones().map(Reg::new)
    }

    /// The registers that matter right before an instruction, ascending.
    pub fn at(&self, function: &Function, pc: u32) -> Vec<Reg> {
        self.before(function, pc).ones().map(Reg::new).collect()
    }

    /// Back from the end of the block that `pc` is in.
    fn before(&self, function: &Function, pc: u32) -> FixedBitSet {
        let from = pc as usize;
        let last = (from..).find(|&i| function.code[i].is_terminator()).expect("a block ends in a terminator");
        let mut live = FixedBitSet::with_capacity(function.regs.len());
        for edge in function.edges_of(&function.code[last]) {
            live.union_with(&self.on(function, edge));
        }
        for inst in function.code[from..=last].iter().rev() {
            step_back(function, inst, &mut live);
        }
        live
    }

    /// Before the moves of an edge.
    fn on(&self, function: &Function, edge: EdgeId) -> FixedBitSet {
        let edge = &function.edges[edge];
        let mut live = self.at_start[edge.to.index()].clone();
        for &(dst, src) in edge.moves.iter().rev() {
            live.set(dst.index(), false);
            read(&mut live, src);
        }
        live
    }
}

fn step_back(function: &Function, inst: &Inst, live: &mut FixedBitSet) {
    inst.for_each_dst(function, |dst| live.set(dst.index(), false));
    inst.for_each_use(function, |used| read(live, used));
}

fn read(live: &mut FixedBitSet, operand: Operand) {
    if let Some(reg) = operand.as_reg() {
        live.insert(reg.index());
    }
}
