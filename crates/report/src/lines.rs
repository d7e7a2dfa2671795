//! From covered instructions and edges to covered lines, branches and functions of source files.
//!
//! A line has code if an instruction of the user's stands on it, and is covered if one of those was executed. A branch
//! is one side of a conditional branch or switch that has a place. Code inlined from elsewhere counts where it is written.
//!
//! Branches are those of the source, as gcov counts them: every operand of `&&` and `||` is a branch, and the value of the whole
//! is none (unoptimised code branches on it again); a condition that is a constant in the text is none, nor is one behind it; a
//! switch has a side for each place that it leads to. `testkit/src/suites.rs` compares.

use std::collections::{BTreeMap, BTreeSet};

use taw_engine::Coverage;
use taw_ir::{ConstValue, EdgeId, EntityRef, FileId, FuncId, Function, Inst, IntOp, LocId, Operand, Program, Reg};

use crate::document::CoverageTotals;

/// Coverage of one source file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FileCoverage {
    /// Path as the debug information has it.
    pub path: String,
    /// For each line with code whether some of it was executed.
    pub lines: BTreeMap<u32, bool>,
    /// Sides of branches, in the order of the code.
    pub branches: Vec<BranchSide>,
    /// Outcomes of comparisons that are no branches: returned, stored, passed on. Empty unless the program was compiled to count them.
    pub outcomes: Vec<BranchSide>,
    /// Functions, in the order of the program.
    pub functions: Vec<FunctionCoverage>,
}

/// One side of a branch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BranchSide {
    /// The line of the branch.
    pub line: u32,
    /// Number of the branch within the file.
    pub branch: u32,
    /// Number of the side within the branch.
    pub side: u32,
    /// Whether the branch itself was executed.
    pub reached: bool,
    /// Whether this side was taken.
    pub taken: bool,
}

/// A function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FunctionCoverage {
    /// Its name.
    pub name: String,
    /// The line it is declared on.
    pub line: u32,
    /// Whether it was entered.
    pub covered: bool,
}

/// Coverage by file, in the order of the program's files; files without code of the user's are left out.
pub fn file_coverage(program: &Program, coverage: &Coverage) -> Vec<FileCoverage> {
    let mut files = BTreeMap::new();
    let users = program.functions.iter().filter(|(_, f)| f.origin.counts() && f.is_defined());
    for (id, function) in users {
        let (counted, live) = (counted(function), live(function));
        Collector { program, coverage, id, function, counted, live, files: &mut files }.collect();
    }
    files
        .into_iter()
        .map(|(file, found): (FileId, FileCoverage)| FileCoverage { path: program.files[file].path.clone(), ..found })
        .collect()
}

/// How much of one function was executed.
pub fn function_coverage(program: &Program, coverage: &Coverage, id: FuncId) -> CoverageTotals {
    CoverageTotals::of(&function_files(program, coverage, id))
}

/// What of one function was executed, by file: its own, and others whose text is included in it.
pub fn function_files(program: &Program, coverage: &Coverage, id: FuncId) -> Vec<FileCoverage> {
    let function = &program.functions[id];
    let mut files = BTreeMap::new();
    let (counted, live) = (counted(function), live(function));
    Collector { program, coverage, id, function, counted, live, files: &mut files }.collect();
    let named =
        |(file, found): (FileId, FileCoverage)| FileCoverage { path: program.files[file].path.clone(), ..found };
    files.into_iter().map(named).collect()
}

/// One function's way into the files.
struct Collector<'a> {
    program: &'a Program,
    coverage: &'a Coverage,
    id: FuncId,
    function: &'a Function,
    /// Truth values whose operands are counted as branches.
    counted: BTreeSet<Reg>,
    /// For each instruction whether it could be executed if every condition that is no constant could go both ways.
    live: Vec<bool>,
    files: &'a mut BTreeMap<FileId, FileCoverage>,
}

/// The registers with the value of an `&&` or `||`, or of its opposite.
fn counted(function: &Function) -> BTreeSet<Reg> {
    let mut found = BTreeSet::new();
    for pair in function.code.windows(2) {
        // An operand, and the edge on which it becomes the value of the whole.
        if let [Inst::Condition { cond, .. }, Inst::Br { edge }] = pair {
            found.extend(function.edges[*edge].moves.iter().filter(|(_, src)| src == cond).map(|(dst, _)| *dst));
        }
    }
    loop {
        let before = found.len();
        let is = |found: &BTreeSet<Reg>, operand: &Operand| operand.as_reg().is_some_and(|reg| found.contains(&reg));
        for inst in &function.code {
            match inst {
                Inst::Bin { op: IntOp::Xor, width: 1, dst, a, .. } if is(&found, a) => found.extend([*dst]),
                // Into the value of an outer one.
                Inst::Br { edge } => {
                    let moves = &function.edges[*edge].moves;
                    let into: Vec<Reg> = moves.iter().filter(|(_, src)| is(&found, src)).map(|(dst, _)| *dst).collect();
                    found.extend(into);
                }
                _ => {}
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

/// Which instructions are not behind a condition that is a constant in the text, as macros have them.
fn live(function: &Function) -> Vec<bool> {
    let mut live = vec![false; function.code.len()];
    let mut left = vec![0];
    while let Some(pc) = left.pop() {
        if live.get(pc as usize).is_none_or(|seen| *seen) {
            continue;
        }
        live[pc as usize] = true;
        match known_way(function, &function.code[pc as usize]) {
            Some(edge) => left.push(function.blocks[function.edges[edge].to].start),
            None => left.extend(function.successors(pc)),
        }
    }
    live
}

/// The edge that a branch on a constant takes.
fn known_way(function: &Function, inst: &Inst) -> Option<EdgeId> {
    let Inst::CondBr { cond, then, otherwise } = inst else { return None };
    match &function.consts[cond.as_const()?].value {
        ConstValue::Bits(words) => Some(if words[0] == 0 { *otherwise } else { *then }),
        _ => None,
    }
}

impl Collector<'_> {
    fn collect(&mut self) {
        for (at, inst) in self.function.code.iter().enumerate() {
            let Some((file, line)) = self.function.locs.get(at).copied().flatten().and_then(|loc| self.line(loc))
            else {
                continue;
            };
            let covered = self.covered(at);
            *self.files.entry(file).or_default().lines.entry(line).or_insert(false) |= covered;
            if !self.live[at] {
                continue;
            }
            let (file, line) = self.condition(at, inst).unwrap_or((file, line));
            self.branch(inst, file, line, covered);
        }
        if let Some((file, line)) = self.function.loc.and_then(|loc| self.line(loc)) {
            let function = FunctionCoverage { name: self.function.name.clone(), line, covered: self.covered(0) };
            self.files.entry(file).or_default().functions.push(function);
        }
    }

    /// Where the condition of a branch is computed: the branch itself has the place of the `&&` or `if` around it.
    fn condition(&self, at: usize, inst: &Inst) -> Option<(FileId, u32)> {
        let Inst::CondBr { cond, .. } = inst else { return None };
        let cond = cond.as_reg()?;
        let before = (0..at).rev().take_while(|&before| !self.function.code[before].is_terminator());
        let computed =
            before.into_iter().find(|&before| self.function.code[before].dst(self.function) == Some(cond))?;
        self.line(self.function.locs.get(computed).copied().flatten()?)
    }

    fn branch(&mut self, inst: &Inst, file: FileId, line: u32, reached: bool) {
        let sides: Vec<EdgeId> = match inst {
            Inst::CondBr { cond, .. } if cond.as_const().is_some() => return,
            Inst::CondBr { cond, .. } | Inst::Condition { cond, .. }
                if cond.as_reg().is_some_and(|reg| self.counted.contains(&reg)) =>
            {
                return;
            }
            Inst::CondBr { then, otherwise, .. } | Inst::Condition { then, otherwise, .. } => vec![*then, *otherwise],
            Inst::Switch { switch } => {
                let switch = &self.function.switches[*switch];
                let edges: BTreeSet<EdgeId> = switch.cases.iter().map(|&(_, edge)| edge).collect();
                edges.into_iter().filter(|edge| *edge != switch.default).chain([switch.default]).collect()
            }
            _ => return,
        };
        let taken: Vec<bool> = sides.iter().map(|&edge| self.taken(edge)).collect();
        let found = self.files.entry(file).or_default();
        let is_outcome = matches!(inst, Inst::Condition { value: true, .. });
        let branches = if is_outcome { &mut found.outcomes } else { &mut found.branches };
        let branch = branches.last().map_or(0, |side| side.branch + 1);
        branches.extend((0..).zip(taken).map(|(side, taken)| BranchSide { line, branch, side, reached, taken }));
    }

    fn line(&self, loc: LocId) -> Option<(FileId, u32)> {
        let loc = &self.program.locs[loc];
        (loc.line > 0 && self.program.files[loc.file].is_programs()).then_some((loc.file, loc.line))
    }

    fn covered(&self, at: usize) -> bool {
        self.coverage.instructions[self.id].get(at).copied().unwrap_or(false)
    }

    fn taken(&self, edge: EdgeId) -> bool {
        self.coverage.edges[self.id].get(edge.index()).copied().unwrap_or(false)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use taw_ir::{Block, BlockId, Edge, ListId, Loc, Operand, SourceFile};

    /// `f` at line 1: a branch on line 2 whose first side was taken, a return on line 3 (executed) and one on
    /// line 4 (never); and a function of the library's, which must not count.
    pub(crate) fn example() -> (Program, Coverage) {
        let mut program = Program::default();
        let file = program.files.push(SourceFile { path: "/src/a.c".into() });
        let mut at = |line| program.locs.push(Loc { file, line, column: 1, function: "f".into(), inlined_at: None });
        let [declared, branch, left, right] = [at(1), at(2), at(3), at(4)];
        let mut function = Function { name: "f".into(), loc: Some(declared), ..Default::default() };
        let mut edge = |to| function.edges.push(Edge { to: BlockId::new(to), moves: Vec::new() });
        let (then, otherwise) = (edge(1), edge(2));
        let cond = Operand::reg(taw_ir::Reg::new(0));
        let ret = Inst::Ret { values: ListId::new(0) };
        function.code = vec![Inst::CondBr { cond, then, otherwise }, ret, ret];
        function.locs = vec![Some(branch), Some(left), Some(right)];
        function.blocks.extend([(0, 1), (1, 2), (2, 3)].map(|(start, end)| Block { start, end }));
        let library = Function { name: "memcpy".into(), origin: taw_ir::Origin::Library, ..function.clone() };
        let id = program.functions.push(function);
        program.names.insert("f".into(), id);
        program.functions.push(library);
        let mut coverage = Coverage::new(&program);
        coverage.instructions[id] = vec![true, true, false];
        coverage.edges[id] = vec![true, false];
        (program, coverage)
    }

    #[test]
    fn lines_branches_and_functions_are_those_of_the_users_code() {
        let (program, coverage) = example();
        let files = file_coverage(&program, &coverage);
        assert_eq!(files.len(), 1);
        assert_eq!(files[0].path, "/src/a.c");
        assert_eq!(files[0].lines, BTreeMap::from([(2, true), (3, true), (4, false)]));
        let sides: Vec<_> = files[0].branches.iter().map(|s| (s.line, s.branch, s.side, s.taken)).collect();
        assert_eq!(sides, [(2, 0, 0, true), (2, 0, 1, false)]);
        assert_eq!(files[0].functions, [FunctionCoverage { name: "f".into(), line: 1, covered: true }]);
        let totals = crate::CoverageTotals::of(&files);
        assert_eq!((totals.lines.covered, totals.lines.total), (2, 3));
        assert_eq!((totals.branches.covered, totals.branches.total), (1, 2));
    }
}
