//! Random functions over pointers: what Taw says of them, started from the signature alone, must be what trying all object graphs says.
//!
//! A function is a list of steps, written as C for Taw and interpreted here for each graph that `docs/soundness.md` lists: null, a new array of each
//! length with each content, an element of another's array, one past its end; lists with each end and circle. The outcomes (which `return`, which
//! error in which line) must be equal. And where Taw says *exhaustive*, longer arrays and lists must not bring another outcome.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::time::Duration;

use libtest_mimic::{Failed, Trial};

use crate::taw::{JsonOutcome, Taw};

/// Functions in one file: compiling costs more than exploring.
const FUNCTIONS: usize = 20;

/// One trial per seed, with [`FUNCTIONS`] functions each.
pub fn entry_trials(taw: &Taw, seeds: crate::Seeds) -> Vec<Trial> {
    let trial = |seed: u32| {
        let taw = taw.clone();
        Trial::test(format!("entries/seed-{seed}"), move || check(&taw, seed).map_err(Failed::from))
    };
    (seeds.first..=seeds.last).map(trial).collect()
}

fn check(taw: &Taw, seed: u32) -> Result<(), String> {
    let folder = crate::scratch()?;
    let mut chance = EntryChance(u64::from(seed).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x2545_f491_4f6c_dd1d);
    let mut text = String::from("struct node { unsigned char v; struct node *next; };\n");
    let functions: Vec<RandomFunction> =
        (0..FUNCTIONS).map(|number| RandomFunction::random(&mut chance, number, &mut text)).collect();
    let source = folder.path().join("entries.c");
    std::fs::write(&source, &text).map_err(|e| e.to_string())?;
    for function in &functions {
        function
            .compare(taw, &source, folder.path())
            .map_err(|why| format!("{}: {why}\n{}", function.name, function.text))?;
    }
    Ok(())
}

/// Where numbers come from (xorshift: any fair source will do).
struct EntryChance(u64);

impl EntryChance {
    fn below(&mut self, n: u64) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from((self.0 >> 11) % n).unwrap_or(0)
    }
}

/// What the parameters are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum EntryKind {
    /// `unsigned char *p, unsigned char *q, unsigned char n`
    Arrays,
    /// `struct node *p, struct node *q`
    Lists,
}

/// The most elements of an array, and nodes of a list, that are tried.
#[derive(Clone, Copy)]
struct GraphBounds {
    array: usize,
    nodes: usize,
}

const TRIED: GraphBounds = GraphBounds { array: 2, nodes: 2 };

/// Where a pointer comes from: a variable, and how many `->next` from there.
#[derive(Clone, Copy, Debug)]
struct PointerWay {
    variable: usize,
    next: usize,
}

#[derive(Clone, Copy, Debug)]
enum StepIndex {
    Known(usize),
    /// `n & 3`
    Given,
}

#[derive(Clone, Copy, Debug)]
enum RandomStep {
    /// `if (p == 0) return K;`
    IfNull(PointerWay),
    /// `if (p == q) return K;`
    IfSame(PointerWay, PointerWay),
    /// `if ((p[i] & 3) == c) return K;`
    IfValue(PointerWay, StepIndex, u8),
    /// `p[i] = c;`
    Store(PointerWay, StepIndex, u8),
    /// `p = q;`
    Assign(usize, PointerWay),
    /// `p++;`, of arrays
    Advance(usize),
}

struct RandomFunction {
    name: String,
    shape: EntryKind,
    steps: Vec<RandomStep>,
    /// The line of the first step.
    line: u32,
    text: String,
}

/// How a call ends: a `return`, or an error in a line.
type CallEnd = String;

impl RandomFunction {
    fn random(chance: &mut EntryChance, number: usize, text: &mut String) -> Self {
        let shape = if chance.below(2) == 0 { EntryKind::Arrays } else { EntryKind::Lists };
        let steps: Vec<RandomStep> = (0..3 + chance.below(4)).map(|_| step(chance, shape)).collect();
        let name = format!("f{number}");
        let parameters = match shape {
            EntryKind::Arrays => "unsigned char *p, unsigned char *q, unsigned char n",
            EntryKind::Lists => "struct node *p, struct node *q",
        };
        let line = u32::try_from(text.lines().count()).unwrap_or(0) + 2;
        let mut own = format!("int {name}({parameters}) {{\n");
        for (at, step) in steps.iter().enumerate() {
            let _ = writeln!(own, "  {}", written(*step, shape, at + 1));
        }
        own.push_str("  return 0;\n}\n");
        text.push_str(&own);
        RandomFunction { name, shape, steps, line, text: own }
    }

    fn compare(&self, taw: &Taw, source: &std::path::Path, folder: &std::path::Path) -> Result<(), String> {
        let bounds = [("--max-array", TRIED.array), ("--max-nesting", TRIED.nodes)];
        let mut arguments = vec![source.display().to_string(), "--entry".into(), self.name.clone()];
        arguments.extend(bounds.iter().flat_map(|(option, n)| [(*option).to_owned(), n.to_string()]));
        arguments.extend(["--alias", "cyclic"].map(str::to_owned));
        let run = taw.run(&folder.join(&self.name), &arguments, Duration::from_secs(100))?;
        let document = run.document()?;
        let mut found = BTreeSet::new();
        for test in run.tests()? {
            match &test.outcome {
                JsonOutcome::Exit { code } => drop(found.insert(format!("return {code}"))),
                JsonOutcome::Finding { .. } | JsonOutcome::Limit { .. } => {}
                other => return Err(format!("a path ends with {other:?}")),
            }
        }
        found.extend(document.findings.iter().map(|f| format!("{} in line {}", f.kind, f.line.unwrap_or(0))));
        let wanted = self.truth(TRIED);
        if found != wanted {
            return Err(format!("found {found:?} instead of {wanted:?}"));
        }
        if !document.exhaustive {
            return Ok(());
        }
        let beyond = self.truth(GraphBounds { array: TRIED.array + 1, nodes: TRIED.nodes + 1 });
        if beyond == wanted {
            Ok(())
        } else {
            Err(format!("said to be exhaustive, and there is {beyond:?}, not {wanted:?} only"))
        }
    }

    /// How calls end with each graph.
    fn truth(&self, bounds: GraphBounds) -> BTreeSet<CallEnd> {
        let graphs = match self.shape {
            EntryKind::Arrays => arrays(bounds),
            EntryKind::Lists => lists(bounds),
        };
        graphs.into_iter().filter_map(|graph| self.run(graph)).collect()
    }

    /// The end of one call; none if the graph is not one that a caller makes (a pointer past the end is used).
    fn run(&self, mut graph: TriedGraph) -> Option<CallEnd> {
        for (at, step) in self.steps.iter().enumerate() {
            let line = self.line + u32::try_from(at).unwrap_or(0);
            match graph.step(*step, self.shape) {
                Ok(false) => {}
                Ok(true) => return Some(format!("return {}", at + 1)),
                Err(WrongUse::Unused) => return None,
                Err(WrongUse::Error(kind)) => return Some(format!("{kind} in line {line}")),
            }
        }
        Some("return 0".to_owned())
    }
}

fn step(chance: &mut EntryChance, shape: EntryKind) -> RandomStep {
    let way = |chance: &mut EntryChance| PointerWay {
        variable: chance.below(2),
        next: if shape == EntryKind::Lists { chance.below(2) } else { 0 },
    };
    let index = |chance: &mut EntryChance| match (shape, chance.below(4)) {
        (EntryKind::Lists, _) | (_, 0 | 1) => StepIndex::Known(0),
        (_, 2) => StepIndex::Known(1),
        _ => StepIndex::Given,
    };
    match chance.below(8) {
        0 | 1 => RandomStep::IfNull(way(chance)),
        2 => RandomStep::IfSame(way(chance), way(chance)),
        3 | 4 => RandomStep::IfValue(way(chance), index(chance), u8::try_from(chance.below(4)).unwrap_or(0)),
        5 => RandomStep::Store(way(chance), index(chance), u8::try_from(chance.below(4)).unwrap_or(0)),
        6 if shape == EntryKind::Arrays => RandomStep::Advance(chance.below(2)),
        _ => RandomStep::Assign(chance.below(2), way(chance)),
    }
}

fn written(step: RandomStep, shape: EntryKind, number: usize) -> String {
    let way = |way: PointerWay| format!("{}{}", ["p", "q"][way.variable], "->next".repeat(way.next));
    let value = |to: PointerWay, index: StepIndex| match (shape, index) {
        (EntryKind::Lists, _) => format!("{}->v", way(to)),
        (EntryKind::Arrays, StepIndex::Known(i)) => format!("{}[{i}]", way(to)),
        (EntryKind::Arrays, StepIndex::Given) => format!("{}[n & 3]", way(to)),
    };
    match step {
        RandomStep::IfNull(a) => format!("if ({} == 0) return {number};", way(a)),
        RandomStep::IfSame(a, b) => format!("if ({} == {}) return {number};", way(a), way(b)),
        RandomStep::IfValue(a, index, c) => format!("if (({} & 3) == {c}) return {number};", value(a, index)),
        RandomStep::Store(a, index, c) => format!("{} = {c};", value(a, index)),
        RandomStep::Assign(variable, a) => format!("{} = {};", ["p", "q"][variable], way(a)),
        RandomStep::Advance(variable) => format!("{}++;", ["p", "q"][variable]),
    }
}

/// A pointer: null, or an element of an object. `past` says that the caller passed it as one past the end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct TriedPointer {
    object: Option<usize>,
    at: usize,
    past: bool,
}

const NULL: TriedPointer = TriedPointer { object: None, at: 0, past: false };

/// An array, or a node: one value and where it leads.
#[derive(Clone, Debug)]
struct TriedObject {
    values: Vec<u8>,
    next: TriedPointer,
}

#[derive(Clone, Debug)]
struct TriedGraph {
    objects: Vec<TriedObject>,
    /// `p` and `q`
    variables: [TriedPointer; 2],
    n: u8,
}

enum WrongUse {
    Error(&'static str),
    /// Nobody passes a pointer past the end to have it used.
    Unused,
}

impl TriedGraph {
    fn follow(&self, way: PointerWay) -> Result<TriedPointer, WrongUse> {
        let mut pointer = self.variables[way.variable];
        for _ in 0..way.next {
            let (object, _) = self.element(pointer, 0, "read")?;
            pointer = self.objects[object].next;
        }
        Ok(pointer)
    }

    fn element(&self, pointer: TriedPointer, index: usize, verb: &str) -> Result<(usize, usize), WrongUse> {
        let Some(object) = pointer.object else { return Err(WrongUse::Error("null-dereference")) };
        let at = pointer.at + index;
        if at < self.objects[object].values.len() {
            return Ok((object, at));
        }
        match (pointer.past, verb) {
            (true, _) => Err(WrongUse::Unused),
            (_, "read") => Err(WrongUse::Error("out-of-bounds-read")),
            _ => Err(WrongUse::Error("out-of-bounds-write")),
        }
    }

    fn index(&self, index: StepIndex, shape: EntryKind) -> usize {
        match (shape, index) {
            (EntryKind::Lists, _) => 0,
            (_, StepIndex::Known(i)) => i,
            (_, StepIndex::Given) => usize::from(self.n & 3),
        }
    }

    /// Whether a step returns.
    fn step(&mut self, step: RandomStep, shape: EntryKind) -> Result<bool, WrongUse> {
        match step {
            RandomStep::IfNull(a) => Ok(self.follow(a)? == NULL),
            RandomStep::IfSame(a, b) => {
                let (a, b) = (self.follow(a)?, self.follow(b)?);
                Ok((a.object, a.at) == (b.object, b.at))
            }
            RandomStep::IfValue(a, index, c) => {
                let (object, at) = self.element(self.follow(a)?, self.index(index, shape), "read")?;
                Ok(self.objects[object].values[at] == c)
            }
            RandomStep::Store(a, index, c) => {
                let (object, at) = self.element(self.follow(a)?, self.index(index, shape), "write")?;
                self.objects[object].values[at] = c;
                Ok(false)
            }
            RandomStep::Assign(variable, a) => {
                self.variables[variable] = self.follow(a)?;
                Ok(false)
            }
            RandomStep::Advance(variable) => {
                self.variables[variable].at += 1;
                Ok(false)
            }
        }
    }
}

/// All contents of that many values of two bits.
fn contents(len: usize) -> Vec<Vec<u8>> {
    (0..4usize.pow(u32::try_from(len).unwrap_or(0)))
        .map(|code| (0..len).map(|i| u8::try_from(code >> (2 * i) & 3).unwrap_or(0)).collect())
        .collect()
}

/// Two pointers to arrays: `q` may be null, have an array of its own, or point at an element of `p`'s or past its end.
fn arrays(bounds: GraphBounds) -> Vec<TriedGraph> {
    let array = |values: &Vec<u8>| TriedObject { values: values.clone(), next: NULL };
    let all: Vec<Vec<u8>> = (1..=bounds.array).flat_map(contents).collect();
    let at = |object, at, past| TriedPointer { object: Some(object), at, past };
    let mut shapes: Vec<(Vec<TriedObject>, [TriedPointer; 2])> = vec![(Vec::new(), [NULL, NULL])];
    for a in &all {
        shapes.push((vec![array(a)], [NULL, at(0, 0, false)]));
        shapes.push((vec![array(a)], [at(0, 0, false), NULL]));
        shapes.extend((0..a.len()).map(|i| (vec![array(a)], [at(0, 0, false), at(0, i, false)])));
        shapes.push((vec![array(a)], [at(0, 0, false), at(0, a.len(), true)]));
        shapes.extend(all.iter().map(|b| (vec![array(a), array(b)], [at(0, 0, false), at(1, 0, false)])));
    }
    let with = |n: u8| {
        shapes.iter().map(move |(objects, variables)| TriedGraph { objects: objects.clone(), variables: *variables, n })
    };
    (0..4).flat_map(with).collect()
}

/// Two lists in at most twice that many nodes, of which each leads to each, to none, or past the end of one.
fn lists(bounds: GraphBounds) -> Vec<TriedGraph> {
    let mut graphs = Vec::new();
    let nodes = bounds.nodes;
    let targets: Vec<TriedPointer> = std::iter::once(NULL)
        .chain((0..nodes).flat_map(|object| [0, 1].map(|at| TriedPointer { object: Some(object), at, past: at == 1 })))
        .collect();
    let choices = targets.len();
    for values in contents(nodes) {
        for code in 0..choices.pow(u32::try_from(nodes + 2).unwrap_or(0)) {
            let target = |i: usize| targets[code / choices.pow(u32::try_from(i).unwrap_or(0)) % choices];
            let objects =
                values.iter().enumerate().map(|(i, v)| TriedObject { values: vec![*v], next: target(i) }).collect();
            graphs.push(TriedGraph { objects, variables: [target(nodes), target(nodes + 1)], n: 0 });
        }
    }
    graphs
}
