//! The SMT-LIB reader: what was printed and read again evaluates alike, operations mean what the standard says, and mistakes
//! are named with their place.

mod common;

use common::Random;
use common::source::{Source, WIDTHS};
use taw_expr::*;

fn no_functions(_: &str) -> Option<FunctionInfo> {
    None
}

#[test]
fn scripts_read_again_evaluate_alike() {
    let mut random = Random(7);
    let mut truths = [0; 2];
    for i in 0..600 {
        let bytes: Vec<u8> = (0..300).map(|_| random.next() as u8).collect();
        let (mut source, mut terms) = Source::new(&bytes);
        let term = source.tree(WIDTHS[i % WIDTHS.len()], 4).build(&mut terms);
        let zero = terms.constant(Bits::zero(terms.width(term)));
        let wanted = if terms.width(term) == 1 { term } else { terms.ult(zero, term) };
        let script = terms.smtlib(&[wanted]);
        let mut again = Terms::new();
        let read = read::read(&mut again, &script, &no_functions).unwrap_or_else(|why| panic!("{why}\n{script}"));
        for _ in 0..5 {
            let mut model = Assignment::new();
            let mut mirrored = Assignment::new();
            for v in (0..terms.vars().len() as u32).map(Var) {
                let value = random.next() >> (random.next() % 64);
                model.set(v, value);
                let name = &terms.vars()[v.0 as usize].name;
                if let Some(at) = again.vars().iter().position(|info| info.name == *name) {
                    mirrored.set(Var(at as u32), value);
                }
            }
            let first = Evaluator::new(model).holds(&terms, wanted);
            let mut evaluator = Evaluator::new(mirrored);
            let second = read.assertions.iter().all(|&t| evaluator.holds(&again, t));
            assert_eq!(first, second, "{script}");
            truths[usize::from(first)] += 1;
        }
    }
    assert!(truths.iter().all(|&n| n > 200), "{truths:?}");
}

/// Whether assertions without inputs hold.
fn holds(assertion: &str) -> bool {
    let mut terms = Terms::new();
    let script = format!("(assert {assertion})(check-sat)");
    let read = read::read(&mut terms, &script, &no_functions).unwrap_or_else(|why| panic!("{assertion}: {why}"));
    let mut evaluator = Evaluator::new(Assignment::new());
    read.assertions.iter().all(|&t| evaluator.holds(&terms, t))
}

/// Numbers and their IEEE 754 remainder: the quotient is the nearest integer, of two the even one.
#[test]
fn remainders_are_those_of_the_standard() {
    let double = |x: f64| format!("((_ to_fp 11 53) #x{:016x})", x.to_bits());
    let tiny = f64::from_bits(1);
    for (x, y, r) in [
        (5.0, 3.0, -1.0),
        (-5.0, 3.0, 1.0),
        (5.0, -3.0, -1.0),
        (1.5, 3.0, 1.5),
        (4.5, 3.0, -1.5),
        (7.5, 3.0, 1.5),
        (10.5, 3.0, -1.5),
        (6.0, 3.0, 0.0),
        (-6.0, 3.0, -0.0),
        (1.0, f64::INFINITY, 1.0),
        (f64::MAX, f64::MAX, 0.0),
        (f64::MAX, 1.7e308, f64::MAX - 1.7e308),
        (3.0 * tiny, 2.0 * tiny, -tiny),
        (tiny, 2.0 * tiny, tiny),
        (1.0, 0.0, f64::NAN),
        (f64::INFINITY, 1.0, f64::NAN),
    ] {
        let truth = format!("(= (fp.rem {} {}) {})", double(x), double(y), double(r));
        assert!(holds(&truth), "{x} by {y}: {truth}");
    }
}

#[test]
fn operations_mean_what_the_standard_says() {
    for truth in [
        "(= (bvsmod #xf9 #x04) #x01)",
        "(= (bvsmod #x07 #xfc) #xff)",
        "(= (bvsrem #xf9 #x04) #xfd)",
        "(= ((_ rotate_left 3) #b10010110) #b10110100)",
        "(= ((_ rotate_right 3) #b10010110) #b11010010)",
        "(= ((_ repeat 3) #b10) #b101010)",
        "(= (bvcomp #x1 #x1) #b1)",
        "(= (bvnand #b1100 #b1010) #b0111)",
        "(= (_ bv10 8) #x0a)",
        "(distinct #x1 #x2 #x3)",
        "(not (distinct #x1 #x2 #x1))",
        "(=> false true false)",
        "(let ((x #x1) (y #x2)) (let ((x y) (y x)) (bvult y x)))",
        "(= (let ((a!1 (bvadd #x01 #x01))) a!1) #x02)",
        "(fp.eq (_ +zero 11 53) (_ -zero 11 53))",
        "(not (= (_ +zero 11 53) (_ -zero 11 53)))",
        "(= (_ NaN 8 24) (fp.div RNE (_ +zero 8 24) (_ +zero 8 24)))",
        "(not (fp.eq (_ NaN 8 24) (_ NaN 8 24)))",
        "(= ((_ to_fp 11 53) RNE 0.5) (fp #b0 #b01111111110 #x0000000000000))",
        "(= ((_ to_fp 8 24) RNE (- 2.0)) (fp #b1 #b10000000 #b00000000000000000000000))",
        "(= ((_ fp.to_sbv 8) RTZ ((_ to_fp 11 53) RNE (- 2.7))) #xfe)",
        "(= ((_ fp.to_sbv 8) RNE ((_ to_fp 11 53) RNE 2.5)) #x02)",
        "(= ((_ fp.to_ubv 8) RTP ((_ to_fp 11 53) RNE 2.1)) #x03)",
        "(fp.lt ((_ to_fp 8 24) RNE #xff) ((_ to_fp_unsigned 8 24) RNE #xff))",
        "(fp.isSubnormal (fp #b0 #x00 #b00000000000000000000001))",
        "(fp.isNegative (_ -zero 5 11))",
        "(not (fp.isNegative (_ NaN 5 11)))",
        "(fp.isInfinite (fp.neg (_ +oo 15 113)))",
        "(= (select (store ((as const (Array (_ BitVec 8) (_ BitVec 4))) #x0) #x05 #x7) #x05) #x7)",
        "(= ((_ to_fp 11 53) #x3ff0000000000000) ((_ to_fp 11 53) RNE 1))",
    ] {
        assert!(holds(truth), "{truth}");
    }
}

#[test]
fn reads_of_an_array_at_equal_places_are_equal() {
    let script = "(declare-const a (Array (_ BitVec 8) (_ BitVec 8)))(declare-const i (_ BitVec 8))
        (declare-fun j () (_ BitVec 8))
        (assert (distinct (select (store a i #x01) j) (select a j)))";
    let mut terms = Terms::new();
    let read = read::read(&mut terms, script, &no_functions).expect("a script");
    let model =
        |i: u64, element: u64| -> Assignment { [(Var(0), i), (Var(1), 5), (Var(2), element)].into_iter().collect() };
    let all = |model: Assignment| {
        let mut evaluator = Evaluator::new(model);
        read.assertions.iter().all(|&t| evaluator.holds(&terms, t))
    };
    assert!(all(model(5, 7)) && !all(model(5, 1)) && !all(model(4, 7)));
}

#[test]
fn functions_with_parameters_are_expanded_and_models_are_printed() {
    let script = "(define-fun twice ((x (_ BitVec 8))) (_ BitVec 8) (bvadd x x))
        (declare-const |a b| (_ BitVec 8)) (declare-const f Float32) (declare-const t Bool) (declare-const w (_ BitVec 70))
        (assert (= (twice |a b|) #x04)) (check-sat) (get-model)";
    let mut terms = Terms::new();
    let read = read::read(&mut terms, script, &no_functions).expect("a script");
    let values = [(Var(0), 2), (Var(1), 0x3f80_0000), (Var(2), 1), (Var(3), 5), (Var(4), 1)];
    let model: Assignment = values.into_iter().collect();
    assert!(Evaluator::new(model.clone()).holds(&terms, read.assertions[0]) && read.wants_model);
    let lines: Vec<String> = read.declared.iter().filter_map(|d| d.definition(&terms, &model)).collect();
    assert_eq!(lines[0], "(define-fun |a b| () (_ BitVec 8) #x02)");
    let one = "(fp #b0 #b01111111 #b00000000000000000000000)";
    assert_eq!(lines[1], format!("(define-fun f () (_ FloatingPoint 8 24) {one})"));
    assert_eq!(lines[2], "(define-fun t () Bool true)");
    assert!(lines[3].ends_with(&format!("#b{:06b}{:064b})", 1, 5)), "{}", lines[3]);
}

#[test]
fn mistakes_are_named_with_their_place() {
    for (script, place, what) in [
        ("(assert true", (1, 1), "not closed"),
        ("(assert true))", (1, 14), "too many"),
        ("(check-sat)\n(assert true)", (2, 1), "after (check-sat)"),
        ("\n (assert (bvult x #x1))", (2, 17), "`x` is not declared"),
        ("(assert (bvult #x11 #x1))", (1, 9), "different widths"),
        ("(assert #x1)", (1, 9), "Bool is needed"),
        ("(declare-const x Int)", (1, 18), "`Int` is not supported"),
        ("(assert (fp.lt (fp.add RTZ (_ NaN 8 24) (_ NaN 8 24)) (_ NaN 8 24)))", (1, 16), "RNE"),
        ("(assert (= ((_ extract 9 0) #x11) #x1))", (1, 12), "no such bits"),
        ("(declare-fun f ((_ BitVec 8)) Bool)", (1, 14), "uninterpreted function"),
        ("(assert |x", (1, 9), "missing"),
        ("(push 1)", (1, 1), "`push` is not supported"),
        ("17", (1, 1), "a command is needed"),
    ] {
        let error = read::read(&mut Terms::new(), script, &no_functions).expect_err(script);
        assert_eq!((error.place.line, error.place.column), place, "{script}: {error}");
        assert!(error.to_string().contains(what), "{script}: {error}");
    }
}
