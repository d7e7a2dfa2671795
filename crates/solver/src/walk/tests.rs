//! Scores are zero exactly where conditions hold, and values computed backwards lead where they should.

use taw_expr::{
    Assignment, BinOp, Evaluator, FloatBin, FloatCmp, FloatFormat, FunctionInfo, NativeFunction, Term, Terms, Var,
};

use super::linear::Definitions;
use super::number::Random;
use super::problem::Problem;
use super::{Effort, Without, inverse, linear, walk};

const NUMBERS: [f64; 12] =
    [0.0, -0.0, 1.0, -1.0, 1.0000000000000002, 1e300, -1e300, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 5e-324, 0.5];

fn problem(terms: &Terms, conditions: &[Term]) -> Problem {
    Problem::new(terms, conditions, &Definitions::default()).expect("there is something to move")
}

/// The scores of all conditions at values of two inputs, and whether each holds.
fn scores(problem: &mut Problem, values: [u64; 2]) -> Vec<(f64, bool)> {
    values.iter().enumerate().for_each(|(at, &value)| problem.tape.set_input(at, value));
    problem.tape.run_all();
    let tape = &problem.tape;
    problem.conditions.iter().map(|c| (c.goal.score(tape), tape.word(c.slot) != 0)).collect()
}

#[test]
fn a_score_is_zero_exactly_where_the_condition_holds() {
    let mut terms = Terms::new();
    let [x, y] = ["x", "y"].map(|name| terms.new_var(name, 64)).map(|v| terms.var(v));
    let mut all = Vec::new();
    for op in [FloatCmp::Eq, FloatCmp::Lt, FloatCmp::Le, FloatCmp::Unordered] {
        all.push(terms.float_cmp(op, FloatFormat::F64, x, y));
    }
    for op in BinOp::ALL.into_iter().filter(|op| op.is_comparison()) {
        all.push(terms.bin(op, x, y));
    }
    for t in all.clone() {
        all.push(terms.not(t));
    }
    for pair in 0..all.len() - 1 {
        let (both, either) = (terms.and(all[pair], all[pair + 1]), terms.or(all[pair], all[pair + 1]));
        all.extend([terms.not(both), either]);
    }
    for &t in &all {
        let mut problem = problem(&terms, &[t]);
        for a in NUMBERS {
            for b in NUMBERS {
                for (score, holds) in scores(&mut problem, [a.to_bits(), b.to_bits()]) {
                    assert_eq!(score == 0.0, holds, "{:?} of {a} and {b} scores {score}", terms.node(t));
                    assert!(score >= 0.0 && score.is_finite(), "{score}");
                }
            }
        }
    }
}

#[test]
fn nearer_is_better() {
    let mut terms = Terms::new();
    let [x, y] = ["x", "y"].map(|name| terms.new_var(name, 64)).map(|v| terms.var(v));
    let less = terms.float_cmp(FloatCmp::Lt, FloatFormat::F64, x, y);
    let mut problem = problem(&terms, &[less]);
    let mut at = |x: f64| scores(&mut problem, [x.to_bits(), 2.0f64.to_bits()])[0].0;
    let steps = [f64::NAN, 1e50, 1e10, 100.0, 3.0, 2.0000001, 2.0f64.next_up(), 2.0f64.next_down()];
    for pair in steps.windows(2) {
        assert!(at(pair[0]) > at(pair[1]), "{} {}", pair[0], pair[1]);
    }
}

#[test]
fn values_computed_backwards_satisfy() {
    type Case = (&'static str, fn(f64) -> f64, f64);
    let unary: [Case; 8] = [
        ("sin", f64::sin, 0.25),
        ("cos", f64::cos, -0.5),
        ("tan", f64::tan, 3.0),
        ("exp", f64::exp, 7.0),
        ("log", f64::ln, -2.0),
        ("cbrt", f64::cbrt, 1.5),
        ("atan", f64::atan, 1.0),
        ("sinh", f64::sinh, -4.0),
    ];
    for (name, eval, wanted) in unary {
        let mut terms = Terms::new();
        let x = terms.new_var("x", 64);
        let x = terms.var(x);
        let function = terms.function(FunctionInfo { name: name.into(), eval: NativeFunction::Double(eval) });
        let three = terms.bv(64, 3.0f64.to_bits());
        let argument = terms.float_bin(FloatBin::Sub, FloatFormat::F64, three, x);
        let value = terms.apply(function, [argument].into(), 64);
        let constant = terms.bv(64, wanted.to_bits());
        let equal = terms.float_cmp(FloatCmp::Eq, FloatFormat::F64, value, constant);
        let mut problem = problem(&terms, &[equal]);
        problem.tape.run_all();
        let test = problem.conditions[0].goal.failing(&problem.tape, &mut |_| 0).expect("0 is no solution");
        // Equality is aimed at exactly two times in three, and beside it else.
        let hit = (0..20).any(|seed| {
            let bits = inverse::candidate(&problem, &test, 0, &mut Random(seed)).expect("there is an inverse");
            let x = f64::from_bits(bits as u64);
            (eval(3.0 - x) - wanted).abs() < 1e-12
        });
        assert!(hit, "{name}");
    }
}

#[test]
fn what_is_defined_through_and_through_needs_no_walk() {
    let mut terms = Terms::new();
    let v = terms.new_var("x", 64);
    let x = terms.var(v);
    let [three, four] = [3.0f64, 4.0].map(|n| terms.bv(64, n.to_bits()));
    let equal = terms.float_cmp(FloatCmp::Eq, FloatFormat::F64, x, three);
    let (less, more) = (
        terms.float_cmp(FloatCmp::Lt, FloatFormat::F64, x, four),
        terms.float_cmp(FloatCmp::Lt, FloatFormat::F64, four, x),
    );
    let effort = Effort { work: 1_000_000, seed: 1, deadline: None, without: Without::default() };
    let found = walk(&mut terms, &[equal, less], &[&Assignment::new()], effort);
    assert_eq!(found.model.map(|model| model.value(v)), Some(3.0f64.to_bits()));
    assert!(found.evaluations < 10);
    let found = walk(&mut terms, &[equal, more], &[&Assignment::new()], effort);
    assert!(found.model.is_none());
}

/// `x = y + 3` is kept wherever the walk goes, so that only the rest has to be found.
#[test]
fn equalities_that_define_are_kept() {
    let mut terms = Terms::new();
    let vars: [Var; 2] = ["x", "y"].map(|name| terms.new_var(name, 64));
    let [x, y] = vars.map(|v| terms.var(v));
    let three = terms.bv(64, 3.0f64.to_bits());
    let sum = terms.float_bin(FloatBin::Add, FloatFormat::F64, y, three);
    let equal = terms.float_cmp(FloatCmp::Eq, FloatFormat::F64, x, sum);
    let product = terms.float_bin(FloatBin::Mul, FloatFormat::F64, x, y);
    let ten = terms.bv(64, 10.0f64.to_bits());
    let goal = terms.float_cmp(FloatCmp::Eq, FloatFormat::F64, product, ten);
    let definitions = linear::definitions(&mut terms, &[equal, goal]);
    let problem = Problem::new(&terms, &[equal, goal], &definitions).expect("there is something to move");
    assert_eq!(problem.coordinates.len(), 1);
    let effort = Effort { work: 100_000, seed: 1, deadline: None, without: Without::default() };
    let model = walk(&mut terms, &[equal, goal], &[&Assignment::new()], effort).model.expect("2 and 5 are a solution");
    let [x, y] = vars.map(|v| f64::from_bits(model.value(v)));
    assert!(x == y + 3.0 && x * y == 10.0, "{x} {y}");
}

/// A system with one free input and a product, as integers and as doubles.
#[test]
fn systems_of_linear_equalities_are_kept() {
    for is_float in [false, true] {
        let mut terms = Terms::new();
        let vars: [Var; 3] = ["x", "y", "z"].map(|name| terms.new_var(name, 64));
        let [x, y, z] = vars.map(|v| terms.var(v));
        let number = |n: i64| if is_float { (n as f64).to_bits() } else { n as u64 };
        let [ten, two, thirty] = [10, 2, 30].map(|n| terms.bv(64, number(n)));
        let mut binary = |int: BinOp, float: FloatBin, a: Term, b: Term| match is_float {
            true => terms.float_bin(float, FloatFormat::F64, a, b),
            false => terms.bin(int, a, b),
        };
        let sum = binary(BinOp::Add, FloatBin::Add, x, y);
        let sum = binary(BinOp::Add, FloatBin::Add, sum, z);
        let difference = binary(BinOp::Sub, FloatBin::Sub, x, y);
        let product = binary(BinOp::Mul, FloatBin::Mul, x, y);
        let product = binary(BinOp::Mul, FloatBin::Mul, product, z);
        let mut equal = |a: Term, b: Term| match is_float {
            true => terms.float_cmp(FloatCmp::Eq, FloatFormat::F64, a, b),
            false => terms.eq(a, b),
        };
        let conditions = [equal(sum, ten), equal(difference, two), equal(product, thirty)];
        let definitions = linear::definitions(&mut terms, &conditions);
        assert_eq!(definitions.len(), 2);
        let problem = Problem::new(&terms, &conditions, &definitions).expect("there is something to move");
        assert_eq!(problem.coordinates.len(), 1);
        for seed in 0..10 {
            let effort = Effort { work: 100_000, seed, deadline: None, without: Without::default() };
            let model = walk(&mut terms, &conditions, &[&Assignment::new()], effort).model.expect("5, 3 and 2 are one");
            let mut evaluator = Evaluator::new(model);
            assert!(conditions.iter().all(|&t| evaluator.holds(&terms, t)));
        }
    }
}

/// What has no odd factor cannot be solved for, and nothing is defined in a circle.
#[test]
fn only_what_can_be_solved_for_is_defined() {
    let mut terms = Terms::new();
    let vars = ["x", "y"].map(|name| terms.new_var(name, 32));
    let [x, y] = vars.map(|v| terms.var(v));
    let [six, three, nine] = [6, 3, 9].map(|n| terms.bv(32, n));
    let (even, odd) = (terms.mul(six, x), terms.mul(three, y));
    let sum = terms.add(even, odd);
    let first = terms.eq(sum, nine);
    let definitions = linear::definitions(&mut terms, &[first]);
    assert_eq!(definitions.keys().collect::<Vec<_>>(), [&vars[1]]);
    let model: Assignment = [(vars[0], 77)].into_iter().collect();
    let value = Evaluator::new(model.clone()).eval_u64(&terms, definitions[&vars[1]]);
    let mut evaluator = Evaluator::new([(vars[0], 77), (vars[1], value)].into_iter().collect());
    assert!(evaluator.holds(&terms, first));
    // y of x · y, and x of y: a circle.
    let product = terms.mul(x, y);
    let (second, third) = (terms.eq(y, product), terms.eq(x, y));
    assert_eq!(linear::definitions(&mut terms, &[second, third]).len(), 1);
}
