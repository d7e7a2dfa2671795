//! `taw test`: tests of functions as a suite of C that people keep.
//!
//! The way: `options` (what may be said) → the library explores each function (`taw::Prepared::test_function`) → `assemble` (names, native trials) → `files` (what is
//! written, and what never is) → `report`.

mod assemble;
mod files;
pub(crate) mod options;
mod report;

use std::io::Write;
use std::sync::Arc;

use taw::ir::{CallGraph, FuncId};
use taw::{Prepared, Program, Snapshot, TestedFunction};
use taw_engine::entry_obstacle;
use taw_report::suite::{Criterion, Duties, StandIn, stand_in};

use self::assemble::{Surround, assemble};
use self::options::TestArgs;
use self::report::TestDocument;
use crate::failure::Failure;
use crate::progress::ProgressLine;
use crate::run::ExitAnswer;
use crate::style::WARNING;
use crate::{interrupt, prepare, settings, terminal};

/// Runs the whole of `taw test`.
pub(crate) fn test(args: &TestArgs) -> Result<ExitAnswer, Failure> {
    let wants_outcomes = args.criterion() == Criterion::Condition;
    let how = settings::compile(&args.as_run(Vec::new())).on_warning(terminal::pass_on);
    let program = Program::compile(args.files.clone(), &if wants_outcomes { how.count_outcomes() } else { how })?;
    let code = program.code();
    let mut functions = taw::functions_to_test(&program, &args.function, args.statics)?;
    functions.retain(|id| match entry_obstacle(code, &code.functions[*id]) {
        None => true,
        Some(why) => {
            let name = &code.functions[*id].name;
            terminal::tell(format_args!("{WARNING}note{WARNING:#}: `{name}` is not tested: {why}"));
            false
        }
    });
    if functions.is_empty() {
        return Err(Failure::Message(
            "there is no function to test; name one with --function, or take static ones with --static".to_owned(),
        ));
    }
    let names = functions.iter().map(|id| code.functions[*id].name.clone()).collect();
    let run = args.as_run(names);
    let session = prepare::testing(&run, program)?.decide_values();
    session.prepared(|prepared| explore(args, &run, prepared))
}

fn explore(args: &TestArgs, run: &crate::args::RunArgs, prepared: &Prepared<'_>) -> Result<ExitAnswer, Failure> {
    interrupt::watch(Arc::clone(prepared.stop()))?;
    let code = prepared.program().code();
    let functions: Vec<FuncId> = prepared.entries().iter().filter_map(|name| code.function_named(name)).collect();
    let stand_ins: Vec<StandIn> = prepared.stubbed().filter_map(|name| stand_in(code, name)).collect();
    let mut line = ProgressLine::new(run)?;
    let graph = CallGraph::new(code);
    let mut tested: Vec<TestedFunction<'_>> = Vec::new();
    for &function in &functions {
        let duties = Duties::of(code, &graph, args.criterion(), function, &functions);
        let mut show = |now: &Snapshot| line.show(now, 0);
        let found = prepared.test_function(function, duties, &stand_ins, Vec::new(), &mut show)?;
        line.above()(format_args!("{}", report::progress(&code.functions[function].name, &found)));
        tested.push(found);
    }
    line.clear();
    let has_main = code.function_named("main").is_some_and(|main| code.functions[main].is_defined());
    let around = Surround { args, stand_ins: &stand_ins, has_main };
    let assembled = assemble(&around, prepared, &mut tested)?;
    let texts = files::texts(&around, &assembled);
    let stems: Vec<String> = assembled.sources.iter().map(|source| source.stem.clone()).collect();
    let names = texts.iter().map(|(name, _)| name.clone()).collect();
    let document = TestDocument::new(args, prepared, &tested, &assembled, names);
    let (tests, errors) = document.tests();
    if tests + errors > 0 {
        files::write(&args.out, &texts, &stems)?;
    }
    say(args, &document)?;
    Ok(match (tests, errors) {
        (_, 1..) => ExitAnswer::Findings,
        (0, 0) => ExitAnswer::Undecided,
        _ => ExitAnswer::Clean,
    })
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
