//! Which loops and functions are code, made once for each: what [`compile`](super::compile) can do, and where nobody waits for a path.

use std::collections::HashMap;
use std::rc::Rc;

use taw_ir::{
    BlockId, Callee, Dominators, Effect, EntityRef, FuncId, Function, Inst, Liveness, Loop, Loops, Operand, Reg, Ty,
};

use super::code::{Code, CodeCall, CodeCallee};
use super::compile::{Part, is_plain};
use super::function::EXIT_BITS;
use super::machine::Callees;
use super::{LoopCode, LoopsOf};
use crate::cx::Cx;
use crate::image::Binding;

/// Functions that a loop may call.
const MOST_CALLEES: usize = 256;

impl Cx<'_, '_> {
    pub(super) fn loops_of(&mut self, func: FuncId, function: &Function) -> Rc<LoopsOf> {
        let make = || {
            let loops = Loops::of(function, &Dominators::of(function));
            let blocks = |found: &Loop| {
                let mut is_in = vec![false; function.blocks.len()];
                found.blocks.iter().for_each(|block| is_in[block.index()] = true);
                is_in
            };
            let by_header =
                loops.loops.values().map(|found| (function.blocks[found.header].start, (found.clone(), blocks(found))));
            Rc::new(LoopsOf { by_header: by_header.collect(), liveness: Liveness::of(function) })
        };
        Rc::clone(self.engine.loops.of.entry(func).or_insert_with(make))
    }

    /// A loop as code; nothing if it cannot go round as such.
    pub(super) fn loop_code(
        &mut self,
        func: FuncId,
        function: &Function,
        found: &Loop,
        liveness: &Liveness,
    ) -> Option<Rc<LoopCode>> {
        let key = (func, function.blocks[found.header].start);
        if let Some(known) = self.engine.loops.codes.get(&key) {
            return known.clone();
        }
        let code = self.make_loop_code(func, function, found, liveness).map(Rc::new);
        self.engine.loops.codes.insert(key, code.clone());
        code
    }

    fn make_loop_code(
        &mut self,
        func: FuncId,
        function: &Function,
        found: &Loop,
        liveness: &Liveness,
    ) -> Option<LoopCode> {
        let mut blocks = vec![false; function.blocks.len()];
        for &block in &found.blocks {
            let range = function.blocks[block].start..function.blocks[block].end;
            blocks[block.index()] = range.into_iter().all(|pc| self.is_code(func, function, pc, true));
        }
        if !goes_round(function, found.header, &blocks) {
            return None;
        }
        let mut changed = vec![false; function.regs.len()];
        for block in (0..blocks.len()).map(BlockId::new).filter(|block| blocks[block.index()]) {
            let range = function.blocks[block].start as usize..function.blocks[block].end as usize;
            function.code[range].iter().for_each(|inst| inst.for_each_dst(function, |reg| changed[reg.index()] = true));
            let moves = function.edges_from(block).flat_map(|edge| &function.edges[edge].moves);
            moves.for_each(|(reg, _)| changed[reg.index()] = true);
        }
        let consts = &self.image.consts[func];
        let part = Part {
            program: self.engine.program,
            function,
            consts,
            blocks,
            first: found.header,
            liveness: Some(liveness),
            changed,
        };
        let code = Rc::new(part.compile()?);
        let callees = Rc::new(self.callees_of(&code)?);
        let sources = sources(function, found, &code);
        (code.exits.len() < 1 << EXIT_BITS).then_some(LoopCode { code, callees, sources })
    }

    /// Whether code can do what an instruction does, and nobody waits for a path there.
    fn is_code(&mut self, func: FuncId, function: &Function, pc: u32, in_loop: bool) -> bool {
        let inst = &function.code[pc as usize];
        if self.engine.goals.has_step_at(func, pc) || !is_plain(inst, function, self.engine.program, in_loop) {
            return false;
        }
        match *inst {
            Inst::Call { call } => match function.calls[call].callee {
                Callee::Direct(callee) => self.function_code(callee).is_some(),
                Callee::Indirect(_) => true,
            },
            _ => true,
        }
    }

    /// A function as code, if all of it can be.
    fn function_code(&mut self, func: FuncId) -> Option<Rc<Code>> {
        if let Some(known) = self.engine.loops.functions.get(&func) {
            return known.clone();
        }
        // While it is looked at it is none: a function that calls itself is the engine's.
        self.engine.loops.functions.insert(func, None);
        let code = self.make_function_code(func).map(Rc::new);
        self.engine.loops.functions.insert(func, code.clone());
        code
    }

    fn make_function_code(&mut self, func: FuncId) -> Option<Code> {
        let program = self.engine.program;
        let function = &program.functions[func];
        let is_called = matches!(self.image.bindings[func], Binding::Code)
            && self.image.effects[func] == Effect::Returns
            && !function.variadic
            && function.params.iter().all(|param| param.byval.is_none());
        if !is_called || !(0..function.code.len() as u32).all(|pc| self.is_code(func, function, pc, false)) {
            return None;
        }
        let part = Part {
            program,
            function,
            consts: &self.image.consts[func],
            blocks: vec![true; function.blocks.len()],
            first: BlockId::new(0),
            liveness: None,
            changed: Vec::new(),
        };
        part.compile()
    }

    /// All functions that code may get to; nothing if they are many.
    fn callees_of(&mut self, code: &Code) -> Option<Callees> {
        let mut callees = Callees::default();
        let mut waiting: Vec<FuncId> = self.called(code);
        while let Some(func) = waiting.pop() {
            if callees.contains_key(&func) {
                continue;
            }
            let Some(code) = self.function_code(func) else { continue };
            waiting.extend(self.called(&code));
            callees.insert(func, code);
            if callees.len() > MOST_CALLEES {
                return None;
            }
        }
        Some(callees)
    }

    fn called(&self, code: &Code) -> Vec<FuncId> {
        let of = |call: &CodeCall| match call.callee {
            CodeCallee::Function(func) => vec![func],
            CodeCallee::At(_) => self.image.taken.clone(),
        };
        code.calls.iter().flat_map(of).collect()
    }
}

/// Whether the header is got to again through blocks that are code.
fn goes_round(function: &Function, header: BlockId, blocks: &[bool]) -> bool {
    let mut seen = vec![false; blocks.len()];
    let mut waiting: Vec<BlockId> = Vec::from_iter(blocks[header.index()].then_some(header));
    while let Some(block) = waiting.pop() {
        for to in function.blocks_after(block) {
            if to == header {
                return true;
            }
            if blocks[to.index()] && !std::mem::replace(&mut seen[to.index()], true) {
                waiting.push(to);
            }
        }
    }
    false
}

/// What pointers behind a loop are derived from, where moving and choosing is all that the loop does with them.
fn sources(function: &Function, found: &Loop, code: &Code) -> HashMap<u32, Vec<Operand>> {
    // For each register the operands that it is made of; nothing if there is more.
    let mut made: HashMap<u32, Option<Vec<Operand>>> = HashMap::new();
    let mut add = |reg: Reg, from: &[Operand]| {
        if let Some(known) = made.entry(reg.as_u32()).or_insert_with(|| Some(Vec::new())) {
            known.extend(from);
        }
    };
    let mut opaque: Vec<Reg> = Vec::new();
    for &block in &found.blocks {
        let range = function.blocks[block].start as usize..function.blocks[block].end as usize;
        for inst in &function.code[range] {
            match *inst {
                Inst::Copy { dst, src } => add(dst, &[src]),
                Inst::PtrAdd { dst, base, .. } | Inst::PtrIndex { dst, base, .. } => add(dst, &[base]),
                Inst::Select { dst, a, b, .. } => add(dst, &[a, b]),
                _ => inst.for_each_dst(function, |reg| opaque.push(reg)),
            }
        }
        for edge in function.edges_from(block) {
            function.edges[edge].moves.iter().for_each(|(reg, from)| add(*reg, &[*from]));
        }
    }
    opaque.into_iter().for_each(|reg| drop(made.insert(reg.as_u32(), None)));
    let pointers = code.exits.iter().flat_map(|exit| exit.registers.iter().copied());
    let pointers = pointers.filter(|register| function.regs[Reg::from_u32(*register)].ty == Ty::Ptr);
    pointers.filter_map(|register| Some((register, derived(register, &made, &code.reads)?))).collect()
}

/// What a register is derived from as it is at the header: itself if it is read there, constants, and that of what it is made of.
fn derived(register: u32, made: &HashMap<u32, Option<Vec<Operand>>>, reads: &[u32]) -> Option<Vec<Operand>> {
    let (mut found, mut seen, mut waiting) = (Vec::new(), vec![register], vec![register]);
    while let Some(register) = waiting.pop() {
        if reads.contains(&register) {
            found.push(Operand::reg(Reg::from_u32(register)));
        }
        for from in made.get(&register).map_or(Some(&[][..]), |from| from.as_deref())? {
            match from.as_reg().map(Reg::as_u32) {
                Some(other) if !seen.contains(&other) => {
                    seen.push(other);
                    waiting.push(other);
                }
                Some(_) => {}
                None => found.push(*from),
            }
        }
    }
    Some(found)
}
