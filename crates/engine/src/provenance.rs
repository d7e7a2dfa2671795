//! Which objects a pointer is derived from (docs/soundness.md says why, and what is assumed).
//!
//! A provenance is a set of objects, by address, that travels beside a value and never inside its term: the number alone does
//! not tell, because offsets fold into it. Only an address that arithmetic has not led out of its object's slot is that object's
//! by its number. Invariant: a set names every object that the value can legally point into, or is `UNKNOWN`, which restricts
//! nothing: whoever forgets a provenance loses precision, not truth.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use taw_expr::{ArrayNode, Node, Term};

use crate::cx::Cx;
use crate::memory::{Memory, Object, ObjectKind};
use crate::reason::Doubt;
use crate::value::Value;

/// A set of objects; a number in [`Provenances`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Provenance(pub(crate) u32);

impl Provenance {
    /// May be derived from any object.
    pub const UNKNOWN: Self = Provenance(0);

    /// Whether it restricts.
    #[inline]
    pub fn is_known(self) -> bool {
        self != Self::UNKNOWN
    }
}

/// Every set of a run, each once.
#[derive(Debug, Default)]
pub struct Provenances {
    sets: Vec<Rc<[u64]>>,
    index: HashMap<Rc<[u64]>, u32>,
}

impl Provenances {
    /// A set as a number; the empty one says nothing.
    pub fn of(&mut self, objects: &BTreeSet<u64>) -> Provenance {
        if objects.is_empty() {
            return Provenance::UNKNOWN;
        }
        let set: Rc<[u64]> = objects.iter().copied().collect();
        let sets = &mut self.sets;
        Provenance(*self.index.entry(Rc::clone(&set)).or_insert_with(|| {
            sets.push(set);
            u32::try_from(sets.len()).expect("fewer than 2^32 sets")
        }))
    }

    /// What must be recorded of an address that is computed from an object's: nothing if its number tells.
    pub fn of_address(&mut self, memory: &Memory, object: u64, address: u64) -> Provenance {
        match home(memory, address) {
            Some(base) if base == object => Provenance::UNKNOWN,
            _ => self.of(&BTreeSet::from([object])),
        }
    }

    /// The objects of a set; none if it is unknown.
    pub fn objects(&self, p: Provenance) -> &[u64] {
        p.0.checked_sub(1).map_or(&[], |at| &self.sets[at as usize])
    }

    /// Whether an address is farther from all objects of a pointer than any object is large: so far that it may lead round the whole of memory.
    pub(crate) fn is_far(&self, p: Provenance, address: u64) -> bool {
        const FAR: u64 = 1 << 32;
        let distance = |base: &u64| address.wrapping_sub(*base).min(base.wrapping_sub(address));
        self.objects(p).iter().map(distance).min().is_some_and(|distance| distance > FAR)
    }

    /// Whether a pointer may be in an object.
    pub fn allows(&self, p: Provenance, object: u64) -> bool {
        !p.is_known() || self.objects(p).contains(&object)
    }

    /// The objects of both. A distance that is added has an unknown one, and adds nothing.
    pub(crate) fn sum(&mut self, a: Provenance, b: Provenance) -> Provenance {
        if a == b || !b.is_known() {
            return a;
        }
        if !a.is_known() {
            return b;
        }
        let all = self.objects(a).iter().chain(self.objects(b)).copied().collect();
        self.of(&all)
    }
}

/// The object that an address is in or just past, dead or alive.
fn inside(memory: &Memory, address: u64) -> Option<u64> {
    let object = memory.object(address)?;
    (address.wrapping_sub(object.base) <= object.size).then_some(object.base)
}

/// The object whose slot an address is in, dead or alive: that of every address of which nothing else is recorded.
fn home(memory: &Memory, address: u64) -> Option<u64> {
    memory.object(address).map(|object| object.base)
}

/// Where an access may be.
#[derive(PartialEq, Eq, Debug)]
pub(crate) enum Candidates {
    /// In these objects; elsewhere it is an error, whatever is there.
    Of(Vec<u64>),
    /// In any object: in these, as far as anybody can tell.
    Any(Vec<u64>),
}

impl Candidates {
    pub(crate) fn contains(&self, base: u64) -> bool {
        match self {
            Candidates::Of(objects) => objects.contains(&base),
            Candidates::Any(_) => true,
        }
    }

    /// Those that are known.
    pub(crate) fn objects(&self) -> &[u64] {
        let (Candidates::Of(objects) | Candidates::Any(objects)) = self;
        objects
    }

    /// The number of an object among them, from 1, whatever the witness; those of a pointer out of nowhere have none of their own.
    pub(crate) fn number(&self, base: u64) -> u32 {
        match self {
            Candidates::Of(objects) => objects.iter().position(|object| *object == base).map_or(1, |at| at as u32 + 1),
            Candidates::Any(_) => 1,
        }
    }
}

/// Terms looked at to find out where a pointer comes from.
const GLANCE: usize = 4096;

impl Cx<'_, '_> {
    /// The objects a pointer is derived from.
    pub(crate) fn provenance_of(&mut self, pointer: Value) -> Provenance {
        if pointer.provenance().is_known() {
            return pointer.provenance();
        }
        let mut objects = BTreeSet::new();
        let known = match pointer.as_term() {
            None => pointer.as_word().is_some_and(|word| self.collect_word(word, &mut objects)),
            Some(t) => self.collect_term(t, &mut objects),
        };
        if known { self.engine.provenances.of(&objects) } else { Provenance::UNKNOWN }
    }

    /// Adds the object of an address. `false` if nobody knows whose it is; null and the like are nobody's for certain.
    fn collect_word(&self, word: u64, objects: &mut BTreeSet<u64>) -> bool {
        let home = home(&self.state.memory, word);
        objects.extend(home);
        home.is_some() || self.state.memory.is_nowhere(word)
    }

    /// Adds the objects of a pointer that is chosen among addresses. `false` if it is made in any other way.
    fn collect_term(&self, t: Term, objects: &mut BTreeSet<u64>) -> bool {
        let terms = &self.engine.terms;
        let mut todo = vec![t];
        let mut seen = HashSet::new();
        while let Some(t) = todo.pop() {
            if !seen.insert(t) {
                continue;
            }
            match *terms.node(t) {
                Node::Const(ref bits) if self.collect_word(bits.low(), objects) => {}
                Node::Ite(_, a, b) => todo.extend([a, b]),
                Node::Select(array, _) => match terms.array(array) {
                    ArrayNode::Elements(elements) => todo.extend(elements),
                    ArrayNode::Store { .. } => return false,
                },
                _ => return false,
            }
            if seen.len() > GLANCE {
                return false;
            }
        }
        true
    }

    /// The provenance of `base + offset`: that of the base. An offset that was computed from other addresses may lead to them.
    pub fn provenance_of_sum(&mut self, base: Value, offset: Value) -> Provenance {
        match self.provenance_of(base) {
            Provenance::UNKNOWN => Provenance::UNKNOWN,
            known => self.engine.provenances.sum(known, offset.provenance()),
        }
    }

    /// The provenance of one value or the other.
    pub(crate) fn provenance_of_choice(&mut self, values: &[Value]) -> Provenance {
        // Where none is recorded the term itself will tell.
        if !values.iter().any(|v| v.provenance().is_known()) {
            return Provenance::UNKNOWN;
        }
        let mut all = BTreeSet::new();
        for &value in values {
            if value.provenance().is_known() {
                all.extend(self.engine.provenances.objects(value.provenance()));
                continue;
            }
            let known = match value.as_term() {
                None => self.collect_word(value.as_word().unwrap_or_default(), &mut all),
                Some(t) => self.collect_term(t, &mut all),
            };
            if !known {
                return Provenance::UNKNOWN;
            }
        }
        self.engine.provenances.of(&all)
    }

    /// The provenance of an integer computed from two, of which an address may be one.
    pub(crate) fn provenance_of_integer(&mut self, op: taw_ir::IntOp, a: Value, b: Value) -> Provenance {
        use taw_ir::IntOp as Op;
        if !matches!(op, Op::Add | Op::Sub | Op::And | Op::Or | Op::Xor) {
            // A distance between objects in other units is still one.
            return self.engine.provenances.sum(a.provenance(), b.provenance());
        }
        let [a, b] = [a, b].map(|v| match v.as_word().and_then(|word| home(&self.state.memory, word)) {
            Some(base) if !v.provenance().is_known() => self.engine.provenances.of(&BTreeSet::from([base])),
            _ => v.provenance(),
        });
        let is_distance = op == Op::Sub && a == b && self.engine.provenances.objects(a).len() == 1;
        if is_distance { Provenance::UNKNOWN } else { self.engine.provenances.sum(a, b) }
    }

    /// A known address moved by integer arithmetic, as a pointer would be.
    #[cold]
    pub(crate) fn moved_integer(&mut self, op: taw_ir::IntOp, a: Value, b: Value, to: u64) -> Value {
        let is_address = |v: Value| v.as_word().is_some_and(|word| self.state.memory.is_address(word));
        let from = match (is_address(a), is_address(b)) {
            (true, false) => a,
            (false, true) if op == taw_ir::IntOp::Add => b,
            // A distance: between objects it leads from one to the other (`p += new - old`).
            _ => return Value::word(to).with_provenance(self.provenance_of_integer(op, a, b)),
        };
        match from.plain_word() {
            Some(word) if self.state.memory.in_one_slot(word, to) => Value::word(to),
            _ => self.stray(from, to),
        }
    }

    /// A known address `to` that was computed from the pointer `from` and is not in its slot, or was not before: remembers
    /// where it comes from.
    #[cold]
    pub(crate) fn stray(&mut self, from: Value, to: u64) -> Value {
        let origin = self.provenance_of(from);
        let is_home = |base: &u64| self.state.memory.in_one_slot(*base, to);
        match self.engine.provenances.objects(origin) {
            [base] if is_home(base) => Value::word(to),
            _ => Value::word(to).with_provenance(origin),
        }
    }

    /// The objects that an access through a pointer may be in.
    pub(crate) fn candidates(&mut self, pointer: Value, ptr: Term, address: u64) -> Candidates {
        let provenance = self.provenance_of(pointer);
        if !provenance.is_known() {
            return Candidates::Any(self.reachable(ptr, address));
        }
        let memory = &self.state.memory;
        let own = self.engine.provenances.objects(provenance);
        let own = own.iter().filter_map(|base| Some(memory.object(*base)?.base)).collect();
        Candidates::Of(own)
    }

    /// Addresses of the objects that a pointer is derived from, dead or alive; if nobody knows, of all blocks on the heap.
    pub fn blocks_of(&mut self, pointer: Value) -> Vec<u64> {
        let provenance = self.provenance_of(pointer);
        if provenance.is_known() {
            return self.engine.provenances.objects(provenance).to_vec();
        }
        let is_block = |o: &&Rc<Object>| o.kind == ObjectKind::Heap;
        self.state.memory.live().filter(is_block).map(|o| o.base).collect()
    }

    /// Live objects that a pointer out of nowhere can be in; where the witness is first.
    fn reachable(&mut self, ptr: Term, address: u64) -> Vec<u64> {
        const MOST: usize = 256;
        let (low, high) = self.engine.terms.range(ptr);
        let here = inside(&self.state.memory, address);
        let can_be = |o: &&Rc<Object>| o.base <= high && o.base + o.size > low && Some(o.base) != here;
        let others = self.state.memory.live().filter(can_be).map(|o| o.base);
        let mut found: Vec<u64> = here.into_iter().chain(others).take(MOST + 1).collect();
        if found.len() > MOST {
            found.truncate(MOST);
            self.engine.doubts.insert(Doubt::ManyObjects(MOST));
        }
        found
    }
}
