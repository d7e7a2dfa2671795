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
    /// Conditions of ways that were gone, or asked for.
    pub(crate) done: Vec<Term>,
    /// Of things that are tried one after the other: that it is none of those which paths went.
    pub(crate) excluded: Vec<Term>,
    /// Whether nothing else is left of these, or nobody knows.
    pub(crate) is_exhausted: bool,
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
    /// The alternative that nobody has asked for yet, if there is one.
    pub(crate) fn open(&self) -> Option<&Alternative> {
        let node = self.node.borrow();
        let is_open = |way: &&Alternative| match way.is_rest {
            true => !node.is_exhausted,
            false => !node.done.contains(&way.goal),
        };
        self.alternatives.iter().find(is_open)
    }
}

/// A path that was executed, or is being executed.
#[derive(Default, Debug)]
pub struct Walk {
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

impl Walk {
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
    pub fn conclude(&mut self, state: &State, from: Option<(&Walk, usize)>) -> Prediction {
        (self.path, self.witness) = (state.path.clone(), state.witness.shared());
        // A run that was ended in the midst of an instruction may have split off what it did not decide.
        self.choices.retain(|choice| choice.at < self.path.len());
        let prediction = from.map_or(Prediction::Held, |(walk, choice)| self.prediction(walk, &walk.choices[choice]));
        let conditions = self.path.conditions();
        let shared = from.filter(|_| prediction == Prediction::Held);
        for choice in &mut self.choices {
            if let Some((walk, turned)) = shared {
                let last = walk.choices[turned].at;
                let same = walk.choices.iter().take(turned + 1).find(|c| c.at == choice.at && c.at <= last);
                choice.node = same.map_or_else(Rc::default, |same| Rc::clone(&same.node));
            }
            let mut node = choice.node.borrow_mut();
            let taken = conditions[choice.at].term;
            if !node.done.contains(&taken) {
                node.done.push(taken);
                node.excluded.extend(choice.alternatives.iter().filter(|way| way.is_rest).map(|way| way.goal));
            }
        }
        prediction
    }

    fn prediction(&self, before: &Walk, choice: &WalkChoice) -> Prediction {
        let (mine, theirs) = (self.path.conditions(), before.path.conditions());
        let same = |(a, b): (&&Condition, &&Condition)| a.term == b.term && a.decided == b.decided;
        match mine.get(choice.at) {
            _ if !mine.iter().zip(&theirs).take(choice.at).all(same) => Prediction::Failed,
            None => Prediction::Unseen,
            Some(there) if there.term == theirs[choice.at].term => Prediction::Failed,
            Some(there) => {
                // Of one way it must be that one; of all that was not tried, anything else will do.
                let is_meant = |way: &Alternative| way.is_rest || way.goal == there.term;
                if choice.alternatives.iter().any(is_meant) { Prediction::Held } else { Prediction::Failed }
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
    pub fn after(&self, other: &Walk, choice: usize) -> usize {
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

impl HoldsTerms for Walk {
    fn mark(&self, marks: &mut Marks) {
        let Walk { path, witness: _, choices } = self;
        path.mark(marks);
        for WalkChoice { at: _, taken: _, alternatives, node } in choices {
            alternatives.iter().for_each(|way| way.goal.mark(marks));
            if marks.is_first(node) {
                let node = node.borrow();
                node.done.mark(marks);
                node.excluded.mark(marks);
            }
        }
    }
}
