//! The chain's answers to hand-made queries: the façade, opaque functions, limits, the self-check.

mod support;

use std::time::Duration;

use support::satisfies;
use taw_expr::{Assignment, BinOp, Bits, FloatBin, FloatCmp, FloatFormat, FunctionInfo, NativeFunction, Term, Terms};
use taw_solver::{
    Choices, Query, QueryLimit, Solver, SolverConfig, SolverError, StageChoice, Unknown, Validate, Verdict,
};

fn checked() -> Solver {
    Solver::new(SolverConfig { validate: Validate::On, ..SolverConfig::default() }).expect("a solver")
}

fn input(terms: &mut Terms, name: &str, width: u32) -> Term {
    let v = terms.new_var(name, width);
    terms.var(v)
}

#[test]
fn ranges_are_those_of_the_path() {
    let mut terms = Terms::new();
    let x = input(&mut terms, "x", 32);
    let (low, high, three) = (terms.bv(32, 17), terms.bv(32, 4000), terms.bv(32, 3));
    let above = terms.ult(low, x);
    let below = terms.ult(x, high);
    let rest = terms.bin(BinOp::URem, x, three);
    let zero = terms.bv(32, 0);
    let divisible = terms.eq(rest, zero);
    let path = [above, below, divisible];
    let witness: Assignment = [(taw_expr::Var(0), 300)].into_iter().collect();
    let mut solver = checked();
    assert_eq!(solver.min(&mut terms, &path, x, &witness), Ok(18));
    assert_eq!(solver.max(&mut terms, &path, x, &witness), Ok(3999));
    let limit = terms.bv(32, 3999);
    let goal = terms.ule(x, limit);
    assert_eq!(solver.must_be_true(&mut terms, &Query { path: &path, goal, witness: &witness }), Ok(true));
    let goal = terms.ult(x, limit);
    assert_eq!(solver.must_be_true(&mut terms, &Query { path: &path, goal, witness: &witness }), Ok(false));
    assert_eq!(solver.may_be_true(&mut terms, &Query { path: &path, goal, witness: &witness }), Ok(true));
}

#[test]
fn values_are_all_of_them_or_as_many_as_asked_for() {
    let mut terms = Terms::new();
    let x = input(&mut terms, "x", 8);
    let (mask, five) = (terms.bv(8, 0b101), terms.bv(8, 5));
    let masked = terms.and(x, mask);
    let sum = terms.add(masked, five);
    let mut solver = checked();
    let witness = Assignment::new();
    let Choices::All(found) = solver.values(&mut terms, &[], sum, &witness, 10) else { panic!("there are four") };
    let mut values: Vec<u64> = found.iter().map(|c| c.value).collect();
    values.sort_unstable();
    assert_eq!(values, [5, 6, 9, 10]);
    for choice in &found {
        let constant = terms.bv(8, choice.value);
        let goal = terms.eq(sum, constant);
        assert!(satisfies(&terms, &[], goal, &choice.model));
    }
    let Choices::Enough(found) = solver.values(&mut terms, &[], sum, &witness, 3) else { panic!("there are more") };
    assert_eq!(found.len(), 3);
}

/// `half(x) = x / 2`, of which solvers know nothing.
fn half(terms: &mut Terms, x: Term) -> Term {
    let eval = |args: &[Bits]| Bits::new(32, args[0].low() / 2);
    let function = terms.function(FunctionInfo { name: "half".to_owned(), eval: NativeFunction::Bits(eval) });
    terms.apply(function, Box::new([x]), 32)
}

#[test]
fn opaque_conditions_are_satisfied_by_candidates_or_unknown_but_never_denied() {
    let mut terms = Terms::new();
    let x = input(&mut terms, "x", 32);
    let h = half(&mut terms, x);
    let mut solver = checked();
    let witness = Assignment::new();
    // 2 is among the candidates.
    let one = terms.bv(32, 1);
    let goal = terms.eq(h, one);
    let model = solver.solve(&mut terms, &Query { path: &[], goal, witness: &witness }).model().expect("2 or 3");
    assert!(satisfies(&terms, &[], goal, &model));
    // No value has this half, but nobody can know.
    let far = terms.bv(32, 0x9000_0001);
    let goal = terms.eq(h, far);
    let verdict = solver.solve(&mut terms, &Query { path: &[], goal, witness: &witness });
    assert!(matches!(verdict, Verdict::Unknown(Unknown::Opaque(name)) if name == "half"));
}

#[test]
fn a_contradiction_beside_opaque_conditions_is_one() {
    let mut terms = Terms::new();
    let (x, y) = (input(&mut terms, "x", 32), input(&mut terms, "y", 32));
    let h = half(&mut terms, x);
    let small = terms.ult(h, y);
    let product = terms.mul(x, y);
    let seven = terms.bv(32, 7);
    let is_seven = terms.eq(product, seven);
    let one = terms.bv(32, 1);
    let odd = terms.and(x, one);
    let zero = terms.bv(32, 0);
    let even = terms.eq(odd, zero);
    // half(1) < 7 and 1 * 7 = 7; but an even number times anything is not 7.
    let witness: Assignment = [(taw_expr::Var(0), 1), (taw_expr::Var(1), 7)].into_iter().collect();
    let path = [small, is_seven];
    let verdict = checked().solve(&mut terms, &Query { path: &path, goal: even, witness: &witness });
    assert!(verdict.is_unsat(), "{verdict:?}");
}

#[test]
fn the_remainder_of_floats_is_not_understood_but_evaluated() {
    let mut terms = Terms::new();
    let x = input(&mut terms, "x", 64);
    let three = terms.bv(64, 3f64.to_bits());
    let rest = terms.float_bin(FloatBin::Rem, FloatFormat::F64, x, three);
    let one = terms.bv(64, 1f64.to_bits());
    let goal = terms.float_cmp(FloatCmp::Eq, FloatFormat::F64, rest, one);
    let verdict = checked().solve(&mut terms, &Query { path: &[], goal, witness: &Assignment::new() });
    assert!(verdict.is_sat(), "{verdict:?}");
    let odd = terms.bv(64, 1.2345678f64.to_bits());
    let goal = terms.float_cmp(FloatCmp::Eq, FloatFormat::F64, rest, odd);
    let path_of = |terms: &mut Terms| {
        let ten = terms.bv(64, 10f64.to_bits());
        terms.float_cmp(FloatCmp::Lt, FloatFormat::F64, ten, x)
    };
    let above = path_of(&mut terms);
    let witness: Assignment = [(taw_expr::Var(0), 11f64.to_bits())].into_iter().collect();
    let verdict = checked().solve(&mut terms, &Query { path: &[above], goal, witness: &witness });
    assert!(matches!(&verdict, Verdict::Unknown(Unknown::Opaque(name)) if name == "fmod") || verdict.is_sat());
}

#[test]
fn floats_are_solved() {
    let mut terms = Terms::new();
    let x = input(&mut terms, "x", 32);
    let square = terms.float_bin(FloatBin::Mul, FloatFormat::F32, x, x);
    let (low, high) = (terms.bv(32, u64::from(6.9f32.to_bits())), terms.bv(32, u64::from(7.1f32.to_bits())));
    let above = terms.float_cmp(FloatCmp::Lt, FloatFormat::F32, low, square);
    let below = terms.float_cmp(FloatCmp::Lt, FloatFormat::F32, square, high);
    let both = terms.and(above, below);
    let mut solver = checked();
    let witness = Assignment::new();
    assert!(solver.solve(&mut terms, &Query { path: &[], goal: both, witness: &witness }).is_sat());
    let zero = terms.bv(32, 0);
    let negative = terms.float_cmp(FloatCmp::Lt, FloatFormat::F32, square, zero);
    assert!(solver.solve(&mut terms, &Query { path: &[], goal: negative, witness: &witness }).is_unsat());
}

/// Factors of a product of two primes: hard for everyone at this size.
fn hard_query(terms: &mut Terms) -> Term {
    let (x, y) = (input(terms, "x", 64), input(terms, "y", 64));
    let product = terms.mul(x, y);
    let number = terms.bv(64, 3_037_000_493 * 2_860_486_313);
    let one = terms.bv(64, 1);
    let limit = terms.bv(64, 1 << 32);
    let parts =
        [terms.eq(product, number), terms.ult(one, x), terms.ult(one, y), terms.ult(x, limit), terms.ult(y, limit)];
    parts.into_iter().reduce(|a, b| terms.and(a, b)).expect("five parts")
}

#[test]
fn limits_are_kept_and_named() {
    let mut terms = Terms::new();
    let goal = hard_query(&mut terms);
    let query = Query { path: &[], goal, witness: &Assignment::new() };
    let config = SolverConfig { conflicts: 100, z3_work: 100_000, ..SolverConfig::default() };
    let verdict = Solver::new(config.clone()).expect("a solver").solve(&mut terms, &query);
    assert!(matches!(verdict, Verdict::Unknown(Unknown::Limit(QueryLimit::Work))), "{verdict:?}");
    let stages = StageChoice::Without(vec!["z3".to_owned()]);
    let verdict = Solver::new(SolverConfig { stages, ..config.clone() }).expect("a solver").solve(&mut terms, &query);
    assert!(matches!(verdict, Verdict::Unknown(Unknown::Limit(QueryLimit::Conflicts))), "{verdict:?}");
    // A limit that was reached must not stop the queries after it.
    let stages = StageChoice::Only(vec!["z3".to_owned()]);
    let mut z3 = Solver::new(SolverConfig { stages, ..config.clone() }).expect("a solver");
    assert!(matches!(z3.solve(&mut terms, &query), Verdict::Unknown(Unknown::Limit(_))));
    let (x, seven) = (input(&mut terms, "z", 16), terms.bv(16, 7));
    let easy = terms.ult(x, seven);
    let impossible = terms.bin(BinOp::Ult, seven, x);
    let witness = Assignment::new();
    assert!(z3.solve(&mut terms, &Query { path: &[easy], goal: easy, witness: &witness }).is_sat());
    assert!(z3.solve(&mut terms, &Query { path: &[easy], goal: impossible, witness: &witness }).is_unsat());
    let none = SolverConfig { run_time: Some(Duration::ZERO), ..config };
    let verdict = Solver::new(none).expect("a solver").solve(&mut terms, &query);
    assert!(matches!(verdict, Verdict::Unknown(Unknown::RunLimit)), "{verdict:?}");
}

#[test]
fn an_unknown_stage_is_refused_by_name() {
    let stages = StageChoice::Only(vec!["magic".to_owned()]);
    let error = Solver::new(SolverConfig { stages, ..SolverConfig::default() }).err().expect("an error");
    assert!(matches!(&error, SolverError::UnknownStage(name) if name == "magic"));
    assert!(error.to_string().contains("bitblast"), "it lists what there is");
}

#[test]
#[should_panic(expected = "does not satisfy its path")]
fn the_self_check_finds_a_wrong_witness() {
    let mut terms = Terms::new();
    let x = input(&mut terms, "x", 8);
    let five = terms.bv(8, 5);
    let above = terms.ult(five, x);
    let goal = terms.ult(x, five);
    checked().solve(&mut terms, &Query { path: &[above], goal, witness: &Assignment::new() });
}

#[test]
fn inputs_outside_the_slice_keep_the_witness_s_values() {
    let mut terms = Terms::new();
    let (x, y) = (input(&mut terms, "x", 32), input(&mut terms, "y", 32));
    let nine = terms.bv(32, 9);
    let (a, b) = (terms.ult(nine, x), terms.ult(nine, y));
    let witness: Assignment = [(taw_expr::Var(0), 10), (taw_expr::Var(1), 123)].into_iter().collect();
    let twelve = terms.bv(32, 12);
    let goal = terms.eq(x, twelve);
    let model = checked().solve(&mut terms, &Query { path: &[a, b], goal, witness: &witness }).model().expect("12");
    assert_eq!((model.value(taw_expr::Var(0)), model.value(taw_expr::Var(1))), (12, 123));
}

#[test]
fn queries_are_written_with_their_answers() {
    let folder = std::env::temp_dir().join(format!("taw-solver-dump-{}", std::process::id()));
    let config = SolverConfig { dump: Some(folder.clone()), ..SolverConfig::default() };
    let mut solver = Solver::new(config).expect("a solver");
    let mut terms = Terms::new();
    let x = input(&mut terms, "x", 8);
    let five = terms.bv(8, 5);
    let below = terms.ult(x, five);
    let above = terms.ult(five, x);
    let witness = Assignment::new();
    solver.solve(&mut terms, &Query { path: &[below], goal: above, witness: &witness });
    solver.solve(&mut terms, &Query { path: &[], goal: above, witness: &witness });
    let first = std::fs::read_to_string(folder.join("query-000001.smt2")).expect("written");
    let second = std::fs::read_to_string(folder.join("query-000002.smt2")).expect("written");
    std::fs::remove_dir_all(&folder).expect("removed");
    assert!(first.contains(":status unsat") && first.matches("(assert").count() == 2, "{first}");
    assert!(second.contains(":status sat") && second.contains("(check-sat)"), "{second}");
    assert_eq!(solver.stats().dump_error, None);
}
