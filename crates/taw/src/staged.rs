//! `--stage t=tree.stage`: which parameters are structures of which stage, and whether the stage is still one of this program.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

use taw_engine::StagedParameters;
use taw_ir::{Function, Program};
use taw_report::{StageFile, StageHead};

use crate::Error;
use crate::preconditions::defined;
use crate::session::Session;
use crate::staging::{code_hash, layout_hash};

/// Parameters and their stage.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StageRule {
    /// The parameters: one for each of the invariant's.
    pub parameters: Vec<String>,
    /// The file.
    pub path: PathBuf,
}

impl fmt::Display for StageRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.parameters.join(","), self.path.display())
    }
}

impl FromStr for StageRule {
    type Err = String;

    /// Reads `PARAMETER=FILE` or `PARAMETER,PARAMETER=FILE`.
    fn from_str(text: &str) -> Result<Self, String> {
        let is_word = |name: &String| !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
        let (names, path) = text.split_once('=').unwrap_or_default();
        let parameters: Vec<String> = names.split(',').map(|name| name.trim().to_owned()).collect();
        match parameters.iter().all(is_word) && !path.is_empty() {
            true => Ok(StageRule { parameters, path: PathBuf::from(path) }),
            false => {
                Err("say PARAMETER=FILE, as t=tree.stage; several parameters of one invariant a,b=pair.stage"
                    .to_owned())
            }
        }
    }
}

/// The parameters of the entries that are structures of stages.
///
/// # Errors
/// If a stage cannot be read, is not of this program, or there is no such parameter.
pub(crate) fn staged(session: &Session, entries: &[String]) -> Result<Vec<StagedParameters>, Error> {
    let program = session.program.code();
    let mut all: Vec<StagedParameters> = Vec::new();
    let mut files: Vec<(&PathBuf, StageHead, Arc<taw_engine::StructureSet>)> = Vec::new();
    for rule in &session.stages {
        let fail = |why: String| Error::Stage { what: rule.to_string(), why };
        let at = match files.iter().position(|(path, ..)| **path == rule.path) {
            Some(at) => at,
            None => {
                let StageFile { head, stage } = StageFile::read(&rule.path).map_err(|error| fail(error.to_string()))?;
                is_of(program, &head).map_err(fail)?;
                files.push((&rule.path, head, Arc::new(stage)));
                files.len() - 1
            }
        };
        let (_, head, stage) = &files[at];
        let mut found = false;
        for entry in entries {
            let Some(function) = defined(program, entry) else { continue };
            if !rule.parameters.iter().all(|name| function.params.iter().any(|param| param.name == *name)) {
                continue;
            }
            fits(program, function, rule, head).map_err(fail)?;
            let is_taken = |known: &StagedParameters| {
                known.entry == *entry && known.parameters.iter().any(|name| rule.parameters.contains(name))
            };
            if all.iter().any(is_taken) {
                return Err(fail("this parameter has a stage already".to_owned()));
            }
            found = true;
            let (entry, parameters) = (entry.clone(), rule.parameters.clone());
            all.push(StagedParameters { entry, parameters, stage: Arc::clone(stage) });
        }
        if !found {
            let names = rule.parameters.join("`, `");
            return Err(fail(format!(
                "`{}` has no parameter `{names}`; --stage goes with --entry",
                entries.join("`, `")
            )));
        }
    }
    Ok(all)
}

/// Whether the invariant is what it was when the stage was made. One that is not in the program cannot have changed.
fn is_of(program: &Program, head: &StageHead) -> Result<(), String> {
    let known = program.function_named(&head.invariant).filter(|id| program.functions[*id].is_defined());
    match known.is_none_or(|func| code_hash(program, func) == head.code) {
        true => Ok(()),
        false => Err(format!(
            "`{}`, or something that it calls, is not what it was when the stage was made, or was compiled otherwise; make it again with `taw stage`",
            head.invariant
        )),
    }
}

/// Whether parameters lead to what the stage has, laid out as it was.
fn fits(program: &Program, function: &Function, rule: &StageRule, head: &StageHead) -> Result<(), String> {
    if rule.parameters.len() != head.parameters.len() {
        return Err(format!(
            "`{}` holds of {} parameters, and {} are named",
            head.invariant,
            head.parameters.len(),
            rule.parameters.len()
        ));
    }
    let mut types = Vec::new();
    for name in &rule.parameters {
        let param = function.params.iter().find(|param| param.name == *name);
        let source = param.filter(|param| param.byval.is_none()).and_then(|param| param.source);
        let to = source.and_then(|source| program.types.pointee(source));
        types.push(to.ok_or_else(|| format!("`{name}` of `{}` is no pointer", function.name))?);
    }
    if layout_hash(program, &types) == head.layout {
        return Ok(());
    }
    let (has, is) = (types.iter().map(|ty| program.types.spelled(*ty)).collect::<Vec<_>>(), &head.types);
    match has == *is {
        true => Err(format!(
            "`{}` does not lie in memory as it did when the stage was made; make it again with `taw stage`",
            is.join("` and `")
        )),
        false => Err(format!(
            "the stage is of `{}`, and the parameter leads to `{}`",
            is.join("` and `"),
            has.join("` and `")
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_is_parameters_and_a_file() {
        let rule: StageRule = "a,b=x/pair=1.stage".parse().unwrap();
        assert_eq!((rule.parameters.join(" "), rule.path), ("a b".to_owned(), PathBuf::from("x/pair=1.stage")));
        assert!(["t", "=f", "t=", "t x=f", "a,=f"].iter().all(|text| text.parse::<StageRule>().is_err()));
    }
}
