//! Functions that a test has to bring along: those that are defined nowhere (`--stub`), and those that the caller passes. Their values stand in the test that uses
//! them, in the order of the calls.
//!
//! Boundary: what such a function writes through pointers has no place in a test yet; such a test is left out, and says so.

use taw_ir::{Program, Type, TypeId};

use crate::c::CALLBACK;
use crate::test_file::{InputRecord, TestFile};

/// A function that is defined nowhere, as a test file defines it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SuiteStandIn {
    /// Its name.
    pub function: String,
    /// The type of what it gives back; empty for `void`.
    pub result: String,
    /// Its definition, with the variable that it takes its values from.
    pub text: String,
}

/// A definition for a function that is declared and defined nowhere; nothing if it is not known how C declares it.
pub fn stand_in(program: &Program, function: &str) -> Option<SuiteStandIn> {
    let declared = &program.functions[program.function_named(function)?];
    let types = &program.types;
    let Type::Function { returns: result, params, variadic } = types.all[types.plain(declared.source?)].clone() else {
        return None;
    };
    if params.len() != declared.params.len() {
        return None;
    }
    let parameter = |(i, ty): (usize, &TypeId)| {
        let text = types.declared(*ty, format!("a{}", i + 1));
        let pointee = types.pointee(*ty);
        let has_levels =
            |to: TypeId| matches!(types.all[types.plain(to)], Type::Pointer { .. } | Type::Function { .. });
        match pointee {
            // Which of the levels are constant is not known.
            Some(to) if has_levels(to) => None,
            Some(_) if declared.params[i].read_only => Some(format!("const {text}")),
            _ => Some(text),
        }
    };
    let parameters: Vec<String> = params.iter().enumerate().map(parameter).collect::<Option<_>>()?;
    let mut list = if parameters.is_empty() { "void".to_owned() } else { parameters.join(", ") };
    if variadic {
        list += ", ...";
    }
    let unused: String = (1..=parameters.len()).map(|i| format!("  (void)a{i};\n")).collect();
    if types.all[types.plain(result)] == Type::Void {
        let text = format!("void {function}({list}) {{\n{unused}}}\n");
        return Some(SuiteStandIn { function: function.to_owned(), result: String::new(), text });
    }
    if !types.is_number(result) {
        return None;
    }
    let spelled = types.spelled(result);
    let text = format!(
        "/* What `{function}`, which is defined nowhere, gives back in the test that runs: call by call. */\nstatic const {spelled} *{function}_gives;\n\n{} {{\n{unused}  return *{function}_gives++;\n}}\n",
        types.declared(result, format!("{function}({list})")),
    );
    Some(SuiteStandIn { function: function.to_owned(), result: spelled, text })
}

/// What functions that are defined nowhere give back in a test, by function.
pub(super) fn given_back(test: &TestFile, known: &[SuiteStandIn]) -> Result<Vec<(String, Vec<String>)>, String> {
    let passed: Vec<&str> = callers(test).collect();
    let is_argument = |name: &str| test.call.as_ref().is_some_and(|call| call.arguments.iter().any(|a| a.name == name));
    let mut gives: Vec<(String, Vec<String>)> = Vec::new();
    for input in test.asked().filter(|input| !is_argument(&input.name)) {
        let Some(function) = giver(&input.name) else {
            return Err(format!("it needs the value of `{}`, which no test in C can give", input.name));
        };
        if passed.contains(&function) {
            continue;
        }
        if !known.iter().any(|stand_in| stand_in.function == function && !stand_in.result.is_empty()) {
            return Err(format!("what `{function}` gives back cannot be said in C"));
        }
        match gives.iter_mut().find(|(name, _)| name == function) {
            Some((_, values)) => values.push(input.value.clone()),
            None => gives.push((function.to_owned(), vec![input.value.clone()])),
        }
    }
    Ok(gives)
}

/// The function whose result an input is: `f()`, and `f()_2` for a later call.
fn giver(name: &str) -> Option<&str> {
    let (function, rest) = name.split_once("()")?;
    let is_number = rest.strip_prefix('_').is_none_or(|number| number.parse::<u32>().is_ok());
    (is_number && (rest.is_empty() || rest.starts_with('_'))).then_some(function)
}

/// Names of functions that the caller passes.
fn callers(test: &TestFile) -> impl Iterator<Item = &str> {
    let objects = test.call.as_ref().map_or(&[][..], |call| &call.objects);
    let is_callers =
        |object: &&crate::call::ObjectRecord| object.code.as_ref().is_some_and(|code| *code != object.name);
    objects.iter().filter(is_callers).map(|object| object.name.as_str())
}

/// The lines of a call in which functions of the caller's are pointers, and these functions at the level of the file. `@` stands for the name of the test.
pub(super) fn callbacks(entry: &str, test: &TestFile, lines: &[String]) -> Result<(Vec<String>, Vec<String>), String> {
    let (mut before, mut functions) = (Vec::new(), Vec::new());
    for line in lines {
        let Some((declared, _)) = line.split_once(CALLBACK).filter(|_| line.ends_with("*/ }")) else {
            before.push(line.clone());
            continue;
        };
        let unfit = || format!("a function that `{entry}` is passed is declared as `{declared}`");
        let (head, parameters) = declared.split_once('(').ok_or_else(unfit)?;
        let parameters = parameters.strip_suffix(')').filter(|list| !list.contains(['(', '['])).ok_or_else(unfit)?;
        let name = head.rsplit([' ', '*']).next().unwrap_or_default();
        let result = head.strip_suffix(name).unwrap_or_default().trim_end();
        let is_its = |input: &&InputRecord| giver(&input.name) == Some(name);
        let values: Vec<String> = test.inputs.iter().filter(is_its).map(|input| input.value.clone()).collect();
        let (list, unused) = named_parameters(parameters);
        let body = match (result, values.is_empty()) {
            ("void", _) => String::new(),
            (_, true) => "  return 0;\n".to_owned(),
            (_, false) if result.ends_with('*') => return Err(unfit()),
            (_, false) => format!(
                "  static const {result} gives[] = {{{}}};\n  static unsigned call;\n  return gives[call++];\n",
                values.join(", ")
            ),
        };
        functions.push(format!("static {result} @__{name}({list}) {{\n{unused}{body}}}\n"));
        before.push(format!("{result} (*{name})({parameters}) = @__{name};"));
    }
    Ok((before, functions))
}

/// A list of types as a list of parameters, and what keeps a compiler from saying that they are not used.
fn named_parameters(types: &str) -> (String, String) {
    if types.is_empty() || types == "void" {
        return ("void".to_owned(), String::new());
    }
    let types: Vec<&str> = types.split(',').map(str::trim).collect();
    let list: Vec<String> = types
        .iter()
        .enumerate()
        .map(|(i, ty)| match *ty {
            "..." => "...".to_owned(),
            ty if ty.ends_with('*') => format!("{ty}a{}", i + 1),
            ty => format!("{ty} a{}", i + 1),
        })
        .collect();
    let unused = types.iter().enumerate().filter(|(_, ty)| **ty != "...");
    let unused = unused.map(|(i, _)| format!("  (void)a{};\n", i + 1)).collect();
    (list.join(", "), unused)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_told_by_their_numbers() {
        assert_eq!(giver("f()"), Some("f"));
        assert_eq!(giver("f()_2"), Some("f"));
        assert_eq!(giver("f() != NULL"), None);
        assert_eq!(giver("f(arg1)"), None);
    }

    #[test]
    fn parameters_get_names() {
        assert_eq!(named_parameters("int, char *"), ("int a1, char *a2".into(), "  (void)a1;\n  (void)a2;\n".into()));
        assert_eq!(named_parameters("void").0, "void");
    }
}
