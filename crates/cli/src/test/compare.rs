//! `taw test --compare OLD.c NEW.c`: arguments for which two versions of a function give something else, or that there are none.
//!
//! Both versions are one program: what the old file defines gets another name by the compiler's own renaming (`-Df=f__old`), and a driver calls both with the same unknown
//! arguments and traps where the results differ; a difference counts if a native run shows it. *Equivalent* is said only if every path was explored, rests on nothing, and neither version exits, prints, fails or has variables
//! that could be changed; otherwise *no difference found*, with what stands in the way. Functions that take or give anything but numbers are named and not compared.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::io::Write;

use serde::Serialize;
use taw::engine::{FindingKind, Premise};
use taw::ir::{FuncId, Function, Origin, Type, TypeId};
use taw::{FileFlags, Outcome, Prepared, Program, Sink, TestCase};
use taw_native::ReplayVerdict;
use taw_report::{TestFile, premises_in_words, sentences};

use super::options::TestArgs;
use crate::failure::Failure;
use crate::run::ExitAnswer;
use crate::style::{BOLD, ERROR, GOOD, WARNING};
use crate::terminal::{self, Within};
use crate::{prepare, settings};

/// What is put behind the names of the old version.
const OLD: &str = "__old";
/// What is put before the names of the drivers.
const DRIVER: &str = "taw_compare_";
/// Calls that are shown for one function.
const SHOWN: usize = 4;

/// What came of comparing one function.
#[derive(Debug, Serialize)]
struct ComparedFunction {
    function: String,
    /// `differs`, `equivalent`, `no-difference-found` or `not-compared`.
    verdict: &'static str,
    /// Calls that show a difference.
    differences: Vec<String>,
    /// Why it is not known that there is none.
    why: Vec<String>,
}

/// Compares the functions that two files have in common.
pub(crate) fn compare(args: &TestArgs) -> Result<ExitAnswer, Failure> {
    let [old, new] = &args.files[..] else {
        return Err(Failure::Message("--compare takes two files: the old version and the new one".to_owned()));
    };
    let how = || settings::compile(&args.as_run(Vec::new())).on_warning(terminal::pass_on);
    let (before, after) = (Program::compile([old.clone()], &how())?, Program::compile([new.clone()], &how())?);
    let wanted = taw::functions_to_test(&after, &args.function, false)?;
    let scratch = taw_files::scratch("taw-compare-").map_err(Failure::message)?;
    let (mut text, mut compared, mut results) = (String::new(), Vec::new(), Vec::new());
    for id in wanted {
        let name = &after.code().functions[id].name;
        match driver(&before, &after, id) {
            Ok(driver) => {
                text += &driver;
                compared.push(name.clone());
            }
            Err(why) => results.push(ComparedFunction::not_compared(name, why)),
        }
    }
    let file = scratch.path().join("driver.c");
    fs::write(&file, text).map_err(Failure::message)?;
    let renamed = defined(&before).into_iter().map(|name| format!("-D{name}={name}{OLD}")).collect();
    let how = how().own_flags([FileFlags { path: old.clone(), flags: renamed }]);
    let program = Program::compile([old.clone(), new.clone(), file], &how)?;
    let variables = variables(&program);
    for name in compared {
        results.push(one(args, &program, &name, &variables)?);
    }
    show(args, &results)
}

/// The names that a program's files define for others.
fn defined(program: &Program) -> BTreeSet<String> {
    let code = program.code();
    let is_users =
        |function: &&Function| function.is_defined() && function.origin == Origin::User && !function.is_static;
    let functions = code.functions.values().filter(is_users).map(|function| function.name.clone());
    let is_variable =
        |global: &&taw::ir::Global| global.origin == Origin::User && global.loc.is_some() && global.init.is_some();
    let globals = code.globals.values().filter(is_variable).map(|global| global.name.clone());
    functions.chain(globals).filter(|name| !name.contains('.')).collect()
}

/// Variables of both versions that could be changed.
fn variables(program: &Program) -> Vec<String> {
    let code = program.code();
    let may_change =
        |global: &&taw::ir::Global| global.origin == Origin::User && !global.constant && global.loc.is_some();
    code.globals.values().filter(may_change).map(|global| global.name.clone()).collect()
}

/// A function that calls both versions, and traps where they differ.
fn driver(before: &Program, after: &Program, id: FuncId) -> Result<String, String> {
    let (new, name) = (prototype(after, id)?, &after.code().functions[id].name);
    let old = before.code().function_named(name).filter(|id| before.code().functions[*id].is_defined());
    let old = prototype(before, old.ok_or("the old version does not have it")?)?;
    if old != new {
        return Err("its type has changed".to_owned());
    }
    let (result, parameters) = new;
    let list: Vec<String> = parameters.iter().enumerate().map(|(i, ty)| format!("{ty} a{}", i + 1)).collect();
    let list = if list.is_empty() { "void".to_owned() } else { list.join(", ") };
    let passed: Vec<String> = (1..=parameters.len()).map(|i| format!("a{i}")).collect();
    let passed = passed.join(", ");
    let mut text = format!("{result} {name}({list});\n{result} {name}{OLD}({list});\nvoid {DRIVER}{name}({list}) {{\n");
    let _ = write!(
        text,
        "  {result} before = {name}{OLD}({passed});\n  {result} after = {name}({passed});\n  \
         if (!(before == after || (before != before && after != after))) __builtin_trap();\n}}\n"
    );
    Ok(text)
}

/// The types of a function's result and parameters, if all are numbers.
fn prototype(program: &Program, id: FuncId) -> Result<(String, Vec<String>), String> {
    let (code, unknown) = (program.code(), || "its type is not known".to_owned());
    let types = &code.types;
    let source = code.functions[id].source.ok_or_else(unknown)?;
    let Type::Function { returns, params, variadic: false } = &types.all[types.plain(source)] else {
        return Err(unknown());
    };
    let number = |ty: TypeId| match &types.all[types.plain(ty)] {
        Type::Integer { .. } | Type::Float { .. } => Ok(types.spelled(types.plain(ty))),
        _ => Err("it takes or gives something else than numbers".to_owned()),
    };
    Ok((number(*returns)?, params.iter().map(|ty| number(*ty)).collect::<Result<_, _>>()?))
}

/// Explores the driver of one function.
fn one(args: &TestArgs, program: &Program, name: &str, variables: &[String]) -> Result<ComparedFunction, Failure> {
    let run = args.as_run(vec![format!("{DRIVER}{name}")]);
    let session = prepare::testing(&run, program.clone())?;
    let (seen, summary) = session.prepared(|prepared| {
        let mut seen = ComparedPaths { program, name, differences: Vec::new(), open: BTreeSet::new() };
        let summary = prepared.explore(&mut seen, &mut |_| {})?;
        let words = sentences(&summary.incomplete, program.code());
        let premises: &[Premise] = &summary.premises;
        let confirmed = confirmed(prepared, seen.differences, &mut seen.open)?;
        Ok::<_, Failure>(((confirmed, seen.open), (words, premises_in_words(premises, program.code()))))
    })?;
    let mut why: Vec<String> = seen.1.into_iter().chain(summary.0).collect();
    why.extend(summary.1.into_iter().map(|premise| format!("it rests on this: {premise}")));
    if !variables.is_empty() {
        why.push(format!("what happens to variables is not compared ({})", variables.join(", ")));
    }
    let verdict = match (seen.0.is_empty(), why.is_empty()) {
        (false, _) => "differs",
        (true, true) => "equivalent",
        (true, false) => "no-difference-found",
    };
    Ok(ComparedFunction { function: name.to_owned(), verdict, differences: seen.0, why })
}

/// The differences that native runs show; that others do not is kept.
fn confirmed(
    prepared: &Prepared<'_>,
    differences: Vec<(String, TestFile)>,
    open: &mut BTreeSet<String>,
) -> Result<Vec<String>, Failure> {
    let (mut native, mut shown) = (prepared.native()?, Vec::new());
    for (text, file) in differences.into_iter().take(SHOWN) {
        let replayed = native.replay(&file)?;
        match replayed.verdict {
            ReplayVerdict::Same => shown.push(text),
            _ => _ = open.insert(format!("{text}, which a native run does not confirm: {}", replayed.why)),
        }
    }
    Ok(shown)
}

/// What the paths of a driver show.
struct ComparedPaths<'a> {
    program: &'a Program,
    name: &'a str,
    differences: Vec<(String, TestFile)>,
    /// What is not compared on some path.
    open: BTreeSet<String>,
}

impl ComparedPaths<'_> {
    /// Notes a difference, with the call that shows it.
    fn differs(&mut self, case: &TestCase, how: &str) {
        let file = TestFile::new(case, &self.program.places());
        let call = file.call.as_ref().and_then(|call| call.c.last().cloned()).unwrap_or_default();
        let call = call.trim_start_matches(DRIVER).trim_end_matches(';');
        self.differences.push((format!("{call}: {how}"), file));
    }
}

impl Sink for ComparedPaths<'_> {
    fn path(&mut self, case: &TestCase) {
        if !case.written.both.is_empty() {
            self.open.insert("what is printed is not compared".to_owned());
        }
        match &case.outcome {
            Outcome::Exit(_) if case.returned.is_some() => {}
            Outcome::Finding(finding) => {
                let frames = self.program.places().stack(&finding.stack);
                let is_in = |end: &str| frames.iter().any(|frame| frame.function.ends_with(end));
                let at_driver = frames.first().is_some_and(|frame| frame.function.starts_with(DRIVER));
                if finding.kind == FindingKind::Abort && at_driver {
                    self.differs(case, "the results differ");
                } else if is_in(&format!("{}{OLD}", self.name)) {
                    self.open.insert(format!("the old version fails: {}", finding.message));
                } else {
                    self.differs(case, &format!("only the new version fails: {}", finding.message));
                }
            }
            _ => _ = self.open.insert(format!("paths that do not return from `{}` are not compared", self.name)),
        }
    }
}

impl ComparedFunction {
    fn not_compared(name: &str, why: String) -> Self {
        ComparedFunction { function: name.to_owned(), verdict: "not-compared", differences: Vec::new(), why: vec![why] }
    }
}

fn show(args: &TestArgs, results: &[ComparedFunction]) -> Result<ExitAnswer, Failure> {
    let mut out = terminal::stdout();
    if args.json {
        writeln!(out, "{}", serde_json::to_string_pretty(results).expect("plain data"))?;
    }
    for result in results.iter().filter(|_| !args.json) {
        write!(out, "{BOLD}{}{BOLD:#}: ", Within(&result.function))?;
        match result.verdict {
            "differs" => writeln!(out, "{ERROR}differs{ERROR:#}")?,
            "equivalent" => writeln!(out, "{GOOD}equivalent{GOOD:#}: the results are the same for all arguments")?,
            "not-compared" => writeln!(out, "{WARNING}not compared{WARNING:#}: {}", Within(result.why.join("; ")))?,
            _ => writeln!(out, "{WARNING}no difference found{WARNING:#}: {}", Within(result.why.join("; ")))?,
        }
        for difference in result.differences.iter().take(SHOWN) {
            writeln!(out, "  {}", Within(difference))?;
        }
    }
    out.flush()?;
    let is = |verdict: &str| results.iter().any(|result| result.verdict == verdict);
    Ok(match (is("differs"), is("no-difference-found") || is("not-compared") || results.is_empty()) {
        (true, _) => ExitAnswer::Findings,
        (false, true) => ExitAnswer::Undecided,
        (false, false) => ExitAnswer::Clean,
    })
}
