//! What is refuted has no model, and some things are refuted.

use taw_expr::{
    Assignment, Bits, Evaluator, FloatBin, FloatCmp, FloatFormat, FloatUn, FunctionInfo, NativeFunction, Term, Terms,
};

use super::contradict;

const F64: FloatFormat = FloatFormat::F64;

struct Builder {
    terms: Terms,
    state: u64,
}

impl Builder {
    fn below(&mut self, n: u64) -> u64 {
        self.state = self.state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.state >> 33) % n
    }

    fn number(&mut self) -> f64 {
        let all = [0.0, -0.0, 1.0, -1.0, 0.5, 2.0, 3.0, 1e-320, 1e300, -1e300, f64::INFINITY, f64::NAN, 10.0, -7.25];
        all[self.below(all.len() as u64) as usize]
    }

    fn float(&mut self, inputs: &[Term], depth: u32) -> Term {
        if depth == 0 || self.below(5) == 0 {
            if self.below(3) == 0 {
                let number = self.number();
                return self.terms.bv(64, number.to_bits());
            }
            return inputs[self.below(inputs.len() as u64) as usize];
        }
        let a = self.float(inputs, depth - 1);
        match self.below(9) {
            0 => {
                let op = [FloatUn::Sqrt, FloatUn::Floor, FloatUn::Trunc, FloatUn::RoundEven][self.below(4) as usize];
                self.terms.float_un(op, F64, a)
            }
            1 => {
                let sign = self.terms.bv(64, 1 << 63);
                self.terms.xor(a, sign)
            }
            2 => {
                let magnitude = self.terms.bv(64, (1 << 63) - 1);
                self.terms.and(a, magnitude)
            }
            3 => {
                let (name, eval): (&str, fn(f64) -> f64) =
                    [("sin", f64::sin as fn(f64) -> f64), ("exp", f64::exp), ("atan", f64::atan)]
                        [self.below(3) as usize];
                let f = self.terms.function(FunctionInfo { name: name.into(), eval: NativeFunction::Double(eval) });
                self.terms.apply(f, [a].into(), 64)
            }
            4 => self.terms.float_bin(FloatBin::Mul, F64, a, a),
            _ => {
                let b = self.float(inputs, depth - 1);
                let all = [
                    FloatBin::Add,
                    FloatBin::Sub,
                    FloatBin::Mul,
                    FloatBin::Div,
                    FloatBin::Min,
                    FloatBin::Max,
                    FloatBin::Rem,
                ];
                let op = all[self.below(all.len() as u64) as usize];
                self.terms.float_bin(op, F64, a, b)
            }
        }
    }

    fn condition(&mut self, inputs: &[Term]) -> Term {
        let (a, b) = (self.float(inputs, 3), self.float(inputs, 1));
        let op = [FloatCmp::Eq, FloatCmp::Lt, FloatCmp::Le, FloatCmp::Unordered][self.below(4) as usize];
        self.terms.float_cmp(op, F64, a, b)
    }
}

/// Conditions that a random assignment satisfies are never refuted.
#[test]
fn what_has_a_model_is_not_refuted() {
    let mut refuted = 0;
    for seed in 0..20_000 {
        let mut builder = Builder { terms: Terms::new(), state: seed };
        let vars = ["x", "y"].map(|name| builder.terms.new_var(name, 64));
        let inputs = vars.map(|v| builder.terms.var(v));
        let model: Assignment = vars
            .into_iter()
            .map(|v| {
                let number = builder.number();
                (v, number.to_bits())
            })
            .collect();
        let mut evaluator = Evaluator::new(model.clone());
        let mut conditions = Vec::new();
        for _ in 0..4 {
            let t = builder.condition(&inputs);
            let holds = evaluator.holds(&builder.terms, t);
            conditions.push(if holds { t } else { builder.terms.not(t) });
        }
        assert!(!contradict(&builder.terms, &conditions), "seed {seed}: {model:?} is a model");
        let last = conditions.pop().expect("there are four");
        let negated = builder.terms.not(last);
        conditions.push(negated);
        refuted += u32::from(contradict(&builder.terms, &conditions));
    }
    assert!(refuted > 500, "{refuted}");
}

#[test]
fn bounds_of_opaque_functions_refute() {
    let mut terms = Terms::new();
    let vars = ["x", "y"].map(|name| terms.new_var(name, 64));
    let [x, y] = vars.map(|v| terms.var(v));
    let atan2 = terms.function(FunctionInfo { name: "atan2".into(), eval: NativeFunction::Double2(f64::atan2) });
    let angle = terms.apply(atan2, [x, y].into(), 64);
    let half = terms.bv(64, (90.0 * (std::f64::consts::PI / 180.0)).to_bits());
    let turn = terms.bv(64, (2.0 * std::f64::consts::PI).to_bits());
    let zero = terms.bv(64, 0);
    let heading = terms.float_bin(FloatBin::Sub, F64, half, angle);
    let over = terms.float_cmp(FloatCmp::Lt, F64, turn, heading);
    assert!(contradict(&terms, &[over]));
    let negative = terms.float_cmp(FloatCmp::Lt, F64, heading, zero);
    let whole = terms.bv(64, (360.0 * (std::f64::consts::PI / 180.0)).to_bits());
    let sum = terms.float_bin(FloatBin::Add, F64, heading, whole);
    let over = terms.float_cmp(FloatCmp::Lt, F64, turn, sum);
    assert!(contradict(&terms, &[negative, over]));
    assert!(!contradict(&terms, &[negative]));
    // On the axis the heading is 0 or half a turn.
    let (on_axis, at_origin) =
        (terms.float_cmp(FloatCmp::Eq, F64, y, zero), terms.float_cmp(FloatCmp::Eq, F64, x, zero));
    let elsewhere = terms.not(at_origin);
    assert!(contradict(&terms, &[on_axis, elsewhere, negative]));
    assert!(!contradict(&terms, &[on_axis, negative]));
}

/// `sin`, by name only.
#[derive(Debug)]
struct Large;

impl taw_expr::Outside for Large {
    fn call(&self, _: &[Bits]) -> Bits {
        Bits::new(64, 7.0f64.to_bits())
    }

    fn parameter(&self, _: usize) -> Option<FloatFormat> {
        Some(F64)
    }
}

#[test]
fn nothing_is_known_of_a_function_that_only_has_the_name() {
    for (eval, refuted) in
        [(NativeFunction::Double(f64::sin), true), (NativeFunction::Outside(std::rc::Rc::new(Large)), false)]
    {
        let mut terms = Terms::new();
        let var = terms.new_var("x", 64);
        let x = terms.var(var);
        let sin = terms.function(FunctionInfo { name: "sin".into(), eval });
        let sine = terms.apply(sin, [x].into(), 64);
        let two = terms.bv(64, 2.0f64.to_bits());
        let above = terms.float_cmp(FloatCmp::Lt, F64, two, sine);
        assert_eq!(contradict(&terms, &[above]), refuted);
    }
}
