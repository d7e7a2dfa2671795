//! Circuits against the evaluator: exhaustively at width 4, by sample above.

use taw_expr::{Assignment, BinOp, Evaluator, Term, Terms, Var};

use super::blast::{BlastRefusal, Blaster};
use super::gates::{Gate, Lit};

/// Runs the circuit of a term on concrete inputs.
fn simulate(blaster: &Blaster, word: &[Lit], inputs: &[(Var, u64)]) -> u64 {
    let mut values = vec![false; blaster.gates.len()];
    for &(v, value) in inputs {
        for (i, bit) in blaster.input(v).unwrap_or(&[]).iter().enumerate() {
            values[bit.node()] = value >> i & 1 == 1;
        }
    }
    for node in 0..values.len() {
        let of = |l: Lit| values[l.node()] != l.is_negated();
        values[node] = match blaster.gates.gate(node) {
            Gate::False | Gate::Input => values[node],
            Gate::And(a, b) => of(a) && of(b),
            Gate::Xor(a, b) => of(a) != of(b),
            Gate::Mux(c, a, b) => of(if of(c) { a } else { b }),
            Gate::Majority(a, b, c) => u8::from(of(a)) + u8::from(of(b)) + u8::from(of(c)) >= 2,
        };
    }
    word.iter().enumerate().map(|(i, l)| u64::from(values[l.node()] != l.is_negated()) << i).sum()
}

/// Compares circuit and evaluator for `t` under each of the assignments.
fn check(terms: &Terms, t: Term, samples: impl IntoIterator<Item = Vec<(Var, u64)>>) {
    let mut blaster = Blaster::default();
    let word = blaster.word(terms, t).expect("understood").to_vec();
    for inputs in samples {
        let assignment: Assignment = inputs.iter().copied().collect();
        let expected = Evaluator::new(assignment).eval_u64(terms, t);
        assert_eq!(simulate(&blaster, &word, &inputs), expected, "{:?} under {inputs:?}", terms.node(t));
    }
}

/// A pseudo-random sequence (Steele and others' SplitMix64), biased to extremes.
fn sample(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    let value = z ^ (z >> 31);
    match value % 8 {
        0 => value >> 60,
        1 => !(value >> 60),
        2 => 1 << (value >> 58),
        3 => 0x8080_8080_8080_8080,
        _ => value,
    }
}

#[test]
fn every_operator_is_right_for_all_operands_of_four_bits() {
    for op in BinOp::ALL {
        let mut terms = Terms::new();
        let (a, b) = (terms.new_var("a", 4), terms.new_var("b", 4));
        let (x, y) = (terms.var(a), terms.var(b));
        let t = terms.bin(op, x, y);
        check(&terms, t, (0..256).map(|n| vec![(a, n & 15), (b, n >> 4)]));
    }
}

#[test]
fn every_operator_is_right_for_all_constants_of_four_bits() {
    for (op, constant) in BinOp::ALL.into_iter().flat_map(|op| (0..16).map(move |c| (op, c))) {
        let mut terms = Terms::new();
        let a = terms.new_var("a", 4);
        let (x, c) = (terms.var(a), terms.bv(4, constant));
        for t in [terms.bin(op, x, c), terms.bin(op, c, x)] {
            check(&terms, t, (0..16).map(|n| vec![(a, n)]));
        }
    }
}

#[test]
fn every_operator_is_right_for_samples_of_wider_operands() {
    for (op, width) in BinOp::ALL.into_iter().flat_map(|op| [8, 13, 16, 32, 64].map(move |w| (op, w))) {
        if op == BinOp::Concat && width > 32 {
            continue;
        }
        let mut terms = Terms::new();
        let (a, b) = (terms.new_var("a", width), terms.new_var("b", width));
        let (x, y) = (terms.var(a), terms.var(b));
        let mask = u64::MAX >> (64 - width);
        let t = terms.bin(op, x, y);
        check(&terms, t, (0..60).map(|n| vec![(a, sample(2 * n) & mask), (b, sample(2 * n + 1) & mask)]));
        for constant in [3, 10, 0x7F, sample(u64::from(width))] {
            let c = terms.bv(width, constant);
            for t in [terms.bin(op, x, c), terms.bin(op, c, x)] {
                check(&terms, t, (0..20).map(|n| vec![(a, sample(n) & mask)]));
            }
        }
    }
}

#[test]
fn narrow_operands_of_wide_operations_are_right() {
    for op in BinOp::ALL {
        let mut terms = Terms::new();
        let (a, b) = (terms.new_var("a", 8), terms.new_var("b", 5));
        let (x, y) = (terms.var(a), terms.var(b));
        let (x, y) = (terms.zext(x, 32), terms.sext(y, 32));
        for t in [terms.bin(op, x, y), terms.bin(op, y, x)] {
            check(&terms, t, (0..100).map(|n| vec![(a, sample(n) & 255), (b, sample(n + 1000) & 31)]));
        }
    }
}

#[test]
fn array_reads_are_right_inside_and_past_the_end() {
    for length in [1u64, 2, 3, 5, 6, 7, 8, 13] {
        let mut terms = Terms::new();
        let (i, j, e) = (terms.new_var("i", 4), terms.new_var("j", 4), terms.new_var("e", 8));
        let (index, at, element) = (terms.var(i), terms.var(j), terms.var(e));
        let (index, at) = (terms.zext(index, 64), terms.zext(at, 64));
        let mut elements: Vec<Term> = (0..length).map(|n| terms.bv(8, n * 7 + 1)).collect();
        elements[length as usize / 2] = element;
        let array = terms.array_of(elements.into());
        let value = terms.bv(8, 200);
        let stored = terms.store(array, at, value);
        for t in [terms.select(array, index), terms.select(stored, index)] {
            check(&terms, t, (0..256).map(|n| vec![(i, n & 15), (j, n >> 4), (e, 99)]));
        }
    }
}

#[test]
fn what_is_not_understood_is_refused() {
    let mut terms = Terms::new();
    let v = terms.new_var("v", 32);
    let x = terms.var(v);
    let less = terms.float_cmp(taw_expr::FloatCmp::Unordered, taw_expr::FloatFormat::F32, x, x);
    assert_eq!(Blaster::default().condition(&terms, less), Err(BlastRefusal::Float));
}
