//! Random programs with loops, as text: two of them one in the other, with several exits, memory, calls, numbers of many widths and floats.
//! All loops end: each has a counter.

use std::fmt::Write;

/// A source of chance.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x1234_5678)
    }

    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }

    fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    fn of<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.below(all.len() as u64) as usize]
    }

    /// A register with a number of 32 bits.
    fn number(&mut self) -> String {
        format!("v{}", self.below(6))
    }

    fn operand(&mut self) -> String {
        match self.below(6) {
            0 => format!("i32 {}", self.below(5)),
            1 => format!("i32 {}", self.of(&["4294967295", "2147483648", "77", "1000"])),
            _ => self.number(),
        }
    }

    fn compare(&mut self) -> String {
        let op = self.of(&["eq", "ne", "ult", "ule", "ugt", "slt", "sle", "sgt", "sge"]);
        format!("v7: i1 = cmp {op} i32 {}, {}", self.number(), self.operand())
    }
}

/// Blocks: 0 begins, 1 is the header, then the body, the last two are behind the loop.
pub fn random_program(dice: &mut Dice) -> String {
    let mut text = String::from("target \"x86_64-unknown-linux-gnu\" 64 bits little\n");
    text.push_str("global @t size 16 align 4 element 4 zero\nglobal @u size 8 align 1 element 1 zero\n");
    text.push_str("global @far size 600 align 4 element 4 zero\n");
    text.push_str(
        "func @g(v0: i32, v1: ptr) -> i32 {\nb0:\n    v2: ptr = alloca 4 * i32 1 align 4 element 4 \"l\"\n    store i32 v2, v0\n    v3: i32 = copy i32 0\n    br b1\n\
         b1:\n    v4: i1 = cmp ult i32 v3, i32 5\n    br v4, b2, b3\nb2:\n    v5: i32 = load i32 v2\n    v5: i32 = mul v5, i32 3\n    v5: i32 = add v5, v3\n    store i32 v2, v5\n\
         \x20   v3: i32 = add v3, i32 1\n    br b1\nb3:\n    v5: i32 = load i32 v2\n    store i32 v1, v5\n    v6: i32 = lshr v5, i32 3\n    ret v6\n}\n",
    );
    text.push_str("func @h(v0: i32) -> i32 {\nb0:\n    v1: i32 = xor v0, i32 85\n    ret v1\n}\n");
    text.push_str("func @k(v0: i32) -> i32 {\nb0:\n    v1: i32 = sub i32 9, v0\n    ret v1\n}\n");
    let body = 2 + dice.below(5);
    let inner = 2 + dice.below(body);
    let (exit, end) = (body + 2, body + 3);
    text.push_str("func @f(v0: i32 \"x\", v1: i32 \"y\") -> i32 {\nb0:\n");
    text.push_str(
        "    v2: i32 = copy i32 1\n    v3: i32 = xor v0, i32 3\n    v4: i32 = copy v1\n    v5: i32 = copy i32 7\n",
    );
    text.push_str("    v6: i8 = trunc i32 v0\n    v8: f64 = stof i32 v1\n    v9: i64 = sext i32 v0\n    v20: i32 = copy i32 0\n    v21: i32 = copy i32 0\n");
    text.push_str("    v11: ptr = alloca 4 * i32 4 align 4 element 4 \"l\"\n    memset v11, i8 5, i64 16\n    v10: ptr = copy v11\n    v13: ptr = copy ptr @h\n");
    if dice.one_in(2) {
        text.push_str("    store i32 v11, v1\n    store i32 ptr @t, v0\n");
    }
    text.push_str("    br b1\n");
    let most = 3 + dice.below(30);
    writeln!(text, "b1:\n    v20: i32 = add v20, i32 1\n    v21: i32 = copy i32 0\n    v7: i1 = cmp ult i32 v20, i32 {most}\n    br v7, b2, b{exit}").unwrap();
    for block in 2..exit {
        writeln!(text, "b{block}:").unwrap();
        for _ in 0..dice.below(5) {
            let line = statement(dice);
            writeln!(text, "    {line}").unwrap();
        }
        // Back to the inner header only, if that is counted, or to the outer one.
        let next = if block + 1 < exit { block + 1 } else { 1 };
        let edge = |dice: &mut Dice, to: u64| match dice.one_in(4) {
            true => format!("b{to} [{}: i32 = {}]", dice.number(), dice.operand()),
            false => format!("b{to}"),
        };
        if block == inner {
            text.push_str("    v21: i32 = add v21, i32 1\n    v22: i1 = cmp ult i32 v21, i32 6\n");
            writeln!(text, "    {}\n    v7: i1 = and v7, v22", dice.compare()).unwrap();
            let back = 2 + dice.below(block - 1);
            let (first, second) = (edge(dice, back), edge(dice, next));
            writeln!(text, "    br v7, {first}, {second}").unwrap();
            continue;
        }
        let other = [exit, end, 1, next, next][dice.below(5) as usize];
        let (first, second) = (edge(dice, next), edge(dice, other));
        match dice.below(5) {
            0 => writeln!(text, "    br {first}").unwrap(),
            1 => writeln!(text, "    switch i32 {}, 1: {first}, 7: {second}, default: b{next}", dice.number()).unwrap(),
            _ => writeln!(text, "    {}\n    br v7, {first}, {second}", dice.compare()).unwrap(),
        }
    }
    writeln!(text, "b{exit}:\n    v2: i32 = add v2, i32 1000\n    br b{end}\nb{end}:").unwrap();
    text.push_str("    v23: i32 = copy v2\n");
    for reg in ["v3", "v4", "v5", "v20", "v21"] {
        writeln!(text, "    v23: i32 = mul v23, i32 31\n    v23: i32 = xor v23, {reg}").unwrap();
    }
    for place in ["v11", "ptr @t", "ptr @t+8", "ptr @u", "ptr @far", "v10"] {
        writeln!(text, "    v24: i32 = load i32 {place}\n    v23: i32 = mul v23, i32 31\n    v23: i32 = add v23, v24")
            .unwrap();
    }
    text.push_str("    v25: i64 = xor v9, i64 5\n    v24: i32 = trunc i64 v25\n    v23: i32 = xor v23, v24\n    v24: i32 = zext i8 v6\n    v23: i32 = add v23, v24\n");
    text.push_str("    v26: i1 = fcmp ogt f64 v8, f64 0\n    v24: i32 = zext i1 v26\n    v23: i32 = add v23, v24\n    ret v23\n}\n");
    text
}

fn statement(dice: &mut Dice) -> String {
    let (to, a, b) = (dice.number(), dice.number(), dice.operand());
    let pointer = dice.of(&["v11", "ptr @t", "v10", "v10"]);
    match dice.below(24) {
        0..=5 => {
            format!("{to}: i32 = {} {a}, {b}", dice.of(&["add", "sub", "mul", "xor", "and", "or", "smax", "umin"]))
        }
        6 => format!("v24: i32 = and {b}, i32 31\n    {to}: i32 = {} {a}, v24", dice.of(&["shl", "lshr", "ashr"])),
        7 => format!("v24: i32 = or {b}, i32 1\n    {to}: i32 = {} {a}, v24", dice.of(&["udiv", "urem", "srem"])),
        8 => format!("{to}: i32 = udiv {a}, {b}"),
        9 => format!("store i32 {pointer}, {b}"),
        10 => format!("{to}: i32 = load i32 {pointer}"),
        11 => {
            format!("v24: i32 = and {a}, i32 3\n    v10: ptr = ptrindex {}, 4 * i32 v24", dice.of(&["v11", "ptr @t"]))
        }
        12 => format!(
            "v24: i32 = and {a}, i32 127\n    v12: ptr = ptrindex ptr @far, 4 * i32 v24\n    store i32 v12, {b}"
        ),
        13 => format!("{to}: i32 = call @g({a}, {pointer}) -> i32"),
        14 => format!("{} \n    v13: ptr = select v7, ptr @h, ptr @k", dice.compare()),
        15 => format!("{to}: i32 = call *v13({a}) -> i32"),
        16 => format!("v6: i8 = trunc i32 {a}\n    {to}: i32 = {} i8 v6", dice.of(&["sext", "zext"])),
        17 => format!("v9: i64 = sext i32 {a}\n    v9: i64 = mul v9, v9\n    {to}: i32 = trunc i64 v9"),
        18 => format!(
            "v8: f64 = stof i32 {a}\n    v8: f64 = f{} v8, f64 4611686018427387904",
            dice.of(&["add", "mul", "div"])
        ),
        19 => format!("{to}: i32 = ftos.low64 f64 v8"),
        20 => format!("memcopy {}, {}, i64 8", dice.of(&["v11", "ptr @u"]), dice.of(&["ptr @t", "v11"])),
        21 => format!(
            "v30: i32, v31: i1 = {}.overflow {a}, {b}\n    {to}: i32 = select v31, v30, {a}",
            dice.of(&["sadd", "umul", "usub"])
        ),
        22 => format!("{to}: i32 = {} {a}", dice.of(&["ctpop", "ctlz", "bswap", "abs"])),
        _ => format!("{to}: i32 = fshl {a}, {b}, {a}"),
    }
}
