//! Random small programs as text: an entry of two bytes, functions that write through pointers, loops, early returns, moves on edges.

use std::fmt::Write;

/// A source of chance.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x1234_5678)
    }

    pub fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }

    pub fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    fn of<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.below(all.len() as u64) as usize]
    }

    /// A register with a byte in it.
    fn byte(&mut self) -> String {
        format!("v{}", self.below(6))
    }

    fn operand(&mut self) -> String {
        if self.one_in(3) { format!("i8 {}", self.below(4)) } else { self.byte() }
    }

    /// Something that points at a byte.
    fn pointer(&mut self) -> &'static str {
        self.of(&["ptr @a", "ptr @b", "ptr @c", "v10", "v10", "v11"])
    }
}

/// A program, and how many blocks each of its functions has.
pub struct RandomProgram {
    pub text: String,
    pub functions: Vec<(&'static str, u64)>,
}

pub fn random_program(dice: &mut Dice) -> RandomProgram {
    let mut text = String::from("target \"x86_64-unknown-linux-gnu\" 64 bits little\n");
    text.push_str("declare @taw_assume(v0: i32)\ndeclare @exit(v0: i32)\ndeclare @malloc(v0: i64) -> ptr\n");
    for name in ["a", "b", "c"] {
        writeln!(text, "global @{name} size 1 align 1 element 1 zero").unwrap();
    }
    let mut functions = Vec::new();
    let loops = dice.one_in(3);
    for (name, head, result) in [
        ("f", "(v0: i8 \"x\", v1: i8 \"y\")", false),
        ("g", "(v10: ptr, v0: i8) -> i8", true),
        ("h", "(v1: i8, v0: i8) -> i8", true),
        ("k", "(v10: ptr, v1: i8) -> i8", true),
    ] {
        let blocks = 2 + dice.below(if name == "f" { 7 } else { 4 });
        writeln!(text, "func @{name}{head} {{").unwrap();
        for block in 0..blocks {
            writeln!(text, "b{block}:").unwrap();
            if block == 0 {
                text.push_str("    v11: ptr = alloca 1 * i32 1 align 1 element 1 \"l\"\n    store i8 v11, i8 1\n");
                let first = if head.contains("v10") { "v12: ptr = copy v10" } else { "v10: ptr = copy ptr @b" };
                writeln!(text, "    {first}").unwrap();
                let is_free = |reg: &u64| !head.contains(&format!("v{reg}:"));
                (0..6).filter(is_free).for_each(|reg| writeln!(text, "    v{reg}: i8 = copy i8 {}", reg % 3).unwrap());
            }
            for _ in 0..dice.below(4) {
                statement(dice, &mut text, name);
            }
            end(dice, &mut text, block, blocks, loops, result);
        }
        text.push_str("}\n");
        functions.push((name, blocks));
    }
    RandomProgram { text, functions }
}

fn statement(dice: &mut Dice, text: &mut String, within: &str) {
    let (to, a, b) = (dice.byte(), dice.byte(), dice.operand());
    let (p, q) = (dice.pointer(), dice.pointer());
    let line = match dice.below(16) {
        0..=2 => format!("{to}: i8 = {} {a}, {b}", dice.of(&["add", "xor", "and", "sub"])),
        3 | 4 => format!("store i8 {p}, {b}"),
        5 | 6 => format!("{to}: i8 = load i8 {p}"),
        7 => format!("v10: ptr = copy {p}"),
        8 => format!("v7: i1 = cmp ult i8 {a}, i8 9\n    v10: ptr = select v7, {p}, {q}"),
        9 if dice.one_in(3) => format!("{to}: i8 = udiv {a}, {b}"),
        9 => format!("v6: i32 = zext i8 {a}\n    v6: i32 = add v6, i32 {}\n    call @taw_assume(v6)", dice.below(2)),
        10 => format!("memcopy {p}, {q}, i64 1"),
        11 if dice.one_in(3) => "call @exit(i32 3)".to_owned(),
        12 => "v10: ptr = call @malloc(i64 1) -> ptr\n    store i8 v10, i8 2".to_owned(),
        // Calls go down only: they end.
        _ => match within {
            "f" | "g" => {
                let callee = if within == "f" { dice.of(&["g", "h", "k"]) } else { dice.of(&["h", "k"]) };
                let first = if callee == "h" { a } else { p.to_owned() };
                let called = match dice.one_in(4) && callee != "h" && within == "f" {
                    true => format!(
                        "v7: i1 = cmp ult i8 {to}, i8 7\n    v13: ptr = select v7, ptr @g, ptr @k\n    v5: i8 = call *v13"
                    ),
                    false if dice.one_in(2) => format!("call @{callee}"),
                    false => format!("{to}: i8 = call @{callee}"),
                };
                let second = dice.byte();
                format!("{called}({first}, {second}) -> i8")
            }
            _ => format!("{to}: i8 = copy {b}"),
        },
    };
    writeln!(text, "    {line}").unwrap();
}

fn end(dice: &mut Dice, text: &mut String, block: u64, blocks: u64, loops: bool, result: bool) {
    let to = |dice: &mut Dice| {
        let block = match loops && dice.one_in(4) {
            true => dice.below(blocks),
            false => (block + 1 + dice.below(3)).min(blocks - 1),
        };
        let moves = if dice.one_in(4) { format!(" [{}: i8 = {}]", dice.byte(), dice.operand()) } else { String::new() };
        format!("b{block}{moves}")
    };
    if block == blocks - 1 || dice.one_in(7) {
        let value = if result { format!(" {}", dice.operand()) } else { String::new() };
        writeln!(text, "    ret{value}").unwrap();
        return;
    }
    let (first, second, third) = (to(dice), to(dice), to(dice));
    match dice.below(6) {
        0 => writeln!(text, "    br {first}").unwrap(),
        1 => writeln!(text, "    switch i8 {}, 1: {first}, 7: {second}, default: {third}", dice.byte()).unwrap(),
        _ => {
            let compare = dice.of(&["eq", "ult", "ne", "slt"]);
            writeln!(text, "    v7: i1 = cmp {compare} i8 {}, {}", dice.byte(), dice.operand()).unwrap();
            writeln!(text, "    br v7, {first}, {second}").unwrap();
        }
    }
}
