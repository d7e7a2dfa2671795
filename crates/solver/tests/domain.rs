//! The stage `domain`: against Z3, against plain computation, and when it must leave a query to others.

mod support;

use std::collections::BTreeSet;

use support::{Builder, Flavour, satisfies};
use taw_expr::{Array, Assignment, Bits, Evaluator, FunctionInfo, NativeFunction, Term, Terms, Var};
use taw_solver::{Query, Solver, SolverConfig, StageChoice, Validate, Verdict};

fn only(names: &[&str]) -> Solver {
    let stages = StageChoice::Only(names.iter().map(|&n| n.to_owned()).collect());
    Solver::new(SolverConfig { stages, ..SolverConfig::default() }).expect("a solver")
}

/// What a random path over inputs of these widths is answered by `domain` alone, and how it compares with Z3.
fn answers(seed: u64, widths: &[u32], z3: Option<&mut Solver>) -> Vec<String> {
    let mut builder = Builder::new(seed, widths, Flavour::All);
    let mut domain = only(&["domain"]);
    let mut z3 = z3;
    let witness = builder.assignment();
    let mut path = Vec::new();
    let mut answers = Vec::new();
    for _ in 0..10 {
        let depth = 1 + builder.random.below(3) as u32;
        let taken = builder.true_condition(depth, &witness);
        let goal = builder.terms.not(taken);
        let query = Query { path: &path, goal, witness: &witness };
        let verdict = domain.solve(&mut builder.terms, &query);
        if let Verdict::Sat(model) = &verdict {
            assert!(satisfies(&builder.terms, &path, goal, model), "a wrong model for seed {seed}");
        }
        let other = z3.as_mut().map(|z3| z3.solve(&mut builder.terms, &query));
        match (&verdict, &other) {
            (Verdict::Sat(_), Some(Verdict::Unsat)) | (Verdict::Unsat, Some(Verdict::Sat(_))) => {
                panic!("seed {seed}: {verdict:?} but Z3 says {other:?}")
            }
            _ => {}
        }
        answers.push(format!("{verdict:?}"));
        path.push(taken);
    }
    answers
}

#[test]
fn random_queries_on_two_bytes_are_decided_as_by_z3() {
    let (mut sat, mut unsat, mut open) = (0, 0, 0);
    for seed in 0..60 {
        // A fresh one each: a solver serves one arena.
        for answer in answers(seed, &[8, 8], Some(&mut only(&["z3"]))) {
            match answer.as_str() {
                "Unsat" => unsat += 1,
                a if a.starts_with("Sat") => sat += 1,
                _ => open += 1,
            }
        }
    }
    assert!(sat > 100 && unsat > 100 && open == 0, "{sat} {unsat} {open}");
}

#[test]
fn inputs_of_odd_widths_are_decided_as_by_z3() {
    for (seed, widths) in [(100, &[16][..]), (200, &[1, 5, 9]), (300, &[1, 1, 1, 2, 3]), (400, &[3, 12])] {
        for seed in seed..seed + 12 {
            assert!(answers(seed, widths, Some(&mut only(&["z3"]))).iter().all(|a| !a.starts_with("Unknown")));
        }
    }
}

#[test]
fn the_same_queries_get_the_same_answers() {
    for seed in 500..510 {
        assert_eq!(answers(seed, &[8, 8], None), answers(seed, &[8, 8], None));
    }
}

/// Bytes looked up in a table several times and compared, then the table written at an unknown place and read.
fn lookups(terms: &mut Terms, table: Array, [a, b]: [Term; 2], branch: &mut dyn FnMut(&mut Terms, Term)) {
    let (mut a, mut b) = (a, b);
    let read = |terms: &mut Terms, table: Array, at: Term| {
        let at = terms.zext(at, 64);
        terms.select(table, at)
    };
    let sixteen = terms.bv(8, 16);
    for _ in 0..4 {
        a = read(terms, table, a);
        let mixed = terms.xor(b, a);
        b = read(terms, table, mixed);
        let greater = terms.ult(b, a);
        branch(terms, greater);
        let sum = terms.add(a, b);
        let looked_up = read(terms, table, sum);
        let small = terms.ult(looked_up, sixteen);
        branch(terms, small);
    }
    let at = terms.zext(a, 64);
    let written = terms.store(table, at, b);
    let last = read(terms, written, b);
    let equal = terms.eq(last, a);
    branch(terms, equal);
}

/// The program with numbers for its inputs: the decision at each branch.
fn decisions(table: &[u8; 256], mut a: u8, mut b: u8) -> Vec<bool> {
    let mut taken = Vec::new();
    for _ in 0..4 {
        a = table[usize::from(a)];
        b = table[usize::from(b ^ a)];
        taken.extend([a > b, table[usize::from(a.wrapping_add(b))] < 16]);
    }
    let last = if a == b { b } else { table[usize::from(b)] };
    taken.push(last == a);
    taken
}

/// Exploring a program of table look-ups finds exactly the paths that running it with all inputs finds.
#[test]
fn every_path_through_tables_is_found_and_no_other() {
    let mut terms = Terms::new();
    let table: [u8; 256] = std::array::from_fn(|i| (i as u8).wrapping_mul(167).wrapping_add(13));
    let elements: Vec<Term> = table.iter().map(|&e| terms.bv(8, u64::from(e))).collect();
    let array = terms.array_of(elements.into());
    let inputs = [0, 1].map(|i| {
        let v = terms.new_var(&format!("in{i}"), 8);
        terms.var(v)
    });
    let stages = StageChoice::Without(vec!["bitblast".to_owned(), "z3".to_owned()]);
    let mut solver = Solver::new(SolverConfig { stages, ..SolverConfig::default() }).expect("a solver");
    let mut conditions = Vec::new();
    lookups(&mut terms, array, inputs, &mut |_, c| conditions.push(c));
    let mut found = BTreeSet::new();
    let mut work = vec![(0, Assignment::new())];
    while let Some((fixed, witness)) = work.pop() {
        let mut evaluator = Evaluator::new(witness.clone());
        let taken: Vec<bool> = conditions.iter().map(|&c| evaluator.holds(&terms, c)).collect();
        let mut path = Vec::new();
        for (i, (&condition, &is_taken)) in conditions.iter().zip(&taken).enumerate() {
            let negation = terms.not(condition);
            let (holds, goal) = if is_taken { (condition, negation) } else { (negation, condition) };
            if i >= fixed {
                let query = Query { path: &path, goal, witness: &witness };
                match solver.solve(&mut terms, &query) {
                    Verdict::Sat(model) => work.push((i + 1, model)),
                    Verdict::Unsat => {}
                    Verdict::Unknown(why) => panic!("{why}"),
                }
            }
            path.push(holds);
        }
        assert!(found.insert(taken), "a path found twice");
    }
    let bytes = || 0..=u8::MAX;
    let expected: BTreeSet<_> =
        bytes().flat_map(|a| bytes().map(move |b| (a, b))).map(|(a, b)| decisions(&table, a, b)).collect();
    assert_eq!(found, expected);
}

/// More sets of points than are kept: what was given up is computed again.
#[test]
fn answers_stay_right_when_much_is_asked() {
    let mut terms = Terms::new();
    let [a, b] = ["a", "b"].map(|name| {
        let v = terms.new_var(name, 8);
        let t = terms.var(v);
        terms.zext(t, 16)
    });
    let mut solver = only(&["domain"]);
    let witness = Assignment::new();
    for n in (0..400).chain(0..20) {
        let (factor, target) = (260 + n % 7, 40 * n);
        let (c, t) = (terms.bv(16, factor), terms.bv(16, target));
        let product = terms.mul(a, c);
        let sum = terms.add(product, b);
        let goal = terms.eq(sum, t);
        // Each multiple of the factor is followed by 256 numbers that are reached, then by a gap.
        let is_reached = (0..256).any(|a| (a * factor..a * factor + 256).any(|sum| sum & 0xFFFF == target));
        match solver.solve(&mut terms, &Query { path: &[], goal, witness: &witness }) {
            Verdict::Sat(model) => assert!(is_reached && satisfies(&terms, &[], goal, &model)),
            verdict => assert!(!is_reached && verdict.is_unsat(), "{factor} {target} {verdict:?}"),
        }
    }
}

#[test]
fn what_cannot_be_enumerated_is_left_to_others() {
    let mut terms = Terms::new();
    let vars: Vec<Var> = [8, 8, 1].iter().map(|&w| terms.new_var(&format!("x{w}_{}", terms.vars().len()), w)).collect();
    let [a, b, c] = [0, 1, 2].map(|i| terms.var(vars[i]));
    let witness = Assignment::new();
    let less = terms.ult(a, b);
    let eval = |args: &[Bits]| Bits::new(8, args[0].low() / 2);
    let function = terms.function(FunctionInfo { name: "half".to_owned(), eval: NativeFunction::Bits(eval) });
    let half = terms.apply(function, Box::new([a]), 8);
    let opaque = terms.ult(half, b);
    let narrow = terms.extract(a, 0, 1);
    let wide = terms.eq(narrow, c);
    let mut solver = only(&["domain"]);
    assert!(solver.solve(&mut terms, &Query { path: &[], goal: less, witness: &witness }).is_sat());
    assert!(matches!(
        solver.solve(&mut terms, &Query { path: &[], goal: opaque, witness: &witness }),
        Verdict::Unknown(_)
    ));
    // One bit too many.
    let verdict =
        solver.solve(&mut terms, &Query { path: &[wide], goal: less, witness: &[(vars[2], 0)].into_iter().collect() });
    assert!(matches!(verdict, Verdict::Unknown(_)), "{verdict:?}");
}

/// Contradictions that the stage names are kept by the cache; the self-check refutes a wrong one.
#[test]
fn named_contradictions_hold_in_the_whole_chain() {
    for seed in 600..615 {
        let mut builder = Builder::new(seed, &[8, 8], Flavour::Light);
        let mut solver =
            Solver::new(SolverConfig { validate: Validate::On, ..SolverConfig::default() }).expect("a solver");
        let witness = builder.assignment();
        let pool: Vec<Term> = (0..8).map(|_| builder.true_condition(2, &witness)).collect();
        for round in 0..20 {
            let path: Vec<Term> = pool.iter().copied().filter(|_| builder.random.below(2) == 0).collect();
            let goal = builder.terms.not(pool[round % pool.len()]);
            solver.solve(&mut builder.terms, &Query { path: &path, goal, witness: &witness });
        }
    }
}
