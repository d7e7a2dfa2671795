//! Replays tests of one program: builds what a test needs when it first needs it, runs each in its own folder.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread::{self, JoinHandle};

use serde::Serialize;
use tempfile::TempDir;

use super::build::{Built, Toolchain, Watch};
use super::coverage::{self, Lines};
use super::follow::Way;
use super::line_table::LineTable;
use super::process::{Ended, Limits, run};
use super::recipe::Recipe;
use super::sighting::{self, Sighting};
use super::stage;
use super::verdict::{self, Verdict};
use crate::test_file::{OutcomeRecord, TestFile};

/// Whether covered lines are asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Coverage {
    /// They are; it costs two short processes per test.
    Yes,
    /// They are not.
    No,
}

/// A test that was replayed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Replayed {
    /// The claim against the observation.
    pub verdict: Verdict,
    /// Why, in words; empty where there is nothing to say.
    pub why: String,
    /// What the native run did; none if it was not started.
    pub native: Option<Observed>,
}

/// What a native run did, for reports.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Observed {
    /// Exit code; none if a signal ended it.
    pub code: Option<i32>,
    /// The signal that ended it.
    pub signal: Option<i32>,
    /// What a sanitizer said.
    pub error: Option<String>,
    /// Where, as `file:line`.
    pub place: Option<String>,
    /// Lines that were covered, up to a crash if there was one; none if they are not known.
    pub lines: Option<Lines>,
}

/// An input that the program asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Asked {
    /// Its size; none where the program leaves it to the test.
    pub size: Option<usize>,
    /// Its name; empty if the program gave none.
    pub name: String,
}

/// Everything that one run left.
#[derive(Debug)]
pub(super) struct Run {
    pub ended: Ended,
    pub sighting: Option<Sighting>,
    pub labels: Vec<String>,
    pub asked: Vec<Asked>,
    /// Why the native program may rightly do something else.
    pub excuses: Vec<String>,
    /// What would have seen an error.
    pub eyes: Eyes,
    pub lines: Option<Lines>,
    /// Whether it got to the place that the test is about.
    pub arrived: bool,
}

/// What would see an error in a native run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Eyes {
    /// Sanitizers, which name kind and place.
    Sanitizers,
    /// Nobody but the machine: some errors crash, others do not.
    Machine,
}

/// A program that was built by others.
#[derive(Clone, Debug)]
pub(super) struct Binary {
    pub(super) path: PathBuf,
    /// Whether the replay library is in it, through which calls get their inputs.
    pub(super) library: bool,
    eyes: Eyes,
}

impl Binary {
    fn open(path: &Path) -> Result<Self, String> {
        let full = path.canonicalize().map_err(|error| format!("cannot run `{}`: {error}", path.display()))?;
        let content = fs::read(&full).map_err(|error| format!("cannot read `{}`: {error}", path.display()))?;
        let has = |text: &[u8]| content.windows(text.len()).any(|window| window == text);
        let watched = has(b"__asan_init") || has(b"__msan_init") || has(b"__ubsan_handle");
        let eyes = if watched { Eyes::Sanitizers } else { Eyes::Machine };
        Ok(Binary { path: full, library: has(b"TAW_REPLAY"), eyes })
    }
}

/// Replays tests of one program.
#[derive(Debug)]
pub struct Replayer {
    pub(super) recipe: Recipe,
    pub(super) tools: Toolchain,
    limits: Limits,
    coverage: Coverage,
    /// The user's own binary, which is then run instead of what would be built.
    pub(super) binary: Option<Binary>,
    builds: BTreeMap<Watch, Result<Built, String>>,
    symbolizer: Option<PathBuf>,
    /// A build that was begun before it is needed.
    begun: Option<(Watch, JoinHandle<Result<Built, String>>)>,
    /// Where lines and functions are in the program that is built for routes.
    pub(super) table: Option<Result<LineTable, String>>,
}

impl Drop for Replayer {
    /// A build that nobody needed still has a folder to remove.
    fn drop(&mut self) {
        if let Some((_, begun)) = self.begun.take() {
            drop(begun.join());
        }
    }
}

impl Replayer {
    /// Nothing is built before the first test.
    pub fn new(recipe: Recipe, tools: Toolchain, limits: Limits, coverage: Coverage) -> Self {
        let symbolizer = tools.tool("llvm-symbolizer");
        // An executable that was explored is the native program.
        let binary = recipe.executable().and_then(|path| Binary::open(&path).ok());
        Replayer {
            recipe,
            tools,
            limits,
            coverage,
            binary,
            builds: BTreeMap::new(),
            symbolizer,
            begun: None,
            table: None,
        }
    }

    /// Begins to build what shows that a place is reached, beside what the caller does meanwhile.
    pub fn begin(&mut self) {
        self.begin_for(Watch::Route);
    }

    /// Begins to build what shows errors.
    pub fn begin_for_errors(&mut self) {
        self.begin_for(Watch::Address);
    }

    fn begin_for(&mut self, watch: Watch) {
        if self.binary.is_none() && self.begun.is_none() && !self.builds.contains_key(&watch) {
            let (tools, recipe, coverage) =
                (self.tools.clone(), self.recipe.clone(), coverage_of(watch, self.coverage));
            self.begun = Some((watch, thread::spawn(move || tools.build(&recipe, watch, coverage))));
        }
    }

    /// Runs this binary instead of building one.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn use_binary(&mut self, binary: &Path) -> Result<(), String> {
        self.binary = Some(Binary::open(binary)?);
        Ok(())
    }

    /// Why the binary that is run cannot be given the inputs of a test.
    pub fn lacks(&self, test: &TestFile) -> Option<String> {
        let binary = self.binary.as_ref().filter(|binary| !binary.library)?;
        let input = test.asked().next()?;
        Some(format!(
            "`{}` is not linked with Taw's replay library, through which it would get its input `{}`; add runtime/replay/replay.c to it, or leave --program away",
            binary.path.display(),
            input.name
        ))
    }

    /// Replays one test.
    pub fn replay(&mut self, test: &TestFile) -> Replayed {
        if let Some(why) = verdict::not_replayed(test).or_else(|| self.lacks(test)) {
            return Replayed { verdict: Verdict::NotConfirmed, why, native: None };
        }
        let run = match &test.outcome {
            OutcomeRecord::Reached { route, .. } => self.follow(test, route),
            _ => self.run(test, watch_for(test), Way::Plain),
        };
        match run {
            Err(why) => Replayed { verdict: Verdict::NotConfirmed, why, native: None },
            Ok(run) => {
                let (mut verdict, mut why) = verdict::judge(test, &run, &self.recipe);
                if verdict == Verdict::Diverged
                    && let Some(excuse) = run.excuses.first().cloned().or_else(|| self.uninitialised(test))
                {
                    verdict = Verdict::NotConfirmed;
                    why = format!("{excuse}; {why}");
                }
                Replayed { verdict, why, native: Some(observed(run)) }
            }
        }
    }

    /// Whether the program uses memory that it never wrote, whose content nobody can predict.
    fn uninitialised(&mut self, test: &TestFile) -> Option<String> {
        let run = self.binary.is_none().then(|| self.run(test, Watch::Memory, Way::Plain).ok()).flatten()?;
        let seen = run.sighting.filter(|seen| seen.what.contains("uninitialized"))?;
        let place = seen.frames.first().map(|spot| format!(" at {}:{}", spot.file.display(), spot.line));
        Some(format!(
            "the program uses uninitialised memory{}, whose content C does not define",
            place.unwrap_or_default()
        ))
    }

    /// The program, built when it is first needed.
    pub(super) fn built(&mut self, watch: Watch) -> Result<&Built, String> {
        if let Some((_, begun)) = self.begun.take_if(|(begun, _)| *begun == watch) {
            let built = begun.join().unwrap_or_else(|_| Err("the thread that builds has failed".into()));
            self.builds.insert(watch, built);
        }
        let (tools, recipe) = (&self.tools, &self.recipe);
        let coverage = coverage_of(watch, self.coverage);
        let built = self.builds.entry(watch).or_insert_with(|| tools.build(recipe, watch, coverage));
        built.as_ref().map_err(|why| format!("the native build fails: {why}"))
    }

    pub(super) fn run(&mut self, test: &TestFile, watch: Watch, way: Way) -> Result<Run, String> {
        let (program, coverage, missing, eyes) = match &self.binary {
            Some(binary) => (binary.path.clone(), Coverage::No, None, binary.eyes),
            None => {
                let built = self.built(watch)?;
                (built.program(), built.coverage, built.missing.clone(), Eyes::Sanitizers)
            }
        };
        let program = if let Way::Patched(copy) = &way { copy.clone() } else { program };
        let given = test.given()?;
        let scratch = TempDir::with_prefix("taw-replay-").map_err(|error| format!("no scratch folder: {error}"))?;
        let at = |name: &str| scratch.path().join(name);
        let work = at("work");
        fs::create_dir(&work).map_err(|error| format!("no scratch folder: {error}"))?;
        stage::furnish(&work, &given, &self.recipe)?;
        fs::write(at("inputs"), input_lines(test)).map_err(|error| format!("no scratch folder: {error}"))?;
        let mut command = Command::new(&program);
        command.arg0(OsStr::from_bytes(&given.program)).current_dir(&work);
        stage::start(&mut command, &given);
        self.instrument(&mut command, scratch.path(), test);
        if coverage == Coverage::Yes {
            command.env("LLVM_PROFILE_FILE", format!("%c{}", at("counters.profraw").display()));
        }
        if let Way::Route(route) = &way {
            fs::write(at("route"), route).map_err(|error| format!("no scratch folder: {error}"))?;
            command.env("TAW_REPLAY_ROUTE", at("route")).env("TAW_REPLAY_ARRIVED", at("arrived"));
        }
        let ended = run(&mut command, given.stdin, &self.limits)
            .map_err(|error| format!("the program cannot be started: {error}"))?;
        let counters = at("counters.profraw");
        let noted = text(&at("asked"));
        let (calls, asked_for): (Vec<&str>, Vec<&str>) = noted.lines().partition(|line| line.starts_with("! "));
        let unanswerable = calls.iter().map(|call| format!("only symbolic execution can answer `{}`", &call[2..]));
        let undefined = missing.iter().map(|name| format!("{name} is nowhere defined"));
        Ok(Run {
            ended,
            arrived: at("arrived").is_file(),
            excuses: unanswerable.chain(undefined).chain(given.excuses).collect(),
            eyes,
            sighting: sighting::parse(&report_in(scratch.path()), |file| self.recipe.directory.join(file).is_file()),
            labels: text(&at("labels")).lines().map(str::to_owned).collect(),
            asked: asked_for.into_iter().map(asked).collect(),
            lines: (coverage == Coverage::Yes).then(|| coverage::lines(&self.tools, &program, &counters)).flatten(),
        })
    }

    /// Adds what the replay library and the sanitizers read, and the library removes before the program sees it. A binary
    /// without them is given nothing that the test does not say.
    fn instrument(&self, command: &mut Command, scratch: &Path, test: &TestFile) {
        if self.binary.as_ref().is_none_or(|binary| binary.library) {
            let files = [("TAW_REPLAY", "inputs"), ("TAW_REPLAY_LABELS", "labels"), ("TAW_REPLAY_ASKED", "asked")];
            command.envs(files.map(|(name, file)| (name, scratch.join(file))));
            command.env("TAW_REPLAY_ENTRY", test.entry.as_deref().unwrap_or("main"));
        }
        if self.binary.as_ref().is_none_or(|binary| binary.eyes == Eyes::Sanitizers) {
            let options = self.sanitizer_options(scratch, test);
            command.envs(["ASAN_OPTIONS", "UBSAN_OPTIONS", "MSAN_OPTIONS"].map(|name| (name, options.clone())));
        }
    }

    fn sanitizer_options(&self, scratch: &Path, test: &TestFile) -> String {
        let leaks = matches!(&test.outcome, OutcomeRecord::Finding { finding, .. } if finding == "leak");
        let options = format!(
            "exitcode={}:handle_abort=1:handle_sigill=1:handle_sigtrap=1:print_stacktrace=1:allocator_may_return_null=1:detect_leaks={}:log_path={}",
            verdict::SANITIZER,
            u8::from(leaks),
            scratch.join("report").display()
        );
        match &self.symbolizer {
            Some(path) => options + &format!(":external_symbolizer_path={}", path.display()),
            None => options + ":symbolize=0",
        }
    }
}

/// Whether lines are counted under a watch.
fn coverage_of(watch: Watch, asked: Coverage) -> Coverage {
    match watch {
        Watch::Counters => Coverage::Yes,
        Watch::Route => Coverage::No,
        Watch::Address | Watch::Memory => asked,
    }
}

fn watch_for(test: &TestFile) -> Watch {
    match &test.outcome {
        OutcomeRecord::Finding { finding, .. } if finding == "uninitialised-use" => Watch::Memory,
        _ => Watch::Address,
    }
}

fn observed(run: Run) -> Observed {
    let spot = run.sighting.as_ref().and_then(|seen| seen.frames.first());
    Observed {
        code: run.ended.code,
        signal: run.ended.signal,
        place: spot.map(|spot| format!("{}:{}", spot.file.display(), spot.line)),
        error: run.sighting.map(|seen| seen.what),
        lines: run.lines,
    }
}

/// The inputs as the replay library reads them.
fn input_lines(test: &TestFile) -> String {
    test.asked().map(|input| format!("{} {}\n", plain(&input.name), input.bytes)).collect()
}

/// Names may hold anything; the file is separated by blanks.
pub(super) fn plain(name: &str) -> String {
    let word: String = name.chars().map(|c| if c.is_whitespace() { '_' } else { c }).collect();
    if word.is_empty() { "_".into() } else { word }
}

/// `SIZE NAME`, of which either may be missing.
fn asked(line: &str) -> Asked {
    let (size, name) = line.split_once(' ').unwrap_or((line, ""));
    Asked { size: size.parse().ok(), name: name.to_owned() }
}

fn text(path: &Path) -> String {
    fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default()
}

/// Sanitizers add the number of the process to the name.
fn report_in(scratch: &Path) -> String {
    let Ok(entries) = fs::read_dir(scratch) else { return String::new() };
    let mut paths: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("report")))
        .collect();
    paths.sort();
    paths.iter().map(|path| text(path)).collect()
}
