//! The functions at which paths start.

use taw_ir::{CallGraph, FuncId, Function, Origin, Program};

use crate::Error;

/// Stands for every function that no other calls.
const ALL: &str = "*";

/// Where paths start.
#[derive(Clone, Debug, Default)]
pub(crate) struct Entries {
    /// Names of functions, each once.
    pub names: Vec<String>,
    /// Functions that are meant and cannot be started, because a parameter is a structure whose parts share a register.
    pub left_out: Vec<FuncId>,
}

impl Entries {
    /// What names, and `*` for every function that no other calls, mean in a program.
    ///
    /// # Errors
    /// If every function is meant and none can be started.
    pub(crate) fn of(asked: &[String], program: &Program) -> Result<Self, Error> {
        let mut entries = Entries::default();
        for name in asked {
            if name == ALL {
                entries.add_outermost(program)?;
            } else {
                entries.add(name);
            }
        }
        Ok(entries)
    }

    /// One function.
    pub(crate) fn one(name: String) -> Self {
        Entries { names: vec![name], left_out: Vec::new() }
    }

    fn add(&mut self, name: &str) {
        if !self.names.iter().any(|known| known == name) {
            self.names.push(name.to_owned());
        }
    }

    /// Adds the user's functions that no other of them calls.
    fn add_outermost(&mut self, program: &Program) -> Result<(), Error> {
        let graph = CallGraph::new(program);
        let is_user = |id: FuncId| program.functions[id].origin == Origin::User;
        let is_called = |id: FuncId| graph.callers(id).any(|site| site.func != id && is_user(site.func));
        let is_outermost = |(id, function): &(FuncId, &Function)| {
            function.is_defined() && is_user(*id) && !is_called(*id) && !program.constructors.contains(id)
        };
        for (id, function) in program.functions.iter().filter(is_outermost) {
            let name = &function.name;
            match can_start(function) {
                true => self.add(name),
                false => self.left_out.push(id),
            }
        }
        match self.names.is_empty() {
            true => Err(Error::NothingToStart),
            false => Ok(()),
        }
    }
}

fn can_start(function: &Function) -> bool {
    function.name == "main" || function.params.iter().all(|param| !param.shares_register())
}
