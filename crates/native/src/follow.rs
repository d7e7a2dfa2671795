//! Native runs that are watched on their way to a place, and end there.
//!
//! A program that is built here has breakpoints in it (`route.c`), one that was built by others is copied with traps. Lines
//! without an address of their own are looked up in counters.

use std::path::{Path, PathBuf};

use taw_cage::hand_over;

use crate::build::Instrumentation;
use crate::line_table::LineTable;
use crate::patch;
use crate::replayer::{NativeRunResult, Replayer};
use crate::route::{self, RouteStop, Watched, resolved};
use taw_report::Spot;
use taw_report::TestFile;

/// By what a run is watched on its way.
#[derive(Debug)]
pub(crate) enum Watching {
    /// By nothing.
    Plain,
    /// By `route.c`, which reads this.
    Route(String),
    /// By traps in this copy of the program.
    Patched(PathBuf),
}

/// The signal of a trap.
const SIGTRAP: i32 = 5;

impl Replayer {
    /// Why no native run can be seen to pass a route, whatever the test.
    pub fn blind_to(&mut self, route: &[Vec<Spot>]) -> Option<String> {
        match self.watched(route) {
            Err(why) | Ok((_, Watched::No(why))) => Some(why),
            Ok((_, Watched::Stops(_) | Watched::Counters(..))) => None,
        }
    }

    /// The program that is run, and how it can be watched.
    fn watched(&mut self, route: &[Vec<Spot>]) -> Result<(PathBuf, Watched), String> {
        let (program, library) = match self.binary.clone() {
            Some(binary) if route::has_condition(route) => {
                return Ok((binary.path, Watched::No("a program that others have built asks no conditions".into())));
            }
            Some(binary) => (binary.path, binary.library),
            None => (self.built(Instrumentation::Route)?.program(), true),
        };
        let table = self.table.get_or_insert_with(|| LineTable::read(&program));
        let labels = library && self.recipe.labels_are_seen();
        let watched = match route::watched(route, table.as_ref().map_err(Clone::clone)?, &self.recipe, labels) {
            Watched::Counters(..) if self.binary.is_some() => {
                Watched::No("the binary has no code there (one compiled with -O0 might)".into())
            }
            watched => watched,
        };
        Ok((program, watched))
    }

    /// Runs a test until it has passed a route, which is then so marked.
    pub(crate) fn follow(&mut self, test: &TestFile, route: &[Vec<Spot>]) -> Result<NativeRunResult, String> {
        let (program, watched) = self.watched(route)?;
        match watched {
            Watched::Stops(stops) if self.binary.is_some() => self.follow_binary(test, &program, &stops),
            Watched::Stops(stops) => self.run(test, Instrumentation::Route, Watching::Route(route::text(&stops))),
            Watched::No(why) => Err(why),
            Watched::Counters(file, line) => {
                let run = self.run(test, Instrumentation::Counters, Watching::Plain)?;
                let lines = run.lines.as_ref().ok_or("the native program has no code there, and counts no lines")?;
                let mut files =
                    lines.iter().filter(|(name, _)| resolved(&self.recipe.directory, name.as_ref()) == file);
                let arrived = files.any(|(_, lines)| lines.contains(&line));
                Ok(NativeRunResult { arrived, ..run })
            }
        }
    }

    /// Whether a program that was built by others passes the steps: for each step a run that ends there. That the steps are passed in
    /// order is the test's own word.
    fn follow_binary(
        &mut self,
        test: &TestFile,
        binary: &Path,
        stops: &[Vec<RouteStop>],
    ) -> Result<NativeRunResult, String> {
        let folder = taw_files::scratch("taw-native-").map_err(|error| format!("no folder for a copy: {error}"))?;
        let mut last = None;
        for (number, places) in stops.iter().enumerate() {
            let address = |stop: &RouteStop| match stop {
                RouteStop::Address(address) => Some(*address),
                RouteStop::Label(_) => None,
            };
            let addresses: Vec<u64> = places.iter().filter_map(address).collect();
            let copy = folder.path().join(number.to_string());
            patch::patch(binary, &addresses, &copy)?;
            hand_over(folder.path()).map_err(|error| format!("no folder for a copy: {error}"))?;
            let run = self.run(test, Instrumentation::Route, Watching::Patched(copy))?;
            let passed = |stop: &RouteStop| matches!(stop, RouteStop::Label(label) if run.labels.contains(label));
            let arrived = run.ended.signal == Some(SIGTRAP) || places.iter().any(passed);
            let run = NativeRunResult { arrived, ..run };
            if !arrived {
                return Ok(run);
            }
            last = Some(run);
        }
        last.ok_or_else(|| "the way to it is not known".to_owned())
    }
}
