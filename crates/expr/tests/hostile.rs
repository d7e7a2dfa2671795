//! Scripts that somebody else wrote, or damaged: read or refused, in a time that one can wait for, and never a panic.

use std::time::{Duration, Instant};

use taw_expr::read::{self, Script, ScriptError};
use taw_expr::{Assignment, Evaluator, Terms};

fn script(terms: &mut Terms, text: &str) -> Result<Script, ScriptError> {
    read::read(terms, text, &|_| None)
}

fn refusal(text: &str) -> String {
    match script(&mut Terms::new(), text) {
        Ok(_) => panic!("it is read: {text}"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn a_definition_cannot_name_itself() {
    let text = "(define-fun f ((x (_ BitVec 8))) (_ BitVec 8) (f x)) (assert (= (f #x01) #x02))";
    assert_eq!(refusal(text), "1:47: the operation `f` with these arguments is not supported");
    // The one of that name that was there before, it can.
    let text = "(define-fun f ((x (_ BitVec 8))) (_ BitVec 8) (bvadd x #x01))
        (define-fun f ((x (_ BitVec 8))) (_ BitVec 8) (bvmul (f x) #x02)) (assert (= (f #x01) #x04))";
    let mut terms = Terms::new();
    let all = script(&mut terms, text).expect("it is a script").assertions;
    assert_eq!(terms.as_u64(all[0]), Some(1));
}

#[test]
fn widths_are_limited_wherever_they_come_from() {
    for term in [
        "((_ zero_extend 4294967295) x)",
        "((_ sign_extend 4294967290) x)",
        "((_ repeat 4294967295) x)",
        "(_ bv1 4294967295)",
        "((_ fp.to_ubv 4294967295) RNE (fp #b0 #b00000 #b0000000000))",
    ] {
        let text = format!("(declare-const x (_ BitVec 8)) (assert (= {term} {term}))");
        assert!(refusal(&text).contains("bits (more than 65536) is not supported"), "{term}: {}", refusal(&text));
    }
    assert!(refusal("(declare-const x (_ BitVec 65537))").contains("more than 65536"));
    let mut doubling = String::from("(declare-const x0 (_ BitVec 8))");
    for i in 1..20 {
        let (before, width) = (i - 1, 8 << i);
        doubling += &format!("(define-const x{i} (_ BitVec {width}) (concat x{before} x{before}))");
    }
    assert!(refusal(&doubling).contains("131072 bits (more than 65536)"));
}

#[test]
fn definitions_that_double_are_given_up_soon() {
    let mut text =
        String::from("(declare-const x (_ BitVec 8)) (define-fun f0 ((y (_ BitVec 8))) (_ BitVec 8) (bvadd y x))");
    for i in 1..60 {
        text += &format!("(define-fun f{i} ((y (_ BitVec 8))) (_ BitVec 8) (f{0} (f{0} (bvmul y x))))", i - 1);
    }
    let start = Instant::now();
    assert!(refusal(&(text + "(assert (= (f59 x) #x01))")).contains("expand to more than"));
    assert!(start.elapsed() < Duration::from_secs(30), "{:?}", start.elapsed());
}

#[test]
fn arrays_that_share_their_parts_are_read_once() {
    let sort = "(Array (_ BitVec 8) (_ BitVec 8))";
    let mut text = format!("(declare-const c Bool) (declare-const a0 {sort})");
    for i in 1..200 {
        text += &format!("(define-fun a{i} () {sort} (ite c a{0} (store a{0} #x{i:02x} #x01)))", i - 1);
    }
    script(&mut Terms::new(), &(text + "(assert (= (select a199 #x05) #x01))")).expect("it is a script");
}

#[test]
fn a_model_has_its_arrays() {
    let text = "(declare-const a (Array (_ BitVec 8) (_ BitVec 4))) (declare-const i (_ BitVec 8)) (assert (= (select a i) #x7))";
    let mut terms = Terms::new();
    let read = script(&mut terms, text).expect("it is a script");
    let definition = read.declared[0].definition(&terms, &Assignment::new());
    let sort = "(Array (_ BitVec 8) (_ BitVec 4))";
    let wanted = format!("(define-fun a () {sort} (store ((as const {sort}) #x0) #x00 #x0))");
    assert_eq!(definition, Some(wanted));
}

const SCRIPTS: [&str; 3] = [
    "(set-logic QF_ABV)(declare-const a (Array (_ BitVec 32) (_ BitVec 8)))(declare-fun i () (_ BitVec 32))(assert (= (select (store a i #x07) \
     (bvadd i #x00000001)) #b00001001))(assert (let ((x (bvmul i i)) (y ((_ extract 7 0) i))) (distinct x ((_ zero_extend 24) y))))(check-sat)(get-model)",
    "(declare-const x Float64)(declare-const y (_ FloatingPoint 8 24))(assert (fp.lt x (fp.mul RNE x ((_ to_fp 11 53) RNE y))))(assert (= ((_ \
     fp.to_sbv 32) RTZ x) (_ bv7 32)))(assert (not (fp.isNaN (fp.sqrt RNE x))))(check-sat)",
    "(define-sort W () (_ BitVec 16))(declare-const p Bool)(declare-const v W)(define-fun f ((x W) (q Bool)) W (ite q (bvudiv x #x0003) (bvshl x \
     v)))(assert (=> p (bvslt (f v p) ((_ rotate_left 3) (concat #xab ((_ repeat 8) #b1))))))(assert (xor p (bvsge v (bvsmod v (bvneg v)))))(check-sat)",
];

/// A number below `n` (xorshift).
fn below(state: &mut u64, n: usize) -> usize {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    (*state >> 11) as usize % n
}

/// Words exchanged, left out, doubled; numbers made extreme.
fn damaged(text: &str, state: &mut u64) -> String {
    let mut words: Vec<String> = Vec::new();
    for c in text.chars() {
        match words.last_mut() {
            Some(word) if !"() ".contains(c) && !word.ends_with(['(', ')', ' ']) => word.push(c),
            _ => words.push(c.into()),
        }
    }
    for _ in 0..=below(state, 4) {
        let (at, other) = (below(state, words.len()), below(state, words.len()));
        match below(state, 6) {
            0 => words[at] = words[other].clone(),
            1 => words[at].clear(),
            2 => words.insert(at, words[other].clone()),
            3 => words.swap(at, other),
            4 if words[at].parse::<u32>().is_ok() => {
                words[at] = ["0", "1", "65536", "4294967295", "18446744073709551616"][below(state, 5)].into();
            }
            _ => words[at].push(char::from(below(state, 128) as u8)),
        }
    }
    words.concat()
}

/// `TAW_FUZZ` says how many; `make fuzz` wants more of them.
#[test]
fn damaged_scripts_are_read_or_refused() {
    let count: u64 = std::env::var("TAW_FUZZ").ok().and_then(|n| n.parse().ok()).unwrap_or(1500);
    let mut read = 0;
    for seed in 1..=count {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let text = damaged(SCRIPTS[seed as usize % SCRIPTS.len()], &mut state);
        let start = Instant::now();
        let mut terms = Terms::new();
        if let Ok(script) = script(&mut terms, &text) {
            read += 1;
            let mut evaluator = Evaluator::new(Assignment::new());
            script.assertions.iter().for_each(|&t| drop(evaluator.eval(&terms, t)));
            script.declared.iter().for_each(|d| drop(d.definition(&terms, &Assignment::new())));
        }
        assert!(start.elapsed() < Duration::from_secs(20), "seed {seed} takes {:?}:\n{text}", start.elapsed());
    }
    assert!(read * 50 > count, "only {read} of {count} were read: the damage is too great");
}
