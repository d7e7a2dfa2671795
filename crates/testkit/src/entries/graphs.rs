//! All object graphs that `docs/soundness.md` lists, for each kind of parameters, and those that it does not.
//!
//! What is decided is decided in every way: [`Deciding`] is a sequence of choices, of which the last that has another way is changed from one run
//! to the next. Where the parameters point is decided first, the rest where it is looked at, which is the same as trying all graphs that are
//! written out (see the test below) and takes thousands of runs where that takes millions.

use std::collections::BTreeSet;

use super::heap::{CallEnd, Heap, HeapObject, HeapPointer, NULL};
use super::steps::{EntryKind, RandomFunction};

/// Which graphs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum GraphScope {
    /// Those that the list says are tried, within the bounds of [`options`]; of three arrays those that are tried whether or not all are used.
    Tried,
    /// Also those that it calls not tried: a verdict about every caller must hold for them.
    All,
}

/// The most elements of an array, and nodes of a list, that are tried.
const ELEMENTS: usize = 3;
const NODES: usize = 3;

/// How Taw is told about the bounds.
pub(super) fn options(kind: EntryKind) -> Vec<String> {
    match kind {
        EntryKind::Arrays | EntryKind::ManyArrays => vec!["--max-array".to_owned(), ELEMENTS.to_string()],
        EntryKind::Lists => vec!["--max-nesting".to_owned(), NODES.to_string(), "--alias".into(), "cyclic".into()],
        EntryKind::Globals => vec!["--globals".to_owned(), "unknown".to_owned()],
        EntryKind::Pairs | EntryKind::ManyPairs | EntryKind::Members | EntryKind::InitialGlobals => Vec::new(),
    }
}

/// Choices, one way after another.
pub(super) struct Deciding {
    /// What was chosen, and of how many.
    made: Vec<(usize, usize)>,
    at: usize,
    /// The most nodes that a list may have.
    nodes: usize,
}

impl Deciding {
    fn new(scope: GraphScope) -> Self {
        let nodes = if scope == GraphScope::Tried { NODES } else { NODES + 3 };
        Deciding { made: Vec::new(), at: 0, nodes }
    }

    /// One of that many.
    pub fn choose(&mut self, ways: usize) -> usize {
        if self.at == self.made.len() {
            self.made.push((0, ways));
        }
        self.at += 1;
        self.made[self.at - 1].0
    }

    /// Begins anew with other choices; false if there were none left.
    fn changes(&mut self) -> bool {
        self.at = 0;
        while let Some((chosen, ways)) = self.made.pop() {
            if chosen + 1 < ways {
                self.made.push((chosen + 1, ways));
                return true;
            }
        }
        false
    }

    /// Where a node leads: nowhere, to a node, past the end of one, or to one that nobody has met.
    pub fn next_node(&mut self, heap: &mut Heap) -> HeapPointer {
        let known = heap.objects.len();
        let has_more = known < self.nodes;
        match self.choose(1 + 2 * known + usize::from(has_more)) {
            0 => NULL,
            way if way <= known => cell(way - 1, 0),
            way if way <= 2 * known => past(way - known - 1, 1),
            _ => heap.add(1),
        }
    }
}

fn cell(object: usize, at: usize) -> HeapPointer {
    HeapPointer { object: Some(object), at, past: false }
}

fn past(object: usize, len: usize) -> HeapPointer {
    HeapPointer { object: Some(object), at: len, past: true }
}

impl Heap {
    fn add(&mut self, cells: usize) -> HeapPointer {
        self.objects.push(HeapObject { cells: vec![None; cells], next: None });
        cell(self.objects.len() - 1, 0)
    }

    /// A cell of an object from one on, or just past its last one.
    fn anywhere_in(&self, object: usize, from: usize, deciding: &mut Deciding) -> HeapPointer {
        let len = self.objects[object].cells.len();
        match from + deciding.choose(len + 1 - from) {
            at if at == len => past(object, len),
            at => cell(object, at),
        }
    }

    /// The parameters as a caller may pass them.
    fn passed(kind: EntryKind, scope: GraphScope, deciding: &mut Deciding) -> Heap {
        let mut heap = Heap { objects: Vec::new(), variables: [NULL; 4], n: None };
        match kind {
            EntryKind::Arrays | EntryKind::ManyArrays => heap.pass_arrays(kind, scope, deciding),
            EntryKind::Lists => {
                let both = [0, 1].map(|_| deciding.next_node(&mut heap));
                heap.set(both);
            }
            EntryKind::Pairs | EntryKind::ManyPairs => {
                for variable in 0..kind.pointers() {
                    heap.variables[variable] = heap.pass_pair(deciding);
                }
            }
            EntryKind::Members => heap.pass_members(deciding),
            EntryKind::Globals | EntryKind::InitialGlobals => {
                let known = |value: u8| (kind == EntryKind::InitialGlobals).then_some(value);
                let global = |cells: &[u8]| HeapObject { cells: cells.iter().map(|v| known(*v)).collect(), next: None };
                heap.objects = vec![global(&[1, 2]), global(&[3, 0, 1])];
                heap.variables = [NULL, NULL, cell(0, 0), cell(1, 0)];
                heap.pass_members(deciding);
            }
        }
        heap
    }

    /// A pointer may be null, have an array of its own, or point into an earlier one's or past its end. Of all graphs, each may be anywhere in its array.
    fn pass_arrays(&mut self, kind: EntryKind, scope: GraphScope, deciding: &mut Deciding) {
        let most = match (scope, kind) {
            (GraphScope::Tried, _) => ELEMENTS,
            // Of three arrays there are many graphs.
            (GraphScope::All, EntryKind::ManyArrays) => ELEMENTS + 1,
            (GraphScope::All, _) => ELEMENTS + 2,
        };
        for variable in 0..kind.pointers() {
            let known = self.objects.len();
            self.variables[variable] = match deciding.choose(2 + known) {
                0 => NULL,
                1 => {
                    let len = 1 + deciding.choose(most);
                    let first = self.add(len);
                    match scope {
                        GraphScope::Tried => first,
                        GraphScope::All => self.anywhere_in(known, 0, deciding),
                    }
                }
                way => {
                    let object = way - 2;
                    // Where the first of three is not used, the others are tried as two are: the later one behind the earlier.
                    let is_ordered = scope == GraphScope::Tried && kind == EntryKind::ManyArrays;
                    let before = self.variables[..variable].iter().filter(|other| other.object == Some(object));
                    let from = before.map(|other| other.at).max().filter(|_| is_ordered);
                    self.anywhere_in(object, from.unwrap_or(0), deciding)
                }
            };
        }
    }

    fn pass_pair(&mut self, deciding: &mut Deciding) -> HeapPointer {
        let known = self.objects.len();
        match deciding.choose(2 + 2 * known) {
            0 => NULL,
            1 => self.add(2),
            way if way < 2 + known => cell(way - 2, 0),
            way => past(way - 2 - known, 2),
        }
    }

    fn set(&mut self, [p, q]: [HeapPointer; 2]) {
        [self.variables[0], self.variables[1]] = [p, q];
    }

    /// `*q` has one value and then a pair, which `p` may be; both may be global variables. Just past each is a place as well.
    fn pass_members(&mut self, deciding: &mut Deciding) {
        let has_globals = !self.objects.is_empty();
        let outer = if has_globals { vec![cell(1, 0), past(1, 3)] } else { Vec::new() };
        let q = match deciding.choose(2 + outer.len()) {
            0 => NULL,
            1 => self.add(3),
            way => outer[way - 2],
        };
        let mut pairs = Vec::new();
        if has_globals {
            pairs.extend([cell(0, 0), past(0, 2), cell(1, 1), past(1, 3)]);
        }
        if let Some(own) = q.object.filter(|own| !(has_globals && *own == 1)) {
            pairs.extend([cell(own, 1), past(own, 3)]);
        }
        let p = match deciding.choose(2 + pairs.len()) {
            0 => NULL,
            1 => self.add(2),
            way => pairs[way - 2],
        };
        self.set([p, q]);
    }
}

impl RandomFunction {
    /// How calls end with each graph.
    pub fn truth(&self, scope: GraphScope) -> BTreeSet<CallEnd> {
        let mut deciding = Deciding::new(scope);
        let mut ends = BTreeSet::new();
        loop {
            let heap = Heap::passed(self.kind, scope, &mut deciding);
            ends.extend(self.run(heap, &mut deciding));
            if !deciding.changes() {
                return ends;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::steps::EntryChance;
    use super::*;

    /// All contents of that many values of two bits.
    fn contents(len: usize) -> Vec<Vec<Option<u8>>> {
        (0..4usize.pow(u32::try_from(len).unwrap()))
            .map(|code| (0..len).map(|i| u8::try_from(code >> (2 * i) & 3).ok()).collect())
            .collect()
    }

    /// Two lists in that many nodes, of which each leads to each, to none, or past the end of one: all graphs, written out.
    fn lists(nodes: usize) -> Vec<Heap> {
        let targets: Vec<HeapPointer> =
            std::iter::once(NULL).chain((0..nodes).flat_map(|object| [cell(object, 0), past(object, 1)])).collect();
        let choices = targets.len();
        let mut graphs = Vec::new();
        for values in contents(nodes) {
            for code in 0..choices.pow(u32::try_from(nodes + 2).unwrap()) {
                let target = |i: usize| targets[code / choices.pow(u32::try_from(i).unwrap()) % choices];
                let node = |(i, v): (usize, &Option<u8>)| HeapObject { cells: vec![*v], next: Some(target(i)) };
                let objects = values.iter().enumerate().map(node).collect();
                graphs.push(Heap { objects, variables: [target(nodes), target(nodes + 1), NULL, NULL], n: None });
            }
        }
        graphs
    }

    /// Two arrays, and `q` anywhere in `p`'s, written out.
    fn arrays(most: usize) -> Vec<Heap> {
        let array = |cells: &Vec<Option<u8>>| HeapObject { cells: cells.clone(), next: None };
        let all: Vec<Vec<Option<u8>>> = (1..=most).flat_map(contents).collect();
        let mut shapes = vec![(Vec::new(), [NULL, NULL])];
        for a in &all {
            shapes.push((vec![array(a)], [NULL, cell(0, 0)]));
            shapes.push((vec![array(a)], [cell(0, 0), NULL]));
            shapes.extend((0..a.len()).map(|i| (vec![array(a)], [cell(0, 0), cell(0, i)])));
            shapes.push((vec![array(a)], [cell(0, 0), past(0, a.len())]));
            shapes.extend(all.iter().map(|b| (vec![array(a), array(b)], [cell(0, 0), cell(1, 0)])));
        }
        let with = |n: usize| {
            shapes.iter().map(move |(objects, variables)| Heap {
                objects: objects.clone(),
                variables: [variables[0], variables[1], NULL, NULL],
                n: Some(n),
            })
        };
        (0..4).flat_map(with).collect()
    }

    /// Deciding where it is looked at is the same as trying everything.
    #[test]
    fn what_nobody_looks_at_need_not_be_tried() {
        let (lists, arrays) = (lists(2), arrays(ELEMENTS));
        let mut text = String::new();
        let mut compared = 0;
        for number in 0..300 {
            let function = RandomFunction::random(&mut EntryChance::new(number), 0, false, &mut text);
            let graphs = match function.kind {
                EntryKind::Lists => &lists,
                EntryKind::Arrays => &arrays,
                _ => continue,
            };
            let mut deciding = Deciding { nodes: 2, ..Deciding::new(GraphScope::Tried) };
            let mut ends = BTreeSet::new();
            loop {
                let heap = Heap::passed(function.kind, GraphScope::Tried, &mut deciding);
                ends.extend(function.run(heap, &mut deciding));
                if !deciding.changes() {
                    break;
                }
            }
            let all: BTreeSet<CallEnd> = graphs
                .iter()
                .filter_map(|graph| function.run(graph.clone(), &mut Deciding::new(GraphScope::Tried)))
                .collect();
            assert_eq!(ends, all, "{}", function.text);
            compared += 1;
        }
        assert!(compared > 100);
    }
}
