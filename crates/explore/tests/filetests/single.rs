//! `; run @f(1, 2) == 3`: one call, with constants, and again with arguments that are symbolic and equal to them.

use taw_ir::{Function, Program};
use taw_report::sentences;

use crate::answer::{bits, constant};
use crate::drive::{Driven, EndedPath, Explored, Variation};
use crate::file::FileTest;

/// How the call ends.
pub fn run(test: &FileTest, program: &Program, call: &str) -> Result<String, String> {
    let (function, constants) = parse(program, call)?;
    let concrete = Driven::constant(&test.program, function, &constants, test.checks)?.explore(Variation::default())?;
    let concrete = only(concrete, program, "with constants")?;
    if !constants.is_empty() {
        let pinned = Driven::new(&test.program, function, &constants, test.checks)?.explore(Variation::default())?;
        let pinned = only(pinned, program, "with symbolic arguments")?;
        if pinned.outcome != concrete.outcome {
            let (a, b) = (concrete.detail, pinned.detail);
            return Err(format!("with constants it ends in `{a}`, with symbolic arguments equal to them in `{b}`"));
        }
    }
    Ok(concrete.detail)
}

fn parse<'p>(program: &'p Program, call: &str) -> Result<(&'p Function, Vec<String>), String> {
    let inner = call.strip_prefix('@').and_then(|rest| rest.strip_suffix(')')).and_then(|rest| rest.split_once('('));
    let (name, args) = inner.ok_or("`@name(numbers)` should follow")?;
    let func = program.function_named(name).ok_or_else(|| format!("there is no function @{name}"))?;
    let function = &program.functions[func];
    let args: Vec<&str> = args.split(',').map(str::trim).filter(|arg| !arg.is_empty()).collect();
    if args.len() != function.params.len() {
        return Err(format!("@{name} has {} parameters", function.params.len()));
    }
    let one = |(arg, param): (&&str, &taw_ir::Param)| {
        Ok(constant(bits(arg, param.ty, &program.layout)?, param.ty, &program.layout))
    };
    let constants: Result<Vec<String>, String> = args.iter().zip(&function.params).map(one).collect();
    Ok((function, constants?))
}

fn only(explored: Explored, program: &Program, how: &str) -> Result<EndedPath, String> {
    let Explored { mut paths, summary, .. } = explored;
    let reasons = &summary.incomplete;
    let ended_early = paths.iter().any(|path| path.outcome.starts_with("unsupported"));
    if !reasons.is_empty() && !ended_early {
        return Err(format!("{how} not everything was explored: {}", sentences(reasons, program).join("; ")));
    }
    match paths.len() {
        1 => Ok(paths.remove(0)),
        n => Err(format!("{how} there are {n} paths")),
    }
}
