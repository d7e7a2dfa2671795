//! What is known of terms without solving: the inputs they depend on and what they contain.
//!
//! Facts are computed by one walk per condition and kept for the solver's life. They are kept for conditions only, not
//! for the terms inside: that would cost a set of inputs per term of the arena.
//!
//! Invariant: a solver serves one arena, so a term's index identifies it.

use std::rc::Rc;

use taw_expr::{Array, ArrayNode, Function, Node, Term, Terms, Var};

/// What a condition is made of.
#[derive(Clone, Debug)]
pub struct TermFacts {
    /// The inputs it depends on, ascending.
    pub vars: Rc<[Var]>,
    /// An opaque function in it, if any.
    pub opaque: Option<Function>,
    /// Whether a float operation is in it.
    pub has_float: bool,
    /// Whether every term in it has at most 64 bits.
    pub is_narrow: bool,
    /// The number of distinct terms in it.
    pub size: u32,
}

/// The facts of all conditions seen so far.
#[derive(Default, Debug)]
pub struct Facts {
    /// Per term: position in `facts` plus one, or 0.
    index: Vec<u32>,
    facts: Vec<Rc<TermFacts>>,
    walk: Walk,
}

impl Facts {
    /// The facts of `t`.
    pub fn of(&mut self, terms: &Terms, t: Term) -> Rc<TermFacts> {
        if self.index.len() <= t.index() {
            self.index.resize(terms.len(), 0);
        }
        match self.index[t.index()] {
            0 => {
                let facts = Rc::new(self.walk.facts(terms, t));
                self.facts.push(facts.clone());
                self.index[t.index()] = self.facts.len() as u32;
                facts
            }
            at => self.facts[at as usize - 1].clone(),
        }
    }
}

/// The scratch space of a walk; marks carry the number of the walk, so that they need no clearing.
#[derive(Default, Debug)]
struct Walk {
    number: u32,
    terms: Vec<u32>,
    arrays: Vec<u32>,
    vars: Vec<u32>,
    stack: Vec<Term>,
    array_stack: Vec<Array>,
}

/// Marks `at` as seen in this walk; says whether it is new.
fn mark(marks: &mut Vec<u32>, at: usize, number: u32) -> bool {
    if marks.len() <= at {
        marks.resize(at + 1, 0);
    }
    std::mem::replace(&mut marks[at], number) != number
}

impl Walk {
    fn facts(&mut self, terms: &Terms, root: Term) -> TermFacts {
        self.number += 1;
        let mut vars = Vec::new();
        let mut facts = TermFacts { vars: Rc::new([]), opaque: None, has_float: false, is_narrow: true, size: 0 };
        self.push(root);
        loop {
            if let Some(t) = self.stack.pop() {
                facts.size += 1;
                facts.is_narrow &= terms.width(t) <= 64;
                self.visit(terms, t, &mut facts, &mut vars);
            } else if let Some(a) = self.array_stack.pop() {
                self.visit_array(terms, a);
            } else {
                break;
            }
        }
        vars.sort_unstable();
        facts.vars = vars.into();
        facts
    }

    fn push(&mut self, t: Term) {
        if mark(&mut self.terms, t.index(), self.number) {
            self.stack.push(t);
        }
    }

    fn push_array(&mut self, a: Array) {
        if mark(&mut self.arrays, a.index(), self.number) {
            self.array_stack.push(a);
        }
    }

    fn visit(&mut self, terms: &Terms, t: Term, facts: &mut TermFacts, vars: &mut Vec<Var>) {
        facts.has_float |= is_float(terms.node(t));
        match *terms.node(t) {
            Node::Const(_) => {}
            Node::Var(v) => {
                if mark(&mut self.vars, v.0 as usize, self.number) {
                    vars.push(v);
                }
            }
            Node::Bin(_, a, b) | Node::FloatBin(_, _, a, b) | Node::FloatCmp(_, _, a, b) => {
                self.push(a);
                self.push(b);
            }
            Node::Extract { arg, .. }
            | Node::ZExt(arg, _)
            | Node::SExt(arg, _)
            | Node::FloatUn(_, _, arg)
            | Node::FloatToFloat(_, _, arg)
            | Node::FloatToInt { arg, .. }
            | Node::IntToFloat { arg, .. } => self.push(arg),
            Node::Ite(a, b, c) | Node::Fma(_, a, b, c) => {
                self.push(a);
                self.push(b);
                self.push(c);
            }
            Node::Select(array, index) => {
                self.push_array(array);
                self.push(index);
            }
            Node::Apply(function, ref args, _) => {
                facts.opaque.get_or_insert(function);
                args.iter().for_each(|&a| self.push(a));
            }
        }
    }

    fn visit_array(&mut self, terms: &Terms, a: Array) {
        match terms.array(a) {
            ArrayNode::Elements(elements) => elements.iter().for_each(|&e| self.push(e)),
            &ArrayNode::Store { base, index, value } => {
                self.push_array(base);
                self.push(index);
                self.push(value);
            }
        }
    }
}

fn is_float(node: &Node) -> bool {
    matches!(
        node,
        Node::FloatUn(..)
            | Node::FloatBin(..)
            | Node::Fma(..)
            | Node::FloatCmp(..)
            | Node::FloatToFloat(..)
            | Node::FloatToInt { .. }
            | Node::IntToFloat { .. }
    )
}
