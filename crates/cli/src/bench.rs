//! `taw bench strategies`: programs × strategies × seeds, each in a process of its own; the table of the dissertation, and a
//! beeswarm of all measurements.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, iter};

use serde::Serialize;
use serde_json::Value;
use taw_files::write_atomically;
use taw_report::plot::{Beeswarm, Swarm};

use crate::failure::Failure;
use crate::reach_args::BenchArgs;
use crate::run::ExitAnswer;
use crate::spread::Spread;
use crate::style::BOLD;
use crate::terminal;

/// A program of the set: what to tell `taw reach` or `taw run`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Subject {
    pub name: String,
    pub words: Vec<String>,
}

/// The measurements of one program with one strategy.
#[derive(Clone, Debug, Serialize)]
struct Cell {
    program: String,
    strategy: String,
    /// Seconds until the last target was reached, ascending.
    times_s: Vec<f64>,
    timeouts: usize,
    median_s: Option<f64>,
    siqr_s: Option<f64>,
    outliers: usize,
    /// Targets reached, in the middle, of how many.
    reached: usize,
    targets: usize,
}

/// Runs the whole of `taw bench strategies`.
pub(crate) fn strategies(args: &BenchArgs) -> Result<ExitAnswer, Failure> {
    for strategy in &args.search {
        taw_search::SearchScheme::parse(strategy).map_err(Failure::message)?;
    }
    let (folder, subjects) = read_set(&args.set, "prog.c --target label:x")?;
    let mut cells = Vec::new();
    for subject in &subjects {
        for strategy in &args.search {
            let cell = measure(args, &folder, subject, strategy)?;
            if !args.json {
                show_row(&cell)?;
            }
            cells.push(cell);
        }
    }
    finish(args, &cells)
}

/// The folder and the programs of a set.
pub(crate) fn read_set(set: &Path, example: &str) -> Result<(PathBuf, Vec<Subject>), Failure> {
    let text = fs::read_to_string(set)
        .map_err(|error| Failure::Message(format!("cannot read the set `{}`: {error}", set.display())))?;
    let subjects = subjects(&text);
    if subjects.is_empty() {
        let message = format!("`{}` names no program; write one per line: {example}", set.display());
        return Err(Failure::Message(message));
    }
    let folder = set.parent().filter(|folder| !folder.as_os_str().is_empty());
    Ok((folder.map_or(PathBuf::from("."), Path::to_owned), subjects))
}

/// `WORDS...`, one program per line; `#` begins a comment, quotes keep blanks.
fn subjects(text: &str) -> Vec<Subject> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let subject = |line: &str| {
        let words = words(line);
        Some(Subject { name: words.first()?.trim_end_matches(".c").to_owned(), words })
    };
    lines.filter_map(subject).collect()
}

fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let (mut word, mut quote, mut any) = (String::new(), None, false);
    for c in line.chars().chain(iter::once(' ')) {
        match quote {
            Some(end) if c == end => quote = None,
            Some(_) => word.push(c),
            None if c == '\'' || c == '"' => (quote, any) = (Some(c), true),
            None if c.is_whitespace() => {
                if any || !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
                any = false;
            }
            None => word.push(c),
        }
    }
    words
}

fn measure(args: &BenchArgs, folder: &Path, subject: &Subject, strategy: &str) -> Result<Cell, Failure> {
    let mut times = Vec::new();
    let (mut timeouts, mut reached, mut targets) = (0, Vec::new(), 0);
    for seed in 1..=args.seeds {
        let document = one(args, folder, subject, strategy, seed)?;
        let rows = document["targets"].as_array().cloned().unwrap_or_default();
        let here = rows.iter().filter(|row| row["verdict"] == "reached").count();
        targets = rows.len();
        reached.push(here);
        if document["unknown"] == 0 {
            let last = rows.iter().filter_map(|row| row["time_s"].as_f64()).fold(0.0, f64::max);
            times.push(last);
        } else {
            timeouts += 1;
        }
    }
    reached.sort_unstable();
    let spread = Spread::new(times, timeouts);
    let finite = |value: f64| value.is_finite().then_some(value);
    Ok(Cell {
        program: subject.name.clone(),
        strategy: strategy.to_owned(),
        median_s: finite(spread.median()),
        siqr_s: finite(spread.siqr()),
        outliers: spread.outliers(),
        timeouts: spread.timeouts(),
        times_s: spread.ended(),
        reached: reached.get(reached.len() / 2).copied().unwrap_or(0),
        targets,
    })
}

/// One run, in a process of its own: what it uses must not slow the next one down. Native runs are not measured.
fn one(args: &BenchArgs, folder: &Path, subject: &Subject, strategy: &str, seed: u64) -> Result<Value, Failure> {
    let time = format!("{}ms", args.max_time.as_millis());
    let words = ["--search", strategy, "--seed", &seed.to_string(), "--max-time", &time].map(str::to_owned);
    let words: Vec<String> = subject.words.iter().cloned().chain(words).collect();
    own("reach", &words, folder)
}

/// The document that `taw` itself prints for these words, in that folder.
pub(crate) fn own(command: &str, words: &[String], folder: &Path) -> Result<Value, Failure> {
    let no = |what: &str, error: io::Error| Failure::Message(format!("{what}: {error}"));
    let scratch = taw_files::scratch("taw-bench-").map_err(|error| no("no scratch folder", error))?;
    let own = env::current_exe().map_err(|error| no("where Taw itself is", error))?;
    let name = command;
    let mut command = Command::new(own);
    command.arg(name).args(words).args(["--no-replay", "--json"]);
    command.arg("--out").arg(scratch.path().join("out")).current_dir(folder).stdin(Stdio::null());
    let output = command.output().map_err(|error| no("cannot run Taw itself", error))?;
    serde_json::from_slice(&output.stdout).map_err(|_| {
        let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        Failure::Message(format!("`taw {name} {}` gives no result: {said}", words.join(" ")))
    })
}

fn seconds(value: Option<f64>) -> String {
    value.map_or("∞".into(), |value| format!("{value:.2}"))
}

fn show_row(cell: &Cell) -> io::Result<()> {
    let mut out = terminal::stdout();
    let outliers = if cell.outliers > 0 { format!(" ({})", cell.outliers) } else { String::new() };
    let timeouts = if cell.timeouts > 0 { format!(", {} timed out", cell.timeouts) } else { String::new() };
    writeln!(
        out,
        "{:<24} {BOLD}{:<28}{BOLD:#} {:>9} s ± {}{outliers}{timeouts}, {} of {} targets",
        cell.program,
        cell.strategy,
        seconds(cell.median_s),
        seconds(cell.siqr_s),
        cell.reached,
        cell.targets
    )?;
    out.flush()
}

fn finish(args: &BenchArgs, cells: &[Cell]) -> Result<ExitAnswer, Failure> {
    let mut out = terminal::stdout();
    if args.json {
        let text = serde_json::to_string_pretty(cells).expect("plain data");
        writeln!(out, "{text}")?;
    } else {
        writeln!(out, "\nmedian ± semi-interquartile range (outliers); totals with time-outs at the limit:")?;
        for strategy in &args.search {
            let mine = cells.iter().filter(|cell| cell.strategy == *strategy);
            let total: f64 = mine.map(|cell| cell.median_s.unwrap_or(args.max_time.as_secs_f64())).sum();
            writeln!(out, "{:<24} {BOLD}{strategy:<28}{BOLD:#} {total:>9.2} s", "total")?;
        }
    }
    out.flush()?;
    if let Some(file) = &args.plot {
        write_atomically(file, picture(args, cells).as_bytes())
            .map_err(|error| Failure::Message(format!("cannot write the picture `{}`: {error}", file.display())))?;
    }
    Ok(ExitAnswer::Clean)
}

fn picture(args: &BenchArgs, cells: &[Cell]) -> String {
    let swarm = |cell: &Cell| Swarm {
        name: format!("{} {}", cell.program, cell.strategy),
        values: cell.times_s.clone(),
        timeouts: cell.timeouts,
        median: cell.median_s,
    };
    let title = format!("Time to the last target, {} seeds", args.seeds);
    Beeswarm { title, limit: args.max_time.as_secs_f64(), swarms: cells.iter().map(swarm).collect() }.svg()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_is_one_command_line_per_program() {
        let set = subjects("# all\n\na.c --target label:x\n  b.c --target 'b.c:3!' -D \"X=a b\" ''\n");
        assert_eq!(
            set[0],
            Subject { name: "a".into(), words: vec!["a.c".into(), "--target".into(), "label:x".into()] }
        );
        assert_eq!(set[1].words, ["b.c", "--target", "b.c:3!", "-D", "X=a b", ""]);
    }
}
