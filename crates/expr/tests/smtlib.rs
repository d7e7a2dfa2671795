//! The SMT-LIB printer: what a script looks like. What it means is asked of Z3, which only `taw-solver` knows (its `tests/smtlib.rs`).

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
