//! `taw bench concolic`: the tables of the IPPC paper over programs × strategies × seeds, each run in a process of its own.
//!
//! Table 2 is the measurements, table 3 which strategy is best, table 4 what smaller questions are worth: DFS against IPPC. Figures are means over the seeds. A run that
//! the time limit cut off is counted and marked: its figures are those until then.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;
use serde_json::Value;
use taw_search::SearchScheme;

use crate::bench::{Subject, own, read_set};
use crate::failure::Failure;
use crate::reach_args::{ConcolicBenchArgs, SolverArg};
use crate::run::ExitAnswer;
use crate::style::BOLD;
use crate::terminal;

/// The means of one program with one strategy and one solver.
#[derive(Clone, Debug, Serialize)]
struct ConcolicCell {
    solver: &'static str,
    program: String,
    strategy: String,
    seeds: u64,
    runs: f64,
    solver_calls: f64,
    mean_conditions: f64,
    /// Of all seeds.
    largest_conditions: u64,
    branches_percent: f64,
    solver_s: f64,
    wall_s: f64,
    /// Seeds at which all paths were executed.
    exhaustive: u64,
    /// Seeds at which the time limit ended the run.
    cut_off: u64,
    /// Runs that did not go where they should, of all seeds.
    mispredicted: u64,
}

/// Runs the whole of `taw bench concolic`.
pub(crate) fn concolic(args: &ConcolicBenchArgs) -> Result<ExitAnswer, Failure> {
    for strategy in &args.search {
        SearchScheme::parse(&scheme(strategy)).map_err(Failure::message)?;
    }
    let (folder, subjects) = read_set(&args.set, "gcd.c --entry gcd --max-paths 1000")?;
    let solvers: &[&'static str] = match args.solver {
        SolverArg::Plain => &["plain"],
        SolverArg::Full => &["full"],
        SolverArg::Both => &["plain", "full"],
    };
    let mut all = Vec::new();
    for solver in solvers {
        let mut cells = Vec::new();
        for subject in &subjects {
            for strategy in &args.search {
                cells.push(measure(args, &folder, subject, strategy, solver)?);
            }
        }
        if !args.json {
            show(&cells, solver)?;
        }
        all.extend(cells);
    }
    if args.json {
        writeln!(terminal::stdout(), "{}", serde_json::to_string_pretty(&all).expect("plain data"))?;
    }
    Ok(ExitAnswer::Clean)
}

fn scheme(strategy: &str) -> String {
    format!("concolic({strategy},random)")
}

/// The program and what bounds its runs, as the rows are called.
fn row_name(subject: &Subject) -> String {
    let after = |option: &str| subject.words.iter().skip_while(|word| *word != option).nth(1).cloned();
    let name = after("--entry").unwrap_or_else(|| subject.name.clone());
    after("--max-paths").map_or(name.clone(), |runs| format!("{name} {runs}"))
}

fn measure(
    args: &ConcolicBenchArgs,
    folder: &Path,
    subject: &Subject,
    strategy: &str,
    solver: &'static str,
) -> Result<ConcolicCell, Failure> {
    let mut documents = Vec::new();
    for seed in 1..=args.seeds.max(1) {
        let time = format!("{}ms", args.max_time.as_millis());
        let words =
            ["--search", &scheme(strategy), "--seed", &seed.to_string(), "--max-time", &time].map(str::to_owned);
        let plain = (solver == "plain").then(|| "--plain-solver".to_owned());
        let words: Vec<String> = subject.words.iter().cloned().chain(words).chain(plain).collect();
        documents.push(own("run", &words, folder)?);
    }
    Ok(cell(&documents, row_name(subject), strategy, solver))
}

fn cell(documents: &[Value], program: String, strategy: &str, solver: &'static str) -> ConcolicCell {
    let concolic = |document: &Value, name: &str| document["stats"]["concolic"][name].as_f64().unwrap_or(0.0);
    let mean = |of: &dyn Fn(&Value) -> f64| documents.iter().map(of).sum::<f64>() / documents.len() as f64;
    let calls: f64 = documents.iter().map(|document| concolic(document, "solver_calls")).sum();
    let conditions = |d: &Value| concolic(d, "mean_conditions") * concolic(d, "solver_calls");
    let branches = |document: &Value| {
        let of = |name: &str| document["coverage"]["branches"][name].as_f64().unwrap_or(0.0);
        if of("total") == 0.0 { 100.0 } else { 100.0 * of("covered") / of("total") }
    };
    let has_code = |document: &&Value, code: &str| {
        document["incomplete_codes"].as_array().is_some_and(|codes| codes.iter().any(|c| c == code))
    };
    ConcolicCell {
        solver,
        program,
        strategy: strategy.to_owned(),
        seeds: documents.len() as u64,
        runs: mean(&|d| concolic(d, "runs")),
        solver_calls: mean(&|d| concolic(d, "solver_calls")),
        // Over all questions, as the paper has it.
        mean_conditions: if calls == 0.0 { 0.0 } else { documents.iter().map(conditions).sum::<f64>() / calls },
        largest_conditions: documents.iter().map(|d| concolic(d, "largest_conditions") as u64).max().unwrap_or(0),
        branches_percent: mean(&branches),
        solver_s: mean(&|d| d["stats"]["solver_s"].as_f64().unwrap_or(0.0)),
        wall_s: mean(&|d| d["stats"]["wall_s"].as_f64().unwrap_or(0.0)),
        exhaustive: documents.iter().filter(|d| d["exhaustive"] == true).count() as u64,
        cut_off: documents.iter().filter(|d| has_code(d, "limit-time")).count() as u64,
        mispredicted: documents.iter().map(|d| concolic(d, "mispredicted") as u64).sum(),
    }
}

/// The cells of each program, in the order of the set.
fn by_program(cells: &[ConcolicCell]) -> Vec<(&str, Vec<&ConcolicCell>)> {
    let mut rows: Vec<(&str, Vec<&ConcolicCell>)> = Vec::new();
    for cell in cells {
        match rows.last_mut().filter(|(program, _)| *program == cell.program) {
            Some((_, row)) => row.push(cell),
            None => rows.push((&cell.program, vec![cell])),
        }
    }
    rows
}

fn show(cells: &[ConcolicCell], solver: &str) -> io::Result<()> {
    let mut out = terminal::stdout();
    writeln!(
        out,
        "{BOLD}Table 2, {solver} solver{BOLD:#}: means over the seeds; * some runs were cut off by the time limit, = all paths executed"
    )?;
    writeln!(
        out,
        "{:<14} {:<14} {:>7} {:>9} {:>9} {:>8} {:>9} {:>10} {:>9}",
        "program", "strategy", "runs", "CS calls", "avg size", "largest", "branches", "solver s", "time s"
    )?;
    for cell in cells {
        let mark = match (cell.cut_off, cell.exhaustive == cell.seeds) {
            (0, true) => "=",
            (0, false) => "",
            _ => "*",
        };
        writeln!(
            out,
            "{:<14} {:<14} {:>7.0} {:>9.1} {:>9.1} {:>8} {:>7.1} % {:>10.2} {:>8.2}{mark}",
            cell.program,
            cell.strategy,
            cell.runs,
            cell.solver_calls,
            cell.mean_conditions,
            cell.largest_conditions,
            cell.branches_percent,
            cell.solver_s,
            cell.wall_s
        )?;
    }
    show_best(&mut out, cells, solver)?;
    show_speedup(&mut out, cells, solver)?;
    out.flush()
}

/// Those within this share of the best are as good.
const SIMILAR: f64 = 0.05;

fn show_best(out: &mut impl Write, cells: &[ConcolicCell], solver: &str) -> io::Result<()> {
    writeln!(out, "\n{BOLD}Table 3, {solver} solver{BOLD:#}: the best, where those within 5 % are as good")?;
    writeln!(out, "{:<14} {:<34} by coverage first", "program", "by runtime first")?;
    for (program, row) in by_program(cells) {
        // Who was cut off has not done what the others have.
        let done: Vec<&ConcolicCell> = row.iter().copied().filter(|cell| cell.cut_off == 0).collect();
        let names = |cells: Vec<&ConcolicCell>| match cells.len() {
            0 => "none in time".to_owned(),
            all if all == row.len() => "all equal".to_owned(),
            _ => cells.iter().map(|cell| cell.strategy.as_str()).collect::<Vec<_>>().join(" & "),
        };
        writeln!(out, "{program:<14} {:<34} {}", names(widest(&fastest(&done))), names(fastest(&widest(&done))))?;
    }
    Ok(())
}

fn fastest<'c>(cells: &[&'c ConcolicCell]) -> Vec<&'c ConcolicCell> {
    keep(cells, |cell| cell.wall_s)
}

/// Those that cover most; measured from above 100 %, since least is best.
fn widest<'c>(cells: &[&'c ConcolicCell]) -> Vec<&'c ConcolicCell> {
    keep(cells, |cell| 101.0 - cell.branches_percent)
}

/// Those that are least by a measure, or nearly.
fn keep<'c>(cells: &[&'c ConcolicCell], measure: impl Fn(&ConcolicCell) -> f64) -> Vec<&'c ConcolicCell> {
    let least = cells.iter().map(|cell| measure(cell)).fold(f64::INFINITY, f64::min);
    cells.iter().copied().filter(|cell| measure(cell) <= least * (1.0 + SIMILAR)).collect()
}

fn show_speedup(out: &mut impl Write, cells: &[ConcolicCell], solver: &str) -> io::Result<()> {
    writeln!(
        out,
        "\n{BOLD}Table 4, {solver} solver{BOLD:#}: DFS against others; per run, because what was cut off made fewer"
    )?;
    writeln!(
        out,
        "{:<14} {:<14} {:>15} {:>13} {:>14} {:>14}",
        "program", "strategy", "avg size ratio", "speed-up", "of the solver", "calls per run"
    )?;
    for (program, row) in by_program(cells) {
        let by_name: BTreeMap<&str, &ConcolicCell> = row.iter().map(|cell| (cell.strategy.as_str(), *cell)).collect();
        let Some(dfs) = by_name.get("DFS") else { continue };
        for cell in row.iter().filter(|cell| cell.strategy.starts_with("IPPC")) {
            let per_run = |cell: &ConcolicCell, of: f64| of / cell.runs.max(1.0);
            let ratio = |a: f64, b: f64| if b > 0.0 { format!("{:.2}", a / b) } else { "-".to_owned() };
            writeln!(
                out,
                "{program:<14} {:<14} {:>15} {:>12}x {:>13}x {:>14}",
                cell.strategy,
                ratio(dfs.mean_conditions, cell.mean_conditions),
                ratio(per_run(dfs, dfs.wall_s), per_run(cell, cell.wall_s)),
                ratio(per_run(dfs, dfs.solver_s), per_run(cell, cell.solver_s)),
                ratio(dfs.solver_calls, dfs.runs),
            )?;
        }
    }
    writeln!(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(runs: u64, calls: u64, conditions: f64, covered: u64) -> Value {
        serde_json::json!({
            "exhaustive": false, "incomplete_codes": ["limit-time"],
            "coverage": { "branches": { "covered": covered, "total": 8 } },
            "stats": { "solver_s": 1.0, "wall_s": 2.0, "concolic": {
                "runs": runs, "solver_calls": calls, "mean_conditions": conditions, "largest_conditions": 7, "mispredicted": 1 } },
        })
    }

    #[test]
    fn means_are_over_seeds_and_sizes_over_questions() {
        let cell = cell(&[document(10, 1, 4.0, 4), document(20, 3, 8.0, 8)], "p".into(), "DFS", "plain");
        assert_eq!((cell.runs, cell.solver_calls, cell.mean_conditions), (15.0, 2.0, 7.0));
        assert_eq!((cell.branches_percent, cell.cut_off, cell.exhaustive, cell.mispredicted), (75.0, 2, 0, 2));
    }

    #[test]
    fn who_was_cut_off_is_not_the_best() {
        let named = |strategy: &str, wall_s: f64, branches_percent: f64, cut_off: u64| {
            let cell = cell(&[document(1, 1, 1.0, 1)], "p".into(), strategy, "full");
            ConcolicCell { wall_s, branches_percent, cut_off, ..cell }
        };
        let cells = [named("DFS", 1.0, 90.0, 1), named("CFG", 3.0, 80.0, 0), named("RND", 3.1, 70.0, 0)];
        let mut out = Vec::new();
        show_best(&mut out, &cells, "full").expect("memory");
        let text = String::from_utf8(out).expect("text");
        let last = text.lines().last().unwrap_or_default();
        assert_eq!(last.split_whitespace().collect::<Vec<_>>(), ["p", "CFG", "CFG"]);
    }
}
