//! Comparisons between the same terms: sorting, searching and the like, without a back end.
//!
//! Comparisons of terms with each other and with constants are difference constraints `x - y <= c` over integers; a
//! contradiction among them is a cycle of negative length. The witness satisfies the path's, so only the goal's can be
//! violated, and repairing it either reaches a new solution or comes back to where it began (S. Cotton and O. Maler,
//! "Fast and flexible difference constraint propagation", 2006).
//!
//! Boundary: other conditions are not looked at; so a contradiction is a proof, a solution is only a candidate.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;
use taw_expr::{Term, Terms};

use crate::bounds::NumberView;
use crate::difference::{self, Difference};
use crate::force::Force;
use crate::{Chain, Query, Stage, StageCx, StageDef, StageKind, Verdict};

pub(super) const DEF: StageDef = StageDef {
    name: "order",
    help: "comparisons between the same terms, by difference constraints",
    kind: StageKind::Filter,
    new: || Box::new(Order::default()),
};

/// Where values may move while a violated difference is repaired.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
enum Direction {
    #[default]
    Down,
    Up,
}

/// `left - right <= bound`, by node.
#[derive(Clone, Copy, Debug)]
struct OrderEdge {
    left: u32,
    right: u32,
    bound: i128,
    /// The position of its condition in the path; the goal's is the path's length. `None`: the range of a term.
    condition: Option<u32>,
}

#[derive(Default)]
struct Order {
    /// The differences that a condition consists of; empty for others.
    known: FxHashMap<Term, Box<[Difference]>>,
}

impl Stage for Order {
    fn solve(&mut self, cx: &mut StageCx<'_>, query: &Query<'_>, rest: &mut Chain<'_>) -> Verdict {
        if self.differences(cx.terms, query.goal).is_empty() {
            return rest.solve(cx, query);
        }
        cx.scratch.begin();
        let mut graph = Graph { direction: self.direction(cx, query), ..Graph::default() };
        for (at, &t) in query.path.iter().chain([&query.goal]).enumerate() {
            for difference in self.differences(cx.terms, t) {
                graph.add(cx, query, difference, at as u32);
            }
        }
        match graph.repair(query.path.len() as u32) {
            Err(cycle) => {
                cx.core = Some(cycle.iter().filter_map(|&at| query.path.get(at as usize).copied()).collect());
                Verdict::Unsat
            }
            Ok(()) => {
                let mut force = Force::new(query.witness.clone(), 0);
                let moved = graph.moved().all(|(t, value)| force.value(cx.terms, cx.scratch, t, value));
                let conditions = || [&query.goal].into_iter().chain(query.path);
                match moved && cx.scratch.all_hold(cx.terms, &force.model, conditions()) {
                    true => Verdict::Sat(force.model),
                    false => rest.solve(cx, query),
                }
            }
        }
    }

    fn collected(&mut self, terms: &Terms) -> bool {
        self.known.retain(|t, _| terms.has(*t));
        true
    }
}

impl Order {
    fn differences(&mut self, terms: &Terms, t: Term) -> &[Difference] {
        self.known.entry(t).or_insert_with(|| difference::read_as(terms, t, true).into())
    }

    /// Upwards if it is a lower bound that the witness violates, so that the terms move and not the constants.
    fn direction(&mut self, cx: &mut StageCx<'_>, query: &Query<'_>) -> Direction {
        let mut value = |t: Option<Term>, view: NumberView| {
            t.map_or(0, |t| view.number(cx.terms.width(t), cx.scratch.eval(cx.terms, query.witness, t)))
        };
        let is_violated = |d: &&Difference| value(d.left, d.view) - value(d.right, d.view) > d.bound;
        let goal = self.known.get(&query.goal).map_or(&[][..], |d| d);
        match goal.iter().find(is_violated) {
            Some(Difference { left: None, .. }) => Direction::Up,
            _ => Direction::Down,
        }
    }
}

/// The nodes are terms under a view, and one for zero; each has a value that begins at the witness's.
///
/// Moving up is moving down with all signs changed: `x - y <= c` is `(-y) - (-x) <= c`.
#[derive(Default)]
struct Graph {
    direction: Direction,
    nodes: Vec<(Option<Term>, i128)>,
    /// Values under the witness, to see what moved.
    before: Vec<i128>,
    ids: FxHashMap<(Option<Term>, NumberView), u32>,
    edges: Vec<OrderEdge>,
    /// Per node: the edges whose right side it is.
    from: Vec<Vec<u32>>,
}

impl Graph {
    fn add(&mut self, cx: &mut StageCx<'_>, query: &Query<'_>, d: &Difference, at: u32) {
        let left = self.node(cx, query, d.left, d.view);
        let right = self.node(cx, query, d.right, d.view);
        self.edge(OrderEdge { left, right, bound: d.bound, condition: Some(at) });
    }

    fn edge(&mut self, mut edge: OrderEdge) {
        if self.direction == Direction::Up {
            std::mem::swap(&mut edge.left, &mut edge.right);
        }
        self.from[edge.right as usize].push(self.edges.len() as u32);
        self.edges.push(edge);
    }

    fn node(&mut self, cx: &mut StageCx<'_>, query: &Query<'_>, t: Option<Term>, view: NumberView) -> u32 {
        if let Some(&id) = self.ids.get(&(t, view)) {
            return id;
        }
        let id = self.nodes.len() as u32;
        self.ids.insert((t, view), id);
        let (width, value) = match t {
            None => (0, 0),
            Some(t) => {
                let width = cx.terms.width(t);
                (width, view.number(width, cx.scratch.eval(cx.terms, query.witness, t)))
            }
        };
        let value = self.signed(value);
        self.nodes.push((t, value));
        self.before.push(value);
        self.from.push(vec![]);
        if t.is_some() {
            let (low, high) = view.limits(width);
            let zero = self.node(cx, query, None, view);
            self.edge(OrderEdge { left: id, right: zero, bound: high, condition: None });
            self.edge(OrderEdge { left: zero, right: id, bound: -low, condition: None });
        }
        id
    }

    fn signed(&self, value: i128) -> i128 {
        if self.direction == Direction::Up { -value } else { value }
    }

    /// Lowers values until every edge holds; the conditions of a contradiction if there is none such.
    ///
    /// Precondition: all edges but those of the goal hold.
    fn repair(&mut self, goal: u32) -> Result<(), Vec<u32>> {
        let goals: Vec<u32> =
            (0..self.edges.len() as u32).filter(|&e| self.edges[e as usize].condition == Some(goal)).collect();
        // One edge at a time: when it is added, all before it hold.
        goals.iter().enumerate().try_for_each(|(i, &e)| self.repair_edge(e, &goals[i + 1..]))
    }

    fn repair_edge(&mut self, first: u32, not_yet: &[u32]) -> Result<(), Vec<u32>> {
        let begin = self.edges[first as usize].right;
        let mut lowered_by: Vec<u32> = vec![u32::MAX; self.nodes.len()];
        let mut queue = VecDeque::from([first]);
        // Enough for any path that its witness satisfies; a wrong witness must not hang.
        let mut steps = self.nodes.len() * self.edges.len() + 1;
        while let Some(e) = queue.pop_front()
            && steps > 0
        {
            steps -= 1;
            let OrderEdge { left, right, bound, .. } = self.edges[e as usize];
            let value = self.nodes[right as usize].1 + bound;
            if self.nodes[left as usize].1 <= value {
                continue;
            }
            if left == begin {
                return Err(self.cycle(e, first, &lowered_by));
            }
            self.nodes[left as usize].1 = value;
            lowered_by[left as usize] = e;
            queue.extend(self.from[left as usize].iter().filter(|e| !not_yet.contains(e)));
        }
        Ok(())
    }

    /// The conditions on the way back from edge `last` to the edge that everything began with.
    fn cycle(&self, last: u32, first: u32, lowered_by: &[u32]) -> Vec<u32> {
        let mut conditions: Vec<u32> = Vec::new();
        let mut e = last;
        loop {
            conditions.extend(self.edges[e as usize].condition);
            if e == first {
                break;
            }
            e = lowered_by[self.edges[e as usize].right as usize];
        }
        conditions.sort_unstable();
        conditions.dedup();
        conditions
    }

    /// The terms whose values changed, with their bits; zero stays where it is.
    fn moved(&self) -> impl Iterator<Item = (Term, u64)> + '_ {
        let zero = |view| self.ids.get(&(None, view)).map_or(0, |&id| self.nodes[id as usize].1);
        let mut ids: Vec<(u32, NumberView)> = self.ids.iter().map(|(&(_, view), &id)| (id, view)).collect();
        ids.sort_unstable_by_key(|&(id, _)| id);
        ids.into_iter().filter_map(move |(id, view)| {
            let (t, value) = self.nodes[id as usize];
            let value = value - zero(view);
            (value != self.before[id as usize]).then_some((t?, self.signed(value) as u64))
        })
    }
}
