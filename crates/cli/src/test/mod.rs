//! `taw test`: tests of functions as a suite of C that people keep.
//!
//! The way: `options` (what may be said) → the library explores each function (`taw::Prepared::test_function`) → `assemble` (names, native trials) → `files` (what is
//! written, and what never is) → `report`. A suite that there is: `update`.

mod assemble;
pub(crate) mod config;
mod files;
pub(crate) mod options;
mod report;
mod touched;
mod update;

use std::collections::BTreeSet;
use std::io::Write;
use std::sync::Arc;

use taw::ir::{CallGraph, FuncId};
use taw::{Prepared, Program, Snapshot, TestedFunction};
use taw_engine::entry_obstacle;
use taw_report::suite::{Criterion, Duties, SuiteStandIn, source_of, stand_in};

use self::assemble::{Surround, assemble};
use self::options::TestArgs;
use self::report::TestDocument;
use self::update::{CheckedFunction, Difference, RECORD, Standing, SuiteRecord, standing};
use crate::args::RunArgs;
use crate::failure::Failure;
use crate::progress::ProgressLine;
use crate::run::ExitAnswer;
use crate::style::WARNING;
use crate::{interrupt, prepare, settings, terminal};

/// Runs the whole of `taw test`.
pub(crate) fn test(args: &TestArgs) -> Result<ExitAnswer, Failure> {
    if args.files.is_empty() {
        return Err(Failure::Message("there is no source to test; name a C file".to_owned()));
    }
    let record = (args.update || args.check).then(|| SuiteRecord::read(&args.out)).transpose()?;
    let wants_outcomes = args.criterion() == Criterion::Condition;
    let how = settings::compile(&args.as_run(Vec::new())).on_warning(terminal::pass_on);
    let program = Program::compile(args.files.clone(), &if wants_outcomes { how.count_outcomes() } else { how })?;
    let code = program.code();
    let wanted = wanted(args, &program)?;
    let wanted_names: BTreeSet<String> = wanted.iter().map(|id| code.functions[*id].name.clone()).collect();
    let recorded = record.iter().flat_map(|record| &record.functions);
    let recorded =
        recorded.filter_map(|of| code.function_named(&of.function)).filter(|id| code.functions[*id].is_defined());
    let all: BTreeSet<FuncId> = wanted.iter().copied().chain(recorded).collect();
    if all.is_empty() {
        return Err(Failure::Message(
            "there is no function to test; name one with --function, or take static ones with --static".to_owned(),
        ));
    }
    let run = args.as_run(all.iter().map(|id| code.functions[*id].name.clone()).collect());
    let session = prepare::testing(&run, program)?.decide_values();
    session.prepared(|prepared| {
        interrupt::watch(Arc::clone(prepared.stop()))?;
        let code = prepared.program().code();
        let stand_ins: Vec<SuiteStandIn> = prepared.stubbed().filter_map(|name| stand_in(code, name)).collect();
        let functions: Vec<FuncId> = prepared.entries().iter().filter_map(|name| code.function_named(name)).collect();
        // The program may have been compiled again, with what is assumed.
        let wanted: BTreeSet<FuncId> =
            functions.iter().copied().filter(|id| wanted_names.contains(&code.functions[*id].name)).collect();
        let work = TestWork { args, prepared, record: record.as_ref(), functions, wanted, stand_ins: &stand_ins };
        if args.check { work.check() } else { work.write(&run) }
    })
}

/// The functions that are meant and can be started.
fn wanted(args: &TestArgs, program: &Program) -> Result<BTreeSet<FuncId>, Failure> {
    let code = program.code();
    let mut functions = taw::functions_to_test(program, &args.function, args.statics)?;
    if !args.diff.is_empty() {
        let touched = touched::functions(program, &args.diff)?;
        functions.retain(|id| touched.contains(id));
    }
    // What a header defines is tested where it is used.
    functions.retain(|id| source_of(code, *id, &args.files).is_some());
    functions.retain(|id| match entry_obstacle(code, &code.functions[*id]) {
        None => true,
        Some(why) => {
            let name = &code.functions[*id].name;
            terminal::tell(format_args!("{WARNING}note{WARNING:#}: `{name}` is not tested: {why}"));
            false
        }
    });
    Ok(functions.into_iter().collect())
}

/// What is to be done.
struct TestWork<'a, 's> {
    args: &'a TestArgs,
    prepared: &'a Prepared<'s>,
    /// The suite that there is, if it counts.
    record: Option<&'a SuiteRecord>,
    /// All functions of the suite.
    functions: Vec<FuncId>,
    /// Those that are explored.
    wanted: BTreeSet<FuncId>,
    stand_ins: &'a [SuiteStandIn],
}

impl<'s> TestWork<'_, 's> {
    /// What is to be covered of a function, and the tests that there are.
    fn begun(&self, graph: &CallGraph, function: FuncId) -> Result<(Duties<'s>, Standing), Failure> {
        let code = self.prepared.program().code();
        let duties = Duties::of(code, graph, self.args.criterion(), function, &self.functions);
        let standing = match self.record {
            Some(record) => standing(self.prepared, record, function, &duties, self.stand_ins, self.args.accept)?,
            None => Standing { kept: Vec::new(), differences: Vec::new() },
        };
        Ok((duties, standing))
    }

    /// Explores the functions; gives what came of each, and the tests that have changed.
    fn explore(&self, run: &RunArgs) -> Result<(Vec<TestedFunction<'s>>, Vec<Difference>), Failure> {
        let code = self.prepared.program().code();
        let mut line = ProgressLine::new(run)?;
        let graph = CallGraph::new(code);
        let (mut tested, mut differences) = (Vec::new(), Vec::new());
        for &function in &self.functions {
            let (duties, standing) = self.begun(&graph, function)?;
            differences.extend(standing.differences);
            if !self.wanted.contains(&function) {
                tested.push(self.prepared.keep_function(function, duties, standing.kept));
                continue;
            }
            let mut show = |now: &Snapshot| line.show(now, 0);
            let found = self.prepared.test_function(function, duties, self.stand_ins, standing.kept, &mut show)?;
            line.above()(format_args!("{}", report::progress(&code.functions[function].name, &found)));
            tested.push(found);
        }
        line.clear();
        Ok((tested, differences))
    }

    /// Explores the functions, and writes the suite.
    fn write(&self, run: &RunArgs) -> Result<ExitAnswer, Failure> {
        let (args, prepared) = (self.args, self.prepared);
        let code = prepared.program().code();
        let (mut tested, differences) = self.explore(run)?;
        let has_main = code.function_named("main").is_some_and(|main| code.functions[main].is_defined());
        let changed = differences.iter().filter(|_| !args.accept).map(|difference| difference.test.clone());
        let around = Surround { args, stand_ins: self.stand_ins, has_main, fixed: changed.collect() };
        let assembled = assemble(&around, prepared, &mut tested)?;
        let mut texts = files::texts(&around, &assembled);
        let names = texts.iter().map(|(name, _)| name.clone()).collect();
        let document = TestDocument { differences, ..TestDocument::new(args, prepared, &tested, &assembled, names) };
        let (tests, errors) = document.tests();
        if tests + errors > 0 {
            let stems: Vec<String> = assembled.sources.iter().map(|source| source.stem.clone()).collect();
            let kept = assembled.sources.into_iter().flat_map(|source| source.tests);
            let kept = kept.map(|(_, found)| (found.test.name, found.file)).collect();
            texts.push((RECORD.to_owned(), SuiteRecord::new(&document, kept).text()));
            files::write(&args.out, &texts, &stems)?;
        }
        say(args, &document)?;
        Ok(match (tests, errors + around.fixed.len()) {
            (_, 1..) => ExitAnswer::Findings,
            (0, 0) => ExitAnswer::Undecided,
            _ => ExitAnswer::Clean,
        })
    }

    /// Whether the suite holds and covers what it did.
    fn check(&self) -> Result<ExitAnswer, Failure> {
        let code = self.prepared.program().code();
        let graph = CallGraph::new(code);
        let mut checked = Vec::new();
        for recorded in self.record.iter().flat_map(|record| &record.functions) {
            let function = code.function_named(&recorded.function).filter(|id| self.functions.contains(id));
            let Some(function) = function else {
                checked.push(CheckedFunction::gone(recorded));
                continue;
            };
            let (duties, standing) = self.begun(&graph, function)?;
            checked.push(CheckedFunction::new(recorded, &duties, standing));
        }
        let holds = checked.iter().all(CheckedFunction::holds);
        let mut out = terminal::stdout();
        match self.args.json {
            true => writeln!(out, "{}", serde_json::to_string_pretty(&checked).expect("plain data"))?,
            false => checked.iter().try_for_each(|one| one.show(&mut out))?,
        }
        out.flush()?;
        Ok(if holds { ExitAnswer::Clean } else { ExitAnswer::Findings })
    }
}

fn say(args: &TestArgs, document: &TestDocument) -> Result<(), Failure> {
    if args.json {
        let text = serde_json::to_string_pretty(document).expect("the document is plain data");
        writeln!(anstream::stdout().lock(), "{text}")?;
        return Ok(());
    }
    let mut out = terminal::stdout();
    report::show(&mut out, document)?;
    if !document.lonely.is_empty() && args.style().shares_process() {
        writeln!(
            out,
            "note: these hold only in a process of their own, which `ctest` gives them: {}",
            document.lonely.join(", ")
        )?;
    }
    Ok(out.flush()?)
}
