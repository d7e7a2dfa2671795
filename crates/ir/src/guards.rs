//! Branches that decide whether a place is reached.
//!
//! A guard of a place is a branch of which only one side leads there without coming back to the branch. Boundary: within one function; how
//! nearly a run went the right way is the engine's business.

use std::collections::VecDeque;

use cranelift_entity::EntityRef;

use crate::function::Function;
use crate::inst::{CmpOp, Inst, Operand};
use crate::program::BlockId;

/// Guards per place, the nearest first.
const MOST: usize = 4;
/// Branches that are tried for guards.
const TRIED: usize = 32;

/// A branch that must go one way.
#[derive(Clone, Copy, Debug)]
pub struct Guard {
    /// The instruction.
    pub pc: u32,
    /// What it decides by.
    pub cond: Operand,
    /// Which way.
    pub needed: bool,
    /// How many guards are nearer to the place.
    pub level: u32,
    /// The comparison that the condition is, if its operands are there to be looked at.
    pub comparison: Option<Comparison>,
}

/// A comparison of two integers.
#[derive(Clone, Copy, Debug)]
pub struct Comparison {
    /// The predicate by which the two are compared.
    pub op: CmpOp,
    /// Their width in bits; at most 64.
    pub width: u32,
    /// The first.
    pub a: Operand,
    /// The second.
    pub b: Operand,
}

/// The guards of an instruction within its function.
pub fn guards(function: &Function, pc: u32) -> Vec<Guard> {
    let Some((place, _)) = function.blocks.iter().find(|(_, block)| (block.start..block.end).contains(&pc)) else {
        return Vec::new();
    };
    let before = predecessors(function);
    let mut found = Vec::new();
    for branch in leading_to(place, None, &before).into_iter().filter(|b| *b != place).take(TRIED) {
        let pc = function.blocks[branch].end - 1;
        let Inst::CondBr { cond, then, otherwise } = function.code[pc as usize] else { continue };
        let near = leading_to(place, Some(branch), &before);
        let leads = |edge| near.contains(&function.edges[edge].to);
        if leads(then) != leads(otherwise) {
            let level = found.len() as u32;
            found.push(Guard { pc, cond, needed: leads(then), level, comparison: comparison(function, pc, cond) });
            if found.len() == MOST {
                break;
            }
        }
    }
    found
}

fn predecessors(function: &Function) -> Vec<Vec<BlockId>> {
    let mut before = vec![Vec::new(); function.blocks.len()];
    for block in function.blocks.keys() {
        function.blocks_after(block).for_each(|to| before[to.index()].push(block));
    }
    before
}

/// The blocks that lead to a place without passing `avoided`, the nearest first.
fn leading_to(place: BlockId, avoided: Option<BlockId>, before: &[Vec<BlockId>]) -> Vec<BlockId> {
    let mut seen = vec![false; before.len()];
    seen[place.index()] = true;
    let (mut waiting, mut found) = (VecDeque::from([place]), Vec::new());
    while let Some(block) = waiting.pop_front() {
        found.push(block);
        for &earlier in &before[block.index()] {
            if Some(earlier) != avoided && !std::mem::replace(&mut seen[earlier.index()], true) {
                waiting.push_back(earlier);
            }
        }
    }
    found
}

/// The comparison in the branch's block that its condition is, if its operands still are what they were.
fn comparison(function: &Function, branch: u32, cond: Operand) -> Option<Comparison> {
    let cond = cond.as_reg()?;
    let mut later = Vec::new();
    for pc in (0..branch as usize).rev().take_while(|&pc| !function.code[pc].is_terminator()) {
        let inst = &function.code[pc];
        let before = later.len();
        inst.for_each_dst(function, |dst| later.push(dst));
        if later[before..].contains(&cond) {
            let Inst::Cmp { op, width, a, b, .. } = *inst else { return None };
            let is_kept = |operand: Operand| operand.as_reg().is_none_or(|reg| !later[..before].contains(&reg));
            return (width <= 64 && is_kept(a) && is_kept(b)).then_some(Comparison { op, width, a, b });
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read_program;

    /// A loop, then two conditions that both must hold for the place (9) to be reached; 11 is reached either way.
    const PROGRAM: &str = r#"target "x86_64-unknown-linux-gnu" 64 bits little
func @main(v0: i32, v1: i32) {
b0:
    br b1
b1:
    v2: i1 = cmp slt i32 v0, i32 10
    br v2, b2, b3
b2:
    br b1
b3:
    v2: i1 = cmp eq i32 v0, i32 9
    br v2, b4, b6
b4:
    v2: i1 = cmp ne i32 v1, i32 5
    v1: i32 = copy i32 0
    br v2, b6, b5
b5:
    v3: i32 = copy i32 1
    br b6
b6:
    ret
}
"#;

    #[test]
    fn guards_are_the_branches_that_must_go_one_way() {
        let program = read_program(PROGRAM).expect("well written");
        let function = &program.functions[program.function_named("main").expect("it is there")];
        let found = |pc| guards(function, pc).iter().map(|g| (g.pc, g.needed)).collect::<Vec<_>>();
        assert_eq!(found(9), [(8, false), (5, true), (2, false)]);
        assert_eq!(found(11), [(2, false)], "both conditions lead there either way");
        let compared: Vec<bool> = guards(function, 9).iter().map(|g| g.comparison.is_some()).collect();
        assert_eq!(compared, [false, true, true], "an operand of the first is not what it was");
    }
}
