//! Whole loops as functions of what they read and write, with nothing unrolled (P. Dinges, symcretic execution, algorithm 4.3, line 13).
//!
//! Where a path first gets to the header of a loop that depends on inputs, what is behind each exit is split off: there the registers and the memory that
//! the loop writes are opaque terms, which whoever evaluates them computes by running the loop ([`machine`]); which exit is taken is one such term.
//! Where there is no result (the loop does not end soon, or meets an error) it is unrolled as ever. What code cannot do (calls of the
//! kernel, inputs, allocation) is an exit too: the engine goes on there, in the middle of the loop.
//!
//! Boundary: nothing is concluded from a run in which that happened ([`Doubt::LoopsTaken`]): it proposes inputs, which the program is then run on.

mod arena;
mod code;
mod compile;
mod function;
mod machine;
mod probe;
mod rare;

use std::collections::HashMap;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use taw_expr::{FunctionInfo, NativeFunction, Term};
use taw_ir::{
    BlockId, Callee, Dominators, Effect, EntityRef, FuncId, Function, Inst, Liveness, Loop, Loops, Operand, Reg, Ty,
};

use crate::cx::Cx;
use crate::image::Binding;
use crate::reason::Doubt;
use crate::state::{Fate, Phase, State};
use crate::value::Value;
use code::Code;
use compile::{Part, is_plain};
use function::{EXIT_BITS, LoopFunction, RESULT_BITS, ResultPlace};
use machine::Callees;

/// Functions that are made of loops in one run: each keeps what memory was.
const MOST: usize = 4096;
/// Functions that a loop may call.
const MOST_CALLEES: usize = 256;

/// What becomes of loops.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum LoopMode {
    /// They are executed, one turn after the other.
    #[default]
    Unrolled,
    /// Those that depend on inputs are functions, where they can be. To evaluate one takes so many jumps at most; what takes more is unrolled.
    Functions {
        /// Jumps.
        budget: u64,
    },
}

/// A loop as code, and what that calls.
#[derive(Debug)]
struct LoopCode {
    code: Rc<Code>,
    callees: Rc<Callees>,
    /// For registers with pointers that are derived from nothing else: what these are derived from, as it is at the header.
    sources: HashMap<u32, Vec<Operand>>,
}

/// The loops of one function.
#[derive(Debug)]
struct LoopsOf {
    /// By the first instruction of the header: the loop, and whether each block is in it.
    by_header: HashMap<u32, (Loop, Vec<bool>)>,
    liveness: Liveness,
}

/// What is known of loops.
#[derive(Debug, Default)]
pub(crate) struct KnownLoops {
    of: HashMap<FuncId, Rc<LoopsOf>>,
    /// Loops as code, by function and header.
    codes: HashMap<(FuncId, u32), Option<Rc<LoopCode>>>,
    /// Functions as code.
    functions: FxHashMap<FuncId, Option<Rc<Code>>>,
    /// How many functions were made.
    made: usize,
}

/// What becomes of a path at a loop.
struct Taken {
    exit: Term,
    /// For each exit: where it leads to, and the registers there.
    exits: Vec<(BlockId, Vec<(u32, Value)>)>,
    /// Memory behind the loop: object, offset, value, bits.
    writes: Vec<(u64, usize, Value, u32)>,
    big_endian: bool,
}

impl<'p> Cx<'_, 'p> {
    /// Whether loops may become functions.
    #[inline]
    pub(crate) fn takes_loops(&self) -> bool {
        self.engine.config.loops != LoopMode::Unrolled
    }

    /// Takes the loop that begins at this instruction as a function, if it can be one and the path comes from outside.
    pub(crate) fn take_loop(&mut self, function: &'p Function) -> bool {
        let LoopMode::Functions { budget } = self.engine.config.loops else { return false };
        let (func, pc) = (self.state.top.func, self.state.top.pc);
        let known = self.loops_of(func, function);
        let Some((found, blocks)) = known.by_header.get(&pc) else { return false };
        if blocks[self.state.top.from.index()] || !self.may_take_loops() {
            return false;
        }
        let Some(code) = self.loop_code(func, function, found, &known.liveness) else { return false };
        let Some(taken) = self.as_function(&code, function, budget) else { return false };
        self.engine.doubts.insert(Doubt::LoopsTaken);
        self.leave_loop(function, found.header, &taken)
    }

    fn may_take_loops(&self) -> bool {
        let config = &self.engine.config;
        let checks = config.checks;
        let is_checked = (checks.overflow || checks.float_cast) && !checks.in_the_code;
        !is_checked
            && !checks.uninit
            && config.replay.is_none()
            && self.engine.following.is_none()
            && self.state.upholding.is_none()
            && !self.state.no_forking
            && self.state.phase == Phase::Running
            && self.engine.loops.made < MOST
    }

    fn loops_of(&mut self, func: FuncId, function: &Function) -> Rc<LoopsOf> {
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
    fn loop_code(
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
        keep_round(function, found.header, &mut blocks)?;
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
        let of = |call: &code::CodeCall| match call.callee {
            code::CodeCallee::Function(func) => vec![func],
            code::CodeCallee::At(_) => self.image.taken.clone(),
        };
        code.calls.iter().flat_map(of).collect()
    }

    /// The loop with what this path has at its header, as terms; nothing if it is better unrolled.
    fn as_function(&mut self, code: &LoopCode, function: &Function, budget: u64) -> Option<Taken> {
        let (run, arguments) = self.probe(code, budget)?;
        let results = results(&run);
        if results.len() >= 1 << RESULT_BITS {
            return None;
        }
        let open = run.open.clone();
        let made = Rc::new(LoopFunction::new(run, results));
        self.engine.loops.made += 1;
        let name = format!("loop {} of {}", self.engine.loops.made, function.name);
        let eval = NativeFunction::Outside(Rc::<LoopFunction>::clone(&made));
        let opaque = self.terms().function(FunctionInfo { name, eval });
        let mut terms: HashMap<ResultPlace, Value> = HashMap::new();
        let mut exit = None;
        for (number, &(place, width)) in made.results.iter().enumerate() {
            let which = self.terms().bv(RESULT_BITS, number as u64);
            let args = std::iter::once(which).chain(arguments.iter().copied()).collect();
            let t = self.terms().apply(opaque, args, width);
            match place {
                ResultPlace::Exit => exit = Some(t),
                other => drop(terms.insert(other, self.value(t))),
            }
        }
        let exits = code.code.exits.iter().map(|exit| {
            let value = |register: &u32| Some((*register, *terms.get(&ResultPlace::Register(*register))?));
            (exit.to, exit.registers.iter().filter_map(value).collect::<Vec<_>>())
        });
        let mut exits: Vec<(BlockId, Vec<(u32, Value)>)> = exits.collect();
        for (register, value) in exits.iter_mut().flat_map(|(_, registers)| registers) {
            if let Some(sources) = code.sources.get(register) {
                let sources: Vec<Value> = sources.iter().map(|source| self.read(*source)).collect();
                *value = value.with_provenance(self.provenance_of_choice(&sources));
            }
        }
        let mut writes = Vec::new();
        for (base, _) in open {
            let of_object = made.results.iter().filter_map(|(place, width)| match *place {
                ResultPlace::Bytes { base: other, offset, .. } if other == base => Some((place, offset, *width)),
                _ => None,
            });
            writes
                .extend(of_object.filter_map(|(place, offset, width)| Some((base, offset, *terms.get(place)?, width))));
        }
        Some(Taken { exit: exit?, exits, writes, big_endian: self.big_endian() })
    }

    /// Splits off what is behind each exit, and where the loop is unrolled; goes on where the witness does. Whether that is behind the loop.
    fn leave_loop(&mut self, function: &'p Function, header: BlockId, taken: &Taken) -> bool {
        let mine = self.witness_word(taken.exit);
        let first = self.forks.len();
        let mut decided = None;
        for way in 0..=taken.exits.len() as u64 {
            let number = self.terms().bv(EXIT_BITS, way);
            let condition = self.engine.terms.eq(taken.exit, number);
            if way == mine {
                decided = Some(condition);
            } else if self.engine.terms.as_u64(condition) != Some(0)
                && let Some(fork) = self.fork(condition, Fate::Continue, way as u32)
            {
                leave_by(&mut self.forks[fork], &mut self.engine.terms, function, header, taken, way);
            }
        }
        // Whichever way a path goes, it has split off as many.
        let splits = self.state.splits;
        self.forks[first..].iter_mut().for_each(|fork| fork.splits = splits);
        if let Some(condition) = decided.filter(|condition| self.engine.terms.as_u64(*condition).is_none()) {
            self.decide(mine as u32, condition);
        }
        leave_by(self.state, &mut self.engine.terms, function, header, taken, mine);
        true
    }
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

/// The results of a run: the exit first.
fn results(run: &function::LoopRun) -> Vec<(ResultPlace, u32)> {
    let mut results = vec![(ResultPlace::Exit, EXIT_BITS)];
    let mut registers: Vec<u32> = run.code.exits.iter().flat_map(|exit| exit.registers.iter().copied()).collect();
    registers.sort_unstable();
    registers.dedup();
    let width = |register: u32| u32::from(run.code.widths[register as usize]);
    results.extend(registers.into_iter().map(|register| (ResultPlace::Register(register), width(register))));
    for (&base, range) in &run.open {
        let element = run.memory.object(base).map_or(1, |object| object.element as usize);
        let len = if [2, 4, 8].contains(&element) { element } else { 1 };
        let mut offset = range.start;
        while offset < range.end {
            let here = if offset % len == 0 && offset + len <= range.end { len } else { 1 };
            results.push((ResultPlace::Bytes { base, offset, len: here }, here as u32 * 8));
            offset += here;
        }
    }
    results
}

/// Puts a state behind an exit; 0 is none of them: it goes round.
fn leave_by(
    state: &mut State,
    terms: &mut taw_expr::Terms,
    function: &Function,
    header: BlockId,
    taken: &Taken,
    way: u64,
) {
    let Some((to, registers)) = (way as usize).checked_sub(1).and_then(|exit| taken.exits.get(exit)) else {
        state.top.from = header;
        return;
    };
    for (register, value) in registers {
        state.top.regs[*register as usize] = *value;
    }
    for &(base, offset, value, width) in &taken.writes {
        state.memory.object_mut(base).store(terms, offset, value, width, taken.big_endian);
    }
    (state.top.from, state.top.block) = (header, *to);
    state.top.pc = function.blocks[*to].start;
}

/// Drops blocks from which the header is not got to again without one that is no code; nothing if it never is.
fn keep_round(function: &Function, header: BlockId, blocks: &mut [bool]) -> Option<()> {
    if !blocks[header.index()] {
        return None;
    }
    let goes_round = |blocks: &[bool]| {
        let mut seen = vec![false; blocks.len()];
        let mut waiting = vec![header];
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
    };
    goes_round(blocks).then_some(())
}
