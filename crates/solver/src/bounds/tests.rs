//! Against evaluation: what the bounds say of a condition is so under every assignment that satisfies the path.

use taw_expr::{Assignment, BinOp, Evaluator, Term, Terms, Var};

use super::{Bounds, refutation};

struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % n
    }

    fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len() as u64) as usize]
    }
}

const COMPARISONS: [BinOp; 5] = [BinOp::Eq, BinOp::Ult, BinOp::Ule, BinOp::Slt, BinOp::Sle];

/// A term of eight bits over two inputs of four.
fn value(terms: &mut Terms, random: &mut Random, inputs: [Term; 2], depth: u32) -> Term {
    let leaf = depth == 0 || random.below(4) == 0;
    let operand = |terms: &mut Terms, random: &mut Random| value(terms, random, inputs, depth - 1);
    match random.below(6) {
        0 if leaf => terms.bv(8, random.below(256)),
        1 | 2 if leaf => terms.sext(inputs[random.below(2) as usize], 8),
        _ if leaf => terms.zext(inputs[random.below(2) as usize], 8),
        0 => {
            let (a, b) = (operand(terms, random), operand(terms, random));
            let cond = terms.ult(a, b);
            terms.ite(cond, a, b)
        }
        1 => {
            let a = operand(terms, random);
            let low = terms.extract(a, 5, 2);
            terms.sext(low, 8)
        }
        2 => {
            let (a, constant) = (operand(terms, random), random.below(256));
            let constant = terms.bv(8, constant);
            terms.add(a, constant)
        }
        _ => {
            let (a, b) = (operand(terms, random), operand(terms, random));
            terms.bin(random.one(BinOp::ARITHMETIC), a, b)
        }
    }
}

fn condition(terms: &mut Terms, random: &mut Random, inputs: [Term; 2]) -> Term {
    let a = value(terms, random, inputs, 2);
    let b = if random.below(3) > 0 { terms.bv(8, random.below(256)) } else { value(terms, random, inputs, 1) };
    let first = terms.bin(random.one(&COMPARISONS), a, b);
    match random.below(6) {
        0 => {
            let second = condition(terms, random, inputs);
            terms.bin(random.one(&[BinOp::And, BinOp::Or]), first, second)
        }
        1 | 2 => terms.not(first),
        _ => first,
    }
}

/// Every assignment of both inputs that satisfies the conditions.
fn models(terms: &Terms, vars: [Var; 2], conditions: &[Term]) -> Vec<Assignment> {
    let all = (0..256).map(|point| {
        let mut model = Assignment::new();
        model.set(vars[0], point & 15);
        model.set(vars[1], point >> 4);
        model
    });
    all.filter(|model| conditions.iter().all(|&t| Evaluator::new(model.clone()).holds(terms, t))).collect()
}

#[test]
fn what_the_bounds_say_is_so_under_every_model() {
    let mut random = Random(11);
    let (mut decided, mut asked) = (0, 0);
    for _ in 0..3000 {
        let mut terms = Terms::new();
        let vars = [terms.new_var("x", 4), terms.new_var("y", 4)];
        let inputs = vars.map(|v| terms.var(v));
        let path: Vec<Term> = (0..random.below(5)).map(|_| condition(&mut terms, &mut random, inputs)).collect();
        let goals: Vec<Term> = (0..4).map(|_| condition(&mut terms, &mut random, inputs)).collect();
        let mut bounds = Bounds::default();
        let models = models(&terms, vars, &path);
        if models.is_empty() {
            continue; // bounds are of paths that have a witness
        }
        path.iter().for_each(|&t| drop(bounds.assume(&terms, t)));
        for &goal in &goals {
            asked += 1;
            let Some(truth) = bounds.truth(&terms, goal, 40) else { continue };
            decided += u32::from(terms.as_u64(goal).is_none());
            for model in &models {
                let holds = Evaluator::new(model.clone()).holds(&terms, goal);
                assert_eq!(holds, truth, "{} under {model:?}, path {path:?}", terms.show(goal));
            }
        }
    }
    assert!(decided > 100, "only {decided} of {asked} were decided, which tests too little");
}

#[test]
fn the_conditions_that_refute_a_goal_do_so_alone() {
    let mut random = Random(5);
    let mut refuted = 0;
    for _ in 0..6000 {
        let mut terms = Terms::new();
        let vars = [terms.new_var("x", 4), terms.new_var("y", 4)];
        let inputs = vars.map(|v| terms.var(v));
        // Few terms and many conditions, so that several are about the same.
        let offset = terms.bv(4, random.below(16));
        let known = [inputs[0], terms.add(inputs[0], offset), inputs[1]];
        let path: Vec<Term> = (0..6)
            .map(|_| {
                let (a, constant) = (random.one(&known), terms.bv(4, random.below(16)));
                let (op, swapped) = (random.one(&COMPARISONS), random.below(2) == 0);
                let t = if swapped { terms.bin(op, constant, a) } else { terms.bin(op, a, constant) };
                if random.below(3) == 0 { terms.not(t) } else { t }
            })
            .collect();
        if models(&terms, vars, &path).is_empty() {
            continue;
        }
        let (a, constant) = (random.one(&known), terms.bv(4, random.below(16)));
        let goal = terms.bin(random.one(&COMPARISONS), a, constant);
        if let Some(mut core) = refutation(&terms, &path, goal, 40) {
            refuted += 1;
            core.push(goal);
            assert!(models(&terms, vars, &core).is_empty(), "{core:?} have a model; the path is {path:?}");
        }
    }
    assert!(refuted > 100, "only {refuted} goals were refuted, which tests too little");
}

#[test]
fn a_subtraction_that_does_not_wrap_bounds_what_it_is_made_of() {
    let mut terms = Terms::new();
    let n = terms.new_var("n", 32);
    let n = terms.var(n);
    let number = |terms: &mut Terms, value: i32| terms.bv(32, u64::from(value as u32));
    let (two, thousand, less) = (number(&mut terms, 2), number(&mut terms, 1000), number(&mut terms, -6));
    let rest = terms.add(n, less);
    let conditions = [
        terms.bin(BinOp::Sle, two, n),
        terms.bin(BinOp::Sle, n, thousand),
        // 6 <= n < 8
        terms.bin(BinOp::Slt, rest, two),
        {
            let none = number(&mut terms, 0);
            terms.bin(BinOp::Sle, none, rest)
        },
    ];
    let mut bounds = Bounds::default();
    conditions.iter().for_each(|&t| drop(bounds.assume(&terms, t)));
    let (six, seven, eight) = (number(&mut terms, 6), number(&mut terms, 7), number(&mut terms, 8));
    let below = terms.bin(BinOp::Ult, n, eight);
    assert_eq!(bounds.truth(&terms, below, 40), Some(true));
    let is_seven = terms.eq(n, seven);
    assert_eq!(bounds.truth(&terms, is_seven, 40), None);
    let not_six = terms.ne(n, six);
    assert!(!bounds.fixes(&terms, is_seven));
    bounds.assume(&terms, not_six);
    assert_eq!(bounds.truth(&terms, is_seven, 40), Some(true));
    let square = terms.bin(BinOp::Mul, rest, n);
    assert!(bounds.fixes(&terms, square), "the only input is seven");
}
