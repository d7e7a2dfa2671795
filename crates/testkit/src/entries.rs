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
    let mut chance = Chance(u64::from(seed).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x2545_f491_4f6c_dd1d);
    let mut text = String::from("struct node { unsigned char v; struct node *next; };\n");
    let functions: Vec<Function> =
        (0..FUNCTIONS).map(|number| Function::random(&mut chance, number, &mut text)).collect();
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
struct Chance(u64);

impl Chance {
    fn below(&mut self, n: u64) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from((self.0 >> 11) % n).unwrap_or(0)
    }
}

/// What the parameters are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Shape {
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
struct Way {
    variable: usize,
    next: usize,
}

#[derive(Clone, Copy, Debug)]
enum Index {
    Known(usize),
    /// `n & 3`
    Given,
}

#[derive(Clone, Copy, Debug)]
enum Step {
    /// `if (p == 0) return K;`
    IfNull(Way),
    /// `if (p == q) return K;`
    IfSame(Way, Way),
    /// `if ((p[i] & 3) == c) return K;`
    IfValue(Way, Index, u8),
    /// `p[i] = c;`
    Store(Way, Index, u8),
    /// `p = q;`
    Assign(usize, Way),
    /// `p++;`, of arrays
    Advance(usize),
}

struct Function {
    name: String,
    shape: Shape,
    steps: Vec<Step>,
    /// The line of the first step.
    line: u32,
    text: String,
}

/// How a call ends: a `return`, or an error in a line.
type End = String;

impl Function {
    fn random(chance: &mut Chance, number: usize, text: &mut String) -> Self {
        let shape = if chance.below(2) == 0 { Shape::Arrays } else { Shape::Lists };
        let steps: Vec<Step> = (0..3 + chance.below(4)).map(|_| step(chance, shape)).collect();
        let name = format!("f{number}");
        let parameters = match shape {
            Shape::Arrays => "unsigned char *p, unsigned char *q, unsigned char n",
            Shape::Lists => "struct node *p, struct node *q",
        };
        let line = u32::try_from(text.lines().count()).unwrap_or(0) + 2;
        let mut own = format!("int {name}({parameters}) {{\n");
        for (at, step) in steps.iter().enumerate() {
            let _ = writeln!(own, "  {}", written(*step, shape, at + 1));
        }
        own.push_str("  return 0;\n}\n");
        text.push_str(&own);
        Function { name, shape, steps, line, text: own }
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
    fn truth(&self, bounds: GraphBounds) -> BTreeSet<End> {
        let graphs = match self.shape {
            Shape::Arrays => arrays(bounds),
            Shape::Lists => lists(bounds),
        };
        graphs.into_iter().filter_map(|graph| self.run(graph)).collect()
    }

    /// The end of one call; none if the graph is not one that a caller makes (a pointer past the end is used).
    fn run(&self, mut graph: Graph) -> Option<End> {
        for (at, step) in self.steps.iter().enumerate() {
            let line = self.line + u32::try_from(at).unwrap_or(0);
            match graph.step(*step, self.shape) {
                Ok(false) => {}
                Ok(true) => return Some(format!("return {}", at + 1)),
                Err(Wrong::Unused) => return None,
                Err(Wrong::Error(kind)) => return Some(format!("{kind} in line {line}")),
            }
        }
        Some("return 0".to_owned())
    }
}

fn step(chance: &mut Chance, shape: Shape) -> Step {
    let way = |chance: &mut Chance| Way {
        variable: chance.below(2),
        next: if shape == Shape::Lists { chance.below(2) } else { 0 },
    };
    let index = |chance: &mut Chance| match (shape, chance.below(4)) {
        (Shape::Lists, _) | (_, 0 | 1) => Index::Known(0),
        (_, 2) => Index::Known(1),
        _ => Index::Given,
    };
    match chance.below(8) {
        0 | 1 => Step::IfNull(way(chance)),
        2 => Step::IfSame(way(chance), way(chance)),
        3 | 4 => Step::IfValue(way(chance), index(chance), u8::try_from(chance.below(4)).unwrap_or(0)),
        5 => Step::Store(way(chance), index(chance), u8::try_from(chance.below(4)).unwrap_or(0)),
        6 if shape == Shape::Arrays => Step::Advance(chance.below(2)),
        _ => Step::Assign(chance.below(2), way(chance)),
    }
}

fn written(step: Step, shape: Shape, number: usize) -> String {
    let way = |way: Way| format!("{}{}", ["p", "q"][way.variable], "->next".repeat(way.next));
    let value = |to: Way, index: Index| match (shape, index) {
        (Shape::Lists, _) => format!("{}->v", way(to)),
        (Shape::Arrays, Index::Known(i)) => format!("{}[{i}]", way(to)),
        (Shape::Arrays, Index::Given) => format!("{}[n & 3]", way(to)),
    };
    match step {
        Step::IfNull(a) => format!("if ({} == 0) return {number};", way(a)),
        Step::IfSame(a, b) => format!("if ({} == {}) return {number};", way(a), way(b)),
        Step::IfValue(a, index, c) => format!("if (({} & 3) == {c}) return {number};", value(a, index)),
        Step::Store(a, index, c) => format!("{} = {c};", value(a, index)),
        Step::Assign(variable, a) => format!("{} = {};", ["p", "q"][variable], way(a)),
        Step::Advance(variable) => format!("{}++;", ["p", "q"][variable]),
    }
}

/// A pointer: null, or an element of an object. `past` says that the caller passed it as one past the end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Pointer {
    object: Option<usize>,
    at: usize,
    past: bool,
}

const NULL: Pointer = Pointer { object: None, at: 0, past: false };

/// An array, or a node: one value and where it leads.
#[derive(Clone, Debug)]
struct Object {
    values: Vec<u8>,
    next: Pointer,
}

#[derive(Clone, Debug)]
struct Graph {
    objects: Vec<Object>,
    /// `p` and `q`
    variables: [Pointer; 2],
    n: u8,
}

enum Wrong {
    Error(&'static str),
    /// Nobody passes a pointer past the end to have it used.
    Unused,
}

impl Graph {
    fn follow(&self, way: Way) -> Result<Pointer, Wrong> {
        let mut pointer = self.variables[way.variable];
        for _ in 0..way.next {
            let (object, _) = self.element(pointer, 0, "read")?;
            pointer = self.objects[object].next;
        }
        Ok(pointer)
    }

    fn element(&self, pointer: Pointer, index: usize, verb: &str) -> Result<(usize, usize), Wrong> {
        let Some(object) = pointer.object else { return Err(Wrong::Error("null-dereference")) };
        let at = pointer.at + index;
        if at < self.objects[object].values.len() {
            return Ok((object, at));
        }
        match (pointer.past, verb) {
            (true, _) => Err(Wrong::Unused),
            (_, "read") => Err(Wrong::Error("out-of-bounds-read")),
            _ => Err(Wrong::Error("out-of-bounds-write")),
        }
    }

    fn index(&self, index: Index, shape: Shape) -> usize {
        match (shape, index) {
            (Shape::Lists, _) => 0,
            (_, Index::Known(i)) => i,
            (_, Index::Given) => usize::from(self.n & 3),
        }
    }

    /// Whether a step returns.
    fn step(&mut self, step: Step, shape: Shape) -> Result<bool, Wrong> {
        match step {
            Step::IfNull(a) => Ok(self.follow(a)? == NULL),
            Step::IfSame(a, b) => {
                let (a, b) = (self.follow(a)?, self.follow(b)?);
                Ok((a.object, a.at) == (b.object, b.at))
            }
            Step::IfValue(a, index, c) => {
                let (object, at) = self.element(self.follow(a)?, self.index(index, shape), "read")?;
                Ok(self.objects[object].values[at] == c)
            }
            Step::Store(a, index, c) => {
                let (object, at) = self.element(self.follow(a)?, self.index(index, shape), "write")?;
                self.objects[object].values[at] = c;
                Ok(false)
            }
            Step::Assign(variable, a) => {
                self.variables[variable] = self.follow(a)?;
                Ok(false)
            }
            Step::Advance(variable) => {
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
fn arrays(bounds: GraphBounds) -> Vec<Graph> {
    let array = |values: &Vec<u8>| Object { values: values.clone(), next: NULL };
    let all: Vec<Vec<u8>> = (1..=bounds.array).flat_map(contents).collect();
    let at = |object, at, past| Pointer { object: Some(object), at, past };
    let mut shapes: Vec<(Vec<Object>, [Pointer; 2])> = vec![(Vec::new(), [NULL, NULL])];
    for a in &all {
        shapes.push((vec![array(a)], [NULL, at(0, 0, false)]));
        shapes.push((vec![array(a)], [at(0, 0, false), NULL]));
        shapes.extend((0..a.len()).map(|i| (vec![array(a)], [at(0, 0, false), at(0, i, false)])));
        shapes.push((vec![array(a)], [at(0, 0, false), at(0, a.len(), true)]));
        shapes.extend(all.iter().map(|b| (vec![array(a), array(b)], [at(0, 0, false), at(1, 0, false)])));
    }
    let with = |n: u8| {
        shapes.iter().map(move |(objects, variables)| Graph { objects: objects.clone(), variables: *variables, n })
    };
    (0..4).flat_map(with).collect()
}

/// Two lists in at most twice that many nodes, of which each leads to each, to none, or past the end of one.
fn lists(bounds: GraphBounds) -> Vec<Graph> {
    let mut graphs = Vec::new();
    let nodes = bounds.nodes;
    let targets: Vec<Pointer> = std::iter::once(NULL)
        .chain((0..nodes).flat_map(|object| [0, 1].map(|at| Pointer { object: Some(object), at, past: at == 1 })))
        .collect();
    let choices = targets.len();
    for values in contents(nodes) {
        for code in 0..choices.pow(u32::try_from(nodes + 2).unwrap_or(0)) {
            let target = |i: usize| targets[code / choices.pow(u32::try_from(i).unwrap_or(0)) % choices];
            let objects =
                values.iter().enumerate().map(|(i, v)| Object { values: vec![*v], next: target(i) }).collect();
            graphs.push(Graph { objects, variables: [target(nodes), target(nodes + 1)], n: 0 });
        }
    }
    graphs
}
