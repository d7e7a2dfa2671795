//! Which conditions of a path share inputs, kept up to date while the path grows and shrinks.
//!
//! A union-find structure over inputs without path compression, so that every step can be taken back; each class has the
//! list of its conditions. Pushing and popping a condition costs its number of inputs, a slice costs its own length.

use taw_expr::{Term, Terms, Var};

const NONE: u32 = u32::MAX;

/// The partition of one path.
#[derive(Default)]
pub(crate) struct Partition {
    path: Vec<Term>,
    /// Per input.
    classes: Vec<Class>,
    /// Per condition of the path: the next one of its class, or `NONE`.
    next: Vec<u32>,
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

/// What must be taken back.
enum Undo {
    /// `child` went below `root`, whose list ended at `tail` and began at `head`.
    Union { root: u32, child: u32, head: u32, tail: u32 },
    /// The last condition was appended to `root`'s list, which ended at `tail` before.
    Append { root: u32, tail: u32 },
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

    /// The conditions that share inputs with `goal`, directly or through others, in the path's order.
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
        if root != NONE {
            let class = &mut self.classes[root as usize];
            self.history.push(Undo::Append { root, tail: class.tail });
            match class.tail {
                NONE => class.head = at,
                tail => self.next[tail as usize] = at,
            }
            class.tail = at;
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
            above.tail = below.tail;
        }
        self.classes[child as usize].parent = root;
        root
    }

    fn pop(&mut self) {
        self.path.pop();
        self.next.pop();
        let mark = self.marks.pop().unwrap_or(0) as usize;
        while self.history.len() > mark {
            match self.history.pop().expect("longer than its mark") {
                Undo::Append { root, tail } => {
                    let class = &mut self.classes[root as usize];
                    class.tail = tail;
                    match tail {
                        NONE => class.head = NONE,
                        tail => self.next[tail as usize] = NONE,
                    }
                }
                Undo::Union { root, child, head, tail } => {
                    let size = self.classes[child as usize].size;
                    self.classes[child as usize].parent = child;
                    let above = &mut self.classes[root as usize];
                    above.size -= size;
                    (above.head, above.tail) = (head, tail);
                    if tail != NONE {
                        self.next[tail as usize] = NONE;
                    }
                }
            }
        }
    }
}
