//! The functions of a program as places to start at, for who wants to choose.

use taw_engine::entry_obstacle;
use taw_ir::{FuncId, Types};
use taw_targets::nearest;

use crate::Error;
use crate::entries::{Entries, outermost, users};
use crate::program::Program;

/// A function as a place to start at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Listed {
    /// Its name.
    pub function: String,
    /// As C declares it; just its name if that is not known.
    pub declared: String,
    /// Its file and line.
    pub place: Option<(String, u32)>,
    /// Whether no other function calls it (or only in a circle).
    pub outermost: bool,
    /// Why paths cannot start there, if they cannot.
    pub obstacle: Option<&'static str>,
}

/// The functions that names and patterns mean; without any, all of the user's. In the order of the program.
///
/// # Errors
/// If one means no function.
pub fn listed(program: &Program, asked: &[String]) -> Result<Vec<Listed>, Error> {
    let code = program.code();
    let mut wanted = users(code);
    if !asked.is_empty() {
        let unknown =
            asked.iter().find(|name| !name.contains('*') && *name != "each" && code.function_named(name).is_none());
        if let Some(name) = unknown {
            let near = nearest(name, wanted.iter().map(|id| code.functions[*id].name.as_str())).map(str::to_owned);
            return Err(Error::NoMatch { pattern: name.clone(), near });
        }
        let meant = match Entries::of(asked, code) {
            // Then the reasons are what is wanted.
            Err(Error::NothingToStart) => wanted.clone(),
            meant => {
                let meant = meant?;
                let named = meant.names.iter().filter_map(|name| code.function_named(name));
                named.chain(meant.left_out).collect()
            }
        };
        wanted.retain(|id| meant.contains(id));
    }
    let outermost = outermost(code);
    let places = program.places();
    let row = |id: FuncId| {
        let function = &code.functions[id];
        Listed {
            function: function.name.clone(),
            declared: declared(function, &code.types),
            place: function.loc.map(|loc| (places.file(code.locs[loc].file), code.locs[loc].line)),
            outermost: outermost.contains(&id),
            obstacle: entry_obstacle(code, function),
        }
    };
    Ok(wanted.into_iter().map(row).collect())
}

fn declared(function: &taw_ir::Function, types: &Types) -> String {
    function.source.map_or_else(|| function.name.clone(), |source| types.declared(source, function.name.clone()))
}
