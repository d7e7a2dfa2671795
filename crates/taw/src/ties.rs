//! What the user says of pointers beside their types, looked up in the program: `--array data=len`, `--array buf.data=buf.len`, `--string p`.
//!
//! A name is a parameter of entries, or the member of a structure by its tag or another name (`buf.data`, `buf.head.data`). Boundary: what it means
//! on a path is the engine's (`unknown/ties.rs`). Invariant: whatever is said concerns something, or is a mistake.

use std::fmt;
use std::str::FromStr;

use taw_engine::{ArrayTie, CallerPromises, StringTie, TiedNumber, TiedPointer, is_stream};
use taw_ir::{Function, Layout, LeafKind, Param, Program, Ty, Type, TypeId, Types};
use taw_targets::nearest;

use crate::Error;
use crate::invariants::invariants;
use crate::session::Session;

/// A pointer and the number that says how many elements it leads to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ArrayRule {
    /// A parameter (`data`), or a member (`buf.data`).
    pub pointer: String,
    /// The same.
    pub length: String,
}

impl fmt::Display for ArrayRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.pointer, self.length)
    }
}

impl FromStr for ArrayRule {
    type Err = String;

    /// Reads `POINTER=NUMBER`.
    fn from_str(text: &str) -> Result<Self, String> {
        let says = || "say POINTER=NUMBER, two parameters (data=len) or two members (buf.data=buf.len)".to_owned();
        let (pointer, length) = text.split_once('=').ok_or_else(says)?;
        let (pointer, length) = (pointer.trim(), length.trim());
        match is_name(pointer) && is_name(length) {
            true => Ok(ArrayRule { pointer: pointer.to_owned(), length: length.to_owned() }),
            false => Err(format!("{}; for more than names there is --assume", says())),
        }
    }
}

/// Whether a word is a name, or names joined by dots, as of a member.
fn is_name(word: &str) -> bool {
    let word = ["struct ", "union "].iter().find_map(|kind| word.strip_prefix(kind)).unwrap_or(word);
    let is_part = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_alphanumeric() || c == '_');
    word.split('.').all(is_part)
}

/// What the session says, for these entries.
///
/// # Errors
/// If something is not in the program, or nothing that can be said of it.
pub(crate) fn promises(session: &Session, entries: &[String]) -> Result<CallerPromises, Error> {
    let program = session.program.code();
    let mut promises = CallerPromises::default();
    for rule in &session.arrays {
        let fail = |why| Error::Precondition { option: "array", text: rule.to_string(), why };
        let found = MeantPlaces::of(program, entries, &rule.pointer).and_then(|places| arrays(&places, rule));
        for tie in found.map_err(fail)? {
            let is_other = |known: &&ArrayTie| known.pointer == tie.pointer && known.number != tie.number;
            if let Some(known) = promises.arrays.iter().find(is_other) {
                return Err(fail(format!(
                    "`{}` has a length already: --array {}={}",
                    tie.said, known.said, known.length
                )));
            }
            promises.arrays.push(tie);
        }
    }
    for name in &session.strings {
        let fail = |why| Error::Precondition { option: "string", text: name.clone(), why };
        let found = MeantPlaces::of(program, entries, name).and_then(|places| strings(&places, name)).map_err(fail)?;
        let is_array = |tie: &&ArrayTie| found.iter().any(|string| string.pointer == tie.pointer);
        if let Some(tie) = promises.arrays.iter().find(is_array) {
            return Err(fail(format!("--array {}={} says that it is characters", tie.said, tie.length)));
        }
        promises.strings.extend(found);
    }
    if !session.invariants.is_empty() {
        promises.invariants = invariants(session)?;
    }
    Ok(promises)
}

/// What a name may mean.
enum MeantPlaces<'p> {
    /// Parameters of these entries.
    Parameters(&'p Program, Vec<&'p Function>),
    /// Members of this structure, by all the numbers that it has.
    Members(&'p Program, Vec<TypeId>),
    /// Every pointer.
    Every,
}

impl<'p> MeantPlaces<'p> {
    fn of(program: &'p Program, entries: &[String], name: &str) -> Result<Self, String> {
        let named = entries.iter().filter(|entry| *entry != "main").filter_map(|entry| program.function_named(entry));
        let functions: Vec<&Function> = named.map(|id| &program.functions[id]).collect();
        if functions.is_empty() {
            return Err("it is about what the caller of a function passes; name the function with --entry".to_owned());
        }
        match name.split_once('.') {
            _ if name == "*" => Ok(MeantPlaces::Every),
            _ if !is_name(name) => Err(format!(
                "`{name}` is no name; say a parameter (p), or a member by its structure (buf.data, for b->data too)"
            )),
            None => Ok(MeantPlaces::Parameters(program, functions)),
            Some((of, _)) => records_named(program, of).map(|records| MeantPlaces::Members(program, records)),
        }
    }
}

/// The structures of a tag or of another name.
pub(crate) fn records_named(program: &Program, name: &str) -> Result<Vec<TypeId>, String> {
    let types = &program.types;
    let tag = ["struct ", "union "].iter().find_map(|kind| name.strip_prefix(kind));
    let is_whole = |id: TypeId| types.members(id).is_some_and(|members| !members.is_empty());
    let name_of = |id: TypeId| match &types.all[id] {
        Type::Record(record) => Some(record.name.as_str()),
        Type::Typedef { name, .. } if tag.is_none() => Some(name.as_str()),
        _ => None,
    };
    let all = || types.all.keys().filter(|id| is_whole(*id)).filter_map(|id| Some((id, name_of(id)?)));
    let wanted = tag.unwrap_or(name);
    let mut found: Vec<TypeId> = all().filter(|(_, name)| *name == wanted).map(|(id, _)| types.plain(id)).collect();
    found.sort_unstable();
    found.dedup();
    match found.is_empty() {
        false => Ok(found),
        true => {
            let near = nearest(wanted, all().map(|(_, name)| name).filter(|name| !name.is_empty()));
            Err(format!("the program uses no structure `{wanted}`{}", guess(near)))
        }
    }
}

pub(crate) fn guess(near: Option<&str>) -> String {
    near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default()
}

fn arrays(places: &MeantPlaces<'_>, rule: &ArrayRule) -> Result<Vec<ArrayTie>, String> {
    let of = |name: &str| name.split_once('.').map(|(of, _)| of.to_owned());
    if of(&rule.pointer) != of(&rule.length) {
        return Err("both must be parameters, or members of one structure; for more there is --assume".to_owned());
    }
    let (said, length) = (rule.pointer.clone(), rule.length.clone());
    let tie =
        |pointer, number, signed| ArrayTie { pointer, number, signed, said: said.clone(), length: length.clone() };
    let mut ties = Vec::new();
    match places {
        MeantPlaces::Every => return Err("an array has a name".to_owned()),
        MeantPlaces::Parameters(program, functions) => {
            for function in having(functions, &rule.pointer)? {
                let pointer = parameter(function, &rule.pointer)?;
                let number = parameter(function, &rule.length)?;
                elements(program, &rule.pointer, pointed(program, pointer).ok_or_else(|| no_pointer(&rule.pointer))?)?;
                let signed = match (number.source, number.ty) {
                    (Some(ty), Ty::Int(_)) if number.byval.is_none() => whole_number(&program.types, &rule.length, ty)?,
                    (Some(ty), _) => return Err(no_number(&program.types, &rule.length, ty)),
                    (None, _) => {
                        return Err(format!("nothing is known of the type of `{}` (compile with -g)", rule.length));
                    }
                };
                let entry = function.name.clone();
                let pointer = TiedPointer::Parameter { entry, name: rule.pointer.clone() };
                ties.push(tie(pointer, TiedNumber::Parameter(rule.length.clone()), signed));
            }
        }
        MeantPlaces::Members(program, records) => {
            let in_one = |of: TypeId| {
                let (offset, to) = row_member(program, of, &rule.pointer)?;
                elements(program, &rule.pointer, to)?;
                let (at, ty) = member(program, of, &rule.length)?;
                let signed = whole_number(&program.types, &rule.length, ty)?;
                is_alone(&program.types, of, at, &program.layout, &rule.length)?;
                Ok(tie(TiedPointer::Member { of, offset }, TiedNumber::Member(at), signed))
            };
            ties = where_it_fits(records, in_one)?;
        }
    }
    Ok(ties)
}

fn strings(places: &MeantPlaces<'_>, name: &str) -> Result<Vec<StringTie>, String> {
    let tie = |pointer| StringTie { pointer, said: name.to_owned() };
    let mut ties = Vec::new();
    match places {
        MeantPlaces::Every => ties.push(tie(TiedPointer::Every)),
        MeantPlaces::Parameters(program, functions) => {
            for function in having(functions, name)? {
                let to = pointed(program, parameter(function, name)?).ok_or_else(|| no_pointer(name))?;
                characters(&program.types, name, to)?;
                ties.push(tie(TiedPointer::Parameter { entry: function.name.clone(), name: name.to_owned() }));
            }
        }
        MeantPlaces::Members(program, records) => {
            let in_one = |of: TypeId| {
                let (offset, to) = pointer_member(program, of, name)?;
                characters(&program.types, name, to)?;
                Ok(tie(TiedPointer::Member { of, offset }))
            };
            ties = where_it_fits(records, in_one)?;
        }
    }
    Ok(ties)
}

/// What is said of the structures of one name: there may be several, in several files, and one of them is enough.
fn where_it_fits<T>(records: &[TypeId], in_one: impl Fn(TypeId) -> Result<T, String>) -> Result<Vec<T>, String> {
    let (fine, wrong): (Vec<_>, Vec<_>) = records.iter().map(|of| in_one(*of)).partition(Result::is_ok);
    match wrong.into_iter().next() {
        Some(Err(why)) if fine.is_empty() => Err(why),
        _ => fine.into_iter().collect(),
    }
}

/// Those of the functions that have such a parameter.
fn having<'p>(functions: &[&'p Function], name: &str) -> Result<Vec<&'p Function>, String> {
    let has = |function: &&&Function| function.params.iter().any(|param| param.name == name);
    let found: Vec<&Function> = functions.iter().filter(has).copied().collect();
    match found.is_empty() {
        false => Ok(found),
        true => {
            let names = functions.iter().flat_map(|function| &function.params).map(|param| param.name.as_str());
            let near = guess(nearest(name, names.filter(|name| !name.is_empty())));
            let none = match functions {
                [one] => format!("`{}` has no parameter `{name}`", one.name),
                _ => format!("no entry has a parameter `{name}`"),
            };
            Err(format!("{none}{near}"))
        }
    }
}

fn parameter<'p>(function: &'p Function, name: &str) -> Result<&'p Param, String> {
    let mut named = function.params.iter().filter(|param| param.name == name);
    match (named.next(), named.next()) {
        (Some(param), None) => Ok(param),
        (Some(_), Some(_)) => Err(format!("`{name}` is a structure; name its member by the structure's tag")),
        (None, _) => {
            let names = function.params.iter().map(|param| param.name.as_str()).filter(|name| !name.is_empty());
            let near = guess(nearest(name, names));
            Err(format!("`{}` has no parameter `{name}`{near}", function.name))
        }
    }
}

/// What a parameter points at.
fn pointed(program: &Program, param: &Param) -> Option<TypeId> {
    let is_pointer = param.ty == Ty::Ptr && param.byval.is_none();
    param.source.filter(|_| is_pointer).and_then(|source| program.types.pointee(source))
}

/// Where a member lies (`buf.head.len`, the structure first), and its type.
fn member(program: &Program, of: TypeId, name: &str) -> Result<(u64, TypeId), String> {
    let types = &program.types;
    let (mut at, mut ty) = (0, of);
    for step in name.split('.').skip(1) {
        let Some((bits, found)) = types.member(ty, step) else {
            let names = types.members(ty).unwrap_or_default().iter().map(|member| member.name.as_str());
            let near = guess(nearest(step, names.filter(|name| !name.is_empty())));
            return Err(format!("`{}` has no member `{step}`{near}", types.spelled(ty)));
        };
        if found.width.is_some() {
            return Err(format!("`{name}` is a bit-field; for that there is --assume"));
        }
        (at, ty) = (at + bits / 8, found.ty);
    }
    Ok((at, ty))
}

/// A pointer, or a flexible member: its offset, and what it has elements of.
fn row_member(program: &Program, of: TypeId, name: &str) -> Result<(u64, TypeId), String> {
    let (at, _) = member(program, of, name)?;
    let row = program.types.flexible(of, &program.layout).filter(|row| row.at == at && name.split('.').count() == 2);
    row.map_or_else(|| pointer_member(program, of, name), |row| Ok((row.at, row.of)))
}

fn pointer_member(program: &Program, of: TypeId, name: &str) -> Result<(u64, TypeId), String> {
    let (at, ty) = member(program, of, name)?;
    let to = program.types.pointee(ty).ok_or_else(|| no_pointer(name))?;
    match program.types.leaf_at(of, at, &program.layout).what {
        LeafKind::Pointer(_) => Ok((at, to)),
        _ => Err(format!("`{name}` lies in a union, of which nobody knows what it holds")),
    }
}

/// Whether a number is no part of something else, as in a union.
fn is_alone(types: &Types, of: TypeId, at: u64, layout: &Layout, name: &str) -> Result<(), String> {
    let leaf = types.leaf_at(of, at, layout);
    match leaf.what {
        LeafKind::Numbers(_) if leaf.start == at => Ok(()),
        _ => Err(format!("`{name}` lies in a union, of which nobody knows what it holds")),
    }
}

fn no_pointer(name: &str) -> String {
    format!("`{name}` is no pointer")
}

fn no_number(types: &Types, name: &str, ty: TypeId) -> String {
    format!("`{name}` is no whole number of 8 to 64 bits but `{}`", types.spelled(ty))
}

/// Whether a type is a whole number that can be a length, and whether it has a sign.
fn whole_number(types: &Types, name: &str, ty: TypeId) -> Result<bool, String> {
    match &types.all[types.plain(ty)] {
        Type::Integer { name, signed, bits: 8 | 16 | 32 | 64 } if !matches!(name.as_str(), "_Bool" | "bool") => {
            Ok(*signed)
        }
        Type::Enum { signed, bits: 8 | 16 | 32 | 64, .. } => Ok(*signed),
        _ => Err(no_number(types, name, ty)),
    }
}

/// Whether there can be an array of what a pointer points at; `void` is bytes.
fn elements(program: &Program, name: &str, to: TypeId) -> Result<(), String> {
    let types = &program.types;
    match &types.all[types.plain(to)] {
        Type::Function { .. } => Err(format!("`{name}` points at a function")),
        ty if is_stream(ty) => Err(format!("`{name}` is a stream")),
        Type::Void => Ok(()),
        _ if types.flexible(to, &program.layout).is_some() => {
            Err(format!("`{name}` points at `{}`, of which there are no arrays: it ends with one", types.spelled(to)))
        }
        _ if types.bytes(to, &program.layout).is_none_or(|bytes| bytes == 0) => {
            Err(format!("`{name}` points at `{}`, whose size nobody knows", types.spelled(to)))
        }
        _ => Ok(()),
    }
}

/// Whether what a pointer points at is text.
fn characters(types: &Types, name: &str, to: TypeId) -> Result<(), String> {
    match &types.all[types.plain(to)] {
        Type::Integer { name, bits: 8, .. } if name.ends_with("char") => Ok(()),
        _ => Err(format!("`{name}` points at `{}`; text is made of `char`", types.spelled(to))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_is_two_names() {
        let of = |pointer: &str, length: &str| Ok(ArrayRule { pointer: pointer.into(), length: length.into() });
        assert_eq!("data=len".parse(), of("data", "len"));
        assert_eq!("struct buf.data = struct buf.len".parse(), of("struct buf.data", "struct buf.len"));
        assert!("data".parse::<ArrayRule>().unwrap_err().contains("POINTER=NUMBER"));
        assert!(["=n", "p=", "p=n*2", "b->p=b->n"].iter().all(|text| text.parse::<ArrayRule>().is_err()));
    }
}
