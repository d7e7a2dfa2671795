//! One SAT solver with the circuits it has been told.
//!
//! Conditions are assumptions, so any of them can be taken back; what is loaded stays until the context is given up.
//! Invariant: a node with a SAT variable has the clauses of its whole cone in the solver.

use std::time::Instant;

use taw_expr::{Assignment, Var};

use super::blast::Blaster;
use super::gates::{Gate, Gates, Lit};
use crate::backends::cadical::{Cadical, SatAnswer};

/// A SAT solver and its mapping from nodes to variables.
pub(crate) struct SatContext {
    sat: Cadical,
    /// Per node of the graph: its SAT variable, or 0.
    variables: Vec<i32>,
    count: i32,
}

/// What a context says to a conjunction.
pub(crate) enum SatOutcome {
    /// Satisfiable; the values can be read.
    Sat,
    /// Unsatisfiable; the positions of the conjuncts needed for it.
    Unsat(Vec<usize>),
    /// A limit was reached.
    Stopped,
}

impl SatContext {
    /// An empty context.
    pub fn new() -> Self {
        Self { sat: Cadical::new(), variables: Vec::new(), count: 0 }
    }

    /// How much is loaded: the number of SAT variables.
    pub fn load(&self) -> usize {
        self.count as usize
    }

    /// Is the conjunction satisfiable?
    pub fn solve(&mut self, gates: &Gates, conjuncts: &[Lit], conflicts: u32, deadline: Option<Instant>) -> SatOutcome {
        if let Some(at) = conjuncts.iter().position(|&l| l == Lit::FALSE) {
            return SatOutcome::Unsat(vec![at]);
        }
        let literals: Vec<i32> = conjuncts.iter().map(|&l| self.literal(gates, l)).collect();
        for &literal in literals.iter().filter(|l| **l != 0) {
            self.sat.assume(literal);
        }
        match self.sat.solve(conflicts, deadline) {
            SatAnswer::Sat => SatOutcome::Sat,
            SatAnswer::Stopped => SatOutcome::Stopped,
            SatAnswer::Unsat => {
                let needed = |&at: &usize| literals[at] != 0 && self.sat.failed(literals[at]);
                SatOutcome::Unsat((0..literals.len()).filter(needed).collect())
            }
        }
    }

    /// Makes the solver try the witness's values of an input first.
    pub fn prefer(&mut self, blaster: &Blaster, witness: &Assignment, v: Var) {
        let value = witness.value(v);
        for (i, &bit) in blaster.input(v).unwrap_or(&[]).iter().enumerate() {
            let variable = self.variable(bit);
            if variable != 0 {
                self.sat.prefer(if value >> i & 1 == 1 { variable } else { -variable });
            }
        }
    }

    /// The value of an input in the model; bits that are not loaded have the witness's. Only after `Sat`.
    pub fn value(&mut self, blaster: &Blaster, witness: &Assignment, v: Var) -> u64 {
        let mut value = witness.value(v);
        for (i, &bit) in blaster.input(v).unwrap_or(&[]).iter().enumerate() {
            let variable = self.variable(bit);
            if variable != 0 {
                value = value & !(1 << i) | u64::from(self.sat.value(variable)) << i;
            }
        }
        value
    }

    fn variable(&self, bit: Lit) -> i32 {
        self.variables.get(bit.node()).copied().unwrap_or(0)
    }

    /// The SAT literal of a bit, with its cone loaded; 0 for the constant true.
    fn literal(&mut self, gates: &Gates, bit: Lit) -> i32 {
        if bit == Lit::TRUE {
            return 0;
        }
        self.variables.resize(gates.len().max(self.variables.len()), 0);
        let mut pending = vec![bit.node()];
        while let Some(&node) = pending.last() {
            if self.variables[node] == 0 && !self.push_missing(gates.gate(node), &mut pending) {
                self.count += 1;
                self.variables[node] = self.count;
                self.load_gate(gates.gate(node), self.count);
            }
            if pending.last() == Some(&node) {
                pending.pop();
            }
        }
        self.signed(bit)
    }

    /// Pushes the operands that are not loaded; says whether there are any.
    fn push_missing(&self, gate: Gate, pending: &mut Vec<usize>) -> bool {
        let before = pending.len();
        let mut need = |l: Lit| {
            if self.variables[l.node()] == 0 {
                pending.push(l.node());
            }
        };
        match gate {
            Gate::False | Gate::Input => {}
            Gate::And(a, b) | Gate::Xor(a, b) => [a, b].into_iter().for_each(need),
            Gate::Mux(a, b, c) | Gate::Majority(a, b, c) => {
                need(a);
                need(b);
                need(c);
            }
        }
        pending.len() > before
    }

    fn signed(&self, bit: Lit) -> i32 {
        let variable = self.variables[bit.node()];
        if bit.is_negated() { -variable } else { variable }
    }

    /// The clauses that define `out` as the gate (G. Tseitin, 1968), with the redundant ones that help propagation.
    fn load_gate(&mut self, gate: Gate, out: i32) {
        match gate {
            Gate::False | Gate::Input => {}
            Gate::And(a, b) => {
                let (a, b) = (self.signed(a), self.signed(b));
                self.clauses(&[&[-out, a], &[-out, b], &[out, -a, -b]]);
            }
            Gate::Xor(a, b) => {
                let (a, b) = (self.signed(a), self.signed(b));
                self.clauses(&[&[-out, a, b], &[-out, -a, -b], &[out, -a, b], &[out, a, -b]]);
            }
            Gate::Mux(c, a, b) => {
                let (c, a, b) = (self.signed(c), self.signed(a), self.signed(b));
                self.clauses(&[&[-out, -c, a], &[out, -c, -a], &[-out, c, b], &[out, c, -b]]);
                self.clauses(&[&[-out, a, b], &[out, -a, -b]]);
            }
            Gate::Majority(a, b, c) => {
                let (a, b, c) = (self.signed(a), self.signed(b), self.signed(c));
                self.clauses(&[&[-out, a, b], &[-out, a, c], &[-out, b, c]]);
                self.clauses(&[&[out, -a, -b], &[out, -a, -c], &[out, -b, -c]]);
            }
        }
    }

    fn clauses(&mut self, clauses: &[&[i32]]) {
        clauses.iter().for_each(|clause| self.sat.clause(clause));
    }
}
