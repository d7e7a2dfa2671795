//! What the rules are for: the shapes that programs make come out in the form that solvers and path conditions want.

use taw_expr::*;

/// An arena with inputs `x`, `y`, `z` of 32 bits and bytes `b0` to `b3`.
struct Inputs {
    t: Terms,
    x: Term,
    y: Term,
    z: Term,
    bytes: [Term; 4],
}

fn inputs() -> Inputs {
    let mut t = Terms::new();
    let [x, y, z] = ["x", "y", "z"].map(|name| {
        let v = t.new_var(name, 32);
        t.var(v)
    });
    let bytes = ["b0", "b1", "b2", "b3"].map(|name| {
        let v = t.new_var(name, 8);
        t.var(v)
    });
    Inputs { t, x, y, z, bytes }
}

#[track_caller]
fn shows(t: &Terms, term: Term, want: &str) {
    assert_eq!(t.show(term).to_string(), want);
}

/// The bytes of a term, lowest first, and joined again from either end.
fn by_bytes(t: &mut Terms, word: Term) -> [Term; 2] {
    let bytes: Vec<Term> = (0..t.width(word) / 8).map(|i| t.extract(word, 8 * i, 8)).collect();
    let up = bytes[1..].iter().fold(bytes[0], |low, &high| t.concat(high, low));
    let down = bytes.iter().rev().skip(1).fold(bytes[bytes.len() - 1], |high, &low| t.concat(high, low));
    [up, down]
}

#[test]
fn a_word_copied_byte_by_byte_is_the_word() {
    let Inputs { mut t, x, y, z, bytes } = inputs();
    let byte = bytes[0];
    let (unsigned, signed) = (t.zext(byte, 32), t.sext(byte, 32));
    let short = t.extract(x, 0, 16);
    let (seven, large) = (t.bv(32, 7), t.bv(32, 0x1234_5678));
    let less = t.slt(x, y);
    let words = [
        x,
        unsigned,
        signed,
        t.sext(short, 64),
        t.add(unsigned, signed),
        t.add(x, y),
        t.mul(x, seven),
        t.and(x, y),
        t.ite(less, seven, large),
        t.ite(less, x, y),
        t.ite(less, z, large),
        t.zext(less, 32),
        t.bin(BinOp::Shl, x, seven),
        t.bin(BinOp::AShr, x, seven),
        t.float_bin(FloatBin::Add, FloatFormat::F32, x, y),
    ];
    for word in words {
        for again in by_bytes(&mut t, word) {
            assert_eq!(again, word, "{} became {}", t.show(word), t.show(again));
        }
    }
}

#[test]
fn bytes_composed_by_shifts_are_a_concatenation() {
    let Inputs { mut t, bytes, .. } = inputs();
    for (op, width) in [(BinOp::Or, 32), (BinOp::Add, 32), (BinOp::Xor, 32), (BinOp::Or, 64), (BinOp::Add, 64)] {
        let mut word = t.zext(bytes[0], width);
        for (i, &byte) in (0..).zip(&bytes).skip(1) {
            let wide = t.zext(byte, width);
            let by = t.bv(width, 8 * i);
            let shifted = t.bin(BinOp::Shl, wide, by);
            word = t.bin(op, word, shifted);
        }
        let low = t.extract(word, 0, 32);
        shows(&t, low, "(b3 ++ (b2 ++ (b1 ++ b0)))");
        // And by multiplication, in the order of a loop: acc = acc * 256 + byte.
        let mut acc = t.zext(bytes[3], width);
        for &byte in bytes[..3].iter().rev() {
            let base = t.bv(width, 256);
            acc = t.mul(acc, base);
            let wide = t.zext(byte, width);
            acc = t.add(acc, wide);
        }
        assert_eq!(acc, word);
    }
}

#[test]
fn constants_gather_at_the_end_of_sums_and_leave_equations() {
    let Inputs { mut t, x, y, .. } = inputs();
    let (three, five) = (t.bv(32, 3), t.bv(32, 5));
    let a = t.add(x, three);
    let b = t.sub(y, five);
    let sum = t.add(a, b);
    shows(&t, sum, "((x + y) + -2)");
    let difference = t.sub(a, b);
    shows(&t, difference, "((x - y) + 8)");
    let eq = t.eq(a, five);
    shows(&t, eq, "(x == 2)");
    let mirrored = t.sub(five, x);
    let eq = t.eq(mirrored, three);
    shows(&t, eq, "(x == 2)");
    let scaled = t.mul(a, five);
    shows(&t, scaled, "((x * 5) + 15)");
    let eq = t.eq(scaled, three);
    shows(&t, eq, "(x == 0x66666664)"); // 5 * 0x66666664 + 15 = 3 modulo 2^32
}

#[test]
fn a_condition_and_its_negation_are_one_atom() {
    let Inputs { mut t, x, y, .. } = inputs();
    let seven = t.bv(32, 7);
    for op in [BinOp::Ult, BinOp::Ule, BinOp::Slt, BinOp::Sle] {
        for (a, b) in [(x, y), (x, seven), (seven, x)] {
            let p = t.bin(op, a, b);
            let not_p = t.not(p);
            assert!(!t.show(not_p).to_string().contains('!'), "{}", t.show(not_p));
            assert_eq!(t.not(not_p), p);
            let (both, either) = (t.and(p, not_p), t.or(p, not_p));
            assert_eq!((t.as_u64(both), t.as_u64(either)), (Some(0), Some(1)));
        }
    }
    let zero = t.bv(32, 0);
    let positive = t.ult(zero, x);
    shows(&t, positive, "!(x == 0)");
    let one = t.bv(32, 1);
    let below_one = t.ult(x, one);
    assert_eq!(t.not(below_one), positive);
}

#[test]
fn what_c_makes_of_conditions_is_the_condition() {
    let Inputs { mut t, x, y, bytes, .. } = inputs();
    // int r = x < y; if (r != 0) … if (!r) …
    let less = t.slt(x, y);
    let int = t.zext(less, 32);
    let zero = t.bv(32, 0);
    assert_eq!(t.ne(int, zero), less);
    let not_less = t.not(less);
    assert_eq!(t.eq(int, zero), not_less);
    // c >= '0' && c <= '9' on a char promoted to int
    let digit = t.sext(bytes[0], 32);
    let (low, high) = (t.bv(32, 48), t.bv(32, 57));
    let from = t.sle(low, digit);
    shows(&t, from, "(47 <s b0)");
    let to = t.sle(digit, high);
    shows(&t, to, "(b0 <s 58)");
    // the same on an unsigned char, with the subtraction of '0' first
    let digit = t.zext(bytes[0], 32);
    let value = t.sub(digit, low);
    let nine = t.bv(32, 9);
    let to = t.sle(value, nine);
    shows(&t, to, "(b0 <u 58)");
    // a choice between constants, compared
    let (ten, twenty) = (t.bv(32, 10), t.bv(32, 20));
    let choice = t.ite(less, ten, twenty);
    assert_eq!(t.eq(choice, ten), less);
    assert_eq!(t.eq(choice, twenty), not_less);
    assert_eq!(t.ult(choice, twenty), less);
    let thirty = t.bv(32, 30);
    let never = t.eq(choice, thirty);
    assert_eq!(t.as_u64(never), Some(0));
}

#[test]
fn scaled_indices_keep_their_bounds_and_alignment() {
    let Inputs { mut t, bytes, .. } = inputs();
    // a[i] of 4-byte elements at 0x1000: the address
    let index = t.zext(bytes[0], 64);
    let four = t.bv(64, 4);
    let offset = t.mul(index, four);
    let base = t.bv(64, 0x1000);
    let address = t.add(offset, base);
    assert_eq!(t.range(address), (0x1000, 0x1000 + 4 * 255));
    assert_eq!(t.known_bits(address).zeros & 3, 3);
    let end = t.bv(64, 0x1000 + 40);
    let inside = t.ult(address, end);
    shows(&t, inside, "(b0 <u 10)");
}

#[test]
fn divisions_by_powers_of_two_are_slices() {
    let Inputs { mut t, x, bytes, .. } = inputs();
    let eight = t.bv(32, 8);
    let quotient = t.bin(BinOp::UDiv, x, eight);
    shows(&t, quotient, "u32(x[31:3])");
    let rest = t.bin(BinOp::URem, x, eight);
    shows(&t, rest, "u32(x[2:0])");
    let byte = t.zext(bytes[0], 32);
    let signed = t.bin(BinOp::SRem, byte, eight);
    shows(&t, signed, "u32(b0[2:0])");
    let ten = t.bv(32, 10);
    let digit = t.bin(BinOp::SRem, byte, ten);
    shows(&t, digit, "u32((b0 %u 10))");
}

#[test]
fn reads_see_through_writes_elsewhere() {
    let Inputs { mut t, x, y, bytes, .. } = inputs();
    let elements: Vec<Term> = bytes.to_vec();
    let array = t.array_of(elements.into());
    let (i, two) = (t.zext(x, 64), t.bv(64, 2));
    assert_eq!(t.select(array, two), bytes[2]);
    let next = t.add(i, two);
    let written = t.store(array, i, bytes[3]);
    assert_eq!(t.select(written, i), bytes[3]);
    let elsewhere = t.select(written, next);
    assert_eq!(elsewhere, t.select(array, next));
    let bit = t.extract(y, 0, 1);
    let few = t.zext(bit, 64);
    let one_of_two = t.select(array, few);
    shows(&t, one_of_two, "(y[0:0] ? b1 : b0)");
    let same = t.array_of(vec![bytes[0]; 9].into());
    assert_eq!(t.select(same, i), bytes[0]);
}

#[test]
fn facts_decide_comparisons() {
    let Inputs { mut t, x, .. } = inputs();
    let hundred = t.bv(32, 100);
    let rest = t.bin(BinOp::URem, x, hundred);
    assert_eq!(t.range(rest), (0, 99));
    let below = t.ult(rest, hundred);
    assert_eq!(t.as_u64(below), Some(1));
    let positive = t.bv(32, 0);
    let not_negative = t.sle(positive, rest);
    assert_eq!(t.as_u64(not_negative), Some(1));
}
