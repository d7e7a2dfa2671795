//! Distances against the definition, by brute force on random programs: relaxed until nothing changes, without any of the
//! cleverness; and taking targets away against starting over.

mod common;

use std::fmt::Write;

use taw_ir::{CallGraph, Callee, Distances, FuncId, Function, Inst, Program, Site, read_program};

use common::Random;

/// Functions that call each other, recursion included; some never return.
fn program(random: &mut Random) -> Program {
    let functions = 2 + random.below(4);
    let mut text = String::from("target \"x\" 64 bits little\n");
    for f in 0..functions {
        let blocks = 1 + random.below(5);
        writeln!(text, "func @f{f}(v0: i1) {{").unwrap();
        for b in 0..blocks {
            writeln!(text, "b{b}:").unwrap();
            for _ in 0..random.below(3) {
                match random.below(3) {
                    0 => writeln!(text, "    call @f{}(i1 0)", random.below(functions)).unwrap(),
                    _ => writeln!(text, "    v1: i32 = copy i32 7").unwrap(),
                }
            }
            match random.below(5) {
                0 => writeln!(text, "    ret").unwrap(),
                1 => writeln!(text, "    unreachable").unwrap(),
                2 => writeln!(text, "    br b{}", random.below(blocks)).unwrap(),
                _ => writeln!(text, "    br v0, b{}, b{}", random.below(blocks), random.below(blocks)).unwrap(),
            }
        }
        text.push_str("}\n");
    }
    read_program(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn sites(program: &Program) -> Vec<Site> {
    let all =
        |(func, f): (FuncId, &Function)| (0..f.code.len() as u32).map(move |pc| Site { func, pc }).collect::<Vec<_>>();
    program.functions.iter().flat_map(all).collect()
}

/// Relaxes `rule` from "no way" until nothing changes.
fn settle(program: &Program, rule: impl Fn(Site, &dyn Fn(Site) -> Option<u64>) -> Option<u64>) -> Vec<Option<u64>> {
    let all = sites(program);
    let mut known = vec![None; all.len()];
    loop {
        let look = |site: Site| known[all.iter().position(|&s| s == site).expect("an instruction")];
        let next: Vec<Option<u64>> = all.iter().map(|&site| rule(site, &look)).collect();
        if next == known {
            return known;
        }
        known = next;
    }
}

fn callee(function: &Function, pc: u32) -> Option<FuncId> {
    match function.code[pc as usize] {
        Inst::Call { call } => match function.calls[call].callee {
            Callee::Direct(func) => Some(func),
            Callee::Indirect(_) => None,
        },
        _ => None,
    }
}

/// By the definition: distances to return, and from every instruction to the nearest target.
fn by_definition(program: &Program, targets: &[Site]) -> (Vec<Option<u64>>, Vec<Option<u64>>) {
    let all = sites(program);
    let returns = settle(program, |site, known| {
        let function = &program.functions[site.func];
        if matches!(function.code[site.pc as usize], Inst::Ret { .. }) {
            return Some(0);
        }
        let through = match callee(function, site.pc) {
            Some(func) => known(Site { func, pc: 0 })?,
            None => 0,
        };
        let next = function.successors(site.pc).filter_map(|pc| known(Site { func: site.func, pc })).min()?;
        Some(1 + through + next)
    });
    let return_of = |site: Site| returns[all.iter().position(|&s| s == site).expect("an instruction")];
    let distances = settle(program, |site, known| {
        if targets.contains(&site) {
            return Some(0);
        }
        let function = &program.functions[site.func];
        let next = function.successors(site.pc).filter_map(|pc| known(Site { func: site.func, pc })).min();
        let ways = match callee(function, site.pc) {
            None => [next, None],
            Some(func) => {
                let entry = Site { func, pc: 0 };
                [next.zip(return_of(entry)).map(|(next, through)| next + through), known(entry)]
            }
        };
        ways.into_iter().flatten().min().map(|way| 1 + way)
    });
    (returns, distances)
}

fn compare(program: &Program, distances: &Distances, targets: &[Site], what: &str) {
    let (returns, expected) = by_definition(program, targets);
    let all = sites(program);
    for (i, &site) in all.iter().enumerate() {
        assert_eq!(distances.from_site(site), expected[i], "{what}: {site:?} to {targets:?} in\n{program}");
    }
    // With a caller around it: the way may also be out and on.
    for (i, &inner) in all.iter().enumerate() {
        for (j, &outer) in all.iter().enumerate() {
            if callee(&program.functions[outer.func], outer.pc) != Some(inner.func) {
                continue;
            }
            // The instruction after a call is the next of its function, so also of `all`.
            let out = returns[i].zip(expected[j + 1]).map(|(cost, rest)| 1 + cost + rest);
            let best = expected[i].into_iter().chain(out).min();
            assert_eq!(
                distances.from_stack([inner, outer].into_iter()),
                best,
                "{what}: {inner:?} in {outer:?}\n{program}"
            );
        }
    }
}

#[test]
fn distances_are_as_defined_and_stay_so_when_targets_are_taken_away() {
    let mut finite = 0;
    for seed in 0..300 {
        let mut random = Random(seed);
        let program = program(&mut random);
        let graph = CallGraph::new(&program);
        let all = sites(&program);
        let mut targets: Vec<Site> = (0..3).map(|_| all[random.below(all.len() as u64) as usize]).collect();
        targets.sort();
        targets.dedup();
        let mut distances = Distances::to(&program, &graph, &targets);
        compare(&program, &distances, &targets, "made");
        finite += all.iter().filter(|&&site| distances.from_site(site).is_some()).count();
        while let Some(removed) = targets.pop() {
            distances.remove(&program, &graph, &[removed]);
            compare(&program, &distances, &targets, "after a removal");
        }
    }
    assert!(finite > 2000, "the programs are too dull: {finite}");
}
