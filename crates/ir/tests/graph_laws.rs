//! Dominators, loops and liveness against their definitions, by brute force on random functions; and by hand where it is easily seen.

mod common;

use std::collections::BTreeSet;
use std::fmt::Write;

use taw_ir::{
    BlockId, Dominators, EntityRef, Function, Inst, Liveness, Loops, PostDominators, Program, Reg, read_program, verify,
};

use common::Random;

/// Blocks that move registers about and jump anywhere; endless loops and blocks that nothing leads to among them.
fn program(random: &mut Random) -> Program {
    let blocks = 1 + random.below(8);
    let mut text = String::from("target \"x\" 64 bits little\nfunc @f(v0: i1, v1: i8) {\n");
    for b in 0..blocks {
        writeln!(text, "b{b}:").unwrap();
        for _ in 0..random.below(3) {
            let (dst, src) = (1 + random.below(4), 1 + random.below(5));
            match random.below(4) {
                0 => writeln!(text, "    v5: i8, v6: i1 = uadd.overflow v{src}, i8 1").unwrap(),
                1 => writeln!(text, "    v0: i1 = cmp eq i8 v{src}, i8 1").unwrap(),
                _ => writeln!(text, "    v{dst}: i8 = copy v{src}").unwrap(),
            }
        }
        let mut to = || {
            let to = format!("b{}", random.below(blocks));
            match random.below(3) {
                0 => format!("{to} [v{}: i8 = v{}, v4: i8 = v1]", 1 + random.below(3), 1 + random.below(4)),
                _ => to,
            }
        };
        let (first, second, third) = (to(), to(), to());
        match random.below(6) {
            0 => writeln!(text, "    ret").unwrap(),
            1 => writeln!(text, "    br {first}").unwrap(),
            2 => writeln!(text, "    switch i8 v1, 1: {first}, 2: {second}, default: {third}").unwrap(),
            _ => writeln!(text, "    br v0, {first}, {second}").unwrap(),
        }
    }
    text.push_str("}\n");
    let text = text.replacen(
        "b0:\n",
        "b0:\n    v2: i8 = copy i8 0\n    v3: i8 = copy i8 0\n    v4: i8 = copy i8 0\n    v5: i8 = copy i8 0\n",
        1,
    );
    let program = read_program(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    verify(&program).unwrap_or_else(|error| panic!("{error}\n{text}"));
    program
}

fn blocks(f: &Function) -> Vec<BlockId> {
    f.blocks.keys().collect()
}

/// What can be got to from the blocks of `from`, which count, without entering `avoided`.
fn reach(from: &[BlockId], avoided: Option<BlockId>, next: &dyn Fn(BlockId) -> Vec<BlockId>) -> BTreeSet<BlockId> {
    let mut seen = BTreeSet::new();
    let mut waiting: Vec<BlockId> = from.iter().copied().filter(|&b| Some(b) != avoided).collect();
    while let Some(block) = waiting.pop() {
        if seen.insert(block) {
            waiting.extend(next(block).into_iter().filter(|&b| Some(b) != avoided));
        }
    }
    seen
}

fn on_random_functions(check: impl Fn(&Function)) {
    for seed in 0..400 {
        let program = program(&mut Random(seed));
        check(program.functions.values().next().expect("there is one"));
    }
}

#[test]
fn a_dominator_is_what_cannot_be_avoided() {
    on_random_functions(|f| {
        let found = Dominators::of(f);
        let (entry, next) = (BlockId::new(0), |b: BlockId| f.blocks_after(b).collect::<Vec<_>>());
        let reached = reach(&[entry], None, &next);
        for by in blocks(f) {
            let around = reach(&[entry], Some(by), &next);
            for block in blocks(f) {
                let expected = reached.contains(&block) && !around.contains(&block);
                assert_eq!(found.dominates(by, block), expected, "{by} {block}\n{f}");
            }
        }
        for block in blocks(f) {
            assert_eq!(found.is_reached(block), reached.contains(&block), "{block}\n{f}");
            let above: Vec<BlockId> =
                blocks(f).into_iter().filter(|&by| by != block && found.dominates(by, block)).collect();
            // The nearest is the one that all others are above.
            let nearest = above.iter().copied().find(|&near| above.iter().all(|&by| found.dominates(by, near)));
            assert_eq!(found.immediate(block), nearest, "{block}\n{f}");
        }
    });
}

#[test]
fn a_post_dominator_is_what_cannot_be_avoided_on_the_way_to_an_end() {
    on_random_functions(|f| {
        let found = PostDominators::of(f);
        let next = |b: BlockId| f.blocks_after(b).collect::<Vec<_>>();
        let returns = |b: &BlockId| f.edges_from(*b).next().is_none();
        // An end is a return, or where none can be got to any more.
        let is_end = |b: &BlockId| returns(b) || !reach(&[*b], None, &next).iter().any(returns);
        for by in blocks(f) {
            for block in blocks(f) {
                let expected = !reach(&[block], Some(by), &next).iter().any(is_end);
                assert_eq!(found.dominates(by, block), expected, "{by} {block}\n{f}");
            }
        }
    });
}

#[test]
fn a_loop_is_its_header_and_what_leads_back_to_it() {
    on_random_functions(|f| {
        let dominators = Dominators::of(f);
        let loops = Loops::of(f, &dominators);
        let before =
            |b: BlockId| blocks(f).into_iter().filter(|&p| f.blocks_after(p).any(|to| to == b)).collect::<Vec<_>>();
        let mut expected = BTreeSet::new();
        for header in blocks(f) {
            let latches: Vec<BlockId> =
                before(header).into_iter().filter(|&latch| dominators.dominates(header, latch)).collect();
            let reached = |b: &BlockId| dominators.is_reached(*b);
            let body = reach(&latches, Some(header), &|b| before(b).into_iter().filter(reached).collect());
            if !latches.is_empty() {
                expected.insert((header, body.into_iter().chain([header]).collect::<BTreeSet<_>>()));
            }
        }
        let found = loops.loops.values().map(|l| (l.header, l.blocks.iter().copied().collect::<BTreeSet<_>>()));
        assert_eq!(found.collect::<BTreeSet<_>>(), expected, "{f}");
        for block in blocks(f) {
            let around: BTreeSet<_> = loops.around(block).collect();
            let holding = loops.loops.iter().filter(|(_, l)| l.blocks.contains(&block)).map(|(id, _)| id);
            assert_eq!(around, holding.collect(), "{block}\n{f}");
            let depth = loops.innermost(block).map_or(0, |inner| loops.loops[inner].depth as usize);
            assert_eq!(depth, around.len(), "{block}\n{f}");
        }
    });
}

/// Whether `reg` may be read from `pc` on before it is written, by walking.
fn is_read(f: &Function, pc: u32, reg: Reg, seen: &mut BTreeSet<u32>) -> bool {
    if !seen.insert(pc) {
        return false;
    }
    let inst: &Inst = &f.code[pc as usize];
    let (mut reads, mut writes) = (false, false);
    inst.for_each_use(f, |used| reads |= used.as_reg() == Some(reg));
    inst.for_each_dst(f, |dst| writes |= dst == reg);
    if reads || writes {
        return reads;
    }
    if !inst.is_terminator() {
        return is_read(f, pc + 1, reg, seen);
    }
    let edges: Vec<_> = f.edges_of(inst).collect();
    edges.into_iter().any(|edge| {
        for &(dst, src) in &f.edges[edge].moves {
            if src.as_reg() == Some(reg) || dst == reg {
                return src.as_reg() == Some(reg);
            }
        }
        is_read(f, f.blocks[f.edges[edge].to].start, reg, seen)
    })
}

#[test]
fn a_register_is_live_if_it_may_be_read_before_it_is_written() {
    on_random_functions(|f| {
        let liveness = Liveness::of(f);
        for block in blocks(f) {
            for pc in f.blocks[block].start..f.blocks[block].end {
                let expected: Vec<Reg> =
                    f.regs.keys().filter(|&reg| is_read(f, pc, reg, &mut BTreeSet::new())).collect();
                assert_eq!(liveness.at(f, pc), expected, "{pc}\n{f}");
                if pc == f.blocks[block].start {
                    assert_eq!(liveness.at_start(block).collect::<Vec<_>>(), expected, "{block}\n{f}");
                    assert!(f.regs.keys().all(|reg| liveness.is_live(block, reg) == expected.contains(&reg)));
                }
            }
        }
    });
}
