//! Runs code for its result: a tight loop over words, with a budget.
//!
//! Boundary: nothing is reported. Where the engine would find an error, ask somebody or end, the run is stuck, and whoever wanted the result does without.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use taw_ir::{EntityRef, FuncId};

use super::arena::Arena;
use super::code::{Code, CodeAction, CodeCall, CodeCallee, Operation};
use super::rare::rare;
use crate::step::{bin_word, cmp_word};
use crate::value::{mask, signed};

/// Calls in calls.
const DEEPEST: usize = 200;

/// Functions that code may call.
pub(super) type Callees = FxHashMap<FuncId, Rc<Code>>;

/// Why a stretch of code is over.
enum Event {
    Call(u32),
    Return(u32),
    Exit(u32),
    Stuck,
}

/// How a run ended.
pub(super) struct Ran {
    /// The exit that was taken, from 1; 0 if the run was stuck.
    pub(super) exit: u32,
    /// The frame at the end; of a run that is stuck, as it was then.
    pub(super) frame: Vec<u64>,
    /// What was spent of the budget.
    pub(super) spent: u64,
}

struct Suspended<'c> {
    code: &'c Code,
    pc: usize,
    base: usize,
    call: &'c CodeCall,
    mark: usize,
}

/// Runs a loop from its header on. The budget is in jumps.
pub(super) fn run(code: &Code, callees: &Callees, frame: Vec<u64>, arena: &mut Arena<'_>, budget: u64) -> Ran {
    let (mut code, mut pc, mut base, mut stack) = (code, 0, 0, frame);
    let size = stack.len();
    let mut suspended: Vec<Suspended<'_>> = Vec::new();
    let mut left = budget;
    let exit = loop {
        match stretch(code, &mut stack[base..], arena, &mut pc, &mut left) {
            Event::Exit(exit) => break exit,
            Event::Stuck => break 0,
            Event::Call(number) => {
                let call = &code.calls[number as usize];
                let caller = Suspended { code, pc, base, call, mark: arena.mark() };
                let Some((callee, at)) = enter(caller.code, call, callees, arena, &mut stack, base) else { break 0 };
                if suspended.len() >= DEEPEST {
                    break 0;
                }
                suspended.push(caller);
                (code, pc, base) = (callee, 0, at);
            }
            Event::Return(list) => {
                let Some(caller) = suspended.pop() else { break 0 };
                for (&dst, &value) in caller.call.dsts.iter().zip(&code.returns[list as usize]) {
                    stack[caller.base + dst as usize] = stack[base + value as usize];
                }
                stack.truncate(base);
                arena.pop_locals(caller.mark);
                (code, pc, base) = (caller.code, caller.pc, caller.base);
            }
        }
    };
    stack.truncate(size);
    Ran { exit, frame: stack, spent: budget - left }
}

/// Makes the frame of a call; where it is, and its code.
fn enter<'c>(
    code: &Code,
    call: &CodeCall,
    callees: &'c Callees,
    arena: &mut Arena<'_>,
    stack: &mut Vec<u64>,
    base: usize,
) -> Option<(&'c Code, usize)> {
    debug_assert!(stack.len() == base + code.frame.len(), "frames lie one behind the other");
    let func = match call.callee {
        CodeCallee::Function(func) => func,
        CodeCallee::At(place) => FuncId::new(arena.memory().function_at(stack[base + place as usize])?),
    };
    let callee: &Code = callees.get(&func)?;
    if call.args.len() < callee.params.len() {
        return None;
    }
    let at = stack.len();
    stack.extend_from_slice(&callee.frame);
    for (param, &(arg, is_float)) in callee.params.iter().zip(&call.args) {
        if param.is_float != is_float {
            return None;
        }
        stack[at + param.to as usize] = stack[base + arg as usize] & param.mask;
    }
    for local in &callee.locals {
        stack[at + local.to as usize] = arena.push_local(local.size, local.align)?;
    }
    Some((callee, at))
}

/// Puts a result into its place, if there is one.
#[inline(always)]
fn put(frame: &mut [u64], to: usize, result: Option<u64>) -> bool {
    if let Some(result) = result {
        frame[to] = result;
    }
    result.is_some()
}

/// Runs until the innermost call changes, or all is over.
fn stretch(code: &Code, frame: &mut [u64], arena: &mut Arena<'_>, pc: &mut usize, left: &mut u64) -> Event {
    let operations = &code.operations[..];
    let pointer = mask(code.pointer_bits);
    let mut at = *pc;
    let mut fuel = *left;
    let event = loop {
        let Operation { action, width, to, a, b, then, other } = operations[at];
        let (width, to, a, b) = (u32::from(width), to as usize, a as usize, b as usize);
        at += 1;
        let is_fine = match action {
            CodeAction::Copy => {
                frame[to] = frame[a];
                true
            }
            CodeAction::Bin(op) => put(frame, to, bin_word(op, width, frame[a], frame[b])),
            CodeAction::Compare(op) => {
                frame[to] = u64::from(cmp_word(op, width, frame[a], frame[b]));
                true
            }
            CodeAction::CompareJump(op) => {
                let holds = cmp_word(op, width, frame[a], frame[b]);
                frame[to] = u64::from(holds);
                at = if holds { then } else { other } as usize;
                fuel = fuel.saturating_sub(1);
                fuel > 0
            }
            CodeAction::Low => {
                frame[to] = frame[a] & mask(width);
                true
            }
            CodeAction::Sign => {
                frame[to] = signed(frame[a], width) as u64 & mask(b as u32);
                true
            }
            CodeAction::Select => {
                frame[to] = if frame[a] != 0 { frame[b] } else { frame[then as usize] };
                true
            }
            CodeAction::Jump => {
                at = then as usize;
                fuel = fuel.saturating_sub(1);
                fuel > 0
            }
            CodeAction::JumpIf => {
                at = if frame[a] != 0 { then } else { other } as usize;
                fuel = fuel.saturating_sub(1);
                fuel > 0
            }
            CodeAction::Switch => {
                let switch = &code.switches[b];
                let case = switch.cases.iter().find(|(case, _)| *case == frame[a]);
                at = case.map_or(switch.default, |(_, to)| *to) as usize;
                fuel = fuel.saturating_sub(1);
                fuel > 0
            }
            CodeAction::Load => put(frame, to, arena.load(frame[a], width)),
            CodeAction::Store => arena.store(frame[a], width, frame[b]).is_some(),
            CodeAction::Index => {
                let distance = signed(frame[b], width).wrapping_mul(i64::from(then));
                frame[to] = frame[a].wrapping_add_signed(distance) & pointer;
                true
            }
            CodeAction::Require => frame[a] != 0,
            CodeAction::Rare => rare(code, &code.rare[a], frame, arena).is_some(),
            CodeAction::Call => break Event::Call(a as u32),
            CodeAction::Return => break Event::Return(a as u32),
            CodeAction::Exit => break Event::Exit(a as u32),
            CodeAction::Stuck => false,
        };
        if !is_fine {
            break Event::Stuck;
        }
    };
    // Calls cost, too: a loop may consist of nothing else.
    *left = fuel.saturating_sub(1);
    *pc = at;
    if *left == 0 && !matches!(event, Event::Exit(_)) { Event::Stuck } else { event }
}
