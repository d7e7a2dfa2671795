//! Every stage against the oracle: random queries, each answered by several chains that must not contradict each other.

mod support;

use support::{Builder, Flavour, satisfies};
use taw_expr::{Assignment, BinOp, Bits, Evaluator, FloatBin, FloatCmp, FloatFormat, FloatUn, Term, Terms};
use taw_solver::{Query, STAGES, Solver, SolverConfig, StageChoice, StageKind, Validate, Verdict};

fn only(names: &[&str]) -> Solver {
    let stages = StageChoice::Only(names.iter().map(|&n| n.to_owned()).collect());
    Solver::new(SolverConfig { stages, ..SolverConfig::default() }).expect("a solver")
}

/// Asks each solver and fails on a contradiction or a wrong model. Says whether the query is satisfiable, if anyone knows.
fn compare(solvers: &mut [(String, Solver)], terms: &mut Terms, query: &Query<'_>) -> Option<bool> {
    let mut known: Option<(bool, String)> = None;
    for (name, solver) in solvers {
        let answer = match solver.solve(terms, query) {
            Verdict::Sat(model) => {
                assert!(satisfies(terms, query.path, query.goal, &model), "{name}: a wrong model");
                true
            }
            Verdict::Unsat => false,
            Verdict::Unknown(_) => continue,
        };
        if let Some((other, by)) = &known {
            assert_eq!(*other, answer, "{by} and {name} contradict each other");
        }
        known = Some((answer, name.clone()));
    }
    known.map(|(answer, _)| answer)
}

/// Runs random paths through the solvers; returns how many queries were satisfiable, unsatisfiable, open.
fn random_paths(
    solvers: impl Fn() -> Vec<(String, Solver)>,
    seeds: std::ops::Range<u64>,
    widths: &[u32],
    flavour: Flavour,
) -> [u32; 3] {
    let mut counts = [0; 3];
    // For a longer run than every commit needs.
    let times = std::env::var("TAW_TEST_TIMES").ok().and_then(|n| n.parse().ok()).unwrap_or(1);
    for seed in seeds.start..seeds.start + (seeds.end - seeds.start) * times {
        let mut solvers = solvers();
        let mut builder = Builder::new(seed, widths, flavour);
        let witness = builder.assignment();
        let mut path = Vec::new();
        for _ in 0..8 {
            let depth = 1 + builder.random.below(3) as u32;
            let taken = builder.true_condition(depth, &witness);
            let goal = builder.terms.not(taken);
            let query = Query { path: &path, goal, witness: &witness };
            match compare(&mut solvers, &mut builder.terms, &query) {
                Some(true) => counts[0] += 1,
                Some(false) => counts[1] += 1,
                None => counts[2] += 1,
            }
            path.push(taken);
        }
    }
    counts
}

fn named(names: &[&str]) -> (String, Solver) {
    (names.join("+"), only(names))
}

#[test]
fn bit_blasting_agrees_with_z3() {
    let solvers = || vec![named(&["bitblast"]), named(&["z3"])];
    let [sat, unsat, open] = random_paths(solvers, 0..40, &[8, 8, 16], Flavour::All);
    assert!(sat > 30 && unsat > 30 && open < 20, "{sat} {unsat} {open}");
}

#[test]
fn the_whole_chain_agrees_with_z3() {
    let solvers = || {
        vec![
            (
                "all".to_owned(),
                Solver::new(SolverConfig { validate: Validate::On, ..SolverConfig::default() }).expect("a solver"),
            ),
            named(&["z3"]),
        ]
    };
    for (seed, widths) in [(1000, &[8, 8, 8, 8][..]), (2000, &[32, 32, 32]), (3000, &[1, 5, 64, 12])] {
        let [sat, unsat, _] = random_paths(solvers, seed..seed + 25, widths, Flavour::Light);
        assert!(sat > 20 && unsat > 20, "{sat} {unsat}");
    }
}

#[test]
fn no_stage_contradicts_the_chain_without_it() {
    for def in STAGES.iter().filter(|def| def.kind == StageKind::Filter) {
        let without = || {
            let stages = StageChoice::Without(vec![def.name.to_owned()]);
            Solver::new(SolverConfig { stages, ..SolverConfig::default() }).expect("a solver")
        };
        let solvers =
            || vec![(format!("without {}", def.name), without()), named(&[def.name, "bitblast"]), named(&["bitblast"])];
        random_paths(solvers, 5000..5025, &[8, 8, 32, 32], Flavour::Light);
        random_paths(solvers, 6000..6025, &[4, 4, 8], Flavour::All);
    }
}

/// Paths that bound every input on both sides, as checked indices are bounded.
#[test]
fn bounded_inputs_make_no_stage_contradict_bit_blasting() {
    let filters: Vec<&str> = STAGES.iter().filter(|d| d.kind == StageKind::Filter).map(|d| d.name).collect();
    let mut refuted = 0;
    for seed in 0..60 {
        let mut solvers: Vec<_> = filters.iter().map(|name| named(&[name, "bitblast"])).collect();
        let mut builder = Builder::new(seed, &[8, 16, 32], Flavour::All);
        let witness = builder.assignment();
        let mut path = Vec::new();
        for v in builder.vars.clone() {
            let x = builder.terms.var(v);
            let width = builder.terms.width(x);
            let slack = builder.random.below(20);
            let (least, most) = (witness.value(v).wrapping_sub(slack), witness.value(v).wrapping_add(slack));
            let (least, most) = (builder.terms.bv(width, least), builder.terms.bv(width, most));
            let op = builder.random.pick(&[BinOp::Ule, BinOp::Sle]);
            for bound in [builder.terms.bin(op, least, x), builder.terms.bin(op, x, most)] {
                if satisfies(&builder.terms, &[], bound, &witness) {
                    path.push(bound);
                }
            }
        }
        for _ in 0..6 {
            let taken = builder.true_condition(2, &witness);
            let goal = builder.terms.not(taken);
            let query = Query { path: &path, goal, witness: &witness };
            refuted += u32::from(compare(&mut solvers, &mut builder.terms, &query) == Some(false));
        }
    }
    assert!(refuted > 50, "{refuted}");
}

/// Few comparisons in ever new combinations: caches and the order stage live on such.
#[test]
fn combinations_of_the_same_comparisons_make_no_stage_contradict_bit_blasting() {
    let filters: Vec<&str> = STAGES.iter().filter(|d| d.kind == StageKind::Filter).map(|d| d.name).collect();
    let mut solvers: Vec<_> = filters.iter().map(|name| named(&[name, "bitblast"])).collect();
    solvers.push(named(&["bitblast"]));
    let mut builder = Builder::new(9, &[3, 3, 3, 3, 3], Flavour::Light);
    let mut pool = Vec::new();
    for op in [BinOp::Ult, BinOp::Ule, BinOp::Slt, BinOp::Sle, BinOp::Eq] {
        for _ in 0..8 {
            let vars = builder.vars.clone();
            let (a, b) = (builder.random.pick(&vars), builder.random.pick(&vars));
            let (x, y) = (builder.terms.var(a), builder.terms.var(b));
            let value = builder.random.next();
            let constant = builder.terms.bv(3, value);
            pool.push(builder.terms.bin(op, x, y));
            pool.push(builder.terms.bin(op, x, constant));
            pool.push(builder.terms.bin(op, constant, y));
        }
    }
    let mut counts = [0; 2];
    for _ in 0..1500 {
        let witness = builder.assignment();
        let length = builder.random.below(14);
        let mut path: Vec<Term> = (0..length).map(|_| builder.random.pick(&pool)).collect();
        for t in &mut path {
            if !satisfies(&builder.terms, &[], *t, &witness) {
                *t = builder.terms.not(*t);
            }
        }
        let goal = builder.random.pick(&pool);
        let goal = if builder.random.below(2) == 0 { goal } else { builder.terms.not(goal) };
        let query = Query { path: &path, goal, witness: &witness };
        match compare(&mut solvers, &mut builder.terms, &query) {
            Some(sat) => counts[usize::from(sat)] += 1,
            None => panic!("bit-blasting decides such a query"),
        }
    }
    assert!(counts.iter().all(|&n| n > 200), "{counts:?}");
}

#[test]
fn the_same_queries_get_the_same_answers() {
    let run = || {
        let mut answers = Vec::new();
        let mut builder = Builder::new(77, &[8, 8, 32, 32], Flavour::All);
        let mut solver = Solver::new(SolverConfig::default()).expect("a solver");
        let witness = builder.assignment();
        let mut path = Vec::new();
        for _ in 0..60 {
            let taken = builder.true_condition(2, &witness);
            let goal = builder.terms.not(taken);
            let verdict = solver.solve(&mut builder.terms, &Query { path: &path, goal, witness: &witness });
            answers.push(format!("{verdict:?}"));
            path.push(taken);
        }
        answers
    };
    assert_eq!(run(), run());
}

const FORMATS: [FloatFormat; 5] =
    [FloatFormat::F16, FloatFormat::F32, FloatFormat::F64, FloatFormat::F80, FloatFormat::F128];

/// Z3 must find exactly the value that the evaluator finds.
fn check_value(solver: &mut Solver, terms: &mut Terms, inputs: &[Term], witness: &Assignment, t: Term) {
    let mut evaluator = Evaluator::new(witness.clone());
    let mut path = Vec::new();
    for &input in inputs {
        let value = evaluator.eval(terms, input);
        let value = terms.constant(value);
        path.push(terms.bin(BinOp::Eq, input, value));
    }
    let value = evaluator.eval(terms, t);
    let value = terms.constant(value);
    let equal = terms.bin(BinOp::Eq, t, value);
    let different = terms.not(equal);
    let verdict = solver.solve(terms, &Query { path: &path, goal: different, witness });
    assert!(verdict.is_unsat(), "{:?} under {witness:?}: {verdict:?}", terms.node(t));
    let verdict = solver.solve(terms, &Query { path: &path, goal: equal, witness });
    assert!(verdict.is_sat(), "{:?} under {witness:?}: {verdict:?}", terms.node(t));
}

/// A float pattern: zeros, ones, infinities, NaNs, denormals, anything.
fn pattern(random: &mut support::Random, fmt: FloatFormat) -> Bits {
    let width = fmt.width();
    let fraction = match fmt {
        FloatFormat::F16 => 10,
        FloatFormat::F32 => 23,
        FloatFormat::F64 => 52,
        FloatFormat::F80 => 64,
        FloatFormat::F128 => 112,
    };
    let sign = Bits::new(width, random.below(2)).shl(u64::from(width - 1));
    let max = (1u64 << (width - 1 - fraction)) - 1;
    let exponent = match random.below(6) {
        0 => 0,
        1 => max,
        2 => random.next() & max,
        _ => (max / 2 + random.below(40)).wrapping_sub(10) & max,
    };
    let exponent = Bits::new(width, exponent).shl(u64::from(fraction));
    let low = match random.below(3) {
        0 => Bits::zero(width),
        1 => Bits::new(width, 1),
        _ => Bits::from_words(width, &[random.next(), random.next()]),
    };
    let low = low.extract(0, fraction).zext(width);
    // Most x87 patterns are proper ones.
    let leading = match fmt {
        FloatFormat::F80 if random.below(5) > 0 => Bits::new(width, u64::from(!exponent.is_zero())).shl(63),
        _ => Bits::zero(width),
    };
    sign.or(&exponent).or(&low).or(&leading)
}

/// A term of the format's width from fresh inputs, and the inputs' values set in `witness`.
fn float_input(terms: &mut Terms, witness: &mut Assignment, bits: &Bits) -> Term {
    let mut whole: Option<Term> = None;
    let mut left = bits.width();
    for word in bits.words() {
        let width = left.min(64);
        let v = terms.new_var(&format!("f{}", terms.vars().len()), width);
        witness.set(v, word);
        let part = terms.var(v);
        whole = Some(match whole {
            None => part,
            Some(low) => terms.concat(part, low),
        });
        left -= width;
    }
    whole.expect("a format has bits")
}

#[test]
fn float_operations_have_the_bits_that_evaluation_gives() {
    let mut random = support::Random(42);
    for round in 0..12 {
        for fmt in FORMATS {
            let mut solver = only(&["z3"]);
            let mut terms = Terms::new();
            let mut witness = Assignment::new();
            let inputs: Vec<Term> = (0..3)
                .map(|_| {
                    let bits = pattern(&mut random, fmt);
                    float_input(&mut terms, &mut witness, &bits)
                })
                .collect();
            let (a, b, c) = (inputs[0], inputs[1], inputs[2]);
            let mut results = Vec::new();
            for op in [FloatUn::Floor, FloatUn::Ceil, FloatUn::Trunc, FloatUn::RoundEven, FloatUn::RoundAway] {
                results.push(terms.float_un(op, fmt, a));
            }
            for op in [FloatBin::Add, FloatBin::Sub, FloatBin::Min, FloatBin::Max] {
                results.push(terms.float_bin(op, fmt, a, b));
            }
            for op in [FloatCmp::Eq, FloatCmp::Lt, FloatCmp::Le, FloatCmp::Unordered] {
                results.push(terms.float_cmp(op, fmt, a, b));
            }
            // The dear ones, now and then.
            if round < 3 && fmt.width() <= 80 {
                results.push(terms.float_un(FloatUn::Sqrt, fmt, a));
                results.push(terms.float_bin(FloatBin::Mul, fmt, a, b));
                results.push(terms.float_bin(FloatBin::Div, fmt, a, b));
                results.push(terms.fma(fmt, a, b, c));
            }
            for to in FORMATS {
                results.push(terms.float_to_float(fmt, to, a));
            }
            for (signed, width) in [(true, 8), (true, 32), (true, 64), (false, 16), (false, 32), (false, 64)] {
                results.push(terms.float_to_int(fmt, signed, a, width));
                let integer = terms.extract(a, 0, width.min(fmt.width()));
                results.push(terms.int_to_float(fmt, signed, integer));
            }
            for t in results {
                check_value(&mut solver, &mut terms, &inputs, &witness, t);
            }
        }
    }
}
