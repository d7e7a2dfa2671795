//! A run that never got to the code it is about: paths that all end in the entry show nothing of what it calls.

use taw_engine::Coverage;
use taw_ir::{Callee, FuncId, Origin, Program};

/// Functions that are named, at the most.
const NAMED: usize = 3;

/// That no path gets from a function to one that it calls by name, if it calls any of the user's.
pub(crate) fn idle(program: &Program, coverage: &Coverage, from: &str) -> Option<String> {
    let caller = program.function_named(from)?;
    let of_the_user = |id: &FuncId| {
        let function = &program.functions[*id];
        *id != caller && function.is_defined() && function.origin == Origin::User
    };
    let direct = program.functions[caller].calls.values().filter_map(|call| match call.callee {
        Callee::Direct(id) => Some(id),
        Callee::Indirect(_) => None,
    });
    let mut called: Vec<FuncId> = direct.filter(of_the_user).collect();
    called.sort_unstable();
    called.dedup();
    let ran = |id: &FuncId| coverage.instructions[*id].iter().any(|covered| *covered);
    if called.is_empty() || called.iter().any(ran) {
        return None;
    }
    let names = called.iter().take(NAMED).map(|id| format!("`{}`", program.functions[*id].name));
    let names: Vec<String> = names.chain((called.len() > NAMED).then(|| "others".to_owned())).collect();
    Some(format!("no path gets from `{from}` to a function that it calls: {}", names.join(", ")))
}
