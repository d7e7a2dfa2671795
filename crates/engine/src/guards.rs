//! Branches that decide whether a goal is reached, and how nearly a state that went the wrong way went the right one.
//!
//! A guard of a place is a branch of which only one side leads there without coming back to the branch. How near a comparison
//! of two known numbers is to the other outcome is Korel's branch distance (B. Korel, "Automated software test data generation",
//! 1990). Conditions that depend on inputs are not looked at: their other side is a state of its own.

use std::collections::VecDeque;

use taw_ir::{BlockId, CmpOp, EntityRef, Function, Inst, Operand};

use crate::cx::Cx;
use crate::value::mask;

/// Guards per place, the nearest first.
const MOST: usize = 4;
/// Branches that are tried for guards.
const TRIED: usize = 32;

/// A branch that must go one way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Guard {
    /// The instruction.
    pub pc: u32,
    cond: Operand,
    /// Which way.
    needed: bool,
    /// How many guards are nearer to the place.
    level: u32,
    /// What it decides by.
    comparison: Option<Comparison>,
}

#[derive(Clone, Copy, Debug)]
struct Comparison {
    op: CmpOp,
    width: u32,
    a: Operand,
    b: Operand,
}

/// The guards of an instruction within its function.
pub(crate) fn guards(function: &Function, pc: u32) -> Vec<Guard> {
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
    for (id, block) in function.blocks.iter().filter(|(_, block)| block.end > block.start) {
        for edge in function.edges_of(&function.code[block.end as usize - 1]) {
            before[function.edges[edge].to.index()].push(id);
        }
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
        let Some(dst) = inst.dst(function) else { continue };
        if dst == cond {
            let Inst::Cmp { op, width, a, b, .. } = *inst else { return None };
            let is_kept = |operand: Operand| operand.as_reg().is_none_or(|reg| !later.contains(&reg));
            return (width <= 64 && is_kept(a) && is_kept(b)).then_some(Comparison { op, width, a, b });
        }
        later.push(dst);
    }
    None
}

impl Cx<'_, '_> {
    /// How nearly the state, which is at a guard, goes the right way: `None` if it does, or if that depends on inputs. Nearer
    /// guards count more than any distance.
    pub(crate) fn near_miss(&self, guard: &Guard) -> Option<u64> {
        let side = self.read(guard.cond).as_word()? != 0;
        if side == guard.needed {
            return None;
        }
        let distance = guard.comparison.and_then(|c| {
            let (a, b) = (self.read(c.a).as_word()?, self.read(c.b).as_word()?);
            Some(distance(c, guard.needed, a, b))
        });
        let distance = distance.unwrap_or(1).min(u64::from(u32::MAX));
        Some(u64::from(guard.level) << 32 | distance)
    }
}

/// By how much operands would have to change for the comparison to come out as needed, which it does not.
fn distance(Comparison { op, width, .. }: Comparison, needed: bool, a: u64, b: u64) -> u64 {
    let number = |word: u64| match op {
        CmpOp::Slt | CmpOp::Sle | CmpOp::Sgt | CmpOp::Sge => {
            i128::from(((word << (64 - width)) as i64) >> (64 - width))
        }
        _ => i128::from(word & mask(width)),
    };
    // Equality has no sign: the shorter way round.
    let around = a.wrapping_sub(b) & mask(width);
    let apart = match op {
        CmpOp::Eq | CmpOp::Ne => u128::from(around.min(around.wrapping_neg() & mask(width))),
        _ => number(a).abs_diff(number(b)),
    };
    // `<` that shall be and is not misses by one more than `<=` does.
    let is_strict = match op {
        CmpOp::Ult | CmpOp::Ugt | CmpOp::Slt | CmpOp::Sgt => needed,
        CmpOp::Ule | CmpOp::Uge | CmpOp::Sle | CmpOp::Sge => !needed,
        CmpOp::Eq => !needed,
        CmpOp::Ne => needed,
    };
    u64::try_from(apart).unwrap_or(u64::MAX).saturating_add(u64::from(is_strict))
}

#[cfg(test)]
mod tests {
    use taw_ir::read_program;

    use super::*;

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

    #[test]
    fn a_distance_is_what_is_missing() {
        let operand = Operand::reg(taw_ir::Reg::new(0));
        let of = |op, needed, a: i32, b: i32| {
            let comparison = Comparison { op, width: 32, a: operand, b: operand };
            distance(comparison, needed, u64::from(a as u32), u64::from(b as u32))
        };
        assert_eq!(of(CmpOp::Eq, true, 3, 9), 6);
        assert_eq!(of(CmpOp::Eq, true, -1, 1), 2, "the shorter way round");
        assert_eq!(of(CmpOp::Eq, false, 4, 4), 1);
        assert_eq!(of(CmpOp::Slt, true, 4, 4), 1);
        assert_eq!(of(CmpOp::Slt, true, 4, -6), 11);
        assert_eq!(of(CmpOp::Sle, true, 4, -6), 10);
        assert_eq!(of(CmpOp::Slt, false, -6, 4), 10);
        assert_eq!(of(CmpOp::Uge, false, 7, 3), 5);
    }
}
