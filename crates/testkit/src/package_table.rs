//! Command lines of real packages, concretely under Taw and natively: equal standard output, standard error and exit code.
//!
//! The tables are `tests/packages/*.txt`; the head of `coreutils.txt` says what their lines mean. Programs are built with `taw cc`
//! ([`crate::packages`]), so the native program is the very executable that Taw reads its bitcode from.

use std::fs;
use std::io::Write as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use libtest_mimic::{Failed, Trial};

use crate::packages::built;
use crate::process::{CommandOutput, Streams, run_on};
use crate::taw::{JsonOutcome, Taw};

const LIMIT: Duration = Duration::from_secs(120);

/// A table, read.
struct Table {
    /// Name of the package, the folder of its programs, options for `configure`.
    package: Vec<String>,
    /// Names and contents of the files that are there.
    files: Vec<(String, Vec<u8>)>,
    commands: Vec<Line>,
    /// Programs to be explored for a short time, with options for `taw run`.
    symbolic: Vec<Vec<String>>,
}

/// One command line.
struct Line {
    /// The line as it stands.
    text: String,
    words: Vec<String>,
    /// The file that is standard input.
    stdin: Option<String>,
}

/// One test per line of the table.
///
/// # Errors
/// If the table cannot be read, or the package cannot be built.
pub fn package_trials(taw: &Taw, table: &Path) -> Result<Vec<Trial>, String> {
    let text = fs::read_to_string(table).map_err(|e| format!("{}: {e}", table.display()))?;
    let Table { package, files, commands, symbolic } = parse(&text)?;
    let tools = folder_of_programs(taw, &package)?;
    let files = Arc::new(files);
    let trial = |line: Line| {
        let (taw, files, tools) = (taw.clone(), Arc::clone(&files), tools.clone());
        Trial::test(line.text.clone(), move || compare(&taw, &files, &tools, &line).map_err(Failed::from))
    };
    let explored = |words: Vec<String>| {
        let (taw, tools) = (taw.clone(), tools.clone());
        Trial::test(format!("symbolic {}", words.join(" ")), move || {
            explore(&taw, &tools, &words).map_err(Failed::from)
        })
    };
    Ok(commands.into_iter().map(trial).chain(symbolic.into_iter().map(explored)).collect())
}

/// A build of one's own may be named, `TAW_COREUTILS=FOLDER`; it must have been made with `taw cc`.
fn folder_of_programs(taw: &Taw, package: &[String]) -> Result<PathBuf, String> {
    let [name, folder, options @ ..] = package else {
        return Err("the table names no package".to_owned());
    };
    if let Some(own) = std::env::var_os(format!("TAW_{}", name.to_uppercase())) {
        return Ok(PathBuf::from(own).join(folder));
    }
    Ok(built(taw, name, options)?.join(folder))
}

fn parse(text: &str) -> Result<Table, String> {
    let mut table = Table { package: Vec::new(), files: Vec::new(), commands: Vec::new(), symbolic: Vec::new() };
    for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.is_empty() && !line.starts_with('#')) {
        let mut words = shlex::split(line).ok_or_else(|| format!("line {number}: a quotation mark is not closed"))?;
        if words.first().is_some_and(|word| word == "package") {
            table.package = words.split_off(1);
            continue;
        }
        if words.first().is_some_and(|word| word == "symbolic") {
            table.symbolic.push(words.split_off(1));
            continue;
        }
        if words.first().is_some_and(|word| word == "file") {
            let [_, name, content] = words.as_slice() else {
                return Err(format!("line {number}: a file has a name and a content"));
            };
            table.files.push((name.clone(), unescape(content)));
            continue;
        }
        // By the text: a `<` in quotation marks is a word like any other.
        let stdin = line.rsplit_once(" < ").map(|(_, name)| name.to_owned());
        if stdin.is_some() {
            words.truncate(words.len() - 2);
        }
        table.commands.push(Line { text: line.to_owned(), words, stdin });
    }
    Ok(table)
}

/// `\n`, `\t`, `\r`, `\xHH` and `\\`.
fn unescape(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        bytes.push(match rest.next() {
            Some(b'n') => b'\n',
            Some(b't') => b'\t',
            Some(b'r') => b'\r',
            Some(b'x') => {
                let digits: String = rest.by_ref().take(2).map(char::from).collect();
                u8::from_str_radix(&digits, 16).unwrap_or(b'?')
            }
            Some(other) => other,
            None => b'\\',
        });
    }
    bytes
}

/// What a run showed.
#[derive(PartialEq, Eq)]
struct PackageShown {
    code: i32,
    stdout: Vec<u8>,
    stderr: Vec<u8>,
}

fn compare(taw: &Taw, files: &[(String, Vec<u8>)], tools: &Path, line: &Line) -> Result<(), String> {
    let scratch = crate::scratch()?;
    let folder = scratch.path().join("files");
    fs::create_dir(&folder).map_err(|e| e.to_string())?;
    for (name, content) in files {
        fs::write(folder.join(name), content).map_err(|e| e.to_string())?;
    }
    let tool = tools.join(&line.words[0]);
    // Taw first: the native run may change the files.
    let modelled = under_taw(taw, files, &folder, &scratch.path().join("out"), &tool, line)?;
    let real = natively(&folder, &tool, line)?;
    if modelled == real {
        return Ok(());
    }
    let show = |shown: &PackageShown| {
        let (out, err) = (shown.stdout.escape_ascii(), shown.stderr.escape_ascii());
        format!("code {}\n  stdout \"{out}\"\n  stderr \"{err}\"", shown.code)
    };
    Err(format!("under Taw: {}\nnatively:  {}", show(&modelled), show(&real)))
}

fn under_taw(
    taw: &Taw,
    files: &[(String, Vec<u8>)],
    folder: &Path,
    out: &Path,
    tool: &Path,
    line: &Line,
) -> Result<PackageShown, String> {
    let path = |path: PathBuf| path.display().to_string();
    let mut arguments = vec![path(tool.to_owned())];
    for (name, _) in files {
        arguments.extend(["--file".to_owned(), format!("{name}={}", path(folder.join(name)))]);
    }
    if let Some(name) = &line.stdin {
        arguments.extend(["--stdin".to_owned(), path(folder.join(name))]);
    }
    arguments.push("--".to_owned());
    let plain = |word: &String| if word.starts_with('@') { format!("@{word}") } else { word.clone() };
    arguments.extend(line.words[1..].iter().map(plain));
    let run = taw.run(out, &arguments, LIMIT)?;
    let tests = run.tests().map_err(|e| format!("{e}\n{}", run.stderr()))?;
    let [test] = tests.as_slice() else { return Err(format!("{} paths of a concrete run", tests.len())) };
    let JsonOutcome::Exit { code } = test.outcome else {
        return Err(format!("the path ended with {:?}", test.outcome));
    };
    let (stdout, stderr) = test.streams()?;
    Ok(PackageShown { code, stdout, stderr })
}

/// Explores a program; every test that is kept must do natively what it says, and no path may meet an unknown system call.
fn explore(taw: &Taw, tools: &Path, words: &[String]) -> Result<(), String> {
    let scratch = crate::scratch()?;
    let out = scratch.path().join("out");
    let said = |words: &[&str], tail: &[String]| -> Result<String, String> {
        let mut command = taw.command(words);
        command.args(tail).arg(&out);
        let ended = run_on(&mut command, Stdio::null(), Streams::Merged, LIMIT)?;
        let said = ended.said();
        let wrong = ["diverged", "not supported", "panicked at"].iter().find(|word| said.contains(**word));
        match (ended.code, wrong) {
            (Some(0 | 1), None) => Ok(said),
            _ => Err(format!("`taw {}` ended with {:?}:\n{said}", words.join(" "), ended.code)),
        }
    };
    let program = tools.join(&words[0]).display().to_string();
    let options: Vec<String> = words[1..].iter().cloned().chain(["--out".to_owned()]).collect();
    said(&["run", &program], &options)?;
    // Not by `--replay-tests`: the time of the run is over before all of them are.
    let replayed = said(&["replay"], &[])?;
    if replayed.lines().any(|line| line.starts_with("same ")) { Ok(()) } else { Err(replayed) }
}

fn natively(folder: &Path, tool: &Path, line: &Line) -> Result<PackageShown, String> {
    let mut command = Command::new(tool);
    command.arg0(&line.words[0]).args(&line.words[1..]).env_clear().current_dir(folder);
    let input = line.stdin.as_ref().map(|name| fs::read(folder.join(name)).map_err(|e| format!("{name}: {e}")));
    let ended = fed(&mut command, input.transpose()?.unwrap_or_default())?;
    let code = ended.code.ok_or_else(|| format!("natively ended by signal {:?}", ended.signal))?;
    Ok(PackageShown { code, stdout: ended.stdout, stderr: ended.stderr })
}

/// Runs a command with a pipe as standard input: as under Taw, it cannot be gone back in.
fn fed(command: &mut Command, input: Vec<u8>) -> Result<CommandOutput, String> {
    let (reader, mut writer) = std::io::pipe().map_err(|e| e.to_string())?;
    // A program that does not read all of it ends the pipe, which is its right.
    let feeder = std::thread::spawn(move || drop(writer.write_all(&input)));
    let ended = run_on(command, Stdio::from(reader), Streams::Apart, LIMIT);
    // The command keeps the reading end until it is given another.
    command.stdin(Stdio::null());
    let _ = feeder.join();
    ended
}
