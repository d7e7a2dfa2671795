//! The arena: where nodes, arrays, inputs and functions live, each once, and what is known of every term.
//!
//! Boundary: stores what it is given; constructors (`build.rs`) decide what that is. Invariant: equal nodes have one
//! id, and everything in [`Meta`] is computed when the node is made.

mod sweep;

use std::hash::{Hash, Hasher};
use std::num::NonZeroU32;

use hashbrown::HashTable;
use rustc_hash::FxHasher;

use crate::bits::Bits;
use crate::facts::{Facts, KnownBits};
use crate::node::*;
use crate::varset::{VarSet, VarSets};

/// An arena of terms, arrays, inputs and opaque functions.
#[derive(Default, Debug)]
pub struct Terms {
    nodes: Vec<ArenaEntry<Node>>,
    /// Where in `nodes` each node is.
    index: HashTable<Position>,
    arrays: Vec<ArenaEntry<ArrayNode>>,
    array_index: HashTable<Position>,
    vars: Vec<VarInfo>,
    functions: Vec<FunctionInfo>,
    sets: VarSets,
    /// What is known of terms of which anything is known; see [`Meta::facts`].
    facts: Vec<Facts>,
    /// Places in `nodes` that a new term may take, the lowest last.
    free: Vec<u32>,
    free_arrays: Vec<u32>,
    /// Places that may be taken after the next collection: until then who still holds such a term is found out, in debug builds.
    resting: [Vec<u32>; 2],
    /// How often terms were collected.
    epoch: u32,
    /// About how many terms were made since.
    made: usize,
}

/// A node and what is known of it, side by side: who wants one mostly wants the other.
#[derive(Debug)]
struct ArenaEntry<N> {
    node: N,
    meta: Meta,
}

/// An index and half of the hash of what is there, which saves most looks at it.
#[derive(Debug)]
struct Position {
    at: u32,
    hash: u32,
}

impl Position {
    /// The whole hash again, as the table wants it: good in its highest and lowest bits.
    fn spread(hash: u32) -> u64 {
        u64::from(hash).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

/// What is known of a term from its construction on (of an array: of all its elements and indices together).
#[derive(Clone, Copy, Debug)]
struct Meta {
    /// 0 where no term is.
    width: u32,
    vars: VarSet,
    /// The position in `Terms::facts` plus one, or 0 for "nothing": most terms, so it is not stored with each.
    facts: u32,
    traits: Traits,
}

/// What occurs in a term.
#[derive(Clone, Copy, Debug, Default)]
struct Traits {
    float: bool,
    opaque: bool,
}

fn hash_of(value: &impl Hash) -> u32 {
    let mut hasher = FxHasher::default();
    value.hash(&mut hasher);
    (hasher.finish().wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as u32
}

impl Terms {
    /// The width of every array index.
    pub const INDEX_WIDTH: u32 = 64;

    /// An empty arena.
    pub fn new() -> Self {
        Self::default()
    }

    /// One more than the highest [`Term::index`] so far.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The number of terms that there are.
    pub fn live(&self) -> usize {
        self.nodes.len() - self.free.len() - self.resting[0].len()
    }

    /// How often terms were collected. What was remembered of a term before may be another term's now.
    #[inline]
    pub fn epoch(&self) -> u32 {
        self.epoch
    }

    /// About how many terms were made since they were collected last; large arrays count as several.
    pub fn made(&self) -> usize {
        self.made
    }

    /// Whether a term that was there before the last collection is still there.
    pub fn has(&self, t: Term) -> bool {
        self.nodes.get(t.index()).is_some_and(|entry| entry.meta.width != 0)
    }

    pub(crate) fn arrays_len(&self) -> usize {
        self.arrays.len()
    }

    /// Whether there is no term yet.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The operation at the root of `t`.
    #[inline]
    pub fn node(&self, t: Term) -> &Node {
        debug_assert!(self.has(t), "a term that was collected is used");
        &self.nodes[t.index()].node
    }

    /// The width of `t` in bits.
    #[inline]
    pub fn width(&self, t: Term) -> u32 {
        self.nodes[t.index()].meta.width
    }

    /// The value of `t` if it is a constant.
    #[inline]
    pub fn as_const(&self, t: Term) -> Option<&Bits> {
        match self.node(t) {
            Node::Const(bits) => Some(bits),
            _ => None,
        }
    }

    /// The value of `t` if it is a constant of at most 64 bits.
    #[inline]
    pub fn as_u64(&self, t: Term) -> Option<u64> {
        self.as_const(t).and_then(Bits::as_u64)
    }

    /// How `a` came to be.
    pub fn array(&self, a: Array) -> &ArrayNode {
        debug_assert!(self.arrays[a.0 as usize].meta.width != 0, "an array that was collected is used");
        &self.arrays[a.0 as usize].node
    }

    /// The width of the elements of `array`.
    pub fn element_width(&self, array: Array) -> u32 {
        self.arrays[array.0 as usize].meta.width
    }

    /// The inputs, by index of [`Var`].
    pub fn vars(&self) -> &[VarInfo] {
        &self.vars
    }

    /// The opaque functions, by index of [`OpaqueFunction`].
    pub fn functions(&self) -> &[FunctionInfo] {
        &self.functions
    }

    /// The inputs that occur in `t`: an interned set, equal for equal sets.
    #[inline]
    pub fn vars_of(&self, t: Term) -> VarSet {
        self.nodes[t.index()].meta.vars
    }

    /// Whether two sets share an input.
    pub fn share_input(&self, a: VarSet, b: VarSet) -> bool {
        self.sets.intersect(a, b)
    }

    /// The inputs of either set.
    pub fn union(&mut self, a: VarSet, b: VarSet) -> VarSet {
        self.sets.union(a, b)
    }

    /// The members of a set in ascending order.
    pub fn vars_in(&self, set: VarSet) -> impl Iterator<Item = Var> + '_ {
        self.sets.iter(set)
    }

    /// Whether an opaque function occurs in `t`: it can be evaluated but not solved.
    pub fn has_opaque(&self, t: Term) -> bool {
        self.nodes[t.index()].meta.traits.opaque
    }

    /// Whether a floating-point operation occurs in `t`.
    pub fn has_float(&self, t: Term) -> bool {
        self.nodes[t.index()].meta.traits.float
    }

    /// Bits of `t` (at most 64 bits wide; of wider terms nothing is known) that are the same under every assignment.
    pub fn known_bits(&self, t: Term) -> KnownBits {
        if self.width(t) > 64 {
            return KnownBits::default();
        }
        let Facts { zeros, ones, .. } = self.facts(t);
        KnownBits { zeros, ones }
    }

    /// Bounds of the unsigned value of `t`, which has at most 64 bits: it is never below the first or above the second.
    pub fn range(&self, t: Term) -> (u64, u64) {
        assert!(self.width(t) <= 64, "a wide term has no 64-bit range");
        let Facts { lo, hi, .. } = self.facts(t);
        (lo, hi)
    }

    /// What holds of `t`, which has at most 64 bits.
    #[inline]
    pub(crate) fn facts(&self, t: Term) -> Facts {
        self.facts_of(self.nodes[t.index()].meta)
    }

    fn facts_of(&self, meta: Meta) -> Facts {
        debug_assert!(meta.width <= 64);
        match meta.facts {
            0 => Facts::top(meta.width),
            at => self.facts[at as usize - 1],
        }
    }

    fn remember(&mut self, width: u32, facts: Facts) -> u32 {
        if facts == Facts::top(width) {
            return 0;
        }
        // Neighbours often share: a value, then the same value in another form.
        if self.facts.last() != Some(&facts) {
            self.facts.push(facts);
        }
        u32::try_from(self.facts.len()).expect("fewer than 2^32 facts")
    }

    /// The operands of `t`. Of an array read: the index, then every term of the array ([`Terms::array_terms`]).
    pub fn children(&self, t: Term) -> impl Iterator<Item = Term> + '_ {
        let (direct, more, array): ([Option<Term>; 3], &[Term], Option<Array>) = match self.node(t) {
            Node::Const(_) | Node::Var(_) => ([None; 3], &[], None),
            Node::Extract { arg: a, .. } | Node::ZExt(a, _) | Node::SExt(a, _) => ([Some(*a), None, None], &[], None),
            Node::FloatUn(_, _, a) | Node::FloatToFloat(_, _, a) => ([Some(*a), None, None], &[], None),
            Node::FloatToInt { arg: a, .. } | Node::IntToFloat { arg: a, .. } => ([Some(*a), None, None], &[], None),
            Node::Bin(_, a, b) | Node::FloatBin(_, _, a, b) | Node::FloatCmp(_, _, a, b) => {
                ([Some(*a), Some(*b), None], &[], None)
            }
            Node::Ite(a, b, c) | Node::Fma(_, a, b, c) => ([Some(*a), Some(*b), Some(*c)], &[], None),
            Node::Select(array, index) => ([Some(*index), None, None], &[], Some(*array)),
            Node::Apply(_, args, _) => ([None; 3], args, None),
        };
        let of_array = array.into_iter().flat_map(|a| self.array_terms(a));
        direct.into_iter().flatten().chain(more.iter().copied()).chain(of_array)
    }

    /// Every index and element that `array` was made of, the newest store first.
    pub fn array_terms(&self, array: Array) -> impl Iterator<Item = Term> + '_ {
        let mut at = Some(array);
        std::iter::from_fn(move || {
            let (terms, next): ([&[Term]; 2], _) = match self.array(at?) {
                ArrayNode::Elements(elements) => ([elements, &[]], None),
                ArrayNode::Store { base, index, value } => {
                    ([std::slice::from_ref(index), std::slice::from_ref(value)], Some(*base))
                }
            };
            at = next;
            Some(terms.into_iter().flatten().copied())
        })
        .flatten()
    }

    /// Declares an input of 1 to 64 bits.
    pub fn new_var(&mut self, name: &str, width: u32) -> Var {
        assert!((1..=64).contains(&width), "an input has 1 to 64 bits");
        self.vars.push(VarInfo { name: name.to_owned(), width });
        Var(self.vars.len() as u32 - 1)
    }

    /// Declares an opaque function; the same name twice gives the same function.
    pub fn function(&mut self, info: FunctionInfo) -> OpaqueFunction {
        if let Some(at) = self.functions.iter().position(|f| f.name == info.name) {
            return OpaqueFunction(at as u32);
        }
        self.functions.push(info);
        OpaqueFunction(self.functions.len() as u32 - 1)
    }

    /// The term of a node that is already there.
    pub(crate) fn find(&self, node: &Node) -> Option<Term> {
        find(&self.index, &self.nodes, hash_of(node), node).map(term_at)
    }

    /// The term of a node as it stands, or the constant that it always is.
    pub(crate) fn intern(&mut self, node: Node, width: u32) -> Term {
        let hash = hash_of(&node);
        if let Some(at) = find(&self.index, &self.nodes, hash, &node) {
            return term_at(at);
        }
        let mut facts = 0;
        if width <= 64 {
            let derived = self.derive_facts(&node, width);
            if derived.lo == derived.hi && !matches!(node, Node::Const(_)) {
                return self.bv(width, derived.lo);
            }
            facts = self.remember(width, derived);
        }
        let meta = Meta { facts, ..self.meta_of(&node, width) };
        self.made += 1;
        term_at(insert(&mut self.index, &mut self.nodes, &mut self.free, hash, ArenaEntry { node, meta }))
    }

    /// The array of a node, as it stands.
    pub(crate) fn intern_array(&mut self, node: ArrayNode) -> Array {
        let hash = hash_of(&node);
        if let Some(at) = find(&self.array_index, &self.arrays, hash, &node) {
            return Array(at);
        }
        let meta = self.meta_of_array(&node);
        self.made += 1 + if let ArrayNode::Elements(elements) = &node { elements.len() / ELEMENTS_PER_TERM } else { 0 };
        Array(insert(&mut self.array_index, &mut self.arrays, &mut self.free_arrays, hash, ArenaEntry { node, meta }))
    }

    fn meta_of(&mut self, node: &Node, width: u32) -> Meta {
        let mut meta = Meta { width, vars: VarSet::EMPTY, facts: 0, traits: Traits::default() };
        let operands: [Option<Term>; 3] = match node {
            Node::Const(_) => [None; 3],
            Node::Var(v) => {
                meta.vars = self.sets.single(*v);
                [None; 3]
            }
            Node::Bin(_, a, b) => [Some(*a), Some(*b), None],
            Node::Extract { arg, .. } | Node::ZExt(arg, _) | Node::SExt(arg, _) => [Some(*arg), None, None],
            Node::Ite(a, b, c) | Node::Fma(_, a, b, c) => [Some(*a), Some(*b), Some(*c)],
            Node::Select(array, index) => {
                self.absorb(&mut meta, self.arrays[array.0 as usize].meta);
                [Some(*index), None, None]
            }
            Node::FloatBin(_, _, a, b) | Node::FloatCmp(_, _, a, b) => [Some(*a), Some(*b), None],
            Node::FloatUn(_, _, a) | Node::FloatToFloat(_, _, a) => [Some(*a), None, None],
            Node::FloatToInt { arg, .. } | Node::IntToFloat { arg, .. } => [Some(*arg), None, None],
            Node::Apply(_, args, _) => {
                meta.traits.opaque = true;
                self.absorb_all(&mut meta, args);
                [None; 3]
            }
        };
        for operand in operands.into_iter().flatten() {
            self.absorb(&mut meta, self.nodes[operand.index()].meta);
        }
        meta.traits.float |= node.is_float();
        meta
    }

    fn derive_facts(&self, node: &Node, width: u32) -> Facts {
        match *node {
            Node::Const(ref bits) => Facts::exact(width, bits.low()),
            Node::Bin(BinOp::Concat, a, b) => self.facts(a).concat(self.facts(b), self.width(b), width),
            Node::Bin(op, a, b) if !op.is_comparison() => Facts::bin(op, width, self.facts(a), self.facts(b)),
            Node::Extract { arg, lo, .. } if self.width(arg) <= 64 => {
                self.facts(arg).extract(self.width(arg), lo, width)
            }
            Node::ZExt(a, _) => self.facts(a).zext(self.width(a), width),
            Node::SExt(a, _) => self.facts(a).sext(self.width(a), width),
            Node::Ite(_, a, b) => self.facts(a).join(self.facts(b)),
            Node::Select(array, _) => self.facts_of(self.arrays[array.0 as usize].meta),
            _ => Facts::top(width),
        }
    }

    fn meta_of_array(&mut self, node: &ArrayNode) -> Meta {
        match node {
            ArrayNode::Elements(elements) => {
                let width = self.width(elements[0]);
                let mut meta = Meta { width, vars: VarSet::EMPTY, facts: 0, traits: Traits::default() };
                self.absorb_all(&mut meta, elements);
                if width <= 64 {
                    let facts = elements[1..].iter().fold(self.facts(elements[0]), |all, &e| all.join(self.facts(e)));
                    meta.facts = self.remember(width, facts);
                }
                meta
            }
            ArrayNode::Store { base, index, value } => {
                let mut meta = self.arrays[base.0 as usize].meta;
                self.absorb_all(&mut meta, &[*index, *value]);
                if meta.width <= 64 {
                    let facts = self.facts_of(meta).join(self.facts(*value));
                    meta.facts = self.remember(meta.width, facts);
                }
                meta
            }
        }
    }

    fn absorb_all(&mut self, into: &mut Meta, operands: &[Term]) {
        for operand in operands {
            self.absorb(into, self.nodes[operand.index()].meta);
        }
    }

    fn absorb(&mut self, into: &mut Meta, operand: Meta) {
        into.vars = self.sets.union(into.vars, operand.vars);
        into.traits.float |= operand.traits.float;
        into.traits.opaque |= operand.traits.opaque;
    }
}

fn find<N: PartialEq>(index: &HashTable<Position>, entries: &[ArenaEntry<N>], hash: u32, node: &N) -> Option<u32> {
    let same = |p: &Position| p.hash == hash && entries[p.at as usize].node == *node;
    index.find(Position::spread(hash), same).map(|p| p.at)
}

/// Elements of an array that take about the memory of a term.
const ELEMENTS_PER_TERM: usize = 8;

fn insert<N>(
    index: &mut HashTable<Position>,
    entries: &mut Vec<ArenaEntry<N>>,
    free: &mut Vec<u32>,
    hash: u32,
    entry: ArenaEntry<N>,
) -> u32 {
    let at = match free.pop() {
        Some(at) => {
            entries[at as usize] = entry;
            at
        }
        None => {
            entries.push(entry);
            u32::try_from(entries.len() - 1).expect("fewer than 2^32 nodes")
        }
    };
    index.insert_unique(Position::spread(hash), Position { at, hash }, |p| Position::spread(p.hash));
    at
}

fn term_at(at: u32) -> Term {
    Term(NonZeroU32::MIN.saturating_add(at))
}
