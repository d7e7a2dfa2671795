//! Names of inputs: the first of a name has it as it is, the next ones with the least number that makes it another.
//!
//! A loop may make a hundred thousand of one name, so no name is compared with all others: paths of many inputs count how many they
//! have of each name asked for. Only where a name asked for looks like a numbered one (`x_1`) all are looked at.
//!
//! Invariant: the names of a path are all different, and depend on nothing but what was asked for on that path, in that order.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use crate::state::State;

/// Paths of fewer inputs do without a table: a state that waits is to be small, and looking at all of them is cheap.
const FEW: usize = 64;

/// All names that were ever asked for, on any path.
pub(crate) type NamesAsked = HashSet<String>;

/// For each name asked for, on a path of many inputs, the least number that may be free.
pub(crate) type NextNumbers = Option<Rc<HashMap<String, usize>>>;

/// The name of a path's next input.
pub(crate) fn unique_name(state: &mut State, asked: &mut NamesAsked, name: &str) -> String {
    let name = if name.is_empty() { "unnamed" } else { name };
    if !asked.contains(name) {
        asked.insert(name.to_owned());
    }
    if state.inputs.len() < FEW {
        return numbered(name, least_free(state, name));
    }
    if state.next_numbers.is_none() {
        state.next_numbers = Some(Rc::new(count(state)));
    }
    let expected = state.next_numbers.as_ref().and_then(|next| next.get(name)).copied().unwrap_or(0);
    let is_free = match expected {
        0 => split(name).is_none_or(|(plain, _)| !asked.contains(plain)),
        number => !asked.contains(&numbered(name, number)),
    };
    let number = if is_free { expected } else { least_free(state, name) };
    if let Some(next) = &mut state.next_numbers {
        Rc::make_mut(next).insert(name.to_owned(), number + 1);
    }
    numbered(name, number)
}

fn numbered(name: &str, number: usize) -> String {
    if number == 0 { name.to_owned() } else { format!("{name}_{number}") }
}

/// A name that looks like a numbered one, as name and number.
fn split(name: &str) -> Option<(&str, usize)> {
    let (plain, digits) = name.rsplit_once('_')?;
    let is_number = !digits.starts_with('0') && digits.bytes().all(|b| b.is_ascii_digit());
    Some((plain, digits.parse().ok().filter(|_| is_number)?))
}

/// The table for the inputs that there are. Nobody knows which of them were numbered, so both readings count.
fn count(state: &State) -> HashMap<String, usize> {
    let names = || state.inputs.newest_first().map(|input| input.name.as_str());
    let bases: HashSet<&str> = names().chain(names().filter_map(|name| Some(split(name)?.0))).collect();
    bases.into_iter().map(|base| (base.to_owned(), least_free(state, base))).collect()
}

/// The least number with which a name is not one of the path's.
fn least_free(state: &State, name: &str) -> usize {
    let mut taken = vec![false; state.inputs.len() + 1];
    for input in state.inputs.newest_first() {
        let number = match split(&input.name) {
            _ if input.name == name => Some(0),
            Some((plain, number)) if plain == name => Some(number),
            _ => None,
        };
        if let Some(taken) = number.and_then(|number| taken.get_mut(number)) {
            *taken = true;
        }
    }
    taken.iter().position(|taken| !taken).expect("there are more numbers than inputs")
}
