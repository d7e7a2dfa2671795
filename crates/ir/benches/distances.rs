//! What distances cost on a program of 100,000 instructions with 300 targets: `cargo bench -p taw-ir`.

use std::fmt::Write;
use std::time::Instant;

use taw_ir::{CallGraph, Distances, FuncId, Site, read_program};

const FUNCTIONS: u64 = 1000;
const BLOCKS: u64 = 20;
const TARGETS: u64 = 300;

/// A number that depends on both and looks like neither.
fn scatter(a: u64, b: u64) -> u64 {
    (a ^ b.rotate_left(32)).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 33
}

/// Functions of 20 blocks of 5 instructions; every other block has a call, some by pointer.
fn text() -> String {
    let mut text = String::from("target \"x\" 64 bits little\n");
    for f in 0..FUNCTIONS {
        writeln!(text, "func @f{f}(v0: i1, v2: ptr) {{").unwrap();
        for b in 0..BLOCKS {
            writeln!(text, "b{b}:\n    v1: i32 = copy i32 7\n    v1: i32 = copy i32 8").unwrap();
            let callee = scatter(f, b) % FUNCTIONS;
            match callee % 10 {
                0 => writeln!(text, "    v3: ptr = copy ptr @f{callee}\n    call *v2(i1 0, ptr 0)").unwrap(),
                1..5 => writeln!(text, "    v1: i32 = copy i32 9\n    call @f{callee}(i1 0, ptr 0)").unwrap(),
                _ => writeln!(text, "    v1: i32 = copy i32 9\n    v1: i32 = copy i32 10").unwrap(),
            }
            match b {
                b if b == BLOCKS - 1 => writeln!(text, "    ret").unwrap(),
                b => writeln!(text, "    br v0, b{}, b{}", b + 1, scatter(f, b + 99) % BLOCKS).unwrap(),
            }
        }
        text.push_str("}\n");
    }
    text
}

fn timed<T>(what: &str, act: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = act();
    println!("{what:<48} {:>9.2} ms", start.elapsed().as_secs_f64() * 1e3);
    result
}

fn main() {
    let program = timed("reading the text", || read_program(&text()).expect("well written"));
    let instructions: usize = program.functions.values().map(|f| f.code.len()).sum();
    println!("{instructions} instructions");
    let graph = timed("the call graph", || CallGraph::new(&program));
    let site = |t: u64| Site {
        func: FuncId::from_u32((scatter(t, 5) % FUNCTIONS) as u32),
        pc: (scatter(t, 6) % (BLOCKS * 5)) as u32,
    };
    let targets: Vec<Site> = (0..TARGETS).map(site).collect();
    let mut distances = timed("distances to 300 targets", || Distances::to(&program, &graph, &targets));
    let early = targets.iter().copied().find(|target| target.pc < 5).expect("one of 300 is in a first block");
    let one = timed("distances to one", || distances.to_others(&program, &graph, &[early]));
    let reaching =
        (0..FUNCTIONS as u32).filter(|&f| one.from_site(Site { func: FuncId::from_u32(f), pc: 0 }).is_some());
    println!("{} functions lead to it", reaching.count());
    let stack: Vec<Site> = (0..10).map(site).collect();
    timed("a million distances of a stack of 10", || {
        let sum: u64 = (0..1_000_000).filter_map(|_| one.from_stack(stack.iter().copied())).sum();
        assert!(sum < u64::MAX);
    });
    timed("taking 299 targets away, one by one", || {
        targets[1..].iter().for_each(|&target| distances.remove(&program, &graph, &[target]));
    });
}
