//! What a suite is to cover of functions: lines, sides of branches, outcomes of comparisons; and what a path does of it.
//!
//! Lines and branches are those of `lines.rs`, as gcov counts them. Invariant: the list depends on the program alone, so numbers into it are the same for every path.

use taw_engine::{Coverage, PathCoverage};
use taw_ir::{CallGraph, FuncId, Origin, Program};

use crate::lines::{FileCoverage, function_files};

/// What is to be covered.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Criterion {
    /// Every line.
    Line,
    /// Every side of every branch; each operand of `&&` and `||` is one.
    Branch,
    /// That, and both outcomes of every comparison that is returned, stored or passed on.
    #[default]
    Condition,
}

/// One thing to cover.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Duty {
    /// In this function.
    pub function: FuncId,
    /// Its file.
    pub file: String,
    /// Its line.
    pub line: u32,
    /// What.
    pub kind: DutyKind,
}

/// Kinds of things to cover.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum DutyKind {
    /// The line.
    Line,
    /// A side of a branch on it: the number of the branch within the function and file, and that of the side.
    Side(u32, u32),
    /// An outcome of a comparison on it, in the same way.
    Outcome(u32, u32),
}

/// What is to be covered of some functions.
#[derive(Clone, Debug)]
pub struct Duties<'p> {
    program: &'p Program,
    criterion: Criterion,
    functions: Vec<FuncId>,
    /// All of it, by number.
    pub all: Vec<Duty>,
}

impl<'p> Duties<'p> {
    /// Of a function, and of the `static` functions that it leads to by calls and that have no tests of their own.
    pub fn of(
        program: &'p Program,
        graph: &CallGraph,
        criterion: Criterion,
        function: FuncId,
        tested: &[FuncId],
    ) -> Self {
        let mut functions = vec![function];
        let mut next = 0;
        while let Some(&caller) = functions.get(next) {
            next += 1;
            let calls = program.functions[caller].calls.keys();
            for callee in calls.flat_map(|call| graph.callees(caller, call)).copied() {
                let known = &program.functions[callee];
                // A function of a header of the C library's is another one natively.
                let is_ours =
                    known.loc.is_some_and(|loc| !program.files[program.locs[loc].file].path.contains("/usr/include/"));
                let is_helper = known.is_static && known.is_defined() && known.origin == Origin::User && is_ours;
                if is_helper && !tested.contains(&callee) && !functions.contains(&callee) {
                    functions.push(callee);
                }
            }
        }
        let mut duties = Duties { program, criterion, functions, all: Vec::new() };
        let nothing = Coverage::new(program);
        duties.all = duties.walk(&nothing).map(|(duty, _)| duty).collect();
        duties
    }

    /// The numbers of what a path covers, ascending.
    pub fn covered(&self, path: &PathCoverage) -> Vec<u32> {
        let coverage = Coverage::of(self.program, path);
        (0..).zip(self.walk(&coverage)).filter(|(_, (_, covered))| *covered).map(|(number, _)| number).collect()
    }

    /// Sides of branches among them, for people: a line without a branch is one too.
    pub fn branches(&self) -> impl Iterator<Item = u32> + '_ {
        (0..).zip(&self.all).filter(|(_, duty)| duty.kind != DutyKind::Line).map(|(number, _)| number)
    }

    fn walk<'c>(&'c self, coverage: &'c Coverage) -> impl Iterator<Item = (Duty, bool)> + 'c {
        self.functions.iter().flat_map(move |&function| {
            let files = function_files(self.program, coverage, function);
            files.into_iter().flat_map(move |file| self.of_file(function, file)).collect::<Vec<_>>()
        })
    }

    fn of_file(&self, function: FuncId, found: FileCoverage) -> Vec<(Duty, bool)> {
        let duty = |line: u32, kind| Duty { function, file: found.path.clone(), line, kind };
        let mut duties: Vec<(Duty, bool)> =
            found.lines.iter().map(|(line, covered)| (duty(*line, DutyKind::Line), *covered)).collect();
        if self.criterion >= Criterion::Branch {
            let side =
                |side: &crate::lines::BranchSide| (duty(side.line, DutyKind::Side(side.branch, side.side)), side.taken);
            duties.extend(found.branches.iter().map(side));
        }
        if self.criterion >= Criterion::Condition {
            let outcome = |side: &crate::lines::BranchSide| {
                (duty(side.line, DutyKind::Outcome(side.branch, side.side)), side.taken)
            };
            duties.extend(found.outcomes.iter().map(outcome));
        }
        duties
    }
}
