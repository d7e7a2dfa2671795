//! What the heuristic search finds alone, on random queries that have a model because one was planted.
//!
//! `cargo bench -p taw-solver --bench planted -- [--without PART,…] [--seeds N] [--work N]` (or `--parts`) prints one line of JSON: per family the
//! queries, how many were solved, conditions evaluated, and seconds. `bench/walk.py` makes the table of docs/walk.md with it.

#[path = "../tests/support/mod.rs"]
mod support;

use std::time::Duration;

use support::{Builder, Flavour, Random};
use taw_expr::{
    Assignment, BinOp, Evaluator, FloatBin, FloatCmp, FloatFormat, FunctionInfo, NativeFunction, Term, Terms, Var,
};
use taw_solver::{Ingredient, Query, Solver, SolverConfig, StageChoice};

const F64: FloatFormat = FloatFormat::F64;
/// Queries per family.
const QUERIES: u64 = 200;

/// Conditions that an assignment satisfies.
struct Planted {
    terms: Terms,
    conditions: Vec<Term>,
}

type Unary = (&'static str, fn(f64) -> f64);
type Family = (&'static str, fn(u64) -> Planted);
const FAMILIES: [Family; 4] = [("floats", floats), ("bits", bits), ("linear", linear), ("integers", integers)];

/// Terms over inputs with known values.
struct Garden {
    terms: Terms,
    inputs: Vec<Term>,
    vars: Vec<Var>,
    evaluator: Evaluator,
    conditions: Vec<Term>,
    random: Random,
}

impl Garden {
    fn new(seed: u64, count: u64, width: u32, value: fn(&mut Random) -> u64) -> Self {
        let (mut random, mut terms) = (Random(seed), Terms::new());
        let vars: Vec<Var> = (0..count).map(|i| terms.new_var(&format!("x{i}"), width)).collect();
        let inputs = vars.iter().map(|&v| terms.var(v)).collect();
        let model: Assignment = vars.iter().map(|&v| (v, value(&mut random))).collect();
        Self { terms, inputs, vars, evaluator: Evaluator::new(model), conditions: Vec::new(), random }
    }

    fn double(&mut self, t: Term) -> f64 {
        f64::from_bits(self.evaluator.eval_u64(&self.terms, t))
    }

    fn number(&mut self, n: f64) -> Term {
        self.terms.bv(64, n.to_bits())
    }

    /// Keeps a condition if the planted values satisfy it.
    fn plant(&mut self, t: Term) {
        if self.terms.as_const(t).is_none() && self.evaluator.holds(&self.terms, t) {
            self.conditions.push(t);
        }
    }

    fn done(self) -> Planted {
        Planted { terms: self.terms, conditions: self.conditions }
    }

    fn apply(&mut self, a: Term) -> Term {
        let all: [Unary; 5] =
            [("sin", f64::sin), ("cos", f64::cos), ("exp", f64::exp), ("log", f64::ln), ("tan", f64::tan)];
        let (name, eval) = self.random.pick(&all);
        let function = self.terms.function(FunctionInfo { name: name.into(), eval: NativeFunction::Double(eval) });
        self.terms.apply(function, [a].into(), 64)
    }

    fn float(&mut self, depth: u32) -> Term {
        if depth == 0 || self.random.below(6) == 0 {
            if self.random.below(4) == 0 {
                let n = self.random.pick(&[0.5, 1.0, 2.0, 3.0, -1.0, 10.0, 0.1]);
                return self.number(n);
            }
            return self.random.pick(&self.inputs.clone());
        }
        let a = self.float(depth - 1);
        if self.random.below(4) == 0 {
            return self.apply(a);
        }
        let b = self.float(depth - 1);
        let op = self.random.pick(&[
            FloatBin::Add,
            FloatBin::Sub,
            FloatBin::Mul,
            FloatBin::Mul,
            FloatBin::Div,
            FloatBin::Add,
        ]);
        self.terms.float_bin(op, F64, a, b)
    }
}

/// Like the constraints of coral: sums, products and functions of doubles, equal to something or below it.
fn floats(seed: u64) -> Planted {
    let value = |random: &mut Random| {
        let n = random.below(20_000) as f64 / 1000.0 - 10.0;
        (if random.below(2) == 0 { n.round() } else { n }).to_bits()
    };
    let count = 2 + seed % 3;
    let mut garden = Garden::new(seed, count, 64, value);
    while garden.conditions.len() < 1 + (seed % 3) as usize {
        let t = garden.float(3);
        let n = garden.double(t);
        if !n.is_finite() || garden.terms.as_const(t).is_some() {
            continue;
        }
        let slack = n.abs().max(1.0) * (-(garden.random.below(20) as f64)).exp2();
        let condition = match garden.random.below(4) {
            0 => (FloatCmp::Lt, t, garden.number(n + slack)),
            1 => (FloatCmp::Le, garden.number(n - slack), t),
            _ => (FloatCmp::Eq, t, garden.number(n)),
        };
        let condition = garden.terms.float_cmp(condition.0, F64, condition.1, condition.2);
        garden.plant(condition);
    }
    garden.done()
}

/// Bit tricks of all kinds and widths, mostly equal to something.
fn bits(seed: u64) -> Planted {
    let widths: &[u32] = [&[8, 8, 32, 32][..], &[64, 16], &[32, 32, 32]][seed as usize % 3];
    let mut builder = Builder::new(seed, widths, Flavour::All);
    let model = builder.assignment();
    let mut conditions = vec![builder.true_condition(3, &model)];
    while conditions.len() < 5 {
        let t = builder.term([16, 32, 64][conditions.len() % 3], 4);
        let n = Evaluator::new(model.clone()).eval_u64(&builder.terms, t);
        let value = builder.terms.bv(builder.terms.width(t), n);
        conditions.push(builder.terms.eq(t, value));
    }
    Planted { terms: builder.terms, conditions }
}

/// Linear equalities of doubles with small coefficients, and a product; half of them with numbers that are not exact in binary.
fn linear(seed: u64) -> Planted {
    let value: fn(&mut Random) -> u64 = match seed % 2 {
        0 => |random| (random.below(41) as f64 / 2.0 - 10.0).to_bits(),
        _ => |random| (random.below(201) as f64 / 10.0 - 10.0).to_bits(),
    };
    let factors =
        if seed.is_multiple_of(2) { [1.0, 1.0, -1.0, 2.0, 0.0, -3.0] } else { [1.0, 0.1, -1.0, 2.5, 0.0, -0.7] };
    let mut garden = Garden::new(seed, 3 + seed % 3, 64, value);
    let count = garden.vars.len();
    for _ in 0..count - 2 {
        let mut sum = garden.number(0.0);
        for x in garden.inputs.clone() {
            let factor = garden.random.pick(&factors);
            let factor = garden.number(factor);
            let product = garden.terms.float_bin(FloatBin::Mul, F64, factor, x);
            sum = garden.terms.float_bin(FloatBin::Add, F64, sum, product);
        }
        let n = garden.double(sum);
        let right = garden.number(n);
        let equal = garden.terms.float_cmp(FloatCmp::Eq, F64, sum, right);
        garden.plant(equal);
    }
    let inputs = garden.inputs.clone();
    let product =
        inputs[1..].iter().fold(inputs[0], |product, &x| garden.terms.float_bin(FloatBin::Mul, F64, product, x));
    let n = garden.double(product);
    let right = garden.number(n);
    let equal = garden.terms.float_cmp(FloatCmp::Eq, F64, product, right);
    garden.plant(equal);
    garden.done()
}

/// Equations of sums and products of integers, with a solution that was planted.
fn integers(seed: u64) -> Planted {
    let value = |random: &mut Random| (random.below(41) as i64 - 20) as u64 & 0xffff_ffff;
    let mut garden = Garden::new(seed, 3 + seed % 3, 32, value);
    let inputs = garden.inputs.clone();
    for _ in 0..inputs.len() - 2 {
        let mut sum = garden.terms.bv(32, 0);
        for &x in &inputs {
            let factor = garden.random.pick(&[1, 1, -1i64, 2, 0, -3]) as u64;
            let factor = garden.terms.bv(32, factor & 0xffff_ffff);
            let product = garden.terms.mul(factor, x);
            sum = garden.terms.add(sum, product);
        }
        let n = garden.evaluator.eval_u64(&garden.terms, sum);
        let right = garden.terms.bv(32, n);
        let equal = garden.terms.eq(sum, right);
        garden.plant(equal);
    }
    let product = inputs[1..].iter().fold(inputs[0], |product, &x| garden.terms.bin(BinOp::Mul, product, x));
    let n = garden.evaluator.eval_u64(&garden.terms, product);
    let right = garden.terms.bv(32, n);
    let equal = garden.terms.eq(product, right);
    garden.plant(equal);
    garden.done()
}

/// What the command line says.
struct Options {
    without: Vec<Ingredient>,
    seeds: u64,
    work: u64,
}

fn options() -> Options {
    let mut options = Options { without: Vec::new(), seeds: 1, work: 500_000 };
    let mut words = std::env::args().skip(1).filter(|word| word != "--bench");
    while let Some(word) = words.next() {
        if word == "--parts" {
            Ingredient::ALL.iter().for_each(|(name, _)| println!("{name}"));
            std::process::exit(0);
        }
        let value = words.next().unwrap_or_default();
        let count = || value.parse().unwrap_or_else(|_| panic!("`{word}` wants a number, not `{value}`"));
        match word.as_str() {
            "--seeds" => options.seeds = count(),
            "--work" => options.work = count(),
            "--without" => {
                let named = |name| Ingredient::named(name).unwrap_or_else(|| panic!("there is no part `{name}`"));
                options.without = value.split(',').filter(|name| !name.is_empty()).map(named).collect();
            }
            _ => panic!("there is no option `{word}`"),
        }
    }
    options
}

fn main() {
    let options = options();
    let mut rows = Vec::new();
    for (name, family) in FAMILIES {
        let (mut solved, mut evaluations, mut time) = (0, 0, Duration::ZERO);
        for (seed, number) in (0..options.seeds).flat_map(|seed| (0..QUERIES).map(move |number| (seed, number))) {
            let Planted { mut terms, conditions } = family(number * 7919);
            let config = SolverConfig {
                stages: StageChoice::Only(vec!["walk".to_owned()]),
                seed,
                walk_first: 0,
                walk_last: options.work,
                walk_without: options.without.clone(),
                ..SolverConfig::default()
            };
            let mut solver = Solver::new(config).expect("a solver");
            let all = terms.bool(true);
            let goal = conditions.iter().fold(all, |all, &t| terms.and(all, t));
            let query = Query { path: &[], goal, witness: &Assignment::new() };
            solved += u64::from(solver.solve(&mut terms, &query).is_sat());
            let stats = solver.stats();
            evaluations += stats.stages.iter().map(|stage| stage.evaluations).sum::<u64>();
            time += stats.time;
        }
        rows.push(format!(
            "\"{name}\": {{\"queries\": {}, \"solved\": {solved}, \"evaluations\": {evaluations}, \"seconds\": {:.3}}}",
            QUERIES * options.seeds,
            time.as_secs_f64()
        ));
    }
    println!("{{{}}}", rows.join(", "));
}
