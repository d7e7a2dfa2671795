//! Types that can be got at from the parameters of entries.

use std::collections::BTreeSet;

use taw_ir::{Program, Type, TypeId};

/// All types, behind their other names, that parameters of entries but `main` have or lead to.
pub(crate) fn types_of_parameters(program: &Program, entries: &[String]) -> BTreeSet<TypeId> {
    let entries = entries.iter().filter(|name| *name != "main").filter_map(|name| program.function_named(name));
    reached(program, entries.flat_map(|id| &program.functions[id].params).filter_map(|param| param.source).collect())
}

/// All types, behind their other names, that lead from some.
pub(crate) fn reached(program: &Program, mut todo: Vec<TypeId>) -> BTreeSet<TypeId> {
    let mut found = BTreeSet::new();
    while let Some(ty) = todo.pop() {
        let plain = program.types.plain(ty);
        if !found.insert(plain) {
            continue;
        }
        match &program.types.all[plain] {
            Type::Pointer { to } => todo.push(*to),
            Type::Array { of, .. } => todo.push(*of),
            Type::Record(_) => {
                todo.extend(program.types.members(plain).unwrap_or_default().iter().map(|member| member.ty));
            }
            _ => {}
        }
    }
    found
}
