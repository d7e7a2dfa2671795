//! Of a query that can be satisfied, a model near its witness: few inputs changed, those that were made first, and by little.
//!
//! A back end gives any model. Who asks for a part of a path only (IPPC) wants one that disturbs the rest as little as possible; that the input which was made first
//! moves is what the simplex method does with Bland's rule, and so what the solver of that paper does. Only the conditions of the query are looked at.
//! Boundary: nothing is solved here, a model is moved; each candidate is evaluated. The budget is counted, so it is the same on every machine.

use taw_expr::{Assignment, Term, Terms, Var};

use crate::force::Force;
use crate::{Query, Solver};

/// Ways tried to satisfy the goal from the witness.
const WAYS: u32 = 4;
/// Evaluations of the whole query to move a model back.
const BUDGET: u32 = 200;

/// What is less is nearer: the number of inputs that differ, the first of them, and by how much they do.
type Farness = (usize, Option<Var>, u128);

impl Solver {
    /// A model of `query` that is no farther from its witness than `model`, which is one.
    pub fn nearest(&mut self, terms: &Terms, query: &Query<'_>, model: Assignment) -> Assignment {
        let vars = inputs(terms, query);
        let model = self.moved_back(terms, query, &vars, model);
        let mut best = (farness(terms, query.witness, &vars, &model), model);
        for way in 0..WAYS {
            let mut force = Force::new(query.witness.clone(), way);
            if !force.truth(terms, &mut self.scratch, query.goal, true) {
                continue;
            }
            let far = farness(terms, query.witness, &vars, &force.model);
            if far < best.0 && self.is_model(terms, query, &force.model) {
                best = (far, force.model);
            }
        }
        best.1
    }

    fn is_model(&mut self, terms: &Terms, query: &Query<'_>, model: &Assignment) -> bool {
        self.scratch.all_hold(terms, model, query.path.iter().chain([&query.goal]))
    }

    /// Gives inputs the witness's values again, the last made first, or nearer ones.
    fn moved_back(&mut self, terms: &Terms, query: &Query<'_>, vars: &[Var], mut model: Assignment) -> Assignment {
        let mut budget = BUDGET;
        for &var in vars.iter().rev() {
            let (width, home) = (terms.vars()[var.0 as usize].width, query.witness.value(var));
            let mut step = signed_difference(model.value(var), home, width);
            // All the way, or half of it, and so on.
            while step != 0 && budget > 0 {
                budget -= 1;
                let mut nearer = model.clone();
                nearer.set(var, model.value(var).wrapping_sub(step.cast_unsigned()) & mask(width));
                if self.is_model(terms, query, &nearer) {
                    model = nearer;
                }
                step = if signed_difference(model.value(var), home, width) == 0 { 0 } else { step / 2 };
            }
        }
        model
    }
}

fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width.clamp(1, 64))
}

/// `a - b`, as a number with a sign.
fn signed_difference(a: u64, b: u64, width: u32) -> i64 {
    let unused = 64 - width.clamp(1, 64);
    (a.wrapping_sub(b) << unused).cast_signed() >> unused
}

/// The inputs of a query, ascending.
fn inputs(terms: &Terms, query: &Query<'_>) -> Vec<Var> {
    let of = |t: &Term| terms.vars_in(terms.vars_of(*t)).collect::<Vec<_>>();
    let mut vars: Vec<Var> = query.path.iter().chain([&query.goal]).flat_map(of).collect();
    vars.sort_unstable();
    vars.dedup();
    vars
}

fn farness(terms: &Terms, witness: &Assignment, vars: &[Var], model: &Assignment) -> Farness {
    let by = |var: &Var| {
        let width = terms.vars()[var.0 as usize].width;
        u128::from(signed_difference(model.value(*var), witness.value(*var), width).unsigned_abs())
    };
    let changed: Vec<&Var> = vars.iter().filter(|var| by(var) != 0).collect();
    (changed.len(), changed.first().map(|var| **var), changed.into_iter().map(by).sum())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SolverConfig;

    /// The first call of figure 3: `b > c` from zeros. Far answers come back, and it is `b` that moves, which was made first.
    #[test]
    fn the_input_that_was_made_first_moves_by_as_little_as_it_can() {
        let mut terms = Terms::new();
        let [a, b, c] = ["a", "b", "c"].map(|name| terms.new_var(name, 32));
        let (bt, ct) = (terms.var(b), terms.var(c));
        let at_most = terms.sle(bt, ct);
        let goal = terms.not(at_most);
        let witness = Assignment::new();
        let query = Query { path: &[], goal, witness: &witness };
        let mut solver = Solver::new(SolverConfig::default()).expect("a solver");
        for (far_b, far_c) in [(-1i32, -2i32), (1 << 30, -5), (7, 6), (0, i32::MIN), (i32::MAX, 0)] {
            let mut model = Assignment::new();
            model.set(b, u64::from(far_b.cast_unsigned()));
            model.set(c, u64::from(far_c.cast_unsigned()));
            let near = solver.nearest(&terms, &query, model);
            assert_eq!([a, b, c].map(|var| near.value(var)), [0, 1, 0], "from {far_b}, {far_c}");
        }
    }

    #[test]
    fn what_comes_out_is_a_model_and_other_inputs_are_left() {
        let mut terms = Terms::new();
        let [x, y] = ["x", "y"].map(|name| terms.new_var(name, 8));
        let (xt, bound, square) = (terms.var(x), terms.bv(8, 200), terms.bv(8, 49));
        let product = terms.mul(xt, xt);
        let goal = terms.eq(product, square);
        let below = terms.ult(xt, bound);
        let mut witness = Assignment::new();
        witness.set(y, 9);
        let query = Query { path: &[below], goal, witness: &witness };
        let mut solver = Solver::new(SolverConfig::default()).expect("a solver");
        let mut model = witness.clone();
        model.set(x, 135);
        let near = solver.nearest(&terms, &query, model);
        assert_eq!((near.value(x) * near.value(x) % 256, near.value(y)), (49, 9));
        assert!(near.value(x) < 200);
    }
}
