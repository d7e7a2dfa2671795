//! What holds where paths start: expressions of the user's, compiled behind the last line of the file that has the entry, and predicates of
//! the program. Both are functions with the entry's parameters, which run before it.

use std::collections::BTreeMap;
use std::path::PathBuf;

use taw_engine::Precondition;
use taw_ir::{Function, Origin, Param, Type, TypeId, Types};
use taw_report::Recipe;
use taw_targets::nearest;

use crate::Error;
use crate::entries::Entries;
use crate::invariants::missing_calls;
use crate::program::Program;
use crate::session::Session;

/// How functions are called that are made of expressions.
pub(crate) const MADE: &str = "taw_assume_";

fn name_of(number: usize, entry: &str) -> String {
    format!("{MADE}{number}_{entry}")
}

/// What is made of expressions is not the user's code: nobody wants it covered.
pub(crate) fn set_apart(program: &mut taw_ir::Program) {
    let made = program.functions.values_mut().filter(|function| function.name.starts_with(MADE));
    made.for_each(|function| function.origin = Origin::Library);
}

/// The program with the expressions as functions, for each entry.
///
/// # Errors
/// If an entry is in no C file or has parameters without a name in C, or what the compiler says of an expression.
pub(crate) fn assuming(session: &Session) -> Result<Option<Program>, Error> {
    let program = &session.program;
    let code = program.code();
    let unseen = session.required.iter().filter(|name| defined(code, name).is_none());
    let unseen: Vec<&String> = unseen.collect();
    let mut of_structures = missing_calls(session)?;
    if session.assumed.is_empty() && unseen.is_empty() && of_structures.is_empty() {
        return Ok(None);
    }
    let mut texts: BTreeMap<PathBuf, String> = BTreeMap::new();
    for entry in Entries::of(&session.asked_entries(), code)?.names {
        let (option, said) = match (session.assumed.first(), unseen.first(), session.invariants.first()) {
            (Some(said), ..) => ("assume", said.clone()),
            (None, Some(said), _) => ("requires", (*said).clone()),
            (None, None, said) => ("invariant", said.map(ToString::to_string).unwrap_or_default()),
        };
        let fail = |why: String| Error::Precondition { option, text: said.clone(), why };
        let Some(function) = defined(code, &entry) else { continue };
        let place = function.loc.and_then(|loc| program.source_of(loc));
        let place = place.ok_or_else(|| fail(format!("`{entry}` is in none of the C files that were given")))?;
        // Once is enough.
        texts.entry(place.to_owned()).or_default().push_str(&std::mem::take(&mut of_structures));
        if session.assumed.is_empty() && unseen.is_empty() {
            continue;
        }
        let parameters = parameters(function, &code.types).map_err(|why| fail(format!("`{entry}` {why}")))?;
        if session.assumed.iter().any(|expression| expression.contains(['\n', '\r'])) {
            return Err(fail("an expression is one line".to_owned()));
        }
        let text = texts.entry(place.to_owned()).or_default();
        for (number, expression) in session.assumed.iter().enumerate() {
            text.push_str(&predicate(&name_of(number, &entry), &parameters, "--assume", expression));
        }
        // A static function that nobody uses is in no code before somebody does.
        for function in &unseen {
            let call = call(function, &parameters);
            text.push_str(&predicate(&format!("{MADE}{function}_{entry}"), &parameters, "--requires", &call));
        }
    }
    program.appended(texts.into_iter().collect()).map(Some)
}

/// An expression as a function. It has a line of its own, so that the compiler's columns are the user's; and what looks like a comparison and
/// is an assignment is a mistake.
pub(crate) fn predicate(name: &str, parameters: &[(String, String)], option: &str, expression: &str) -> String {
    let list: Vec<&str> = parameters.iter().map(|(declared, _)| declared.as_str()).collect();
    let list = if list.is_empty() { "void".to_owned() } else { list.join(", ") };
    format!(
        "#pragma clang diagnostic push\n#pragma clang diagnostic error \"-Wparentheses\"\n\
         #pragma clang diagnostic ignored \"-Wlogical-op-parentheses\"\n#pragma clang diagnostic ignored \"-Wbitwise-op-parentheses\"\n\
         #line 1 \"{option}\"\n_Bool {name}({list}); _Bool {name}({list}) {{ if (\n\
         #line 1 \"{option}\"\n{expression}\n) return 1; return 0; }}\n#pragma clang diagnostic pop\n"
    )
}

/// A call with the parameters.
fn call(function: &str, parameters: &[(String, String)]) -> String {
    let names: Vec<&str> = parameters.iter().map(|(_, name)| name.as_str()).collect();
    format!("{function}({})", names.join(", "))
}

pub(crate) fn defined<'p>(program: &'p taw_ir::Program, name: &str) -> Option<&'p Function> {
    program.function_named(name).map(|id| &program.functions[id]).filter(|function| function.is_defined())
}

/// The parameters of a function as its file would declare them, and their names.
pub(crate) fn parameters(function: &Function, types: &Types) -> Result<Vec<(String, String)>, String> {
    let Some(source) =
        function.source.filter(|source| matches!(types.all[types.plain(*source)], Type::Function { .. }))
    else {
        return Err("has no debug information".to_owned());
    };
    let Type::Function { params, .. } = &types.all[types.plain(source)] else { return Ok(Vec::new()) };
    // A structure that comes in several registers is one parameter.
    let mut names: Vec<&Param> = function.params.iter().collect();
    names.dedup_by(|b, a| !a.name.is_empty() && a.name == b.name && a.source == b.source);
    let hidden = names.len().checked_sub(params.len()).ok_or("has parameters that the compiler has left out")?;
    let mut list = Vec::new();
    for (i, (&ty, param)) in params.iter().zip(&names[hidden..]).enumerate() {
        if !has_name(types, ty) {
            return Err(format!("has a parameter `{}` of a type without a name", param.name));
        }
        let name = if param.name.is_empty() { format!("arg{i}") } else { param.name.clone() };
        list.push((types.declared(ty, name.clone()), name));
    }
    Ok(list)
}

/// Whether C can name a type.
fn has_name(types: &Types, ty: TypeId) -> bool {
    match &types.all[ty] {
        Type::Record(record) => !record.name.is_empty(),
        Type::Enum { name, .. } => !name.is_empty(),
        Type::Pointer { to } => has_name(types, *to),
        Type::Array { of, .. } => has_name(types, *of),
        Type::Function { returns, params, .. } => {
            has_name(types, *returns) && params.iter().all(|p| has_name(types, *p))
        }
        _ => true,
    }
}

/// What the session says of each entry.
///
/// # Errors
/// If a predicate is none of the program's, or does not take what an entry takes.
pub(crate) fn of(session: &Session, entries: &[String]) -> Result<Vec<Precondition>, Error> {
    let mut all = Vec::new();
    for entry in entries {
        for function in &session.required {
            let fail = |why| Error::Precondition { option: "requires", text: function.clone(), why };
            let made = format!("{MADE}{function}_{entry}");
            let made = defined(session.program.code(), &made).is_some().then_some(made);
            if made.is_none() {
                fits(session.program.code(), entry, function).map_err(fail)?;
            }
            let text = made.is_some().then(|| format!("{function}(…)"));
            all.push(Precondition { entry: entry.clone(), function: made.unwrap_or_else(|| function.clone()), text });
        }
        for (number, text) in session.assumed.iter().enumerate() {
            let function = name_of(number, entry);
            if defined(session.program.code(), &function).is_none() && defined(session.program.code(), entry).is_some()
            {
                let why =
                    "the program was not compiled with it: `with_preconditions` comes after what is assumed".to_owned();
                return Err(Error::Precondition { option: "assume", text: text.clone(), why });
            }
            all.push(Precondition { entry: entry.clone(), function, text: Some(text.clone()) });
        }
    }
    Ok(all)
}

/// What must hold of an entry's arguments, as functions that its file can call.
pub(crate) fn called_with(session: &Session, entry: &str) -> Vec<String> {
    let required = session.required.iter().map(|function| {
        let made = format!("{MADE}{function}_{entry}");
        if defined(session.program.code(), &made).is_some() { made } else { function.clone() }
    });
    (0..session.assumed.len()).map(|number| name_of(number, entry)).chain(required).collect()
}

fn fits(program: &taw_ir::Program, entry: &str, function: &str) -> Result<(), String> {
    // That there is no such entry is said elsewhere.
    let Some(started) = defined(program, entry) else { return Ok(()) };
    let Some(predicate) = defined(program, function) else {
        let users = program.functions.values().filter(|f| f.is_defined() && f.origin == Origin::User);
        let near = nearest(function, users.map(|f| f.name.as_str())).map(|near| format!("; did you mean `{near}`?"));
        return Err(format!("the program defines no function `{function}`{}", near.unwrap_or_default()));
    };
    let shape = |f: &Function| f.params.iter().map(|p| (p.ty, p.byval)).collect::<Vec<_>>();
    if shape(started) != shape(predicate) {
        return Err(format!("`{function}` does not take the parameters that `{entry}` takes"));
    }
    match predicate.returns[..] {
        [taw_ir::Ty::Int(bits)] if bits <= 64 => Ok(()),
        _ => Err(format!("`{function}` returns no truth value")),
    }
}

/// Has the native program check the same.
pub(crate) fn tell(recipe: &mut Recipe, preconditions: &[Precondition], program: &taw_ir::Program) {
    let bits = |name: &str| {
        let returns = program.function_named(name).and_then(|id| program.functions[id].returns.first());
        returns.map_or(1, |ty| ty.bits(&program.layout))
    };
    for entry in &mut recipe.entries {
        let own = preconditions.iter().filter(|precondition| precondition.entry == entry.function);
        entry.preconditions = own.map(|own| (own.function.clone(), bits(&own.function))).collect();
    }
}
