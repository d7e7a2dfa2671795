//! The functions at which paths start, and why others cannot be started.

use std::collections::{BTreeMap, BTreeSet};

use taw_engine::entry_obstacle;
use taw_ir::{CallGraph, FuncId, Function, Origin, Program, matches_pattern};
use taw_targets::nearest;

use crate::Error;

/// Stands for every function that no other calls.
const ALL: &str = "*";
/// Stands for each function on its own.
const EACH: &str = "each";

/// How entries share a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Sharing {
    /// They are explored together.
    #[default]
    Together,
    /// Each on its own, with an equal share of the limits.
    Apart,
}

/// Where paths start.
#[derive(Clone, Debug, Default)]
pub(crate) struct Entries {
    /// Names of functions, each once.
    pub names: Vec<String>,
    /// Functions that are meant and cannot be started.
    pub left_out: Vec<FuncId>,
    pub sharing: Sharing,
}

impl Entries {
    /// What names, patterns of names, `*` for every function that no other calls and `each` for each on its own mean in a program.
    ///
    /// # Errors
    /// If a pattern means no function, or nothing that is meant can be started.
    pub(crate) fn of(asked: &[String], program: &Program) -> Result<Self, Error> {
        let mut entries = Entries::default();
        for name in asked {
            let own = program.function_named(name).is_some_and(|id| program.functions[id].is_defined());
            match name.as_str() {
                ALL => entries.add_all(program, &outermost(program)),
                EACH if !own => {
                    entries.sharing = Sharing::Apart;
                    entries.add_all(program, &users(program));
                }
                pattern if pattern.contains('*') => entries.add_all(program, &matching(program, pattern)?),
                _ => entries.add(name),
            }
        }
        match entries.names.is_empty() {
            true => Err(Error::NothingToStart),
            false => Ok(entries),
        }
    }

    /// One function.
    pub(crate) fn one(name: String) -> Self {
        Entries { names: vec![name], ..Entries::default() }
    }

    fn add(&mut self, name: &str) {
        if !self.names.iter().any(|known| known == name) {
            self.names.push(name.to_owned());
        }
    }

    fn add_all(&mut self, program: &Program, functions: &[FuncId]) {
        for &id in functions {
            match entry_obstacle(program, &program.functions[id]) {
                None => self.add(&program.functions[id].name),
                Some(_) if self.left_out.contains(&id) => {}
                Some(_) => self.left_out.push(id),
            }
        }
    }
}

/// The user's functions, in the order of the program.
pub(crate) fn users(program: &Program) -> Vec<FuncId> {
    let is_users = |(id, function): &(FuncId, &Function)| {
        function.is_defined() && function.origin == Origin::User && !program.constructors.contains(id)
    };
    program.functions.iter().filter(is_users).map(|(id, _)| id).collect()
}

/// The user's functions of which a pattern is the name.
fn matching(program: &Program, pattern: &str) -> Result<Vec<FuncId>, Error> {
    let name = |id: &FuncId| program.functions[*id].name.as_str();
    let all = users(program);
    let found: Vec<FuncId> = all.iter().copied().filter(|id| matches_pattern(pattern, name(id))).collect();
    if found.is_empty() {
        let near = nearest(&pattern.replace('*', ""), all.iter().map(name)).map(str::to_owned);
        return Err(Error::NoMatch { pattern: pattern.to_owned(), near });
    }
    Ok(found)
}

/// The user's functions that no other of them calls; and of functions that only call each other in a circle, the first.
pub(crate) fn outermost(program: &Program) -> Vec<FuncId> {
    let graph = CallGraph::new(program);
    let users = users(program);
    let callers: BTreeMap<FuncId, Vec<FuncId>> = users
        .iter()
        .map(|&id| {
            let others = graph.callers(id).map(|site| site.func).filter(|func| *func != id);
            (id, others.filter(|func| program.functions[*func].origin == Origin::User).collect())
        })
        .collect();
    let mut found: Vec<FuncId> = users.iter().copied().filter(|id| callers[id].is_empty()).collect();
    // Who is called, and by nobody that leads to one of these, is called in a circle or behind one.
    let mut known: BTreeSet<FuncId> = found.iter().copied().collect();
    for &id in &users {
        let before = callers_of(&callers, id);
        let is_island = !before.iter().any(|other| known.contains(other)) && !known.contains(&id);
        if is_island && before.iter().all(|other| callers_of(&callers, *other).contains(&id)) {
            found.push(id);
            known.insert(id);
        }
    }
    found.sort_unstable();
    found
}

/// Every function from which calls lead to one.
fn callers_of(callers: &BTreeMap<FuncId, Vec<FuncId>>, id: FuncId) -> BTreeSet<FuncId> {
    let mut found = BTreeSet::new();
    let mut open = vec![id];
    while let Some(next) = open.pop() {
        let more = callers.get(&next).into_iter().flatten();
        open.extend(more.filter(|caller| found.insert(**caller)));
    }
    found
}
