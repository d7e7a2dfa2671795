//! The conditions of a path, taken apart: those that decided something, as single facts.
//!
//! What was supposed (of what is made, of the start, by the program) decides nothing: it holds for every call that is explored.

use std::collections::HashSet;

use taw_expr::{BinOp, Node, Term, Terms};

use crate::path::{Condition, Decision, Path};

/// A fact that a path has decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Literal {
    /// The fact.
    pub term: Term,
    /// Where it was decided, if that is known.
    pub decided: Option<Decision>,
}

/// Whether a condition could have gone another way. A turn says that something which was tried before is not the case.
pub(super) fn is_decision(condition: &Condition) -> bool {
    condition.decided.is_some() || condition.turn.is_some()
}

/// The decisions of a path as facts, oldest first, each once.
pub(super) fn literals(terms: &mut Terms, path: &Path) -> Vec<Literal> {
    let mut seen = HashSet::new();
    let mut all = Vec::new();
    for condition in path.conditions().into_iter().filter(|condition| is_decision(condition)) {
        for term in conjuncts(terms, condition.term) {
            if terms.as_u64(term).is_none() && seen.insert(term) {
                all.push(Literal { term, decided: condition.decided });
            }
        }
    }
    all
}

/// The operand, if this is a negation.
pub(super) fn negated(terms: &Terms, t: Term) -> Option<Term> {
    match *terms.node(t) {
        Node::Bin(BinOp::Xor, a, b) if terms.width(t) == 1 && terms.as_u64(b) == Some(1) => Some(a),
        _ => None,
    }
}

/// The facts that a condition is made of: those of `a & b`, and of `!(a | b)`.
fn conjuncts(terms: &mut Terms, t: Term) -> Vec<Term> {
    let (mut todo, mut done) = (vec![t], Vec::new());
    while let Some(t) = todo.pop() {
        match (terms.node(t).clone(), negated(terms, t).map(|inner| terms.node(inner).clone())) {
            (Node::Bin(BinOp::And, a, b), _) => todo.extend([b, a]),
            (_, Some(Node::Bin(BinOp::Or, a, b))) => {
                let (a, b) = (terms.not(a), terms.not(b));
                todo.extend([b, a]);
            }
            _ => done.push(t),
        }
    }
    done
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_fall_apart_into_facts() {
        let mut terms = Terms::new();
        let all: Vec<Term> = ["a", "b", "c"]
            .into_iter()
            .map(|name| {
                let var = terms.new_var(name, 1);
                terms.var(var)
            })
            .collect();
        let either = terms.or(all[1], all[2]);
        let neither = terms.not(either);
        let whole = terms.and(all[0], neither);
        let (not_b, not_c) = (terms.not(all[1]), terms.not(all[2]));
        assert_eq!(conjuncts(&mut terms, whole), [all[0], not_b, not_c]);
        assert_eq!(conjuncts(&mut terms, either), [either]);
    }
}
