//! A path that was executed from its start to its end, as concolic testing keeps it: its conditions, what else could have been decided, and no state.
//!
//! Paths that began alike share what is known of their decisions ([`WalkNode`]): which ways were gone or asked for. So whoever turns one decision after the
//! other, each time from the newest path, turns none twice.
//! Invariant: the witness satisfies every condition; an alternative's goal contradicts the condition at its place.
//! Boundary: which decision is turned is a strategy's business (`search/src/concolic/`), how it is solved `turn.rs`'s.

use std::cell::RefCell;
use std::rc::Rc;

use taw_expr::{Assignment, Marks, Term};
use taw_ir::{EdgeId, FuncId, Inst, Program};

use crate::cx::Engine;
use crate::holds::HoldsTerms;
use crate::input::draw;
use crate::path::{Condition, Decision, Path};
use crate::state::{State, Witness};

/// One side of a branch: the edge that is taken.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct WalkEdge {
    /// The function.
    pub func: FuncId,
    /// The edge.
    pub edge: EdgeId,
}

/// What else could have been decided at a place.
#[derive(Clone, Debug)]
pub(crate) struct Alternative {
    /// What must hold instead.
    pub(crate) goal: Term,
    /// Whether it is all that was not tried, and not one way.
    pub(crate) is_rest: bool,
    edge: Option<WalkEdge>,
}

/// What is known of a decision on all paths that come to it: shared between those.
#[derive(Default, Debug)]
pub(crate) struct WalkNode {
    /// The conditions of paths that went on from here.
    pub(crate) taken: Vec<Term>,
    /// What was asked for.
    pub(crate) asked: Vec<Term>,
    /// Whether what is decided here is up to the inputs (which object is tried, which value): then what is left is what no path took.
    pub(crate) varies: bool,
    /// Whether nothing is left of that, or nobody knows.
    pub(crate) is_exhausted: bool,
}

impl WalkNode {
    /// A path has taken this condition, where an earlier one had these alternatives.
    fn take(&mut self, condition: Term, before: &[Alternative]) {
        let is_single = |way: &Alternative| way.is_rest || before.len() == 1 && way.goal != condition;
        self.varies |= before.iter().any(is_single);
        if !self.taken.contains(&condition) {
            self.taken.push(condition);
        }
    }
}

/// A decision that may be turned.
#[derive(Clone, Debug)]
pub(crate) struct WalkChoice {
    /// Its position among the conditions of the path.
    pub(crate) at: usize,
    /// The edge that was taken, of a branch.
    taken: Option<WalkEdge>,
    pub(crate) alternatives: Vec<Alternative>,
    pub(crate) node: Rc<RefCell<WalkNode>>,
}

impl WalkChoice {
    /// The alternative that is left, if there is one.
    pub(crate) fn open(&self) -> Option<&Alternative> {
        let node = self.node.borrow();
        let is_left = |way: &Alternative| match way.is_rest || node.varies {
            true => !node.is_exhausted,
            false => !node.asked.contains(&way.goal),
        };
        self.alternatives.iter().find(|way| is_left(way) && !node.taken.contains(&way.goal))
    }
}

/// A path that was executed, or is being executed.
#[derive(Default, Debug)]
pub struct WalkedPath {
    pub(crate) path: Path,
    pub(crate) witness: Rc<Assignment>,
    pub(crate) choices: Vec<WalkChoice>,
}

/// Whether a run went the way that its inputs were solved for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Prediction {
    /// It did: the same conditions before, another one there.
    Held,
    /// It did not.
    Failed,
    /// It was given up before it came there.
    Unseen,
}

/// The inputs that a run starts with.
#[derive(Clone, Debug)]
pub enum FirstInputs {
    /// Those of the state that it starts as: mostly zeros.
    Zeros,
    /// The seed of this number.
    Seed(usize),
    /// By chance, of this source.
    Random(u64),
    /// These.
    Solved(Rc<Assignment>),
}

impl Engine<'_> {
    /// A state as `initial`, to be run on these inputs.
    pub fn start_on(&self, initial: &State, inputs: &FirstInputs) -> State {
        let mut state = initial.clone();
        let seeds = std::mem::take(&mut state.seeds);
        match inputs {
            FirstInputs::Zeros => {}
            FirstInputs::Seed(number) => {
                let seed = seeds.into_iter().nth(*number);
                state.witness = seed.as_ref().map_or(state.witness, |seed| seed.witness.clone());
                state.seeds.extend(seed);
            }
            FirstInputs::Solved(assignment) => state.witness = Witness::shared_by(assignment),
            FirstInputs::Random(source) => {
                for (position, made) in initial.inputs.to_vec().into_iter().enumerate() {
                    let mut drawn = state.witness.clone();
                    draw(made, position, *source, &mut drawn);
                    // What holds from the start goes before chance.
                    if state.path.newest_first().all(|condition| drawn.holds(&self.terms, condition.term)) {
                        state.witness = drawn;
                    }
                }
                state.chance = Some(*source);
            }
        }
        state
    }
}

impl WalkedPath {
    /// Notes a state that was split off, which is not kept.
    pub fn note(&mut self, fork: &State, program: &Program) {
        // One that is known to be impossible has no number.
        let Some(pending) = fork.pending.as_ref().filter(|pending| pending.number.is_some()) else { return };
        let at = fork.path.len();
        let alternative = Alternative {
            goal: pending.condition.term,
            is_rest: pending.is_rest(),
            edge: fork.entering.map(|edge| WalkEdge { func: fork.top.func, edge }),
        };
        match self.choices.last_mut().filter(|last| last.at == at) {
            Some(last) => last.alternatives.push(alternative),
            None => {
                let taken = pending.condition.decided.and_then(|way| other_edge(program, way));
                let (alternatives, node) = (vec![alternative], Rc::default());
                self.choices.push(WalkChoice { at, taken, alternatives, node });
            }
        }
    }

    /// The run is over, or is given up: takes the conditions of its state. `from` is the path that was turned and the number of the decision in it.
    pub fn conclude(&mut self, state: &State, from: Option<(&WalkedPath, usize)>) -> Prediction {
        (self.path, self.witness) = (state.path.clone(), state.witness.shared());
        // A run that was ended in the midst of an instruction may have split off what it did not decide.
        self.choices.retain(|choice| choice.at < self.path.len());
        let prediction = from.map_or(Prediction::Held, |(walk, choice)| self.prediction(walk, &walk.choices[choice]));
        if let (Prediction::Failed, Some((walk, choice))) = (prediction, from) {
            // What is left there, nobody knows: asking again would not end.
            walk.choices[choice].node.borrow_mut().is_exhausted = true;
        }
        let conditions = self.path.conditions();
        let shared = from.filter(|_| prediction == Prediction::Held);
        for choice in &mut self.choices {
            let same = shared.and_then(|(walk, turned)| walk.choices[..=turned].iter().find(|c| c.at == choice.at));
            let taken = conditions[choice.at].term;
            if let Some(same) = same {
                choice.node = Rc::clone(&same.node);
            }
            let mut node = choice.node.borrow_mut();
            match shared {
                // The same way until there.
                Some((walk, turned)) if choice.at < walk.choices[turned].at && same.is_some() => {}
                _ => node.take(taken, same.map_or(&[], |same| &same.alternatives)),
            }
        }
        prediction
    }

    fn prediction(&self, before: &WalkedPath, choice: &WalkChoice) -> Prediction {
        let (mine, theirs) = (self.path.conditions(), before.path.conditions());
        let same = |(a, b): (&&Condition, &&Condition)| a.term == b.term && a.decided == b.decided;
        match mine.get(choice.at) {
            _ if !mine.iter().zip(&theirs).take(choice.at).all(same) => Prediction::Failed,
            None => Prediction::Unseen,
            Some(there) if there.term == theirs[choice.at].term => Prediction::Failed,
            Some(there) => {
                // Of several ways it must be one. Else the inputs may decide what is asked here: then it is one that no path took.
                let is_one = |way: &Alternative| way.goal == there.term;
                let is_other = || choice.alternatives.len() == 1 && !choice.node.borrow().taken.contains(&there.term);
                match choice.alternatives.iter().any(is_one) || is_other() {
                    true => Prediction::Held,
                    false => Prediction::Failed,
                }
            }
        }
    }

    /// How many decisions may be turned.
    pub fn choices(&self) -> usize {
        self.choices.len()
    }

    /// How many conditions the path has.
    pub fn conditions(&self) -> usize {
        self.path.len()
    }

    /// The first decision that comes after the one of that number in another path.
    pub fn after(&self, other: &WalkedPath, choice: usize) -> usize {
        self.choices.partition_point(|mine| mine.at <= other.choices[choice].at)
    }

    /// Whether a decision has a way that nobody has asked for.
    pub fn is_open(&self, choice: usize) -> bool {
        self.choices.get(choice).is_some_and(|choice| choice.open().is_some())
    }

    /// The sides of a branch: the one that was taken, and the one that would be turned to.
    pub fn sides(&self, choice: usize) -> Option<(WalkEdge, WalkEdge)> {
        let choice = self.choices.get(choice)?;
        let other = choice.open().or(choice.alternatives.first())?;
        Some((choice.taken?, other.edge?))
    }

    /// The inputs that it was executed with.
    pub fn inputs(&self) -> &Rc<Assignment> {
        &self.witness
    }
}

/// The edge that was taken where the other way of a branch was split off.
fn other_edge(program: &Program, left: Decision) -> Option<WalkEdge> {
    match program.functions[left.func].code.get(left.pc as usize)? {
        Inst::CondBr { then, otherwise, .. } => {
            Some(WalkEdge { func: left.func, edge: if left.way == 1 { *otherwise } else { *then } })
        }
        _ => None,
    }
}

impl HoldsTerms for WalkedPath {
    fn mark(&self, marks: &mut Marks) {
        let WalkedPath { path, witness: _, choices } = self;
        path.mark(marks);
        for WalkChoice { at: _, taken: _, alternatives, node } in choices {
            alternatives.iter().for_each(|way| way.goal.mark(marks));
            if marks.is_first(node) {
                let node = node.borrow();
                node.taken.mark(marks);
                node.asked.mark(marks);
            }
        }
    }
}
