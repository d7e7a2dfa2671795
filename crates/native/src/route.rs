//! The way of a native run to a place: what it must be seen to pass, as addresses and labels.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::line_table::LineTable;
use taw_report::{Recipe, Spot};

/// What a run can be stopped by.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum RouteStop {
    Address(u64),
    Label(String),
}

/// How a route can be watched.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Watched {
    /// By breakpoints and labels, for each step.
    Stops(Vec<Vec<RouteStop>>),
    /// The place itself has no address, as a `break` that is not a jump: by counters of this line.
    Counters(PathBuf, u32),
    /// Not at all, for that reason.
    No(String),
}

/// Finds the addresses of a route. Steps on the way that have none are left out; the last one must be seen.
/// `labels` says whether a run shows its labels.
pub(crate) fn watched(route: &[Vec<Spot>], table: &LineTable, recipe: &Recipe, labels: bool) -> Watched {
    let mut steps: Vec<Vec<RouteStop>> = Vec::new();
    for (index, step) in route.iter().enumerate() {
        let places = places(step, table, recipe, labels);
        let last = index + 1 == route.len();
        if places.is_empty() && last {
            if has_condition(route) {
                return Watched::No("the native program has no code there".into());
            }
            return without_address(step, recipe);
        }
        // The same place again would be passed at once.
        if !places.is_empty() && steps.last() != Some(&places) {
            steps.push(places);
        }
    }
    Watched::Stops(steps)
}

/// Whether a condition is to be seen on the way, which only `route.c` sees.
pub(crate) fn has_condition(route: &[Vec<Spot>]) -> bool {
    route.iter().flatten().any(|spot| matches!(spot, Spot::Condition(_)))
}

/// The stops as `route.c` reads them.
pub(crate) fn text(stops: &[Vec<RouteStop>]) -> String {
    let mut text = String::new();
    for (step, places) in stops.iter().enumerate() {
        for place in places {
            let _ = match place {
                RouteStop::Address(address) => writeln!(text, "{step} {address:x}"),
                RouteStop::Label(label) => writeln!(text, "{step} label {label}"),
            };
        }
    }
    text
}

/// What the stops of a step are called; a line counts only where nothing better is known, because it may hold more.
fn places(step: &[Spot], table: &LineTable, recipe: &Recipe, labels: bool) -> Vec<RouteStop> {
    let exact = step.iter().flat_map(|spot| match spot {
        Spot::Label(label) if labels => vec![RouteStop::Label(label.clone())],
        Spot::Condition(label) => vec![RouteStop::Label(label.clone())],
        Spot::Function(name) => table.function(name).iter().map(|address| RouteStop::Address(*address)).collect(),
        _ => Vec::new(),
    });
    let exact: Vec<RouteStop> = exact.collect();
    if !exact.is_empty() {
        return exact;
    }
    let lines = step.iter().filter_map(|spot| match spot {
        Spot::Line { file, line } => Some((resolved(&recipe.directory, Path::new(file)), *line)),
        _ => None,
    });
    let addresses = lines.flat_map(|(file, line)| table.line(line, |known| resolved(&recipe.directory, known) == file));
    addresses.map(RouteStop::Address).collect()
}

fn without_address(step: &[Spot], recipe: &Recipe) -> Watched {
    match step {
        [Spot::Line { file, line }] => Watched::Counters(resolved(&recipe.directory, Path::new(file)), *line),
        [Spot::Function(name), ..] => Watched::No(format!("`{name}` is not in the native program")),
        _ => Watched::No("the native program has no code there".into()),
    }
}

/// A path as the system knows it.
pub(crate) fn resolved(directory: &Path, file: &Path) -> PathBuf {
    let path = directory.join(file);
    path.canonicalize().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(line: u32) -> Spot {
        Spot::Line { file: "/src/a.c".into(), line }
    }

    fn stops(route: &[Vec<Spot>], labels: bool) -> Watched {
        watched(
            route,
            &LineTable::of(&[("/src/a.c", 3, 0x10), ("/src/a.c", 5, 0x20)], &[("f", 0x30)]),
            &Recipe::default(),
            labels,
        )
    }

    #[test]
    fn what_is_exact_is_preferred_to_a_line() {
        let route = [vec![Spot::Label("l".into()), line(3)], vec![Spot::Function("f".into()), line(5)]];
        let Watched::Stops(with) = stops(&route, true) else { panic!("all is there") };
        assert_eq!(text(&with), "0 label l\n1 30\n");
        let Watched::Stops(without) = stops(&route, false) else { panic!("all is there") };
        assert_eq!(text(&without), "0 10\n1 30\n");
    }

    #[test]
    fn a_place_twice_is_passed_once_and_what_has_no_address_is_left_out() {
        let route = [vec![line(3)], vec![line(3)], vec![line(4)], vec![line(5)]];
        assert_eq!(
            stops(&route, true),
            Watched::Stops(vec![vec![RouteStop::Address(0x10)], vec![RouteStop::Address(0x20)]])
        );
    }

    #[test]
    fn the_last_place_must_be_seen() {
        assert_eq!(stops(&[vec![line(4)]], true), Watched::Counters("/src/a.c".into(), 4));
        assert!(matches!(stops(&[vec![Spot::Function("g".into())]], true), Watched::No(why) if why.contains("`g`")));
    }
}
