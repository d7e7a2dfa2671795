//! Where global variables of a test are in a native program: static ones and those of functions, too, which no linker would find.
//!
//! Symbols are read from the program's own table. The compiler's names are those of the code that was explored, unless several files have a static variable of one
//! name: then the code has numbers behind the names, and the file decides. Invariant: a variable is found if exactly one symbol can be meant.

use std::fs;
use std::path::Path;

use object::{Object, ObjectSymbol, SymbolKind};
use taw_report::{GlobalRecord, TestFile};

/// The symbol that distances are measured from.
const ORIGIN: &str = "taw_replay_begin";

/// A variable's symbol: its name, the file whose it is if others cannot see it, its address.
struct VariableSymbol<'d> {
    name: &'d str,
    file: &'d str,
    address: u64,
}

/// How far the variables of a test are from the replay library.
///
/// # Errors
/// If the program cannot be read, or it has no symbol or several that a variable may be.
pub(crate) fn variables_in(program: &Path, test: &TestFile) -> Result<Vec<i64>, String> {
    let wanted: Vec<&GlobalRecord> = test.call.iter().flat_map(|call| call.globals()).collect();
    if wanted.is_empty() {
        return Ok(Vec::new());
    }
    let bytes = fs::read(program).map_err(|error| format!("cannot read `{}`: {error}", program.display()))?;
    let file = object::File::parse(&*bytes).map_err(|error| format!("`{}`: {error}", program.display()))?;
    let origin = file.symbols().find(|symbol| symbol.name() == Ok(ORIGIN)).map(|symbol| symbol.address());
    let origin = origin.ok_or("the native program does not set variables")?;
    let symbols = variables(&file);
    let distance = |global: &GlobalRecord| match found(&symbols, global) {
        Some(symbol) => Ok(symbol.address.wrapping_sub(origin) as i64),
        None => Err(format!("the native program has no symbol by which the variable `{}` could be set", global.symbol)),
    };
    wanted.into_iter().map(distance).collect()
}

fn variables<'d>(file: &object::File<'d>) -> Vec<VariableSymbol<'d>> {
    let mut within = "";
    let mut all = Vec::new();
    for symbol in file.symbols() {
        let name = symbol.name().unwrap_or_default();
        match symbol.kind() {
            SymbolKind::File => within = name,
            // One of a thread has no address.
            SymbolKind::Data if symbol.is_definition() => {
                let file = if symbol.is_local() { within } else { "" };
                all.push(VariableSymbol { name, file, address: symbol.address() });
            }
            _ => {}
        }
    }
    all
}

fn found<'s, 'd>(symbols: &'s [VariableSymbol<'d>], global: &GlobalRecord) -> Option<&'s VariableSymbol<'d>> {
    let only = |all: Vec<&'s VariableSymbol<'d>>| match all[..] {
        [one] => Some(one),
        _ => None,
    };
    let named = |name: &str| symbols.iter().filter(|symbol| symbol.name == name).collect::<Vec<_>>();
    let exact = named(&global.symbol);
    if exact.len() == 1 {
        return only(exact);
    }
    // What others can see keeps its name.
    if let Some(seen) = exact.iter().find(|symbol| symbol.file.is_empty()) {
        return Some(*seen);
    }
    // Of several files that have one of that name, the file that defines it.
    let plain = global.symbol.rsplit_once('.').filter(|(_, number)| number.parse::<u32>().is_ok());
    let all = if exact.is_empty() { plain.map(|(name, _)| named(name)).unwrap_or_default() } else { exact };
    let base = global.file.as_deref().and_then(|file| Path::new(file).file_name()).and_then(|name| name.to_str())?;
    only(all.into_iter().filter(|symbol| symbol.file == base).collect())
}
