//! Random terms and paths, the same for the same seed.

#![allow(dead_code, reason = "each test binary uses its part of this module")]

use taw_expr::{Assignment, BinOp, Evaluator, Term, Terms, Var};

/// SplitMix64 (G. Steele and others, 2014).
pub struct Random(pub u64);

impl Random {
    /// The next number.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `n`.
    pub fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    /// One of them.
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u64) as usize]
    }

    /// A value in which interesting ones are frequent.
    pub fn value(&mut self) -> u64 {
        let n = self.next();
        match n % 6 {
            0 => n >> 60,
            1 => !(n >> 60),
            2 => 1 << (n >> 58),
            3 => u64::from(b'a') + (n >> 61),
            _ => n,
        }
    }
}

/// What the terms of a [`Builder`] are made of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Flavour {
    /// Everything but floats.
    All,
    /// No products, no quotients: what solvers do quickly.
    Light,
}

/// Makes random terms over a few inputs.
pub struct Builder {
    pub terms: Terms,
    pub vars: Vec<Var>,
    pub random: Random,
    flavour: Flavour,
}

const ANY: &[BinOp] = BinOp::ARITHMETIC;
const LIGHT: &[BinOp] = &[BinOp::Add, BinOp::Sub, BinOp::And, BinOp::Or, BinOp::Xor, BinOp::Shl, BinOp::LShr];
const COMPARISONS: &[BinOp] = &[BinOp::Eq, BinOp::Eq, BinOp::Ult, BinOp::Ule, BinOp::Slt, BinOp::Sle];

impl Builder {
    /// `widths` are those of the inputs.
    pub fn new(seed: u64, widths: &[u32], flavour: Flavour) -> Self {
        let mut terms = Terms::new();
        let vars = widths.iter().enumerate().map(|(i, &w)| terms.new_var(&format!("x{i}"), w)).collect();
        Self { terms, vars, random: Random(seed), flavour }
    }

    /// A random assignment.
    pub fn assignment(&mut self) -> Assignment {
        let vars = self.vars.clone();
        vars.into_iter()
            .map(|v| {
                let width = self.terms.vars()[v.0 as usize].width;
                (v, self.random.value() & (u64::MAX >> (64 - width)))
            })
            .collect()
    }

    /// `t` made `width` bits wide.
    fn fit(&mut self, t: Term, width: u32) -> Term {
        let have = self.terms.width(t);
        if have > width {
            let lo = self.random.below(u64::from(have - width) + 1) as u32;
            return self.terms.extract(t, lo, width);
        }
        match self.random.below(2) {
            0 => self.terms.zext(t, width),
            _ => self.terms.sext(t, width),
        }
    }

    /// A term of `width` bits.
    pub fn term(&mut self, width: u32, depth: u32) -> Term {
        if depth == 0 || self.random.below(5) == 0 {
            if self.random.below(3) == 0 {
                let value = self.random.value();
                return self.terms.bv(width, value);
            }
            let v = self.random.pick(&self.vars.clone());
            let t = self.terms.var(v);
            return self.fit(t, width);
        }
        match self.random.below(10) {
            0 => {
                let c = self.condition(depth - 1);
                let (a, b) = (self.term(width, depth - 1), self.term(width, depth - 1));
                self.terms.ite(c, a, b)
            }
            1 => {
                let other = self.random.pick(&[4, 8, 16, 32]);
                let t = self.term(other, depth - 1);
                self.fit(t, width)
            }
            2 if width > 1 => {
                let low = 1 + self.random.below(u64::from(width) - 1) as u32;
                let (a, b) = (self.term(width - low, depth - 1), self.term(low, depth - 1));
                self.terms.concat(a, b)
            }
            3 => self.read(width, depth - 1),
            _ => {
                let op = self.random.pick(if self.flavour == Flavour::All { ANY } else { LIGHT });
                let (a, b) = (self.term(width, depth - 1), self.term(width, depth - 1));
                self.terms.bin(op, a, b)
            }
        }
    }

    /// A read of a small array, perhaps after a write.
    fn read(&mut self, width: u32, depth: u32) -> Term {
        let length = 1 + self.random.below(9);
        let elements: Vec<Term> = (0..length)
            .map(|_| match self.random.below(4) {
                0 => self.term(width, 0),
                _ => {
                    let value = self.random.value();
                    self.terms.bv(width, value)
                }
            })
            .collect();
        let mut array = self.terms.array_of(elements.into());
        if self.random.below(3) == 0 {
            let (at, value) = (self.term(4, 1), self.term(width, 0));
            let at = self.terms.zext(at, 64);
            array = self.terms.store(array, at, value);
        }
        let index = self.term(4, depth.min(2));
        let index = self.terms.zext(index, 64);
        self.terms.select(array, index)
    }

    /// A condition.
    pub fn condition(&mut self, depth: u32) -> Term {
        if depth > 0 && self.random.below(6) == 0 {
            let (a, b) = (self.condition(depth - 1), self.condition(depth - 1));
            return match self.random.below(3) {
                0 => self.terms.and(a, b),
                1 => self.terms.or(a, b),
                _ => self.terms.not(a),
            };
        }
        let width = self.random.pick(&[1, 7, 8, 8, 16, 32, 64]);
        let (a, b) = (self.term(width, depth), self.term(width, depth));
        let op = self.random.pick(COMPARISONS);
        self.terms.bin(op, a, b)
    }

    /// A condition in the form that holds under `witness`.
    pub fn true_condition(&mut self, depth: u32, witness: &Assignment) -> Term {
        let c = self.condition(depth);
        match Evaluator::new(witness.clone()).holds(&self.terms, c) {
            true => c,
            false => self.terms.not(c),
        }
    }
}

/// Whether `model` satisfies the path and the goal.
pub fn satisfies(terms: &Terms, path: &[Term], goal: Term, model: &Assignment) -> bool {
    let mut evaluator = Evaluator::new(model.clone());
    path.iter().chain([&goal]).all(|&t| evaluator.holds(terms, t))
}
