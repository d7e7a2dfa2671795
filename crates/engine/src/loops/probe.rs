//! What a loop reads and writes on a path, found by running it: on the path's witness, and on some other values of what depends on inputs.
//!
//! What no such run has touched and a later one does leaves that one without a result (see `function`), so this decides how much a
//! function is worth and never what is true. The runs also tell whether inputs decide the loop at all: if not, to unroll it is better,
//! because then its results are terms that a solver understands.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::rc::Rc;

use taw_expr::Term;

use super::arena::Arena;
use super::function::{ArgumentPlace, LoopRun};
use super::machine::run;
use super::{Cx, LoopCode};
use crate::memory::{Object, ObjectKind, bytes_of};
use crate::value::mask;

/// Jumps of one run, and of that on the witness.
const JUMPS: u64 = 20_000;
const WITNESS_JUMPS: u64 = 2_000_000;
/// Terms that a loop may depend on, and bytes that it may write.
const MOST_ARGUMENTS: usize = 1024;
const MOST_WRITTEN: usize = 4096;
/// An object of at most so many bytes may be written anywhere if it is written at all.
const SMALL: usize = 512;
/// A larger object is not looked at.
const LARGE: u64 = 1 << 20;
/// What else is tried for a term; the first is for the witness.
const TRIED: [Option<u64>; 8] = [None, Some(1), Some(2), Some(7), Some(100), Some(1000), Some(u64::MAX), Some(0)];

/// ObjectParts of an object that depend on inputs: offset, bytes, and the term.
type ObjectParts = Rc<[(usize, usize, Term)]>;

impl Cx<'_, '_> {
    /// What a loop is run on where the path is now, and its arguments; nothing if it depends on no input, or is better unrolled.
    pub(super) fn probe(&mut self, code: &LoopCode, budget: u64) -> Option<(LoopRun, Vec<Term>)> {
        let (mut frame, mut registers) = (code.code.frame.clone(), Vec::new());
        for &register in &code.code.reads {
            let value = self.state.top.regs[register as usize];
            if value.waits().is_some() || code.code.widths[register as usize] > 64 {
                return None;
            }
            match value.as_term() {
                Some(t) if self.engine.terms.width(t) <= 64 => registers.push((register, t)),
                Some(_) => return None,
                None => frame[register as usize] = value.as_word().unwrap_or_default(),
            }
        }
        let mut probe = Probe { parts: BTreeMap::new(), written: BTreeMap::new(), ends: BTreeSet::new() };
        for tried in TRIED {
            self.run_once(code, &frame, &registers, tried, &mut probe);
        }
        let mut arguments: Vec<(ArgumentPlace, Term)> =
            registers.iter().map(|&(register, t)| (ArgumentPlace::Register(register), t)).collect();
        for (&base, parts) in &probe.parts {
            let place = |&(offset, len, t): &(usize, usize, Term)| (ArgumentPlace::Bytes { base, offset, len }, t);
            arguments.extend(parts.iter().map(place));
        }
        let ended: Vec<&(u32, u64)> = probe.ends.iter().filter(|(exit, _)| *exit > 0).collect();
        let is_decided = probe.ends.len() > 1 || probe.ends.iter().any(|(_, jumps)| *jumps > JUMPS);
        let written: usize = probe.written.values().map(Range::len).sum();
        if arguments.is_empty()
            || ended.is_empty()
            || !is_decided
            || arguments.len() > MOST_ARGUMENTS
            || written > MOST_WRITTEN
        {
            return None;
        }
        let (places, terms) = arguments.into_iter().unzip();
        let (code, callees) = (Rc::clone(&code.code), Rc::clone(&code.callees));
        let memory = self.state.memory.clone();
        Some((LoopRun { code, callees, frame, memory, arguments: places, open: probe.written, budget }, terms))
    }

    /// Runs a loop with the witness's values, or the same one for everything that depends on inputs.
    fn run_once(
        &mut self,
        code: &LoopCode,
        frame: &[u64],
        registers: &[(u32, Term)],
        tried: Option<u64>,
        probe: &mut Probe,
    ) {
        let big_endian = self.big_endian();
        let memory = self.state.memory.clone();
        let (terms, witness) = (&mut self.engine.terms, &mut self.state.witness);
        let mut frame = frame.to_vec();
        for &(register, t) in registers {
            let width = terms.width(t);
            frame[register as usize] = tried.map_or_else(|| witness.word(terms, t), |word| word & mask(width));
        }
        let Probe { parts, written, ends } = probe;
        let mut fill = |object: &Object| {
            if object.size > LARGE {
                return None;
            }
            let size = object.size as usize;
            if let Some(bytes) = object.concrete_bytes(0, size) {
                return Some((bytes, 0..size));
            }
            let parts = parts.entry(object.base).or_insert_with(|| parts_of(object, terms, big_endian));
            let mut bytes: Vec<u8> = (0..size).map(|at| object.known(at, 1).map_or(0, |bytes| bytes[0])).collect();
            for &(offset, len, t) in parts.iter() {
                let word = tried.map_or_else(|| witness.word(terms, t), |word| word & mask(len as u32 * 8));
                bytes[offset..offset + len].copy_from_slice(&bytes_of(word, len, big_endian)[..len]);
            }
            Some((bytes, 0..size))
        };
        let mut arena = Arena::new(&memory, big_endian, &mut fill);
        let most = if tried.is_none() { WITNESS_JUMPS } else { JUMPS };
        let ran = run(&code.code, &code.callees, frame, &mut arena, most);
        ends.insert((ran.exit, ran.spent));
        let effort = &self.engine.loops.effort;
        effort.jumps.set(effort.jumps.get() + ran.spent);
        for piece in arena.pieces.iter().filter(|piece| !piece.written.is_empty()) {
            // What lives only while the loop runs is not seen behind it.
            let is_there = memory.object(piece.base).is_some_and(|object| {
                object.base == piece.base
                    && object.status == crate::memory::Status::Live
                    && !matches!(object.kind, ObjectKind::Unknown(_))
            });
            if is_there {
                let here = if piece.bytes.len() <= SMALL { 0..piece.bytes.len() } else { piece.written.clone() };
                let range = written.entry(piece.base).or_insert_with(|| here.clone());
                *range = range.start.min(here.start)..range.end.max(here.end);
            }
        }
    }
}

/// What the runs have shown.
struct Probe {
    /// For each object that depends on inputs, how.
    parts: BTreeMap<u64, ObjectParts>,
    /// For each object that is written, where.
    written: BTreeMap<u64, Range<usize>>,
    /// Exits that were taken, and after how many jumps.
    ends: BTreeSet<(u32, u64)>,
}

/// The elements of an object that depend on inputs.
fn parts_of(object: &Object, terms: &mut taw_expr::Terms, big_endian: bool) -> ObjectParts {
    let size = object.size as usize;
    let element = if [2, 4, 8].contains(&object.element) { object.element as usize } else { 1 };
    let mut parts = Vec::new();
    let mut offset = 0;
    while offset < size {
        let len = if offset + element <= size { element } else { 1 };
        if !object.concrete_at(offset, len)
            && let Some(t) = object.load(terms, offset, len as u32 * 8, big_endian).as_term()
        {
            parts.push((offset, len, t));
        }
        offset += len;
    }
    parts.into()
}
