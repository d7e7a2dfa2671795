//! Findings that calls of the library's own functions lead to (`--build-with`): against the annotation, and as the C that Taw prints.
//!
//! The calls are compiled behind the program, as the `main` that a person would write of them: it must crash, or a sanitizer must stop it.
//! Nothing that Taw has generated is in it.

use std::fs;
use std::path::Path;

use crate::annotation::Bug;
use crate::native::{BuildRecipe, CompiledProgram};
use crate::taw::{JsonApi, JsonTest};

/// Compares what is said of a finding with its annotation. `test` is that of the calls, if there is one.
///
/// # Errors
/// What is wrong, in a sentence.
pub(crate) fn check(
    bug: &Bug,
    said: Option<&JsonApi>,
    test: Option<&JsonTest>,
    path: &Path,
    recipe: &BuildRecipe,
) -> Result<(), String> {
    let at = |why: String| Err(format!("line {}: {why}", bug.line));
    let (wanted, said) = match (&bug.api, said) {
        (None, None) => return Ok(()),
        (Some(wanted), Some(said)) => (wanted, said),
        (None, Some(said)) => {
            return at(format!("not annotated: API {}: {} {}", said.verdict, said.says, said.c.join(" ")));
        }
        (Some(_), None) => return at("no calls were searched for".to_owned()),
    };
    let calls = said.c.join(" ");
    let fits = match said.verdict.as_str() {
        "reachable" => calls == *wanted,
        verdict => wanted
            .strip_prefix(verdict)
            .is_some_and(|part| part.split(" & ").all(|part| said.says.contains(part.trim_start_matches(':').trim()))),
    };
    if !fits {
        return at(format!("API {}: {} {calls}", said.verdict, said.says));
    }
    match test {
        None => Ok(()),
        Some(test) => fails(&said.c, test, path, recipe).or_else(at),
    }
}

/// Whether the calls fail, as a program of their own.
fn fails(calls: &[String], test: &JsonTest, path: &Path, recipe: &BuildRecipe) -> Result<(), String> {
    let folder = crate::scratch()?;
    let source = folder.path().join("calls.c");
    let text = format!("#include \"{}\"\nint main(void) {{\n{}\nreturn 0;\n}}\n", path.display(), calls.join("\n"));
    fs::write(&source, text).map_err(|error| error.to_string())?;
    let recipe = BuildRecipe { sources: vec![source], signature: None, ..recipe.clone() };
    let observed = CompiledProgram::compile(&recipe)?.replay(test)?;
    match observed.failed() {
        true => Ok(()),
        false => Err(format!("the calls do not fail: {}\n{}", calls.join(" "), observed.ended.said())),
    }
}
