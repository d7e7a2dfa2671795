//! Whole loops as functions of what they read and write, with nothing unrolled (P. Dinges, symcretic execution, algorithm 4.3, line 13).
//!
//! Where a path first gets to the header of a loop that depends on inputs, what is behind each exit is split off: there the registers and the memory that
//! the loop writes are opaque terms, which whoever evaluates them computes by running the loop ([`machine`]); which exit is taken is one such term.
//! Where there is no result for the witness (the loop does not end soon, or meets an error) it is unrolled as ever; other inputs without one are not followed. What code cannot do (calls of the
//! kernel, inputs, allocation) is an exit too: the engine goes on there, in the middle of the loop.
//!
//! Boundary: nothing is concluded from a run in which that happened ([`Doubt::LoopsTaken`]): it proposes inputs, which the program is then run on.

mod arena;
mod code;
mod codes;
mod compile;
mod function;
mod machine;
mod probe;
mod rare;

use std::collections::HashMap;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use taw_expr::{FunctionInfo, NativeFunction, Term};
use taw_ir::{BlockId, EntityRef, FuncId, Function, Liveness, Loop, Operand};

use crate::cx::{Cx, Engine};
use crate::reason::Doubt;
use crate::state::{Fate, Phase, State};
use crate::value::Value;
use code::Code;
use function::{EXIT_BITS, LoopEffort, LoopFunction, LoopRun, RESULT_BITS, ResultPlace};
use machine::Callees;

/// Functions that are made of loops in one run: each keeps what memory was.
const MOST: usize = 4096;

/// About as many jumps in loops that are functions take as long as an instruction of the engine.
pub const JUMPS_PER_INSTRUCTION: u64 = 16;

/// What a condition costs that the search for inputs evaluates, in instructions of the engine: with loops in it, each is a call with a copy of what it reads.
const EVALUATION: u64 = 4;

/// What becomes of loops.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum LoopMode {
    /// They are executed, one turn after the other.
    #[default]
    Unrolled,
    /// Those that depend on inputs are functions, where they can be. To evaluate one takes so many jumps at most; inputs for which it takes more are followed only if the witness is one: then it is unrolled.
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
    /// What all of them have taken so far.
    effort: Rc<LoopEffort>,
}

impl Engine<'_> {
    /// Whether a loop that is a function went round more often than its budget lets it.
    pub fn loops_ran_out(&self) -> bool {
        self.loops.effort.ran_out.get()
    }

    /// What evaluating loops that are functions has cost so far, about, in instructions.
    pub fn loops_spent(&self) -> u64 {
        if self.config.loops == LoopMode::Unrolled {
            return 0;
        }
        self.loops.effort.jumps.get() / JUMPS_PER_INSTRUCTION + self.solver.evaluations() * EVALUATION
    }
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

    /// The loop with what this path has at its header, as terms; nothing if it is better unrolled.
    fn as_function(&mut self, code: &LoopCode, function: &Function, budget: u64) -> Option<Taken> {
        let (run, arguments) = self.probe(code, budget)?;
        let results = results(&run);
        if results.len() >= 1 << RESULT_BITS {
            return None;
        }
        let values = self.applied(run, &results, &arguments, &function.name);
        let value = |place: ResultPlace| values.get(&place).copied();
        let mut exits = Vec::new();
        for exit in &code.code.exits {
            let mut registers = Vec::new();
            for &register in &exit.registers {
                let mut after = value(ResultPlace::Register(register))?;
                if let Some(sources) = code.sources.get(&register) {
                    let sources: Vec<Value> = sources.iter().map(|source| self.read(*source)).collect();
                    after = after.with_provenance(self.provenance_of_choice(&sources));
                }
                registers.push((register, after));
            }
            exits.push((exit.to, registers));
        }
        let written = results.iter().filter_map(|&(place, width)| match place {
            ResultPlace::Bytes { base, offset, .. } => Some((base, offset, value(place)?, width)),
            ResultPlace::Exit | ResultPlace::Register(_) => None,
        });
        let exit = value(ResultPlace::Exit)?.to_term(&mut self.engine.terms, EXIT_BITS);
        Some(Taken { exit, exits, writes: written.collect(), big_endian: self.big_endian() })
    }

    /// The results of a loop for these arguments.
    fn applied(
        &mut self,
        run: LoopRun,
        results: &[(ResultPlace, u32)],
        arguments: &[Term],
        of: &str,
    ) -> HashMap<ResultPlace, Value> {
        self.engine.loops.made += 1;
        // No two have the same name: a name is one function.
        let name = format!("loop {} of {of}", self.engine.loops.made);
        let made = LoopFunction::new(run, results.to_vec(), Rc::clone(&self.engine.loops.effort));
        let eval = NativeFunction::Outside(Rc::new(made));
        let opaque = self.terms().function(FunctionInfo { name, eval });
        let mut values = HashMap::new();
        for (number, &(place, width)) in results.iter().enumerate() {
            let which = self.terms().bv(RESULT_BITS, number as u64);
            let args = std::iter::once(which).chain(arguments.iter().copied()).collect();
            let t = self.terms().apply(opaque, args, width);
            values.insert(place, self.value(t));
        }
        values
    }

    /// Splits off what is behind each exit, and goes on where the witness does: behind one, or into the loop. Turns of a loop that are split off would be more
    /// than all that is behind it, so other inputs without a result are left to runs that unroll.
    fn leave_loop(&mut self, function: &'p Function, header: BlockId, taken: &Taken) -> bool {
        let mine = self.witness_word(taken.exit);
        let first = self.forks.len();
        let mut decided = None;
        for way in 0..=taken.exits.len() as u64 {
            let number = self.terms().bv(EXIT_BITS, way);
            let condition = self.engine.terms.eq(taken.exit, number);
            if way == mine {
                decided = Some(condition);
            } else if way > 0
                && self.engine.terms.as_u64(condition) != Some(0)
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

/// The results of a run: the exit first.
fn results(run: &LoopRun) -> Vec<(ResultPlace, u32)> {
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
