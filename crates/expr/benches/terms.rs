//! How fast terms are made and evaluated: `cargo bench -p taw-expr`. Prints millions per second of processor time (not of
//! wall time: others may be at work here), best of five.

use std::hint::black_box;

use taw_expr::*;

fn main() {
    report("make, all new", |n| {
        let (mut t, bytes) = inputs();
        mix(&mut t, &bytes, n)
    });
    let (mut t, bytes) = inputs();
    mix(&mut t, &bytes, 1_000_000);
    report("make, all there already", |n| mix(&mut t, &bytes, n));
    report("make and compare a promoted byte, rewritten", |n| {
        let (mut t, bytes) = inputs();
        for i in 0..n / 4 {
            let byte = t.zext(bytes[i % 64], 32);
            let (zero, limit) = (t.bv(32, 48), t.bv(32, (i / 64) as u64 % 200));
            let value = t.sub(byte, zero);
            black_box(t.slt(value, limit));
        }
    });
    let (mut t, root) = chain(1_000_000);
    report("evaluate one deep chain, nothing known", |_| {
        black_box(Evaluator::new(Assignment::new()).eval_u64(&t, root));
    });
    let (shallow, roots) = bushes(1_000_000);
    report("evaluate small terms, nothing known", |_| {
        let mut evaluator = Evaluator::new(Assignment::new());
        for &root in &roots {
            black_box(evaluator.eval_u64(&shallow, root));
        }
    });
    let mut known = Evaluator::new(Assignment::new());
    report("evaluate a condition along a path", |n| {
        let mut last = root;
        for i in 0..n / 4 {
            let c = t.bv(32, i as u64 | 1);
            last = t.mul(last, c);
            last = t.xor(last, root);
            let condition = t.ult(last, c);
            black_box(known.holds(&t, condition));
        }
    });
}

fn report(what: &str, mut run: impl FnMut(usize)) {
    const COUNT: usize = 1_000_000;
    let best = (0..5)
        .map(|_| {
            let start = seconds();
            run(COUNT);
            seconds() - start
        })
        .fold(f64::INFINITY, f64::min);
    println!("{what:45} {:8.1} M/s", COUNT as f64 / best / 1e6);
}

/// Processor time of this thread so far.
fn seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").expect("Linux tells");
    text.split(' ').next().and_then(|ns| ns.parse::<f64>().ok()).expect("a number of nanoseconds") / 1e9
}

fn inputs() -> (Terms, Vec<Term>) {
    let mut t = Terms::new();
    let bytes = (0..64)
        .map(|i| {
            let v = t.new_var(&format!("b{i}"), 8);
            t.var(v)
        })
        .collect();
    (t, bytes)
}

/// Arithmetic like a checksum's: four terms per step.
fn mix(t: &mut Terms, bytes: &[Term], n: usize) {
    let mut sum = t.bv(32, 1);
    for i in 0..n / 4 {
        let byte = t.sext(bytes[i % bytes.len()], 32);
        sum = t.xor(sum, byte);
        let prime = t.bv(32, 0x0100_0193);
        sum = t.mul(sum, prime);
        let seven = t.bv(32, 7);
        let high = t.bin(BinOp::LShr, sum, seven);
        sum = t.add(sum, high);
    }
    black_box(sum);
}

/// A chain of `n` inner nodes.
fn chain(n: usize) -> (Terms, Term) {
    let (mut t, bytes) = inputs();
    let before = t.len();
    let mut sum = t.zext(bytes[0], 32);
    while t.len() < before + n {
        let byte = t.zext(bytes[t.len() % 64], 32);
        sum = t.xor(sum, byte);
        let prime = t.bv(32, 0x0100_0193);
        sum = t.mul(sum, prime);
    }
    (t, sum)
}

/// Terms of about twenty inner nodes each, `n` in all.
fn bushes(n: usize) -> (Terms, Vec<Term>) {
    let (mut t, bytes) = inputs();
    let before = t.len();
    let mut roots = Vec::new();
    while t.len() < before + n {
        let mut sum = t.bv(32, roots.len() as u64);
        for &byte in &bytes[..8] {
            let byte = t.zext(byte, 32);
            let c = t.bv(32, roots.len() as u64 * 2 + 3);
            let product = t.mul(byte, c);
            sum = t.xor(sum, product);
        }
        let seven = t.bv(32, 7);
        roots.push(t.ult(sum, seven));
    }
    (t, roots)
}
