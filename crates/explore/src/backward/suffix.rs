//! Ways back from a goal: what may have been before, until the next place where there is a choice.
//!
//! A [`Suffix`] is the end of a way to a goal: where it begins, and every branch and call from there on. A step back goes over all that has a single predecessor,
//! or a single caller, and stops where there are several, or behind a loop: that stretch is a *segment*. A loop is gone back through turn by turn, or, beside that,
//! as a whole. Calls that come back are no choices here: whoever runs the way executes them.
//!
//! Invariant: [`Flow::before`] leaves out nothing. Whatever may be the case right before a suffix is one of the choices, and where nobody knows it is [`Before::Unseen`].

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;

use taw_engine::Engine;
use taw_ir::{
    BlockId, CallGraph, Callee, Conduct, Dominators, EdgeId, Effect, EntityRef, FuncId, Loop, LoopId, Loops, Origin,
    Program, Site, functions_taken,
};

use super::trace::first_block;

/// A step of a way.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum WayStep {
    /// A block.
    Block(BlockId),
    /// A whole loop, as often as it goes round: its blocks, that by which it is entered first.
    Loop(Rc<[BlockId]>),
}

impl WayStep {
    /// Its blocks, the first one first.
    pub(super) fn blocks(&self) -> &[BlockId] {
        match self {
            WayStep::Block(block) => std::slice::from_ref(block),
            WayStep::Loop(blocks) => blocks,
        }
    }

    /// The block by which it is entered.
    pub(super) fn first(&self) -> BlockId {
        self.blocks()[0]
    }
}

/// A way through one function, from the beginning of a block to an instruction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Way {
    pub(super) func: FuncId,
    /// Its steps, the last one first. That is a block, or the way is one loop.
    pub(super) steps: Vec<WayStep>,
    /// The edges between them, the last one first; of a loop one of those that lead out of it to the same block.
    pub(super) edges: Vec<EdgeId>,
    /// The instruction, in the last block; none if it is anywhere in the loop that the way is then, or in what that calls.
    pub(super) end: Option<u32>,
}

impl Way {
    /// The block that it begins with.
    pub(super) fn start(&self) -> BlockId {
        self.steps.last().expect("a way has a step").first()
    }

    /// How often it passes the block that it passes most often.
    fn rounds(&self) -> usize {
        let mut times: BTreeMap<BlockId, usize> = BTreeMap::new();
        self.steps.iter().for_each(|step| *times.entry(step.first()).or_default() += 1);
        times.into_values().max().unwrap_or(0)
    }
}

/// The end of a way to a goal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Suffix {
    /// Its calls, the innermost first.
    pub(super) ways: Vec<Way>,
    /// Branches that the solver has no answer to: of which call, and after which of its steps.
    pub(super) skipped: BTreeSet<(usize, usize)>,
}

impl Suffix {
    /// The outermost call.
    pub(super) fn outer(&self) -> &Way {
        self.ways.last().expect("a suffix has a way")
    }

    /// After which steps of a call the branch is skipped.
    pub(super) fn skipped_at(&self, level: usize) -> Vec<usize> {
        self.skipped.iter().filter(|(of, _)| *of == level).map(|(_, at)| *at).collect()
    }

    /// Whether it has whole loops.
    pub(super) fn has_loops(&self) -> bool {
        self.ways.iter().flat_map(|way| &way.steps).any(|step| matches!(step, WayStep::Loop(_)))
    }

    /// How often it goes round in loops and recursions.
    fn rounds(&self) -> usize {
        let calls = |func: FuncId| self.ways.iter().filter(|way| way.func == func).count();
        let recursion = self.ways.iter().map(|way| calls(way.func)).max().unwrap_or(0);
        recursion + self.ways.iter().map(Way::rounds).max().unwrap_or(0)
    }
}

/// What may have been right before a suffix.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Before {
    /// The program begins there.
    Begins,
    /// This block, left by this edge.
    Block(BlockId, EdgeId),
    /// This loop, left by this edge or another one to the same block. The block that is left by it is one of the choices as well, and so on.
    Loop(Rc<[BlockId]>, EdgeId),
    /// This loop, which the suffix does not leave any more: all that is known of the suffix is forgotten.
    Around(Rc<[BlockId]>),
    /// This call.
    Call(Site),
    /// Something that nobody can follow back.
    Unseen,
}

/// The control flow of a program, read backward.
pub(super) struct Flow {
    entries: BTreeSet<FuncId>,
    graph: CallGraph,
    /// For each function that was looked at the edges into each block, one of those that do the same.
    into: BTreeMap<FuncId, Vec<Vec<(BlockId, EdgeId)>>>,
    /// For each function that was looked at its loops.
    loops: BTreeMap<FuncId, Loops>,
    /// For each function that was looked at how many blocks lie before each.
    steps: BTreeMap<FuncId, Vec<usize>>,
    depths: BTreeMap<FuncId, usize>,
    /// Functions that may run without a call that shows it.
    unseen: BTreeSet<FuncId>,
    /// Functions that a `longjmp` may come back into.
    landing: BTreeSet<FuncId>,
}

impl Flow {
    /// That of a program, which is `engine`'s or a slice of it.
    pub(super) fn new(program: &Program, engine: &Engine<'_>, entries: &[String]) -> Self {
        let effect = |func: FuncId| engine.conduct(func).effect;
        let conduct = |func: FuncId| Conduct {
            runs_code: program.functions[func].is_defined() && engine.conduct(func).runs_code,
            effect: effect(func),
        };
        let graph = CallGraph::with_conduct(program, &conduct);
        let calls = |func: FuncId, wanted: &[Effect]| {
            let callees = program.functions[func].calls.values().map(|call| call.callee);
            callees.into_iter().any(|callee| matches!(callee, Callee::Direct(of) if wanted.contains(&effect(of))))
        };
        let all = || program.functions.keys();
        let keeps = [Effect::KeepsForExit, Effect::KeepsForSignals, Effect::Anything];
        let is_kept = all().any(|func| program.functions[func].origin == Origin::User && calls(func, &keeps))
            || functions_taken(program).into_iter().any(|func| keeps.contains(&effect(func)));
        let taken = functions_taken(program).into_iter().filter(|_| is_kept);
        let starters = program.constructors.iter().chain(&program.destructors).copied();
        let entries: BTreeSet<FuncId> = entries.iter().filter_map(|entry| program.function_named(entry)).collect();
        let names: Vec<String> = entries.iter().map(|&func| program.functions[func].name.clone()).collect();
        Flow {
            depths: super::depths(&graph, program, &names),
            entries,
            graph,
            into: BTreeMap::new(),
            loops: BTreeMap::new(),
            steps: BTreeMap::new(),
            unseen: taken.chain(starters).collect(),
            landing: all().filter(|func| calls(*func, &[Effect::Lands, Effect::Anything])).collect(),
        }
    }

    /// What may have been right before a suffix.
    pub(super) fn before(&mut self, program: &Program, suffix: &Suffix) -> Vec<Before> {
        let way = suffix.outer();
        let mut all = Vec::new();
        let function = &program.functions[way.func];
        let into = self.into.entry(way.func).or_insert_with(|| edges_into(program, way.func));
        let is_inside = |block: &BlockId| match way.steps.last() {
            Some(WayStep::Loop(blocks)) => blocks.contains(block),
            _ => false,
        };
        let into: Vec<_> = into[way.start().index()].iter().filter(|(block, _)| !is_inside(block)).copied().collect();
        all.extend(self.loop_around(program, way));
        all.extend(self.loops_left(program, way.func, &into, way.start()));
        all.extend(into.iter().map(|(block, edge)| Before::Block(*block, *edge)));
        if way.start() == first_block() {
            all.extend(self.graph.callers(way.func).map(Before::Call));
            all.extend(self.entries.contains(&way.func).then_some(Before::Begins));
            all.extend(self.unseen.contains(&way.func).then_some(Before::Unseen));
        }
        // Control may come into the middle of such a function without passing what is before.
        let is_odd = !function.edge_lists.is_empty() || self.landing.contains(&way.func);
        all.extend(is_odd.then_some(Before::Unseen));
        all
    }

    fn loops(&mut self, program: &Program, func: FuncId) -> &Loops {
        let function = &program.functions[func];
        self.loops.entry(func).or_insert_with(|| Loops::of(function, &Dominators::of(function)))
    }

    /// The loop that a way has come back to the beginning of for the first time, if it has not left it.
    fn loop_around(&mut self, program: &Program, way: &Way) -> Option<Before> {
        let (loops, start) = (self.loops(program, way.func), way.start());
        let found = loops.loops.values().find(|found| found.header == start)?;
        let is_turn = |step: &WayStep| matches!(step, WayStep::Block(block) if found.blocks.contains(block));
        let is_first = way.steps.iter().filter(|step| step.first() == start).count() == 1;
        (is_first && way.steps.iter().all(is_turn)).then(|| Before::Around(header_first(found)))
    }

    /// The loops that edges to a block lead out of, the outermost of each.
    fn loops_left(&mut self, program: &Program, func: FuncId, into: &[(BlockId, EdgeId)], to: BlockId) -> Vec<Before> {
        let loops = self.loops(program, func);
        let mut left: BTreeMap<LoopId, EdgeId> = BTreeMap::new();
        for (from, edge) in into {
            let outermost = loops.around(*from).filter(|id| !loops.loops[*id].blocks.contains(&to)).last();
            left.extend(outermost.map(|id| (id, *edge)));
        }
        left.into_iter().map(|(id, edge)| Before::Loop(header_first(&loops.loops[id]), edge)).collect()
    }

    /// The same suffix with more before it.
    fn longer(&self, program: &Program, suffix: &Suffix, before: &Before) -> Option<Suffix> {
        let mut longer = suffix.clone();
        match before {
            Before::Block(block, edge) => {
                let way = longer.ways.last_mut()?;
                way.steps.push(WayStep::Block(*block));
                way.edges.push(*edge);
            }
            Before::Loop(blocks, edge) => {
                let way = longer.ways.last_mut()?;
                way.steps.push(WayStep::Loop(Rc::clone(blocks)));
                way.edges.push(*edge);
            }
            Before::Around(blocks) => {
                let way = longer.ways.pop()?;
                let steps = vec![WayStep::Loop(Rc::clone(blocks))];
                longer = Suffix {
                    ways: vec![Way { func: way.func, steps, edges: Vec::new(), end: None }],
                    skipped: BTreeSet::new(),
                };
            }
            Before::Call(site) => {
                let steps = vec![WayStep::Block(block_of(program, *site)?)];
                longer.ways.push(Way { func: site.func, steps, edges: Vec::new(), end: Some(site.pc) });
            }
            Before::Begins | Before::Unseen => return None,
        }
        Some(longer)
    }

    /// Goes back by one choice, and then until the next; what may be before that. Nothing if there is no beginning: it goes in a circle.
    pub(super) fn back(
        &mut self,
        program: &Program,
        suffix: &Suffix,
        choice: &Before,
    ) -> Option<(Suffix, Vec<Before>)> {
        let suffix = self.longer(program, suffix, choice)?;
        self.to_choice(program, suffix)
    }

    /// Goes back until there is a choice.
    pub(super) fn to_choice(&mut self, program: &Program, mut suffix: Suffix) -> Option<(Suffix, Vec<Before>)> {
        let mut passed = BTreeSet::new();
        loop {
            let before = self.before(program, &suffix);
            let [only @ (Before::Block(..) | Before::Call(_))] = &before[..] else { return Some((suffix, before)) };
            if !passed.insert((suffix.outer().func, suffix.outer().start())) {
                return None;
            }
            suffix = self.longer(program, &suffix, only)?;
        }
    }

    /// How far a suffix is from where the program begins: rounds in loops, calls, blocks.
    pub(super) fn distance(&mut self, program: &Program, suffix: &Suffix) -> (usize, usize, usize) {
        let way = suffix.outer();
        let steps = self.steps.entry(way.func).or_insert_with(|| steps_to(program, way.func));
        let depth = self.depths.get(&way.func).copied().unwrap_or(usize::MAX);
        (suffix.rounds(), depth, steps[way.start().index()])
    }
}

/// The blocks of a loop, that by which it is entered first.
fn header_first(found: &Loop) -> Rc<[BlockId]> {
    let others = found.blocks.iter().filter(|block| **block != found.header);
    std::iter::once(&found.header).chain(others).copied().collect()
}

/// The block of an instruction.
pub(super) fn block_of(program: &Program, site: Site) -> Option<BlockId> {
    let mut blocks = program.functions[site.func].blocks.iter();
    blocks.find(|(_, block)| (block.start..block.end).contains(&site.pc)).map(|(id, _)| id)
}

/// For each block of a function the edges that lead there; of those of one branch that do the same, one.
fn edges_into(program: &Program, func: FuncId) -> Vec<Vec<(BlockId, EdgeId)>> {
    let function = &program.functions[func];
    let mut into: Vec<Vec<(BlockId, EdgeId)>> = vec![Vec::new(); function.blocks.len()];
    for from in function.blocks.keys() {
        for edge in function.edges_from(from) {
            let known = &mut into[function.edges[edge].to.index()];
            let does_same =
                |(block, other): &(BlockId, EdgeId)| *block == from && function.edges[*other] == function.edges[edge];
            if !known.iter().any(does_same) {
                known.push((from, edge));
            }
        }
    }
    into
}

/// For each block of a function how many lie on the shortest way there.
fn steps_to(program: &Program, func: FuncId) -> Vec<usize> {
    let function = &program.functions[func];
    let mut steps = vec![usize::MAX; function.blocks.len()];
    let mut todo = VecDeque::from([first_block()]);
    steps[0] = 0;
    while let Some(block) = todo.pop_front() {
        for next in function.blocks_after(block) {
            if steps[next.index()] == usize::MAX {
                steps[next.index()] = steps[block.index()] + 1;
                todo.push_back(next);
            }
        }
    }
    steps
}

/// The ends of the ways to a goal's places, without anything before.
pub(super) fn ends(program: &Program, sites: &[Site], is_error: bool) -> Vec<Suffix> {
    let mut last: BTreeMap<(FuncId, BlockId), u32> = BTreeMap::new();
    for site in sites {
        let Some(block) = block_of(program, *site) else { continue };
        let end = last.entry((site.func, block)).or_insert(site.pc);
        // Whoever is at one has been at those before; an error may be at any of them.
        *end = if is_error { site.pc.max(*end) } else { site.pc.min(*end) };
    }
    let suffix = |((func, block), end)| Suffix {
        ways: vec![Way { func, steps: vec![WayStep::Block(block)], edges: Vec::new(), end: Some(end) }],
        skipped: BTreeSet::new(),
    };
    last.into_iter().map(suffix).collect()
}
