//! The native program: compiled once with sanitizers and the replay library, run once per test.
//!
//! A completed path must end with the same exit code, output and labels; a finding must crash, abort or be reported by
//! a sanitizer. Anything else is a divergence, and a divergence is a defect of Taw.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::io::{Seek, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::process::{CommandOutput, Streams, run, run_on};
use crate::taw::{JsonGiven, JsonOutcome, JsonTest};

/// The compiler whose front end Taw uses too.
pub const CLANG: &str = "clang-22";

/// Exit code by which a sanitizer says that it found something.
const SANITIZER: i32 = 66;

/// How to build a program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BuildRecipe {
    /// Source files.
    pub sources: Vec<PathBuf>,
    /// Value of `-fsanitize=`; none if empty.
    pub sanitize: String,
    /// Further flags.
    pub flags: Vec<String>,
    /// The C signature of the function that a driver must call, if the program has no `main`.
    pub signature: Option<String>,
    /// C that stands in for functions which are defined nowhere, as Taw has made it.
    pub stand_ins: Option<String>,
}

/// A compiled program in a folder of its own.
#[derive(Debug)]
pub struct CompiledProgram {
    folder: tempfile::TempDir,
    leaks: bool,
}

/// What a native run did.
#[derive(Clone, Debug)]
pub struct NativeRun {
    /// The process.
    pub ended: CommandOutput,
    /// Labels passed, each once, in order.
    pub labels: Vec<String>,
}

impl NativeRun {
    /// Whether it crashed, aborted, or a sanitizer spoke.
    pub fn failed(&self) -> bool {
        self.ended.signal.is_some() && !self.ended.timed_out || self.ended.code == Some(SANITIZER)
    }
}

impl CompiledProgram {
    /// Compiles a program as the recipe says, in a new folder.
    ///
    /// # Errors
    /// What the compiler says.
    pub fn compile(recipe: &BuildRecipe) -> Result<Self, String> {
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        let runtime = crate::root().join("runtime");
        let mut command = Command::new(CLANG);
        command.args(["-g", "-w", "-o"]).arg(folder.path().join("program"));
        command.arg("-I").arg(&runtime).arg("-I").arg(runtime.join("include"));
        if !recipe.sanitize.is_empty() {
            // Off: what Taw does not call an error (see docs) or only on request.
            command.arg(format!("-fsanitize={}", recipe.sanitize)).args([
                "-fno-sanitize-recover=all",
                "-fno-sanitize=alignment,pointer-overflow,signed-integer-overflow,float-cast-overflow",
                "-fsanitize-address-use-after-return=always",
            ]);
        }
        command.args(&recipe.sources).arg(runtime.join("replay/replay.c")).args(&recipe.flags).arg("-lm");
        if let Some(signature) = &recipe.signature {
            let driver = folder.path().join("driver.c");
            fs::write(&driver, driver_source(signature)?).map_err(|e| e.to_string())?;
            command.arg(driver);
        }
        if let Some(text) = &recipe.stand_ins {
            let source = folder.path().join("stand_ins.c");
            fs::write(&source, text).map_err(|e| e.to_string())?;
            command.arg(source);
        }
        let ended = run(command.current_dir(crate::root()), Streams::Merged, Duration::from_secs(120))?;
        if ended.code != Some(0) {
            return Err(format!("the native compiler says:\n{}", ended.said()));
        }
        Ok(CompiledProgram { folder, leaks: false })
    }

    /// The executable.
    pub fn program(&self) -> PathBuf {
        self.folder.path().join("program")
    }

    /// Leaks are errors in the runs to come.
    pub fn check_leaks(&mut self) {
        self.leaks = true;
    }

    /// Runs the program on the inputs of `test`, in a folder with its files.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn replay(&self, test: &JsonTest) -> Result<NativeRun, String> {
        let (inputs, labels) = (self.folder.path().join("inputs"), self.folder.path().join("labels"));
        let is_asked = |name: &String| !test.given.inputs.contains(name) && !test.call.inputs.contains(name);
        let asked = test.inputs.iter().filter(|input| is_asked(&input.name));
        let symbols =
            if test.call.objects.iter().any(|o| o.global.is_some()) { self.symbols()? } else { BTreeMap::new() };
        let at = |symbol: &str| symbols.get(symbol).copied().unwrap_or_default();
        let lines: String = test.call.lines(|symbol| at(symbol) - at("taw_replay_begin"))
            + &asked.map(|i| format!("{} {}\n", plain(&i.name), i.bytes)).collect::<String>();
        fs::write(&inputs, lines).map_err(|e| e.to_string())?;
        remove(&labels)?;
        let common = format!("exitcode={SANITIZER}:symbolize=0:allocator_may_return_null=1");
        let work = tempfile::tempdir_in(self.folder.path()).map_err(|e| e.to_string())?;
        let mut command = Command::new(self.folder.path().join("program"));
        let stdin = start(&mut command, &test.given, work.path())?;
        command
            .env("TAW_REPLAY", &inputs)
            .env("TAW_REPLAY_LABELS", &labels)
            .env("TAW_REPLAY_ENTRY", test.entry.as_deref().unwrap_or("main"))
            .env("ASAN_OPTIONS", format!("{common}:detect_leaks={}", u8::from(self.leaks)))
            .env("UBSAN_OPTIONS", &common)
            .env("MSAN_OPTIONS", &common);
        let ended = run_on(&mut command, stdin, Streams::Apart, Duration::from_secs(20))?;
        let labels = fs::read_to_string(&labels).unwrap_or_default().lines().map(str::to_owned).collect();
        Ok(NativeRun { ended, labels })
    }

    /// The addresses of symbols of the program, static ones too.
    fn symbols(&self) -> Result<BTreeMap<String, i64>, String> {
        let mut command = Command::new("nm");
        let ended = run(command.arg(self.program()), Streams::Apart, Duration::from_secs(20))?;
        let row = |line: &str| {
            let mut words = line.split_whitespace();
            let address = i64::from_str_radix(words.next()?, 16).ok()?;
            Some((words.nth(1)?.to_owned(), address))
        };
        Ok(String::from_utf8_lossy(&ended.stdout).lines().filter_map(row).collect())
    }

    /// Runs `test` and compares with what it says.
    ///
    /// # Errors
    /// How the native run contradicts the test.
    pub fn confirm(&self, test: &JsonTest) -> Result<(), String> {
        let ends =
            matches!(test.outcome, JsonOutcome::Exit { .. } | JsonOutcome::Signal { .. } | JsonOutcome::Finding { .. });
        if !ends || !test.given.beyond.is_empty() || !test.given.excuses.is_empty() {
            // A path that was cut short claims nothing about its end, and may have none; of others Taw says itself that
            // natively they may be otherwise.
            return Ok(());
        }
        let (out, err) = test.streams()?;
        let observed = self.replay(test)?;
        let wrote = (&observed.ended.stdout, &observed.ended.stderr);
        let contradiction = |what: String| Err(contradicts(test, &observed, &what));
        if observed.ended.timed_out {
            return contradiction("it does not end".into());
        }
        match &test.outcome {
            JsonOutcome::Finding { finding } if !observed.failed() => contradiction(format!("no sign of {finding}")),
            // A sanitizer handles some signals itself.
            JsonOutcome::Signal { signal } if observed.ended.signal != Some(*signal) && !observed.failed() => {
                contradiction(format!("an end by signal {signal} was claimed"))
            }
            JsonOutcome::Exit { code } if observed.failed() || observed.ended.code != Some(code & 0xff) => {
                contradiction(format!("exit code {code} was claimed"))
            }
            JsonOutcome::Exit { .. } if test.output_unclear.is_none() && wrote != (&out, &err) => {
                contradiction(format!("output was claimed to be {:?}", test.output))
            }
            _ if observed.labels != test.labels => {
                contradiction(format!("labels were claimed to be {:?}", test.labels))
            }
            _ => Ok(()),
        }
    }
}

/// Gives a command the name, arguments, environment, folder and files of a test; its standard input.
fn start(command: &mut Command, given: &JsonGiven, work: &Path) -> Result<Stdio, String> {
    let said = |error: std::io::Error| error.to_string();
    command.current_dir(work).env_clear();
    for file in &given.files {
        let place = work.join(&file.path);
        fs::create_dir_all(place.parent().unwrap_or(work)).map_err(said)?;
        fs::write(&place, file.content.bytes()?).map_err(said)?;
    }
    let name = given.program.bytes()?;
    if !name.is_empty() {
        command.arg0(OsStr::from_bytes(&name));
    }
    for arg in &given.args {
        command.arg(OsStr::from_bytes(&arg.bytes()?));
    }
    for variable in &given.env {
        command.env(OsStr::from_bytes(&variable.name.bytes()?), OsStr::from_bytes(&variable.value.bytes()?));
    }
    let mut stdin = tempfile::tempfile().map_err(said)?;
    stdin.write_all(&given.stdin.bytes()?).and_then(|()| stdin.rewind()).map_err(said)?;
    Ok(stdin.into())
}

fn contradicts(test: &JsonTest, observed: &NativeRun, what: &str) -> String {
    let inputs = test.inputs.iter().map(|i| format!("{}={}", i.name, i.bytes));
    let inputs: Vec<String> = inputs.chain(test.call.c.iter().cloned()).collect();
    let said = observed.ended.said();
    let head: String = said.lines().take(8).map(|line| format!("    {line}\n")).collect();
    format!(
        "a test is contradicted by its native run: {what}\n  inputs {}\n  native: code {:?}, signal {:?}, labels {:?}\n{head}",
        inputs.join(" "),
        observed.ended.code,
        observed.ended.signal,
        observed.labels,
    )
}

/// Names may hold anything; the replay file is separated by blanks.
fn plain(name: &str) -> String {
    let word: String = name.chars().map(|c| if c.is_whitespace() { '_' } else { c }).collect();
    if word.is_empty() { "_".into() } else { word }
}

fn remove(path: &Path) -> Result<(), String> {
    match fs::remove_file(path) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => Err(format!("{}: {e}", path.display())),
        _ => Ok(()),
    }
}

/// `main` for a function with the given signature: every parameter is the next input.
fn driver_source(signature: &str) -> Result<String, String> {
    let wrong = || format!("not a signature: {signature}");
    let (head, parameters) = signature.strip_suffix(')').and_then(|s| s.split_once('(')).ok_or_else(wrong)?;
    let (result, name) = head.trim().rsplit_once([' ', '*']).ok_or_else(wrong)?;
    let parameters: Vec<&str> =
        parameters.split(',').map(str::trim).filter(|p| !p.is_empty() && *p != "void").collect();
    let mut body = String::new();
    let mut arguments = Vec::new();
    for (i, parameter) in parameters.iter().enumerate() {
        let (ty, _) = parameter.rsplit_once([' ', '*']).ok_or_else(wrong)?;
        body.push_str(&match parameter.contains('*') {
            true => format!("  void *a{i} = taw_replay_pointer();\n"),
            false => format!("  {ty} a{i};\n  taw_replay_next(&a{i}, sizeof a{i});\n"),
        });
        arguments.push(format!("a{i}"));
    }
    let call = format!("{name}({})", arguments.join(", "));
    let call =
        if result.trim() == "void" { format!("  {call};\n  return 0;\n") } else { format!("  return (int){call};\n") };
    Ok(format!(
        "#include <stddef.h>\n#include <stdint.h>\nvoid taw_replay_next(void *, size_t);\nvoid *taw_replay_pointer(void);\nvoid taw_replay_begin(void);\n{signature};\nint main(void) {{\n  taw_replay_begin();\n{body}{call}}}\n"
    ))
}
