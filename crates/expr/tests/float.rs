//! Floating point: software against hardware, special values, and the decisions that IEEE 754 leaves open.

use proptest::prelude::*;
use taw_expr::fold::*;
use taw_expr::{Assignment, Bits, Evaluator, FloatBin, FloatCmp, FloatFormat, FloatUn, Term, Terms};

use FloatFormat::{F16, F32, F64, F80, F128};

const UNARY: [FloatUn; 6] =
    [FloatUn::Sqrt, FloatUn::Floor, FloatUn::Ceil, FloatUn::Trunc, FloatUn::RoundEven, FloatUn::RoundAway];
const BINARY: [FloatBin; 7] =
    [FloatBin::Add, FloatBin::Sub, FloatBin::Mul, FloatBin::Div, FloatBin::Rem, FloatBin::Min, FloatBin::Max];

/// By way of binary64, which has more than twice the digits of binary16: rounding twice is rounding once.
#[test]
fn half_precision_agrees_with_the_machine_on_every_value() {
    for a in 0..=0xffffu128 {
        let wide = float_to_float(F16, F64, a);
        assert_eq!(float_to_float(F64, F16, wide), if is_nan(F16, a) { a | 0x200 } else { a });
        for op in UNARY {
            let want = float_to_float(F64, F16, float_un(op, F64, wide));
            assert_eq!(float_un(op, F16, a), want, "{op:?} {a:#x}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    #[test]
    fn half_precision_agrees_with_the_machine_on_pairs(a in any::<u16>(), b in any::<u16>()) {
        let (a, b) = (u128::from(a), u128::from(b));
        let (x, y) = (float_to_float(F16, F64, a), float_to_float(F16, F64, b));
        for op in BINARY {
            let want = float_to_float(F64, F16, float_bin(op, F64, x, y));
            // fmin and fmax give back the other operand as it is, a signalling NaN never.
            prop_assert_eq!(float_bin(op, F16, a, b), want, "{:?}", op);
        }
        for op in COMPARISONS {
            prop_assert_eq!(float_cmp(op, F16, a, b), float_cmp(op, F64, x, y), "{:?}", op);
        }
    }

    /// Sums and products of small doubles are exact in the wide formats: software against the machine.
    #[test]
    fn wide_formats_round_to_double_like_the_machine(a in any::<f64>(), b in any::<f64>()) {
        let (a, b) = (u128::from(a.to_bits()), u128::from(b.to_bits()));
        let (x, y) = (float_to_float(F64, F128, a), float_to_float(F64, F128, b));
        prop_assert_eq!(float_to_float(F128, F64, x), a);
        // 113 digits are more than twice 53.
        for op in BINARY {
            let want = float_bin(op, F64, a, b);
            prop_assert_eq!(float_to_float(F128, F64, float_bin(op, F128, x, y)), want, "{:?}", op);
        }
        for op in UNARY {
            let want = float_un(op, F64, a);
            prop_assert_eq!(float_to_float(F128, F64, float_un(op, F128, x)), want, "{:?}", op);
            let rounds = op != FloatUn::Sqrt;
            let by_x87 = float_to_float(F80, F64, float_un(op, F80, float_to_float(F64, F80, a)));
            prop_assert!(!rounds || by_x87 == want, "{:?}", op);
        }
    }

    #[test]
    fn integers_convert_like_the_machine(value in any::<i128>(), shift in 0u32..127, float in any::<f64>()) {
        let value = value >> shift;
        let bits = Bits::from_u128(128, value as u128);
        prop_assert_eq!(int_to_float(F64, true, &bits), u128::from((value as f64).to_bits()));
        prop_assert_eq!(int_to_float(F32, true, &bits), u128::from((value as f32).to_bits()));
        prop_assert_eq!(int_to_float(F64, false, &bits), u128::from((value as u128 as f64).to_bits()));
        // More digits than any machine integer: the same number, 200 bits up, differs by the exponent alone.
        let far = bits.sext(400).shl(200);
        let want = value as f64 * 2f64.powi(200);
        prop_assert_eq!(int_to_float(F64, true, &far), u128::from(want.to_bits()));
        let float = float % 2f64.powi(62);
        if float.is_finite() {
            let pattern = u128::from(float.to_bits());
            prop_assert_eq!(float_to_int(F64, true, pattern, 64).low(), float as i64 as u64);
            prop_assert_eq!(float_to_int(F64, false, float.abs().to_bits().into(), 64).low(), float.abs() as u64);
            let wide = float_to_int(F64, true, pattern, 300);
            prop_assert_eq!(wide, Bits::new(64, float as i64 as u64).sext(300));
        }
    }
}

const FORMATS: [FloatFormat; 5] = [F16, F32, F64, F80, F128];
const COMPARISONS: [FloatCmp; 4] = [FloatCmp::Eq, FloatCmp::Lt, FloatCmp::Le, FloatCmp::Unordered];

/// A float as a term and as a pattern: an integer converted (perhaps by way of a narrower format), or a constant.
fn float_of_input(
    t: &mut Terms,
    assignment: &mut Assignment,
    fmt: FloatFormat,
    (kind, width, value): (u8, u32, u64),
) -> (Term, u128) {
    let half = int_to_float(fmt, true, &Bits::new(16, value));
    let half = float_bin(FloatBin::Div, fmt, half, int_to_float(fmt, true, &Bits::new(8, 2)));
    let constant = match kind {
        0 => half,
        1 => float_bin(FloatBin::Div, fmt, half, u128::from(value & 1) << (fmt.width() - 1)),
        2 => int_to_float(fmt, false, &Bits::new(64, value)),
        _ => {
            let v = t.new_var("x", width);
            assignment.set(v, value);
            let (x, bits, signed) = (t.var(v), Bits::new(width, value), kind % 2 == 0);
            let from = if kind < 6 { fmt } else { F32 };
            let term = t.int_to_float(from, signed, x);
            return (t.float_to_float(from, fmt, term), float_to_float(from, fmt, int_to_float(from, signed, &bits)));
        }
    };
    (t.constant(Bits::from_u128(fmt.width(), constant)), constant)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    #[test]
    fn rules_of_floats_agree_with_their_meaning(
        format in 0usize..5,
        a in (0u8..8, 1u32..=64, any::<u64>()),
        b in (0u8..8, 1u32..=64, any::<u64>()),
        narrow in 0u32..64,
        to in (any::<bool>(), 1u32..80),
    ) {
        let fmt = FORMATS[format];
        let (mut t, mut assignment) = (Terms::new(), Assignment::new());
        let (a, b) = ((a.0, a.1, a.2 >> narrow), (b.0, b.1, b.2 >> narrow));
        let (x, x_bits) = float_of_input(&mut t, &mut assignment, fmt, a);
        let (y, y_bits) = float_of_input(&mut t, &mut assignment, fmt, b);
        let mut evaluator = Evaluator::new(assignment);
        for op in COMPARISONS {
            let term = t.float_cmp(op, fmt, x, y);
            prop_assert_eq!(evaluator.holds(&t, term), float_cmp(op, fmt, x_bits, y_bits), "{:?} {}", op, t.show(term));
            let term = t.float_cmp(op, fmt, x, x);
            prop_assert_eq!(evaluator.holds(&t, term), float_cmp(op, fmt, x_bits, x_bits), "{:?} {}", op, t.show(term));
        }
        let term = t.float_to_int(fmt, to.0, x, to.1);
        prop_assert_eq!(evaluator.eval(&t, term), float_to_int(fmt, to.0, x_bits, to.1), "{}", t.show(term));
    }
}

#[test]
fn what_the_integer_cannot_hold_is_the_sign_bit_alone() {
    let pattern = |x: f64| u128::from(x.to_bits());
    let to = |x: f64, signed: bool, width: u32| float_to_int(F64, signed, pattern(x), width).low();
    for out in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 2147483648.0, -2147483649.0, 1e300] {
        assert_eq!(to(out, true, 32), 0x8000_0000, "{out}");
    }
    assert_eq!(to(-2147483648.9, true, 32), 0x8000_0000);
    assert_eq!(to(2147483647.9, true, 32), 0x7fff_ffff);
    assert_eq!(to(-0.9, false, 32), 0);
    assert_eq!(to(-1.0, false, 32), 0x8000_0000);
    assert_eq!(to(4294967295.5, false, 32), 0xffff_ffff);
    assert_eq!(to(4294967296.0, false, 32), 0x8000_0000);
}

#[test]
fn nans_are_those_of_x86() {
    let defaults = [
        (F16, 0xfe00),
        (F32, 0xffc0_0000),
        (F64, 0xfff8 << 48),
        (F80, 0xffff_c000_0000_0000_0000),
        (F128, 0xffff_8000 << 96),
    ];
    for (fmt, nan) in defaults {
        assert_eq!(float_bin(FloatBin::Div, fmt, 0, 0), nan, "{fmt}");
        let minus_one = int_to_float(fmt, true, &Bits::ones(8));
        assert_eq!(float_un(FloatUn::Sqrt, fmt, minus_one), nan, "{fmt}");
    }
    // A signalling NaN comes back quiet, the first of two.
    assert_eq!(float_bin(FloatBin::Add, F32, 0x7f80_0001, 0xffc1_2345), 0x7fc0_0001);
    assert_eq!(float_bin(FloatBin::Add, F32, 0, 0xff81_2345), 0xffc1_2345);
    assert_eq!(float_to_float(F64, F32, 0x7ff0_0000_2000_0000), 0x7fc0_0001);
    assert_eq!(float_to_float(F32, F80, 0xff80_0001), 0xffff_c000_0100_0000_0000);
    // fmin and fmax prefer numbers, and tell the zeros apart.
    assert_eq!(float_bin(FloatBin::Min, F32, 0x7fc0_0000, 0x3f80_0000), 0x3f80_0000);
    assert_eq!(float_bin(FloatBin::Min, F32, 0, 0x8000_0000), 0x8000_0000);
    assert_eq!(float_bin(FloatBin::Max, F32, 0x8000_0000, 0), 0);
    // An x87 pattern without its leading bit is no number.
    assert!(is_nan(F80, 0x3fff_0000_0000_0000_0000) && !is_nan(F80, 0x3fff_8000_0000_0000_0000));
}

#[test]
fn fused_means_rounded_once() {
    // (1 + 2^-27)^2 - (1 + 2^-26): the product's last digit survives only unrounded.
    let x = 1.0 + 2f64.powi(-27);
    let c = -(1.0 + 2f64.powi(-26));
    let fused = fma(F64, x.to_bits().into(), x.to_bits().into(), c.to_bits().into());
    assert_eq!(f64::from_bits(fused as u64), 2f64.powi(-54));
}

/// Results of an x87 unit, as printed by a C program: +, -, *, / and the C library's `fmodl` and `sqrtl`, and as double.
#[test]
fn extended_precision_agrees_with_an_x87() {
    for (a, b, results, double) in X87 {
        for (&op, want) in BINARY[..5].iter().zip(results) {
            assert_eq!(float_bin(op, F80, a, b), want, "{op:?} {a:#x} {b:#x}");
        }
        assert_eq!(float_un(FloatUn::Sqrt, F80, a), results[5], "{a:#x}");
        assert_eq!(float_to_float(F80, F64, a), double, "{a:#x}");
    }
}

const X87: [(u128, u128, [u128; 6], u128); 13] = [
    (
        0x403d87bd64435417833d,
        0x4034f00e597242eb887a,
        [
            0x403d88356b700d38f901,
            0x403d87455d169af60d79,
            0x4072fe9253901064d337,
            0x400790c15ceb1bb74e23,
            0x4033f52b19554642d08c,
            0x401e83d027f1158c1da2,
        ],
        0x43d0f7ac886a82f0,
    ),
    (
        0x721399fad07cc4953519,
        0x4004867fd6f0c3078937,
        [
            0x721399fad07cc4953519,
            0x721399fad07cc4953519,
            0x7218a1cc5bae6f0beca1,
            0x720e9289fd9d6b571054,
            0x4000adce882453bb1680,
            0x59098c63e3e6b243772a,
        ],
        0x7ff0000000000000,
    ),
    (
        0xbcf0cae77d9f38bbb2b7,
        0xcdb5d0e7f225d4573866,
        [
            0xcdb5d0e7f225d4573866,
            0x4db5d0e7f225d4573866,
            0x4aa7a593ece08947339f,
            0x2f39f8a52e023c7118d9,
            0xbcf0cae77d9f38bbb2b7,
            0xffffc000000000000000,
        ],
        0x8f095cefb3e71776,
    ),
    (
        0x3fd48a1fccd607db6b40,
        0x4005e000000000000000,
        [
            0x4005e000000000004510,
            0xc005dfffffffffffbaf0,
            0x3fdaf1b7a6768dbffbb0,
            0x3fcd9ddb333dbfd6316e,
            0x3fd48a1fccd607db6b40,
            0x3fe9bc0ac19f8b89eaa7,
        ],
        0x3d4143f99ac0fb6d,
    ),
    (
        0xc00e9b20d1ec7871abd3,
        0xc03dcb18d1837e17c720,
        [
            0xc03dcb18d1837e18fd62,
            0x403dcb18d1837e1690de,
            0x404cf62420ff5686f05c,
            0x3fcfc389492c41914c66,
            0xc00e9b20d1ec7871abd3,
            0xffffc000000000000000,
        ],
        0xc0e3641a3d8f0e35,
    ),
    (
        0x4007c1c0000000000000,
        0xa4b2e5d56041a99387bf,
        [
            0x4007c1c0000000000000,
            0x4007c1c0000000000000,
            0xa4bbadf23d99b21767fd,
            0xdb53d7cef3547e44bbec,
            0x24b2e4266d8674aab252,
            0x40039d7aeb99c28b5967,
        ],
        0x4078380000000000,
    ),
    (
        0x402a9a34f7584d14e004,
        0x403cdd367d6bf684bac4,
        [
            0x403cdd36a3f9345ace09,
            0xc03cdd3656deb8aea77f,
            0x406885408c404c93a0d5,
            0x3fecb274f953c978d8a7,
            0x402a9a34f7584d14e004,
            0x4014c6b0282a0d8c5547,
        ],
        0x42a3469eeb09a29c,
    ),
    (
        0x9f64d9896ec2cc0ed8da,
        0x401fd9352aad6a2f705b,
        [
            0x401fd9352aad6a2f705b,
            0xc01fd9352aad6a2f705b,
            0x9f85b892ac9af593db93,
            0x9f448031a86163b2f6af,
            0x9f64d9896ec2cc0ed8da,
            0xffffc000000000000000,
        ],
        0x8000000000000000,
    ),
    (
        0xbfc5b7af858b00000000,
        0x0963f5fc7541cbd491be,
        [
            0xbfc5b7af858b00000000,
            0xbfc5b7af858b00000000,
            0x892ab0801fb7e9ae241e,
            0xf660bf29cca142c95fb5,
            0x8963827a361b1de9771e,
            0xffffc000000000000000,
        ],
        0xbc56f5f0b1600000,
    ),
    (
        0x155f95012daed936ac0a,
        0x60b6a2d0a2cb6e7c7353,
        [
            0x60b6a2d0a2cb6e7c7353,
            0xe0b6a2d0a2cb6e7c7353,
            0x3616bd885d3dd557cb70,
            0x00000000000000000000,
            0x155f95012daed936ac0a,
            0x2aaf8a1a81f1e003df7b,
        ],
        0x0000000000000000,
    ),
    (
        0xa0cbc994194961ec5149,
        0x8e4ecac5439ebfc0ffa6,
        [
            0xa0cbc994194961ec5149,
            0xa0cbc994194961ec5149,
            0x00000000000000000000,
            0x527bfe7eb9b85fcdb0a3,
            0x8e4da813a3d8135ceea0,
            0xffffc000000000000000,
        ],
        0x8000000000000000,
    ),
    (
        0x403d81b728253a2d79e3,
        0x591cd356719a8819860d,
        [
            0x591cd356719a8819860d,
            0xd91cd356719a8819860d,
            0x595ad62b865ca2a3afe7,
            0x271f9d20e0e81ca62de1,
            0x403d81b728253a2d79e3,
            0x401e80dad8fc57671527,
        ],
        0x43d036e504a745af,
    ),
    (
        0x3fea8bf5984c00000000,
        0x1a62e2b5dea1f57d7f91,
        [
            0x3fea8bf5984c00000000,
            0x3fea8bf5984c00000000,
            0x1a4df7e47d9e96f2ae6c,
            0x65869e0a8e098e96a55d,
            0x1a61c4fb179966ead60e,
            0x3ff4bd497d6d30f2a362,
        ],
        0x3ea17eb309800000,
    ),
];

/// Comparisons of numbers that were converted are told in the narrower format, and mean the same.
#[test]
fn comparisons_see_through_conversions() {
    let numbers = [0.0f32, -0.0, 1.0, -2.5, f32::NAN, f32::INFINITY, 1e-45, f32::MAX, 0.1];
    let doubles = [0.0f64, 0.1, 0.5, f64::INFINITY, 1e300, f64::NAN, -2.5];
    let mut t = Terms::new();
    let vars = ["x", "y"].map(|name| t.new_var(name, 32));
    let [x, y] = vars.map(|v| t.var(v));
    let (single, double) = (FloatFormat::F32, FloatFormat::F64);
    let [wide_x, wide_y] = [x, y].map(|a| t.float_to_float(single, double, a));
    let back = t.float_to_float(double, single, wide_x);
    for op in [FloatCmp::Eq, FloatCmp::Lt, FloatCmp::Le, FloatCmp::Unordered] {
        let mut cases = vec![(t.float_cmp(op, double, wide_x, wide_y), None), (t.float_cmp(op, single, back, y), None)];
        for c in doubles {
            let constant = t.bv(64, c.to_bits());
            cases.push((t.float_cmp(op, double, wide_x, constant), Some(c)));
        }
        for (a, b) in numbers.iter().flat_map(|a| numbers.map(|b| (*a, b))) {
            let model: Assignment = vars.into_iter().zip([a, b].map(|n| u64::from(n.to_bits()))).collect();
            for (term, constant) in &cases {
                let (left, right) = (f64::from(a), constant.unwrap_or(f64::from(b)));
                let want = match op {
                    FloatCmp::Eq => left == right,
                    FloatCmp::Lt => left < right,
                    FloatCmp::Le => left <= right,
                    FloatCmp::Unordered => left.is_nan() || right.is_nan(),
                };
                assert_eq!(Evaluator::new(model.clone()).holds(&t, *term), want, "{op:?} of {left} and {right}");
            }
        }
    }
    let (direct, through) =
        (t.float_cmp(FloatCmp::Lt, single, x, y), t.float_cmp(FloatCmp::Lt, double, wide_x, wide_y));
    assert_eq!(direct, through);
}
