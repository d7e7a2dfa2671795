//! Which conditions of a path share inputs, kept up to date while the path grows and shrinks.
//!
//! A union-find structure over inputs without path compression, so that every step can be taken back; each class has the
//! list of its conditions. Pushing and popping a condition costs its number of inputs, a slice costs its own length.
//!
//! Of several bounds of one term on one side the tightest says what the others say, so the others are in no list: a loop that goes on while `i < n`
//! leaves one condition in a slice, not one for each turn.

use rustc_hash::FxHashMap;
use taw_expr::{Term, Terms, Var};

use crate::bounds::NumberView;
use crate::difference::{self, Difference};

const NONE: u32 = u32::MAX;

/// The partition of one path.
#[derive(Default)]
pub(crate) struct Partition {
    path: Vec<Term>,
    /// Per input.
    classes: Vec<Class>,
    /// Per condition of the path: the next one of its class and the one before, or `NONE`. What was taken out of a list keeps its neighbours, to go back.
    next: Vec<u32>,
    before: Vec<u32>,
    /// The tightest bounds.
    tightest: FxHashMap<BoundedSide, Tightest>,
    /// Per condition: where the history stood before it.
    marks: Vec<u32>,
    history: Vec<Undo>,
}

#[derive(Clone, Copy)]
struct Class {
    parent: u32,
    size: u32,
    /// First and last condition, or `NONE`.
    head: u32,
    tail: u32,
}

/// A term as a number, and whether it is bounded above.
type BoundedSide = (Term, NumberView, bool);

/// A bound and its condition.
#[derive(Clone, Copy)]
struct Tightest {
    bound: i128,
    at: u32,
}

/// What must be taken back.
enum Undo {
    /// `child` went below `root`, whose list ended at `tail` and began at `head`.
    Union { root: u32, child: u32, head: u32, tail: u32 },
    /// The last condition was appended to `root`'s list, which ended at `tail` before.
    Append { root: u32, tail: u32 },
    /// A condition was taken out of `root`'s list.
    Unlink { root: u32, at: u32 },
    /// A bound became the tightest of its side.
    Tighten { side: BoundedSide, before: Option<Tightest> },
}

impl Partition {
    /// How many conditions of `path` are in it already, from the start.
    pub fn shared(&self, path: &[Term]) -> usize {
        // By the block first: paths are long and mostly the same.
        const BLOCK: usize = 64;
        let (mine, theirs) = (self.path.chunks(BLOCK), path.chunks(BLOCK));
        let same = mine.zip(theirs).take_while(|(a, b)| a == b).count() * BLOCK;
        let start = same.min(self.path.len()).min(path.len());
        start + self.path[start..].iter().zip(&path[start..]).take_while(|(a, b)| a == b).count()
    }

    /// The length of the path.
    pub fn len(&self) -> usize {
        self.path.len()
    }

    /// Makes it the partition of `path`.
    pub fn set_path(&mut self, terms: &Terms, path: &[Term]) {
        let shared = self.shared(path);
        while self.path.len() > shared {
            self.pop();
        }
        path[shared..].iter().for_each(|&t| self.push(terms, t));
    }

    /// The conditions that share inputs with `goal`, directly or through others, in the path's order, without those that a tighter bound says.
    pub fn slice(&mut self, terms: &Terms, goal: Term) -> Vec<Term> {
        let mut roots: Vec<u32> = Vec::new();
        for v in terms.vars_in(terms.vars_of(goal)) {
            let root = self.root(v);
            if !roots.contains(&root) {
                roots.push(root);
            }
        }
        let mut found: Vec<u32> = Vec::new();
        for root in roots {
            let mut at = self.classes[root as usize].head;
            while at != NONE {
                found.push(at);
                at = self.next[at as usize];
            }
        }
        found.sort_unstable();
        found.into_iter().map(|at| self.path[at as usize]).collect()
    }

    fn root(&mut self, v: Var) -> u32 {
        let mut at = v.0;
        while self.classes.len() <= at as usize {
            let parent = self.classes.len() as u32;
            self.classes.push(Class { parent, size: 1, head: NONE, tail: NONE });
        }
        while self.classes[at as usize].parent != at {
            at = self.classes[at as usize].parent;
        }
        at
    }

    fn push(&mut self, terms: &Terms, t: Term) {
        self.marks.push(self.history.len() as u32);
        let mut root = NONE;
        for v in terms.vars_in(terms.vars_of(t)) {
            let other = self.root(v);
            root = if root == NONE || root == other { other } else { self.union(root, other) };
        }
        let at = self.path.len() as u32;
        self.path.push(t);
        self.next.push(NONE);
        self.before.push(NONE);
        if root != NONE && self.tells_something(terms, t, root, at) {
            self.append(root, at);
        }
    }

    /// Whether a condition says more than the bounds before it; those that say no more than this one go.
    fn tells_something(&mut self, terms: &Terms, t: Term, root: u32, at: u32) -> bool {
        let Some((side, bound)) = bound_of(terms, t) else { return true };
        let before = self.tightest.get(&side).copied();
        if before.is_some_and(|before| before.bound <= bound) {
            return false;
        }
        self.tightest.insert(side, Tightest { bound, at });
        self.history.push(Undo::Tighten { side, before });
        if let Some(Tightest { at, .. }) = before {
            self.unlink(root, at);
        }
        true
    }

    fn append(&mut self, root: u32, at: u32) {
        let class = &mut self.classes[root as usize];
        self.history.push(Undo::Append { root, tail: class.tail });
        match class.tail {
            NONE => class.head = at,
            tail => self.next[tail as usize] = at,
        }
        self.before[at as usize] = class.tail;
        class.tail = at;
    }

    fn unlink(&mut self, root: u32, at: u32) {
        self.history.push(Undo::Unlink { root, at });
        let (before, next) = (self.before[at as usize], self.next[at as usize]);
        self.tie(root, before, next);
        self.tie_back(root, next, before);
    }

    /// `next` comes behind `before` in a list, or first.
    fn tie(&mut self, root: u32, before: u32, next: u32) {
        match before {
            NONE => self.classes[root as usize].head = next,
            before => self.next[before as usize] = next,
        }
    }

    /// `before` stands before `next` in a list, or last.
    fn tie_back(&mut self, root: u32, next: u32, before: u32) {
        match next {
            NONE => self.classes[root as usize].tail = before,
            next => self.before[next as usize] = before,
        }
    }

    /// Joins two classes; gives the root.
    fn union(&mut self, a: u32, b: u32) -> u32 {
        let (root, child) = match self.classes[a as usize].size >= self.classes[b as usize].size {
            true => (a, b),
            false => (b, a),
        };
        let below = self.classes[child as usize];
        let above = &mut self.classes[root as usize];
        self.history.push(Undo::Union { root, child, head: above.head, tail: above.tail });
        above.size += below.size;
        if below.head != NONE {
            match above.tail {
                NONE => above.head = below.head,
                tail => self.next[tail as usize] = below.head,
            }
            self.before[below.head as usize] = above.tail;
            above.tail = below.tail;
        }
        self.classes[child as usize].parent = root;
        root
    }

    fn pop(&mut self) {
        self.path.pop();
        let mark = self.marks.pop().unwrap_or(0) as usize;
        while self.history.len() > mark {
            let undo = self.history.pop().expect("longer than its mark");
            self.take_back(undo);
        }
        self.next.pop();
        self.before.pop();
    }

    /// The last step as if it had not been.
    fn take_back(&mut self, undo: Undo) {
        match undo {
            Undo::Append { root, tail } => {
                self.classes[root as usize].tail = tail;
                self.tie(root, tail, NONE);
            }
            Undo::Unlink { root, at } => {
                self.tie(root, self.before[at as usize], at);
                self.tie_back(root, self.next[at as usize], at);
            }
            Undo::Tighten { side, before } => match before {
                Some(before) => drop(self.tightest.insert(side, before)),
                None => drop(self.tightest.remove(&side)),
            },
            Undo::Union { root, child, head, tail } => {
                let below = self.classes[child as usize];
                self.classes[child as usize].parent = child;
                let above = &mut self.classes[root as usize];
                above.size -= below.size;
                (above.head, above.tail) = (head, tail);
                if tail != NONE {
                    self.next[tail as usize] = NONE;
                }
                if below.head != NONE {
                    self.before[below.head as usize] = NONE;
                }
            }
        }
    }
}

/// A condition that says nothing but that a term is at most (or at least: both negated) a number.
fn bound_of(terms: &Terms, t: Term) -> Option<(BoundedSide, i128)> {
    match difference::read_as(terms, t, true)[..] {
        [Difference { view, left: Some(t), right: None, bound }] => Some(((t, view, true), bound)),
        [Difference { view, left: None, right: Some(t), bound }] => Some(((t, view, false), bound)),
        _ => None,
    }
}
