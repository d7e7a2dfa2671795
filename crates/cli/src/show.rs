//! `taw show`: a test again as the summary shows it, with the source lines of its calls and the command that repeats it.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use taw_report::shell::{command_lines, quoted};
use taw_report::{CommandRecord, FindingRecord, OutcomeRecord, StackFrame, TestFile};

use crate::failure::Failure;
use crate::style::{BOLD, GOOD, WARNING};
use crate::terminal::Within;
use crate::{snippet, summary};

/// Options that say how much to explore or where to write: they do not belong to the repetition of one path.
const NOT_REPEATED: [&str; 9] = [
    "--out",
    "--max-paths",
    "--max-depth",
    "--max-states",
    "--max-instructions",
    "--max-time",
    "--seeds",
    "--emit",
    "--replay-path",
];

/// Of a finding's file, in bytes.
const LARGEST: u64 = 256 << 20;

/// Shows each test.
pub(crate) fn show(out: &mut impl Write, tests: &[impl AsRef<Path>]) -> Result<(), Failure> {
    for path in tests.iter().map(AsRef::as_ref) {
        let test = TestFile::read(path).map_err(Failure::message)?;
        show_outcome(out, path, &test)?;
        show_rest(out, &test)?;
        show_commands(out, path, &test)?;
        writeln!(out)?;
    }
    Ok(())
}

fn show_outcome(out: &mut impl Write, path: &Path, test: &TestFile) -> io::Result<()> {
    match &test.outcome {
        OutcomeRecord::Finding { finding, message, stack } => {
            let known = record(path).filter(|known| known.kind == *finding);
            let record = known.unwrap_or_else(|| of_test(finding, message, stack));
            summary::show_place(out, &record)?;
            // Who calls the functions of a sequence is nobody's code.
            let is_told = |frame: &&StackFrame| test.built.is_none() || frame.user;
            show_calls(out, stack.iter().skip_while(|frame| !frame.user).skip(1).filter(is_told))?;
            summary::show_caller(out, &record)?;
            show_given(out, test)?;
            summary::show_because(out, &record.because)?;
            return summary::show_confirmation(out, &record);
        }
        OutcomeRecord::Exit { code } => writeln!(out, "{GOOD}exit code {code}{GOOD:#}")?,
        OutcomeRecord::Signal { signal } => writeln!(out, "{GOOD}ended by signal {signal}{GOOD:#}")?,
        OutcomeRecord::Unsupported { what, stack } => {
            writeln!(out, "{WARNING}unsupported{WARNING:#}: {}", Within(what))?;
            show_calls(out, stack.iter())?;
        }
        OutcomeRecord::Reached { target, .. } => writeln!(out, "{GOOD}reaches{GOOD:#} {}", Within(target))?,
        OutcomeRecord::Limit { reason } => writeln!(out, "{WARNING}cut short{WARNING:#}: {}", Within(reason))?,
        OutcomeRecord::Unknown { reason } => writeln!(out, "{WARNING}unknown{WARNING:#}: {}", Within(reason))?,
    }
    show_given(out, test)
}

/// What the test starts with: the whole call, if that tells it.
fn show_given(out: &mut impl Write, test: &TestFile) -> io::Result<()> {
    let gives = test.returned.as_ref().map(|returned| returned.shown.join("; ")).filter(|text| !text.is_empty());
    let lines = test.calls_shown();
    for (index, line) in lines.iter().enumerate() {
        let lead = if index == 0 { "call" } else { "    " };
        let comment = gives.as_ref().filter(|_| index + 1 == lines.len());
        let comment = comment.map(|gives| format!(" /* {} */", gives.replace("*/", "* /"))).unwrap_or_default();
        writeln!(out, "  {lead} {BOLD}{}{BOLD:#}{}", Within(line), Within(comment))?;
    }
    summary::show_inputs(out, &test.inputs_beside_call())?;
    match gives.filter(|_| lines.is_empty()) {
        Some(gives) => writeln!(out, "  {}", Within(gives)),
        None => Ok(()),
    }
}

/// What the output directory around a test says of its finding: branches and confirmation are there only.
fn record(test: &Path) -> Option<FindingRecord> {
    let name = test.file_name()?;
    let records = fs::read_dir(output_dir(test)?.join("findings")).ok()?.flatten();
    let mut records =
        records.filter_map(|entry| serde_json::from_slice(&taw_files::read_regular(&entry.path(), LARGEST).ok()?).ok());
    records.find(|record: &FindingRecord| Path::new(&record.test).file_name() == Some(name))
}

/// The finding as far as its test alone tells.
fn of_test(kind: &str, message: &str, stack: &[StackFrame]) -> FindingRecord {
    let at = stack.iter().find(|frame| frame.user).or(stack.first());
    FindingRecord {
        kind: kind.to_owned(),
        message: message.to_owned(),
        file: at.and_then(|frame| frame.file.clone()),
        line: at.and_then(|frame| frame.line),
        column: at.and_then(|frame| frame.column),
        function: at.map_or_else(|| "?".into(), |frame| frame.function.clone()),
        stack: stack.to_vec(),
        because: Vec::new(),
        test: String::new(),
        count: 1,
        confirmed: None,
        confirmation: None,
        caller: None,
        api: None,
        call: Vec::new(),
        inputs: Vec::new(),
    }
}

/// The output directory that a test lies in: the parent of its folder.
fn output_dir(test: &Path) -> Option<&Path> {
    let dir = test.parent()?.parent()?;
    Some(if dir.as_os_str().is_empty() { Path::new(".") } else { dir })
}

/// Calls with their source lines, innermost first.
fn show_calls<'f>(out: &mut impl Write, calls: impl Iterator<Item = &'f StackFrame>) -> io::Result<()> {
    for frame in calls {
        let place = format!("{} in {}, which called it", frame.place(), frame.function);
        match (&frame.file, frame.line) {
            (Some(file), Some(line)) => snippet::show(out, &place, file, line, frame.column)?,
            _ => writeln!(out, "  called from {}", Within(frame.place()))?,
        }
    }
    Ok(())
}

fn show_rest(out: &mut impl Write, test: &TestFile) -> io::Result<()> {
    if !test.labels.is_empty() {
        writeln!(out, "  passes {}", Within(test.labels.join(", ")))?;
    }
    for print in &test.prints {
        writeln!(out, "  shows {}", Within(print))?;
    }
    for line in test.output.lines() {
        writeln!(out, "  prints {line}")?;
    }
    if let Some(why) = &test.output_unclear {
        writeln!(out, "  its output is not known: {why}")?;
    }
    Ok(())
}

/// The commands that repeat the test, as far as the output directory around it tells.
fn show_commands(out: &mut impl Write, path: &Path, test: &TestFile) -> io::Result<()> {
    let dir =
        path.parent().and_then(Path::parent).map(|dir| if dir.as_os_str().is_empty() { Path::new(".") } else { dir });
    let Some(record) = dir.and_then(|dir| CommandRecord::read(dir).ok()) else { return Ok(()) };
    if let (Some(_), Ok(given)) = (&test.given, test.given()) {
        let named = || format!("./{}", String::from_utf8_lossy(&given.program));
        let program = record.program.executable().map_or_else(named, |path| path.display().to_string());
        for (index, line) in command_lines(&given, &program).iter().enumerate() {
            match index {
                0 => writeln!(out, "  {BOLD}by hand{BOLD:#}:  {line}")?,
                _ => writeln!(out, "  {:9} {line}", "")?,
            }
        }
    }
    writeln!(out, "  {BOLD}natively{BOLD:#}: taw replay {}", path.display())?;
    writeln!(out, "  {BOLD}again{BOLD:#}:    {}", repetition(&record.command, &path.display().to_string()))
}

/// The command line of the run, for just the path of one test.
fn repetition(command: &[String], test: &str) -> String {
    let split = command.iter().position(|word| word == "--").unwrap_or(command.len());
    let (options, arguments) = command.split_at(split);
    let mut words = vec!["taw".to_owned()];
    let mut rest = options.iter().skip(1).peekable();
    while let Some(word) = rest.next() {
        let name = word.split('=').next().unwrap_or(word);
        if !NOT_REPEATED.contains(&name) {
            words.push(quoted(word.as_bytes()));
            continue;
        }
        if name == word {
            rest.next();
            // Of seeds there may be several.
            while name == "--seeds" && rest.next_if(|next| !next.starts_with('-')).is_some() {}
        }
    }
    words.extend(["--replay-path".to_owned(), quoted(test.as_bytes())]);
    words.extend(arguments.iter().map(|word| quoted(word.as_bytes())));
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_repeated_without_what_limits_the_run() {
        let command = "/bin/taw run a.c --out o --max-paths=3 --seeds a b -DX=1 --check leak -- x";
        let words: Vec<String> = command.split(' ').map(str::to_owned).collect();
        assert_eq!(repetition(&words, "o/t's"), r"taw run a.c -DX=1 --check leak --replay-path 'o/t'\''s' -- x");
    }
}
