//! The gate graph: and, xor, multiplexer and majority over input bits, with structural hashing and constant propagation.
//!
//! An and-inverter graph (A. Kuehlmann et al., 2002) with three more kinds of gate, because each has a smaller and better
//! propagating set of clauses than its expansion. One graph serves all SAT contexts, so a term is built once.
//!
//! Invariant: a gate's operands have smaller numbers; no gate has a constant operand or two operands over one node;
//! equal gates have equal literals.

use rustc_hash::FxHashMap;

/// A bit of the graph: a node, perhaps negated.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Lit(u32);

impl Lit {
    /// The constant false: node 0.
    pub const FALSE: Lit = Lit(0);
    /// The constant true.
    pub const TRUE: Lit = Lit(1);

    /// A constant.
    pub fn constant(value: bool) -> Self {
        Lit(u32::from(value))
    }

    fn positive(node: usize) -> Self {
        Lit((node as u32) << 1)
    }

    /// The node's number.
    pub fn node(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Whether it is the negation of its node.
    pub fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    /// Its value if it is a constant.
    pub fn as_constant(self) -> Option<bool> {
        (self.0 < 2).then_some(self.0 == 1)
    }

    fn abs(self) -> Self {
        Lit(self.0 & !1)
    }

    fn negate_if(self, condition: bool) -> Self {
        Lit(self.0 ^ u32::from(condition))
    }
}

impl std::ops::Not for Lit {
    type Output = Lit;
    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

/// What a node is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Gate {
    /// Node 0.
    False,
    /// A bit of an input.
    Input,
    /// Both; operands ascending.
    And(Lit, Lit),
    /// Exactly one; operands ascending and positive.
    Xor(Lit, Lit),
    /// If the first then the second else the third; the first two positive.
    Mux(Lit, Lit, Lit),
    /// At least two; operands ascending, at most one negated.
    Majority(Lit, Lit, Lit),
}

/// A graph of gates.
#[derive(Debug)]
pub(crate) struct Gates {
    nodes: Vec<Gate>,
    interned: FxHashMap<Gate, u32>,
}

impl Default for Gates {
    fn default() -> Self {
        Self { nodes: vec![Gate::False], interned: FxHashMap::default() }
    }
}

impl Gates {
    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The gate at a node.
    pub fn gate(&self, node: usize) -> Gate {
        self.nodes[node]
    }

    /// A fresh input bit.
    pub fn input(&mut self) -> Lit {
        self.nodes.push(Gate::Input);
        Lit::positive(self.nodes.len() - 1)
    }

    fn intern(&mut self, gate: Gate) -> Lit {
        let next = self.nodes.len();
        let node = *self.interned.entry(gate).or_insert(next as u32) as usize;
        if node == next {
            self.nodes.push(gate);
        }
        Lit::positive(node)
    }

    /// `a ∧ b`
    pub fn and(&mut self, a: Lit, b: Lit) -> Lit {
        let (a, b) = (a.min(b), a.max(b));
        match a.as_constant() {
            Some(true) => return b,
            Some(false) => return Lit::FALSE,
            None => {}
        }
        if a == b {
            return a;
        }
        if a == !b {
            return Lit::FALSE;
        }
        if let Some(known) = self.absorbed(a, b).or_else(|| self.absorbed(b, a)) {
            return known;
        }
        self.intern(Gate::And(a, b))
    }

    /// `a ∧ b` where `b` is a conjunction that contains `a` or its negation, or the negation of one.
    fn absorbed(&self, a: Lit, b: Lit) -> Option<Lit> {
        let Gate::And(x, y) = self.nodes[b.node()] else { return None };
        match b.is_negated() {
            false if a == x || a == y => Some(b),
            false if a == !x || a == !y => Some(Lit::FALSE),
            true if a == !x || a == !y => Some(a),
            _ => None,
        }
    }

    /// `a ∨ b`
    pub fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    /// `a ≠ b`
    pub fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        let negated = a.is_negated() != b.is_negated();
        let (a, b) = (a.abs().min(b.abs()), a.abs().max(b.abs()));
        let positive = if a == Lit::FALSE {
            b
        } else if a == b {
            Lit::FALSE
        } else {
            self.intern(Gate::Xor(a, b))
        };
        positive.negate_if(negated)
    }

    /// `c ? a : b`
    pub fn mux(&mut self, c: Lit, a: Lit, b: Lit) -> Lit {
        match c.as_constant() {
            Some(true) => return a,
            Some(false) => return b,
            None => {}
        }
        if a == b {
            return a;
        }
        if a == !b {
            return self.xor(c, b);
        }
        if c.is_negated() {
            return self.mux(!c, b, a);
        }
        if a == Lit::FALSE || a == !c {
            return self.and(!c, b);
        }
        if a == Lit::TRUE || a == c {
            return self.or(c, b);
        }
        if b == Lit::FALSE || b == c {
            return self.and(c, a);
        }
        if b == Lit::TRUE || b == !c {
            return self.or(!c, a);
        }
        let negated = a.is_negated();
        self.intern(Gate::Mux(c, a.negate_if(negated), b.negate_if(negated))).negate_if(negated)
    }

    /// At least two of three: the carry of an adder.
    pub fn majority(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        let mut l = [a, b, c];
        l.sort_unstable();
        let [a, b, c] = l;
        match a.as_constant() {
            Some(true) => return self.or(b, c),
            Some(false) => return self.and(b, c),
            None => {}
        }
        // Sorted, so that two literals over one node are neighbours.
        if a.node() == b.node() {
            return if a == b { a } else { c };
        }
        if b.node() == c.node() {
            return if b == c { b } else { a };
        }
        let negated = l.iter().filter(|l| l.is_negated()).count() >= 2;
        let [a, b, c] = l.map(|l| l.negate_if(negated));
        self.intern(Gate::Majority(a, b, c)).negate_if(negated)
    }

    /// All of them; as a balanced tree.
    pub fn all(&mut self, literals: &[Lit]) -> Lit {
        match literals {
            [] => Lit::TRUE,
            [one] => *one,
            _ => {
                let (low, high) = literals.split_at(literals.len() / 2);
                let (low, high) = (self.all(low), self.all(high));
                self.and(low, high)
            }
        }
    }

    /// Any of them; as a balanced tree.
    pub fn any(&mut self, literals: &[Lit]) -> Lit {
        let negated: Vec<Lit> = literals.iter().map(|&l| !l).collect();
        !self.all(&negated)
    }
}
