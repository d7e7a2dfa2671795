//! A slice of a program on some of its places, as a program: what cannot influence whether one of these *goals* is reached is gone, and everything
//! downstream runs it as any other.
//!
//! **The law.** Every execution of the whole program that reaches a goal has a projection in the slice that reaches it, with the same values at
//! every instruction that was kept. So what is unreachable in the slice is unreachable in the program. The other direction is not claimed: what is left out is
//! taken to come back, not to end the program, and to have no error.
//!
//! How: instructions are kept by what they write and decide, to a fixpoint (`needs`); a branch is kept if what is observed next differs between its sides
//! (`control`: weak control closure, Danicic et al., "A unifying theory of control dependence and its application to arbitrary program structures",
//! 2011). A branch one side of which leads to nothing that is kept only restricts: leaving it out makes the slice larger in behaviour, never smaller. Of
//! these, the ones nearest to a goal are kept (`nearest`), and those that look at nothing but what is kept anyway (`restricting`). `emit` writes the rest.
//!
//! Boundary: nothing of execution; who answers calls is told by the caller, where pointers point by `points_to`, on whose assumptions the law
//! rests. Memory is taken to suffice: an allocation that fails only because of others that were left out does not fail in the slice. What runs behind the
//! program's back (handlers of signals, functions at exit that lead to a goal, `longjmp`) is refused: [`SliceObstacle`].
//! Invariant: the result passes `verify`, and has the functions, globals, registers and places of the source under the same numbers.

mod control;
mod emit;
mod function_needs;
mod index;
mod nearest;
mod needs;
mod restricting;
mod webs;

use std::collections::BTreeMap;
use std::fmt;
use std::rc::Rc;

use crate::callgraph::{CallGraph, Site};
use crate::points_to::{PointsTo, PointsToObstacle};
use crate::program::{FuncId, Program};

use emit::Emitter;
use index::SliceIndex;
use needs::SliceNeeds;

/// What a call does where no code shows it, as far as a slice has to know.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CallConduct {
    /// Its code runs, and shows it.
    Runs,
    /// It does this.
    Acts(CallActs),
    /// Nobody knows.
    Unknown,
}

/// What a function does whose code is not looked at. It may read whatever its arguments lead to, in as many steps as it likes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CallActs {
    /// Positions of the arguments whose objects it writes or frees.
    pub writes: Vec<usize>,
    /// Whether it frees one of them.
    pub frees: bool,
    /// Whether it makes an object.
    pub allocates: bool,
    /// Whether what it does depends on what surrounds the program, and changes that: it may also write to all that it was ever handed.
    pub is_kernel: bool,
    /// Whether it may set `errno`.
    pub sets_errno: bool,
    /// Whether its first argument says where `errno` is.
    pub tells_errno: bool,
    /// Whether all it does is to let only some paths go on, by numbers that it is given.
    pub restricts: bool,
    /// Whether it never comes back.
    pub ends: bool,
    /// Whether it looks at the code that calls it, or at what is known of values: in a slice that is something else.
    pub looks_at_code: bool,
    /// Whether it does all this by code, which is not looked into.
    pub runs_code: bool,
}

/// Who answers calls.
pub trait CallConducts {
    /// What a call of a function does.
    fn call_conduct(&self, func: FuncId) -> CallConduct;
}

/// A slice.
#[derive(Clone, Debug)]
pub struct ProgramSlice {
    /// The program that is left.
    pub program: Program,
    /// Instructions of functions that may run, in the whole program.
    pub before: usize,
    /// Those of the functions that the slice may enter.
    pub after: usize,
    sites: BTreeMap<Site, Site>,
}

impl ProgramSlice {
    /// Where a goal is in the slice; nowhere if no branches and calls lead there from the entries.
    pub fn site(&self, goal: Site) -> Option<Site> {
        self.sites.get(&goal).copied()
    }
}

/// Why there is no slice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SliceObstacle {
    /// It is not known where pointers point.
    Pointers(PointsToObstacle),
    /// An entry is none of the functions that the analysis of pointers has seen running.
    NotSeen(FuncId),
    /// A function that nobody knows may be called there.
    Unknown(Site),
    /// A function calls `setjmp`.
    Jumps(FuncId),
    /// A function may run at any time, when a signal comes.
    Signals(FuncId),
    /// A goal may be reached when the program is over.
    AtExit(FuncId),
    /// Something that matters looks there at the code around it, which is something else in a slice.
    LooksAtCode(Site),
}

impl SliceObstacle {
    /// In words.
    pub fn in_words<'a>(&'a self, program: &'a Program) -> impl fmt::Display + 'a {
        ObstacleWords { obstacle: self, program }
    }
}

struct ObstacleWords<'a> {
    obstacle: &'a SliceObstacle,
    program: &'a Program,
}

impl fmt::Display for ObstacleWords<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |func: FuncId| &self.program.functions[func].name;
        match *self.obstacle {
            SliceObstacle::Pointers(PointsToObstacle::NoMain) => write!(f, "there is no `main` to start from"),
            SliceObstacle::Pointers(PointsToObstacle::Unknown(func)) => {
                write!(f, "nobody knows what `{}` does, which may be called", name(func))
            }
            SliceObstacle::Pointers(PointsToObstacle::Unsupported(func, what)) => {
                write!(f, "`{}` has {}", name(func), self.program.functions[func].unsupported[what])
            }
            SliceObstacle::NotSeen(func) => write!(f, "nothing is known of calls of `{}`", name(func)),
            SliceObstacle::Unknown(site) => {
                write!(f, "`{}` may call a function that nobody knows", name(site.func))
            }
            SliceObstacle::Jumps(func) => write!(f, "`{}` calls `setjmp`", name(func)),
            SliceObstacle::Signals(func) => write!(f, "`{}` may run when a signal comes", name(func)),
            SliceObstacle::AtExit(func) => write!(f, "`{}` runs at exit and may lead to a goal", name(func)),
            SliceObstacle::LooksAtCode(site) => {
                write!(f, "what matters depends on how the code around `{}` is written", name(site.func))
            }
        }
    }
}

/// What slices of a program are made with: all that does not depend on the goals, found out once.
pub struct Slicer<'a> {
    index: SliceIndex<'a>,
    entries: Vec<FuncId>,
}

impl<'a> Slicer<'a> {
    /// For paths that start at `entries`, which the analysis of pointers has to have seen.
    ///
    /// # Errors
    /// If something forbids slices of this program, on whatever goals.
    pub fn new(
        program: &'a Program,
        graph: &CallGraph,
        points_to: Rc<PointsTo>,
        conducts: &dyn CallConducts,
        entries: &[FuncId],
    ) -> Result<Self, SliceObstacle> {
        let index = SliceIndex::new(program, graph, points_to, conducts, entries)?;
        Ok(Slicer { index, entries: entries.to_vec() })
    }

    /// Instructions of functions that may run.
    pub fn size(&self) -> usize {
        self.index.size()
    }

    /// The slice on some goals. `guards`: how many branches one before the other, counted back from a goal, are kept that only keep paths from getting
    /// there. Others are kept if they look at nothing but what is kept anyway. The more, the fewer behaviours the slice has that the program has not.
    ///
    /// # Errors
    /// If something is in the way; nothing may be concluded then.
    pub fn slice(&self, goals: &[Site], guards: u32) -> Result<ProgramSlice, SliceObstacle> {
        if let Some(obstacle) = self.index.obstacle(goals) {
            return Err(obstacle);
        }
        let mut needs = SliceNeeds::new(&self.index);
        needs.start(&self.entries, goals);
        needs.settle()?;
        needs.keep_nearest(goals, guards);
        needs.settle()?;
        needs.keep_restricting();
        needs.settle()?;
        let mut emitter = Emitter::new(&self.index, &needs);
        let program = emitter.program();
        Ok(ProgramSlice { program, before: self.index.size(), after: emitter.after, sites: emitter.sites })
    }
}
