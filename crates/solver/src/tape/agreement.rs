//! Tapes compute what evaluation computes: every float operation in every format, wide values, opaque functions; and after
//! each input that changes, only what depends on it is recomputed.

use rustc_hash::FxHashMap;
use taw_expr::{
    Assignment, BinOp, Bits, Evaluator, FloatBin, FloatCmp, FloatFormat, FloatUn, FunctionInfo, NativeFunction, Term,
    Terms, Var,
};

use super::{Compiled, Compiler};

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        self.0 ^ self.0 >> 29
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[(self.next() >> 7) as usize % from.len()]
    }

    /// Patterns that are special in one format or another are frequent.
    fn pattern(&mut self) -> u64 {
        let number =
            [0.0, -0.0, 1.0, -2.5, f64::INFINITY, f64::NAN, 1e300, 5e-324, 3.0][(self.next() >> 9) as usize % 9];
        match self.next() >> 8 & 3 {
            0 => number.to_bits(),
            1 => u64::from((number as f32).to_bits()) | self.next() << 32,
            2 => self.next() & 0xff,
            _ => self.next(),
        }
    }
}

const FORMATS: [FloatFormat; 5] =
    [FloatFormat::F16, FloatFormat::F32, FloatFormat::F64, FloatFormat::F80, FloatFormat::F128];

/// One bit of every operation on the inputs.
fn conditions(terms: &mut Terms, vars: &[Var], format: FloatFormat) -> Vec<Term> {
    let width = format.width();
    let parts: Vec<Term> = vars.iter().map(|&v| terms.var(v)).collect();
    let operand = |terms: &mut Terms, low: Term, high: Term| {
        let whole = terms.concat(high, low);
        terms.extract(whole, 0, width)
    };
    let [a, b] = [operand(terms, parts[0], parts[1]), operand(terms, parts[2], parts[3])];
    let mut all = Vec::new();
    for op in [FloatUn::Sqrt, FloatUn::Floor, FloatUn::Ceil, FloatUn::Trunc, FloatUn::RoundEven, FloatUn::RoundAway] {
        all.push(terms.float_un(op, format, a));
    }
    for op in [FloatBin::Add, FloatBin::Sub, FloatBin::Mul, FloatBin::Div, FloatBin::Rem, FloatBin::Min, FloatBin::Max]
    {
        all.push(terms.float_bin(op, format, a, b));
    }
    for op in [FloatCmp::Eq, FloatCmp::Lt, FloatCmp::Le, FloatCmp::Unordered] {
        all.push(terms.float_cmp(op, format, a, b));
    }
    all.push(terms.fma(format, a, b, a));
    for to in FORMATS {
        all.push(terms.float_to_float(format, to, a));
    }
    for (signed, width) in [(true, 32), (false, 64), (true, 16), (true, 100)] {
        all.push(terms.float_to_int(format, signed, a, width));
        let integer = terms.extract(parts[2], 0, 20);
        all.push(terms.int_to_float(format, signed, integer));
        all.push(terms.int_to_float(format, signed, parts[3]));
    }
    for op in [BinOp::Add, BinOp::Mul, BinOp::UDiv, BinOp::Xor, BinOp::Slt, BinOp::AShr] {
        all.push(terms.bin(op, a, b));
    }
    let natives = [
        ("sin", NativeFunction::Double(f64::sin), FloatFormat::F64),
        ("pow", NativeFunction::Double2(f64::powf), FloatFormat::F64),
        ("sinf", NativeFunction::Single(f32::sin), FloatFormat::F32),
        ("not", NativeFunction::Bits(|args| args[0].not()), format),
    ];
    for (name, eval, own) in natives.into_iter().filter(|n| n.2 == format) {
        let args: Vec<Term> = if eval.arity() == Some(2) { vec![a, b] } else { vec![a] };
        let function = terms.function(FunctionInfo { name: name.into(), eval });
        all.push(terms.apply(function, args.into(), own.width()));
    }
    let choice = terms.ult(parts[0], parts[2]);
    all.push(terms.ite(choice, a, b));
    all
}

#[test]
fn floats_wide_values_and_calls_are_computed_as_evaluation_does() {
    for format in FORMATS {
        let mut terms = Terms::new();
        let vars: Vec<Var> = (0..4).map(|i| terms.new_var(&format!("x{i}"), 64)).collect();
        let all = conditions(&mut terms, &vars, format);
        let mut bits = Vec::new();
        for &t in &all {
            let zero = Bits::zero(terms.width(t));
            let zero = terms.constant(zero);
            bits.push(if terms.width(t) == 1 { t } else { terms.ult(zero, t) });
        }
        bits.retain(|&t| terms.as_const(t).is_none());
        let defined = FxHashMap::default();
        let Compiled { mut tape, slot_of, .. } = Compiler::all(&terms, &bits, &defined).expect("nothing is too wide");
        let cones: Vec<Vec<u32>> = (0..tape.inputs().len()).map(|input| tape.dependents(&[input])).collect();
        let mut random = Random(format.width().into());
        let mut model: Assignment = vars.iter().map(|&v| (v, 0)).collect();
        tape.run_all();
        for round in 0..400 {
            let input = round % cones.len();
            let value = random.pattern();
            let value = random.pick(&[value, value, 0]);
            model.set(tape.inputs()[input], value);
            tape.set_input(input, value);
            tape.rerun(&cones[input]);
            let mut evaluator = Evaluator::new(model.clone());
            for &t in &all {
                let Some(&slot) = slot_of.get(&t) else { continue };
                let want = evaluator.eval(&terms, t).low_u128();
                assert_eq!(tape.wide(slot, terms.width(t)), want, "{format:?} {:?} under {model:?}", terms.node(t));
            }
        }
    }
}
