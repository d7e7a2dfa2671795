//! The SMT-LIB printer: what a script looks like, and, where a `z3` command is at hand, that it means what evaluation
//! computes: for random terms and for every float operation in every format.

mod common;

use std::io::Write;
use std::process::{Command, Stdio};

use common::Random;
use common::source::{Source, WIDTHS};
use taw_expr::*;

#[test]
fn a_script_declares_defines_asserts_and_asks() {
    let mut t = Terms::new();
    let (x, y) = (t.new_var("x", 32), t.new_var("array[3]", 32));
    let (x, y) = (t.var(x), t.var(y));
    let sum = t.add(x, y);
    let less = t.ult(sum, y);
    let want = "(set-logic QF_BV)\n\
        (declare-const x (_ BitVec 32))\n\
        (declare-const |array[3]| (_ BitVec 32))\n\
        (define-fun ?t2 () (_ BitVec 32) (bvadd x |array[3]|))\n\
        (define-fun ?t3 () (_ BitVec 1) (ite (bvult ?t2 |array[3]|) #b1 #b0))\n\
        (assert (= ?t3 #b1))\n\
        (check-sat)\n";
    assert_eq!(t.smtlib(&[less]), want);
}

#[test]
fn a_graph_with_exponentially_many_paths_has_a_short_script() {
    let mut t = Terms::new();
    let x = t.new_var("x", 64);
    let mut sum = t.var(x);
    for _ in 0..1000 {
        let product = t.mul(sum, sum);
        sum = t.xor(product, sum);
    }
    let zero = t.bv(64, 0);
    let eq = t.eq(sum, zero);
    assert!(t.smtlib(&[eq]).lines().count() < 2100);
}

#[test]
fn inputs_of_one_name_stay_apart() {
    let mut t = Terms::new();
    let (a, b) = (t.new_var("x", 8), t.new_var("x", 8));
    let (a, b) = (t.var(a), t.var(b));
    let eq = t.eq(a, b);
    let script = t.smtlib(&[eq]);
    assert!(script.contains("(declare-const x ") && script.contains("(declare-const ?v1 "), "{script}");
}

/// The answers to several scripts.
fn z3(scripts: &[String]) -> Vec<String> {
    let mut z3 = Command::new("z3")
        .arg("-in")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the z3 command is installed");
    let text = scripts.join("(reset)\n");
    let mut stdin = z3.stdin.take().expect("a pipe was asked for");
    let writer = std::thread::spawn(move || stdin.write_all(text.as_bytes()));
    let output = z3.wait_with_output().expect("z3 ends");
    writer.join().expect("no panic").expect("z3 reads its input");
    String::from_utf8(output.stdout).expect("z3 prints text").lines().map(str::to_owned).collect()
}

/// With the inputs pinned, that `term` has the value it evaluates to, and that it has another.
fn claims(t: &mut Terms, term: Term, assignment: &Assignment) -> [String; 2] {
    let value = Evaluator::new(assignment.clone()).eval(t, term);
    let value = t.constant(value);
    let mut pins = Vec::new();
    for v in t.vars_in(t.vars_of(term)).collect::<Vec<_>>() {
        let (x, width) = (t.var(v), t.vars()[v.0 as usize].width);
        let pinned = t.bv(width, assignment.value(v));
        pins.push(t.eq(x, pinned));
    }
    let is = t.eq(term, value);
    let is_not = t.not(is);
    [is, is_not].map(|claim| t.smtlib(&[&pins[..], &[claim]].concat()))
}

/// The first of each pair is satisfiable, the second is not.
fn check(claims: &[[String; 2]]) {
    let scripts = claims.concat();
    let answers = z3(&scripts);
    assert_eq!(answers.len(), scripts.len(), "{answers:?}");
    for (i, (answer, script)) in answers.iter().zip(&scripts).enumerate() {
        assert_eq!(answer, ["sat", "unsat"][i % 2], "{script}");
    }
}

#[test]
#[ignore = "needs the `z3` command, which the set-up does not install (it has the library only): cargo test -p taw-expr --test smtlib -- --ignored"]
fn scripts_of_random_terms_mean_what_evaluation_computes() {
    let mut random = Random(1);
    let mut all = Vec::new();
    for i in 0..1500 {
        let bytes: Vec<u8> = (0..300).map(|_| random.next() as u8).collect();
        let (mut source, mut terms) = Source::new(&bytes);
        let term = source.tree(WIDTHS[i % WIDTHS.len()], 4).build(&mut terms);
        let assignment = (0..18).map(|v| (Var(v), random.next() >> (random.next() % 64))).collect();
        all.push(claims(&mut terms, term, &assignment));
    }
    check(&all);
}

const FORMATS: [FloatFormat; 5] =
    [FloatFormat::F16, FloatFormat::F32, FloatFormat::F64, FloatFormat::F80, FloatFormat::F128];

/// Patterns of a format: special ones, whole numbers and halves, neighbours in size, and any.
fn pattern(random: &mut Random, fmt: FloatFormat) -> Bits {
    let width = fmt.width();
    let choice = random.next() % 10;
    let small = Bits::new(64, random.next() % 1000).sub(&Bits::new(64, 500));
    let whole = fold::int_to_float(fmt, true, &small);
    let half = fold::float_bin(FloatBin::Div, fmt, whole, fold::int_to_float(fmt, false, &Bits::new(8, 2)));
    match choice {
        0 => Bits::zero(width),
        1 => Bits::sign_bit(width),
        2 => Bits::from_u128(width, whole),
        3 | 4 => Bits::from_u128(width, half),
        5 => Bits::new(width, random.next() % 4),
        6 => {
            let one = fold::int_to_float(fmt, false, &Bits::new(8, 1));
            let zero = if random.next().is_multiple_of(2) { 0 } else { 1 << (width - 1) };
            Bits::from_u128(width, fold::float_bin(FloatBin::Div, fmt, one, zero))
        }
        7 => Bits::from_u128(width, half).add(&Bits::new(width, random.next() % 3)),
        _ => Bits::from_words(width, &[random.next(), random.next()]),
    }
}

/// Inputs for a pattern: its words, as one term.
fn float_input(t: &mut Terms, assignment: &mut Assignment, name: &str, bits: &Bits) -> Term {
    let mut whole: Option<Term> = None;
    for (i, word) in bits.words().enumerate() {
        let width = (bits.width() - 64 * i as u32).min(64);
        let v = t.new_var(&format!("{name}{i}"), width);
        assignment.set(v, word);
        let part = t.var(v);
        whole = Some(whole.map_or(part, |low| t.concat(part, low)));
    }
    whole.expect("at least one word")
}

fn float_term(t: &mut Terms, random: &mut Random, i: usize, fmt: FloatFormat, [a, b, c]: [Term; 3]) -> Term {
    let to = FORMATS[random.next() as usize % 5];
    let signed = random.next().is_multiple_of(2);
    let width = [8, 32, 64, 128, 33][random.next() as usize % 5];
    match i % 20 {
        0..6 => {
            let ops =
                [FloatUn::Sqrt, FloatUn::Floor, FloatUn::Ceil, FloatUn::Trunc, FloatUn::RoundEven, FloatUn::RoundAway];
            t.float_un(ops[i % 20], fmt, a)
        }
        n @ 6..12 => {
            let ops = [FloatBin::Add, FloatBin::Sub, FloatBin::Mul, FloatBin::Div, FloatBin::Min, FloatBin::Max];
            t.float_bin(ops[n - 6], fmt, a, b)
        }
        12 => t.fma(fmt, a, b, c),
        n @ 13..17 => {
            let ops = [FloatCmp::Eq, FloatCmp::Lt, FloatCmp::Le, FloatCmp::Unordered];
            t.float_cmp(ops[n - 13], fmt, a, b)
        }
        17 => t.float_to_float(fmt, to, a),
        18 => t.float_to_int(fmt, signed, a, width),
        _ => t.int_to_float(to, signed, a),
    }
}

#[test]
#[ignore = "needs the `z3` command, which the set-up does not install (it has the library only): cargo test -p taw-expr --test smtlib -- --ignored"]
fn scripts_of_float_operations_mean_what_evaluation_computes() {
    let mut random = Random(2);
    let mut all = Vec::new();
    for fmt in FORMATS {
        for i in 0..400 {
            let (mut t, mut assignment) = (Terms::new(), Assignment::new());
            let operands = ["a", "b", "c"].map(|name| {
                let bits = pattern(&mut random, fmt);
                float_input(&mut t, &mut assignment, name, &bits)
            });
            let term = float_term(&mut t, &mut random, i, fmt, operands);
            all.push(claims(&mut t, term, &assignment));
        }
    }
    check(&all);
}

#[test]
#[ignore = "needs the `z3` command, which the set-up does not install (it has the library only): cargo test -p taw-expr --test smtlib -- --ignored"]
fn scripts_of_fmod_mean_what_evaluation_computes() {
    let mut random = Random(3);
    let mut all = Vec::new();
    for i in 0..60 {
        // The remainder of far numbers is slow in any solver: only the small formats.
        let fmt = FORMATS[i % 2];
        let (mut t, mut assignment) = (Terms::new(), Assignment::new());
        let [a, b] = ["a", "b"].map(|name| {
            let bits = pattern(&mut random, fmt);
            float_input(&mut t, &mut assignment, name, &bits)
        });
        let term = t.float_bin(FloatBin::Rem, fmt, a, b);
        all.push(claims(&mut t, term, &assignment));
    }
    check(&all);
}
