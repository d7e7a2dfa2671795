//! The distance of a state to a set of target instructions: how many instructions the shortest way has that a run could
//! take as far as control flow goes, with calls and returns matched.
//!
//! The dissertation's PN-paths ("Directed Symbolic Execution", section 3.1.1): first the state may return from some of the
//! calls it is in, then go down. What depends only on the program is in tables; the calls a state is in are combined with
//! them when asked:
//! `from(i :: rest) = min(table(i), 1 + to_return(i) + from(rest))`.
//!
//! Invariant: `None` means that no run can get there any more, whatever the data; states may be dropped on it. So also count
//! the ways that no instruction shows: what runs at exit, `longjmp`, and signals. The last are no way that a search
//! should hope for; they only prevent `None`.

use std::sync::Arc;

use cranelift_entity::SecondaryMap;

use crate::callgraph::{CallGraph, Site};
use crate::program::{FuncId, Program};
use crate::returns::{FAR, Returns};
use crate::table::{DistanceTable, Scope};

/// Distances to a set of targets.
#[derive(Clone, Debug)]
pub struct Distances {
    whole: DistanceTable,
    intra: DistanceTable,
    /// The distance once the outermost call has returned.
    at_exit: Option<u64>,
    /// A distance for what only a signal can reach.
    interrupted: Option<u64>,
    shared: Arc<Shared>,
}

/// What does not depend on the targets.
#[derive(Debug)]
struct Shared {
    returns: Arc<Returns>,
    at_exit: Vec<FuncId>,
    handlers: Vec<FuncId>,
    jumps: Option<Jumps>,
}

/// `setjmp` and `longjmp`.
#[derive(Debug)]
struct Jumps {
    /// Distances to a `longjmp`.
    to: DistanceTable,
    landings: SecondaryMap<FuncId, Vec<u32>>,
}

impl Distances {
    /// The distances to the nearest of `targets`. Places that no instruction is at are no targets.
    pub fn to(program: &Program, graph: &CallGraph, targets: &[Site]) -> Self {
        let has_jumps = !graph.jumps.is_empty() && graph.landings.values().any(|places| !places.is_empty());
        let jumps = has_jumps.then(|| Jumps {
            to: DistanceTable::new(program, graph, &graph.jumps, Scope::Whole),
            landings: graph.landings.clone(),
        });
        let shared = Arc::new(Shared {
            returns: Arc::clone(&graph.returns),
            at_exit: graph.at_exit.clone(),
            handlers: graph.handlers.clone(),
            jumps,
        });
        Self::sharing(program, graph, targets, shared)
    }

    /// The distances to other targets of the same program, which costs less than starting anew.
    pub fn to_others(&self, program: &Program, graph: &CallGraph, targets: &[Site]) -> Self {
        Self::sharing(program, graph, targets, Arc::clone(&self.shared))
    }

    fn sharing(program: &Program, graph: &CallGraph, targets: &[Site], shared: Arc<Shared>) -> Self {
        let whole = DistanceTable::new(program, graph, targets, Scope::Whole);
        let intra = DistanceTable::new(program, graph, targets, Scope::Intra);
        let mut distances = Distances { whole, intra, at_exit: None, interrupted: None, shared };
        distances.look_outside();
        distances
    }

    /// Takes targets away, as when they were reached. Distances stay or grow.
    pub fn remove(&mut self, program: &Program, graph: &CallGraph, targets: &[Site]) {
        self.whole.remove(program, graph, targets);
        self.intra.remove(program, graph, targets);
        self.look_outside();
    }

    /// The distance from an instruction to the nearest target, without returning from the function it is in.
    pub fn from_site(&self, site: Site) -> Option<u64> {
        finite(self.whole.from(site))
    }

    /// The distance from an instruction to the nearest target within its function, if no callee could be entered.
    pub fn intra(&self, site: Site) -> Option<u64> {
        finite(self.intra.from(site))
    }

    /// The distance of a state in these calls, innermost first: the instruction that is next, then for each caller the call
    /// it waits at. `None` means that no target can be reached any more.
    pub fn from_stack(&self, stack: impl Iterator<Item = Site>) -> Option<u64> {
        self.from_stack_then(stack, None)
    }

    /// As [`from_stack`](Self::from_stack), for a state that does something else before it is over: `then` is the distance from when the outermost call
    /// has returned (as for constructors, after which the entry runs).
    pub fn from_stack_then(&self, stack: impl Iterator<Item = Site>, then: Option<u64>) -> Option<u64> {
        let after = nearer(self.at_exit, then);
        let near = match &self.shared.jumps {
            None => self.unwind(&self.whole, stack, after),
            Some(jumps) => self.unwind_with(jumps, &resumed(stack).collect::<Vec<_>>(), after),
        };
        near.or(self.interrupted)
    }

    /// The distance of a state if no callee could be entered: only returning from the calls it is in, and ways within each.
    pub fn intra_from_stack(&self, stack: impl Iterator<Item = Site>) -> Option<u64> {
        self.unwind(&self.intra, stack, None)
    }

    fn unwind(&self, table: &DistanceTable, stack: impl Iterator<Item = Site>, after: Option<u64>) -> Option<u64> {
        let mut best = None;
        let mut out = 0;
        for site in resumed(stack) {
            best = nearer(best, finite(table.from(site)).map(|d| out + d));
            match finite(self.shared.returns.from(site)) {
                Some(cost) => out += 1 + cost,
                None => return best,
            }
        }
        nearer(best, after.map(|d| out + d))
    }

    /// As `unwind`, but a `longjmp` may go back to where a call of the stack has called `setjmp`. (To where a later one will
    /// have called it is no shorter than to go on from there in the first place.)
    fn unwind_with(&self, jumps: &Jumps, stack: &[Site], after: Option<u64>) -> Option<u64> {
        let mut rest = after;
        let mut landed = None;
        for &site in stack.iter().rev() {
            let from = |site: Site, landed: Option<u64>| {
                let out = finite(self.shared.returns.from(site)).zip(rest).map(|(cost, rest)| 1 + cost + rest);
                let jump = finite(jumps.to.from(site)).zip(landed).map(|(cost, landed)| 1 + cost + landed);
                nearer(nearer(self.from_site(site), out), jump)
            };
            let places = jumps.landings[site.func].iter();
            let here = places.filter_map(|&pc| from(Site { func: site.func, pc: pc + 1 }, landed)).min();
            landed = nearer(landed, here);
            rest = from(site, landed);
        }
        rest
    }

    /// Makes anew what depends on tables but not on a state.
    fn look_outside(&mut self) {
        let entry = |func: &FuncId| Site { func: *func, pc: 0 };
        self.at_exit = self.shared.at_exit.iter().filter_map(|f| self.from_site(entry(f))).min();
        // A handler that jumps may come out anywhere: then nothing is hopeless.
        let jump = |site: Site| self.shared.jumps.as_ref().and_then(|jumps| finite(jumps.to.from(site)));
        let handlers = self.shared.handlers.iter().map(entry);
        self.interrupted = handlers.filter_map(|site| nearer(self.from_site(site), jump(site))).min();
    }
}

/// Where each call of a stack goes on: the innermost at its instruction, the others after their call.
fn resumed(stack: impl Iterator<Item = Site>) -> impl Iterator<Item = Site> {
    stack.enumerate().map(|(i, site)| Site { pc: site.pc + u32::from(i > 0), ..site })
}

fn finite(cost: u32) -> Option<u64> {
    (cost != FAR).then_some(u64::from(cost))
}

fn nearer(a: Option<u64>, b: Option<u64>) -> Option<u64> {
    a.into_iter().chain(b).min()
}
