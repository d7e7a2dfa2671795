//! The programs: each asks for the branches of one kind of code.

use taw_expr::{BinOp, FloatBin, FloatCmp, FloatFormat, Term};

use crate::Run;

/// A program over terms.
pub(crate) type Body = fn(&mut Run<'_>, &[Term]);

/// A program with its inputs: how many, of how many bits.
pub(crate) struct Program {
    pub name: &'static str,
    pub inputs: (usize, u32),
    pub body: Body,
}

fn bubble(run: &mut Run<'_>, inputs: &[Term]) {
    let mut a = inputs.to_vec();
    for end in (1..a.len()).rev() {
        for i in 0..end {
            let swap = run.terms.slt(a[i + 1], a[i]);
            if run.branch(swap) {
                a.swap(i, i + 1);
            }
        }
    }
}

/// Bubble sort with each number made of four bytes.
fn bubble_bytes(run: &mut Run<'_>, inputs: &[Term]) {
    let words: Vec<Term> = inputs
        .chunks(4)
        .map(|bytes| bytes.iter().copied().reduce(|low, high| run.terms.concat(high, low)).expect("four bytes"))
        .collect();
    bubble(run, &words);
}

/// What kind of triangle three doubles make.
fn triangle(run: &mut Run<'_>, inputs: &[Term]) {
    let &[a, b, c] = inputs else { return };
    let zero = run.constant(64, 0);
    for side in [a, b, c] {
        let positive = run.terms.float_cmp(FloatCmp::Lt, FloatFormat::F64, zero, side);
        if !run.branch(positive) {
            return;
        }
    }
    for (x, y, z) in [(a, b, c), (b, c, a), (c, a, b)] {
        let sum = run.terms.float_bin(FloatBin::Add, FloatFormat::F64, x, y);
        let less = run.terms.float_cmp(FloatCmp::Lt, FloatFormat::F64, z, sum);
        if !run.branch(less) {
            return;
        }
    }
    for (x, y) in [(a, b), (b, c), (c, a)] {
        let equal = run.terms.float_cmp(FloatCmp::Eq, FloatFormat::F64, x, y);
        run.branch(equal);
    }
}

/// Insertion into a search tree.
fn tree(run: &mut Run<'_>, inputs: &[Term]) {
    let mut nodes: Vec<(Term, [Option<usize>; 2])> = Vec::new();
    for &key in inputs {
        let mut at = 0;
        while !nodes.is_empty() {
            let equal = run.terms.eq(key, nodes[at].0);
            if run.branch(equal) {
                break;
            }
            let less = run.terms.slt(key, nodes[at].0);
            let side = usize::from(!run.branch(less));
            match nodes[at].1[side] {
                Some(next) => at = next,
                None => {
                    let fresh = nodes.len();
                    nodes[at].1[side] = Some(fresh);
                    break;
                }
            }
        }
        nodes.push((key, [None, None]));
    }
}

/// The matcher of Kernighan and Pike, the expression symbolic, the text fixed.
fn regex(run: &mut Run<'_>, re: &[Term]) {
    let text = b"hello";
    let is = |run: &mut Run<'_>, re: &[Term], c: u8| {
        let c = run.constant(8, u64::from(c));
        let first = re.first().copied().unwrap_or_else(|| run.constant(8, 0));
        let equal = run.terms.eq(first, c);
        run.branch(equal)
    };
    fn matches_here(
        run: &mut Run<'_>,
        is: &impl Fn(&mut Run<'_>, &[Term], u8) -> bool,
        re: &[Term],
        text: &[u8],
    ) -> bool {
        if is(run, re, 0) {
            return true;
        }
        let rest = re.get(1..).unwrap_or(&[]);
        if is(run, rest, b'*') {
            let mut text = text;
            loop {
                if matches_here(run, is, rest.get(1..).unwrap_or(&[]), text) {
                    return true;
                }
                let Some((&c, tail)) = text.split_first() else { return false };
                if !is(run, re, c) && !is(run, re, b'.') {
                    return false;
                }
                text = tail;
            }
        }
        if is(run, re, b'$') && is(run, rest, 0) {
            return text.is_empty();
        }
        match text.split_first() {
            Some((&c, tail)) => (is(run, re, b'.') || is(run, re, c)) && matches_here(run, is, rest, tail),
            None => false,
        }
    }
    if is(run, re, b'^') {
        matches_here(run, &is, &re[1..], text);
        return;
    }
    for from in 0..=text.len() {
        if matches_here(run, &is, re, &text[from..]) {
            return;
        }
    }
}

/// Decimal digits to a number, compared with a few.
fn number(run: &mut Run<'_>, inputs: &[Term]) {
    let (zero, nine, ten) = (run.constant(8, 48), run.constant(8, 57), run.constant(32, 10));
    let mut value = run.constant(32, 0);
    for &c in inputs {
        let (above, below) = (run.terms.ule(zero, c), run.terms.ule(c, nine));
        if !run.branch(above) || !run.branch(below) {
            break;
        }
        let digit = run.terms.sub(c, zero);
        let digit = run.terms.zext(digit, 32);
        value = run.terms.mul(value, ten);
        value = run.terms.add(value, digit);
    }
    for limit in [7, 42, 100, 1000, 1234, 9999] {
        let limit = run.constant(32, limit);
        let less = run.terms.ult(value, limit);
        if run.branch(less) {
            return;
        }
    }
}

/// Sums, products, shifts and remainders of bytes, each compared with a constant.
fn arithmetic(run: &mut Run<'_>, inputs: &[Term]) {
    let mut sum = run.constant(16, 1);
    for (i, &c) in inputs.iter().enumerate() {
        let wide = run.terms.zext(c, 16);
        let factor = run.constant(16, 31 + 2 * i as u64);
        let product = run.terms.mul(wide, factor);
        sum = run.terms.add(sum, product);
        let modulus = run.constant(16, 7 + i as u64);
        let rest = run.terms.bin(BinOp::URem, sum, modulus);
        let target = run.constant(16, 3);
        let hit = run.terms.eq(rest, target);
        run.branch(hit);
        let shift = run.constant(16, 2);
        let mixed = run.terms.bin(BinOp::Shl, sum, shift);
        let mixed = run.terms.xor(mixed, wide);
        let limit = run.constant(16, 9000 + 700 * i as u64);
        let less = run.terms.ult(mixed, limit);
        run.branch(less);
    }
}

/// Look-ups in a table with an unknown index, the values added.
fn table(run: &mut Run<'_>, inputs: &[Term]) {
    let elements: Vec<Term> = (0..64u64).map(|i| run.terms.bv(8, i * i * 7 + 3 * i)).collect();
    let table = run.terms.array_of(elements.into());
    let mask = run.constant(8, 63);
    let mut sum = run.constant(8, 0);
    for &c in inputs {
        let index = run.terms.and(c, mask);
        let index = run.terms.zext(index, 64);
        let value = run.terms.select(table, index);
        sum = run.terms.add(sum, value);
        for limit in [50, 100, 200] {
            let limit = run.constant(8, limit);
            let less = run.terms.ult(sum, limit);
            if run.branch(less) {
                break;
            }
        }
    }
}

/// Two bytes through a permutation several times.
fn lookup(run: &mut Run<'_>, inputs: &[Term]) {
    let elements: Vec<Term> = (0..256u64).map(|i| run.terms.bv(8, 167 * i + 13)).collect();
    let table = run.terms.array_of(elements.into());
    let at = |run: &mut Run<'_>, index: Term| {
        let index = run.terms.zext(index, 64);
        run.terms.select(table, index)
    };
    let (mut a, mut b) = (inputs[0], inputs[1]);
    let sixteen = run.constant(8, 16);
    for _ in 0..4 {
        a = at(run, a);
        let mixed = run.terms.xor(b, a);
        b = at(run, mixed);
        let less = run.terms.ult(b, a);
        run.branch(less);
        let sum = run.terms.add(a, b);
        let small = at(run, sum);
        let small = run.terms.ult(small, sixteen);
        run.branch(small);
    }
}

/// Indices that are checked, then used: the bounds of each access hold on every path.
fn bounds(run: &mut Run<'_>, inputs: &[Term]) {
    let (zero, twenty) = (run.constant(32, 0), run.constant(32, 20));
    let mut sum = run.constant(64, 0);
    for (n, &i) in inputs.iter().enumerate() {
        let (negative, inside) = (run.terms.slt(i, zero), run.terms.slt(i, twenty));
        if run.branch(negative) || !run.branch(inside) {
            return;
        }
        let wide = run.terms.sext(i, 64);
        sum = run.terms.add(sum, wide);
        let (four, base) = (run.constant(64, 4), run.constant(64, 0x7000_0000));
        for index in [wide, sum] {
            let offset = run.terms.mul(index, four);
            let pointer = run.terms.add(base, offset);
            let offset = run.terms.sub(pointer, base);
            let size = run.constant(64, 80 * (n as u64 + 1));
            let fits = run.terms.ult(offset, size);
            run.branch(fits);
        }
        let odd = run.constant(32, 7);
        let seven = run.terms.eq(i, odd);
        run.branch(seven);
    }
}

/// Steps in a maze: each byte is one of four letters; the walls are fixed.
fn maze(run: &mut Run<'_>, inputs: &[Term]) {
    let walls = [
        b"+-+---+---+",
        b"| |     |#|",
        b"| | --+ | |",
        b"| |   | | |",
        b"| +-- | | |",
        b"|     |   |",
        b"+-----+---+",
    ];
    let (mut x, mut y) = (1usize, 1usize);
    for &c in inputs {
        let step = [(b'w', 0, -1), (b's', 0, 1), (b'a', -1, 0), (b'd', 1, 0)].into_iter().find(|&(letter, _, _)| {
            let letter = run.constant(8, u64::from(letter));
            let equal = run.terms.eq(c, letter);
            run.branch(equal)
        });
        let Some((_, dx, dy)) = step else { return };
        (x, y) = (x.wrapping_add_signed(dx), y.wrapping_add_signed(dy));
        if walls[y][x] == b'#' || walls[y][x] != b' ' {
            return;
        }
    }
}

/// A long path of independent conditions: slicing must not grow with its square.
fn long(run: &mut Run<'_>, inputs: &[Term]) {
    let limit = run.constant(32, 1000);
    for pair in inputs.windows(2).step_by(2) {
        let sum = run.terms.add(pair[0], pair[1]);
        let less = run.terms.ult(sum, limit);
        if run.branch(less) {
            return;
        }
    }
}

/// All of them.
pub(crate) const PROGRAMS: &[Program] = &[
    Program { name: "bubble5", inputs: (5, 32), body: bubble },
    Program { name: "bubble6", inputs: (6, 32), body: bubble },
    Program { name: "bubble5bytes", inputs: (20, 8), body: bubble_bytes },
    Program { name: "triangle", inputs: (3, 64), body: triangle },
    Program { name: "tree4", inputs: (4, 32), body: tree },
    Program { name: "regex7", inputs: (7, 8), body: regex },
    Program { name: "number", inputs: (8, 8), body: number },
    Program { name: "arithmetic", inputs: (6, 8), body: arithmetic },
    Program { name: "table", inputs: (4, 8), body: table },
    Program { name: "lookup", inputs: (2, 8), body: lookup },
    Program { name: "bounds", inputs: (8, 32), body: bounds },
    Program { name: "maze", inputs: (28, 8), body: maze },
    Program { name: "long", inputs: (2000, 32), body: long },
];
