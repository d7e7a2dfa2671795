//! Replays tests of one program: builds what a test needs when it first needs it, runs each in its own folder.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use serde::Serialize;
use taw_cage::{Cage, Job, Keeper, RunLimits, can_execute, can_read, hand_over};
use tempfile::TempDir;

use crate::build::{Built, Instrumentation, NativeToolchain};
use crate::coverage::{self, Lines};
use crate::follow::Watching;
use crate::globals::variables_in;
use crate::line_table::LineTable;
use crate::process::{Patience, RunOutput, run};
use crate::returned::NativeReturn;
use crate::scratch::ScratchFolder;
use crate::sighting::{self, Sighting};
use crate::stage;
use crate::verdict::{self, ReplayVerdict};
use taw_report::Recipe;
use taw_report::{OutcomeRecord, TestFile, one_word};

/// Whether covered lines are asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CoverageMode {
    /// They are; it costs two short processes per test.
    Yes,
    /// They are not.
    No,
}

/// Under what conditions native runs are made.
#[derive(Clone, Debug)]
pub struct Conditions {
    /// Who starts them.
    pub keeper: Keeper,
    /// How long and how much each may take.
    pub limits: RunLimits,
    /// Whether covered lines are asked for.
    pub coverage: CoverageMode,
    /// How long they are waited for, all together.
    pub patience: Patience,
}

/// A test that was replayed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Replayed {
    /// The claim against the observation.
    pub verdict: ReplayVerdict,
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
pub(crate) struct Asked {
    /// Its size; none where the program leaves it to the test.
    pub size: Option<usize>,
    /// Its name; empty if the program gave none.
    pub name: String,
}

/// Everything that one run left.
#[derive(Debug)]
pub(crate) struct NativeRunResult {
    pub ended: RunOutput,
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
    /// What the call of the entry gave, if it returned.
    pub returned: Option<NativeReturn>,
}

/// What would see an error in a native run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Eyes {
    /// Sanitizers, which name kind and place.
    Sanitizers,
    /// Nobody but the machine: some errors crash, others do not.
    Machine,
}

/// A program that was built by others.
#[derive(Clone, Debug)]
pub(crate) struct Binary {
    pub(crate) path: PathBuf,
    /// A folder with a copy of it that the cage's user may execute, if it may not execute the file itself.
    copy: Option<Arc<TempDir>>,
    /// Whether the replay library is in it, through which calls get their inputs.
    pub(crate) library: bool,
    eyes: Eyes,
}

impl Binary {
    fn open(path: &Path) -> Result<Self, String> {
        let full = path.canonicalize().map_err(|error| format!("cannot run `{}`: {error}", path.display()))?;
        let content = fs::read(&full).map_err(|error| format!("cannot read `{}`: {error}", path.display()))?;
        let has = |text: &[u8]| content.windows(text.len()).any(|window| window == text);
        let watched = has(b"__asan_init") || has(b"__msan_init") || has(b"__ubsan_handle");
        let eyes = if watched { Eyes::Sanitizers } else { Eyes::Machine };
        let copy = (!can_execute(&full)).then(|| copy_of(&full)).transpose();
        let copy = copy.map_err(|error| format!("cannot copy `{}`: {error}", path.display()))?;
        Ok(Binary { path: full, copy, library: has(b"TAW_REPLAY"), eyes })
    }

    /// The file to be started.
    fn program(&self) -> PathBuf {
        self.copy.as_ref().map_or_else(|| self.path.clone(), |folder| folder.path().join(COPY))
    }
}

/// The name of a copy.
const COPY: &str = "program";

fn copy_of(program: &Path) -> io::Result<Arc<TempDir>> {
    let folder = taw_files::scratch("taw-native-")?;
    fs::copy(program, folder.path().join(COPY))?;
    hand_over(folder.path())?;
    Ok(Arc::new(folder))
}

/// Replays tests of one program.
#[derive(Debug)]
pub struct Replayer {
    pub(crate) recipe: Recipe,
    pub(crate) tools: NativeToolchain,
    conditions: Conditions,
    /// Where programs run, once one has run; else why there is no such place.
    cage: Option<Result<Cage, String>>,
    /// The user's own binary, which is then run instead of what would be built.
    pub(crate) binary: Option<Binary>,
    builds: BTreeMap<Instrumentation, Result<Built, String>>,
    symbolizer: Option<PathBuf>,
    /// The build for routes, if it was begun before it is needed.
    begun: Option<JoinHandle<Result<Built, String>>>,
    /// Where lines and functions are in the program that is built for routes.
    pub(crate) table: Option<Result<LineTable, String>>,
}

impl Drop for Replayer {
    /// A build that nobody needed still has a folder to remove.
    fn drop(&mut self) {
        if let Some(begun) = self.begun.take() {
            drop(begun.join());
        }
    }
}

impl Replayer {
    /// Nothing is built before the first test.
    pub fn new(recipe: Recipe, tools: NativeToolchain, conditions: Conditions) -> Self {
        let symbolizer = tools.tool("llvm-symbolizer");
        // An executable that was explored is the native program.
        let binary = recipe.executable().and_then(|path| Binary::open(&path).ok());
        Replayer {
            recipe,
            tools,
            conditions,
            cage: None,
            binary,
            builds: BTreeMap::new(),
            symbolizer,
            begun: None,
            table: None,
        }
    }

    /// Begins to build what shows that a place is reached, beside what the caller does meanwhile.
    pub fn begin(&mut self) {
        if self.binary.is_none() && self.begun.is_none() && !self.builds.contains_key(&Instrumentation::Route) {
            let (tools, recipe) = (self.tools.clone(), self.recipe.clone());
            let patience = self.conditions.patience.clone();
            self.begun =
                Some(thread::spawn(move || tools.build(&recipe, Instrumentation::Route, CoverageMode::No, &patience)));
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
            return Replayed { verdict: ReplayVerdict::NotConfirmed, why, native: None };
        }
        let run = match &test.outcome {
            OutcomeRecord::Reached { route, .. } => self.follow(test, route),
            _ => self.run(test, watch_for(test), Watching::Plain),
        };
        match run {
            Err(why) => Replayed { verdict: ReplayVerdict::NotConfirmed, why, native: None },
            Ok(run) => {
                let (mut verdict, mut why) = verdict::judge(test, &run, &self.recipe);
                let excuse = match verdict {
                    ReplayVerdict::Diverged => self.excuse(test, &run),
                    // What goes another way may ask for other inputs, too.
                    ReplayVerdict::OtherProgram => run.excuses.first().cloned(),
                    ReplayVerdict::Same | ReplayVerdict::NotConfirmed => None,
                };
                if let Some(excuse) = excuse {
                    verdict = ReplayVerdict::NotConfirmed;
                    why = format!("{excuse}; {why}");
                }
                Replayed { verdict, why, native: Some(observed(run)) }
            }
        }
    }

    /// Why the native program may rightly do something else than the test says.
    fn excuse(&mut self, test: &TestFile, run: &NativeRunResult) -> Option<String> {
        let known = run.excuses.first().cloned().or_else(|| self.uninitialised(test));
        // With the other library nobody watches: that it ends well says nothing about an error of memory that was seen here.
        let is_seen = run.sighting.is_some() && matches!(test.outcome, OutcomeRecord::Exit { .. });
        known.or_else(|| if is_seen { None } else { self.other_library(test) })
    }

    /// Whether the C library makes the difference: with the one that the program was explored with, it does what the test says.
    fn other_library(&mut self, test: &TestFile) -> Option<String> {
        if self.binary.is_some() || !self.tools.has_library_of(&self.recipe) {
            return None;
        }
        let run = self.run(test, Instrumentation::Library, Watching::Plain).ok()?;
        let same = verdict::judge(test, &run, &self.recipe).0 == ReplayVerdict::Same;
        let why = "this machine's C library does otherwise than musl, with which the program was explored and does what the test says";
        same.then(|| why.to_owned())
    }

    /// Whether the program uses memory that it never wrote, whose content nobody can predict.
    fn uninitialised(&mut self, test: &TestFile) -> Option<String> {
        let run =
            self.binary.is_none().then(|| self.run(test, Instrumentation::Memory, Watching::Plain).ok()).flatten()?;
        let is_only_that = run.returned.as_ref().is_some_and(NativeReturn::has_unwritten)
            && verdict::judge(test, &run, &self.recipe).0 == ReplayVerdict::Same;
        if is_only_that {
            return Some("the call leaves memory that nobody has written, whose content C does not define".to_owned());
        }
        let seen = run.sighting.filter(|seen| seen.what.contains("uninitialized"))?;
        let place = seen.frames.first().map(|spot| format!(" at {}:{}", spot.file.display(), spot.line));
        Some(format!(
            "the program uses uninitialised memory{}, whose content C does not define",
            place.unwrap_or_default()
        ))
    }

    /// The program, built when it is first needed.
    pub(crate) fn built(&mut self, watch: Instrumentation) -> Result<&Built, String> {
        if let Some(begun) = self.begun.take_if(|_| watch == Instrumentation::Route) {
            let built = begun.join().unwrap_or_else(|_| Err("the thread that builds has failed".into()));
            self.builds.insert(watch, built);
        }
        let (tools, recipe, patience) = (&self.tools, &self.recipe, &self.conditions.patience);
        let coverage = coverage_of(watch, self.conditions.coverage);
        let built = self.builds.entry(watch).or_insert_with(|| tools.build(recipe, watch, coverage, patience));
        built.as_ref().map_err(|why| match patience.is_over() {
            true => patience.why_over(),
            false => format!("the native build fails: {why}"),
        })
    }

    /// Where programs run.
    fn cage(&mut self) -> Result<&Cage, String> {
        let keeper = &self.conditions.keeper;
        let cage = self.cage.get_or_insert_with(|| Cage::open(keeper));
        cage.as_ref().map_err(|why| format!("{why}; `--unconfined` runs it anyway"))
    }

    pub(crate) fn run(
        &mut self,
        test: &TestFile,
        watch: Instrumentation,
        way: Watching,
    ) -> Result<NativeRunResult, String> {
        if self.conditions.patience.is_over() {
            return Err(self.conditions.patience.why_over());
        }
        self.cage()?;
        let (program, coverage, missing, eyes) = match &self.binary {
            Some(binary) => (binary.program(), CoverageMode::No, None, binary.eyes),
            None => {
                let built = self.built(watch)?;
                let eyes = if watch == Instrumentation::Library { Eyes::Machine } else { Eyes::Sanitizers };
                (built.program(), built.coverage, built.missing.clone(), eyes)
            }
        };
        let program = if let Watching::Patched(copy) = &way { copy.clone() } else { program };
        let given = test.given()?;
        let scratch = ScratchFolder::new()?;
        stage::furnish(&scratch.work(), &given, &self.recipe)?;
        scratch.write("inputs", &input_lines(test, &variables_in(&program, test)?))?;
        let mut job = stage::job(&program, &given);
        (job.scratch, job.directory, job.limits) = (scratch.path().into(), scratch.work(), self.conditions.limits);
        job.visible = self.visible();
        self.instrument(&mut job, &scratch, test);
        if coverage == CoverageMode::Yes {
            say(&mut job, "LLVM_PROFILE_FILE", format!("%c{}", scratch.at("counters.profraw").display()));
        }
        if let Watching::Route(route) = &way {
            scratch.write("route", route)?;
            say(&mut job, "TAW_REPLAY_ROUTE", scratch.at("route").display());
            say(&mut job, "TAW_REPLAY_ARRIVED", scratch.at("arrived").display());
        }
        hand_over(scratch.path()).map_err(|error| format!("no scratch folder: {error}"))?;
        let patience = self.conditions.patience.clone();
        let ended = run(self.cage()?, &job, given.stdin, &patience)?;
        let noted = scratch.text("asked");
        let (calls, asked_for): (Vec<&str>, Vec<&str>) = noted.lines().partition(|line| line.starts_with("! "));
        let unanswerable = calls.iter().map(|call| format!("only symbolic execution can answer `{}`", &call[2..]));
        let undefined = missing.iter().map(|name| format!("{name} is nowhere defined"));
        let excuses = unanswerable.chain(undefined).chain(given.excuses).collect::<Vec<_>>();
        Ok(NativeRunResult {
            ended,
            arrived: scratch.has("arrived"),
            returned: NativeReturn::parse(&scratch.text("returned")),
            excuses: excuses.into_iter().chain(self.refusals()).collect(),
            eyes,
            sighting: sighting::parse(&report_in(&scratch), |file| self.recipe.directory.join(file).is_file()),
            labels: scratch.text("labels").lines().map(str::to_owned).collect(),
            asked: asked_for.into_iter().map(asked).collect(),
            lines: (coverage == CoverageMode::Yes && scratch.has("counters.profraw"))
                .then(|| coverage::lines(&self.tools, &program, &scratch.at("counters.profraw")))
                .flatten(),
        })
    }

    /// What a run must be able to read, wherever it lies.
    fn visible(&self) -> Vec<PathBuf> {
        let at = |path: &Path| self.recipe.directory.join(path);
        let libraries = self.recipe.libraries.iter().map(|library| at(&library.path));
        let host = self.recipe.host.iter().filter(|path| path.is_absolute()).cloned();
        // Libraries may lie beside a program that others have built.
        let beside = self.binary.as_ref().and_then(|binary| binary.path.parent()).map(Path::to_owned);
        libraries.chain(host).chain(beside).collect()
    }

    /// What the cage keeps a program from, that it may rightly do elsewhere.
    fn refusals(&mut self) -> Vec<String> {
        let host = self.recipe.host.iter().filter(|path| path.is_absolute() && !can_read(path));
        let hidden: Vec<String> =
            host.map(|path| format!("native runs are made as nobody, who may not read `{}`", path.display())).collect();
        let refused = self.cage().ok().and_then(|cage| cage.offer().refuses()).map(str::to_owned);
        hidden.into_iter().chain(refused).collect()
    }

    /// Adds what the replay library and the sanitizers read, and the library removes before the program sees it. A binary
    /// without them is given nothing that the test does not say.
    fn instrument(&self, job: &mut Job, scratch: &ScratchFolder, test: &TestFile) {
        if self.binary.as_ref().is_none_or(|binary| binary.library) {
            for (name, file) in [
                ("TAW_REPLAY", "inputs"),
                ("TAW_REPLAY_LABELS", "labels"),
                ("TAW_REPLAY_ASKED", "asked"),
                ("TAW_REPLAY_RETURNED", "returned"),
            ] {
                say(job, name, scratch.at(file).display());
            }
            say(job, "TAW_REPLAY_ENTRY", test.entry.as_deref().unwrap_or("main"));
        }
        if self.binary.as_ref().is_none_or(|binary| binary.eyes == Eyes::Sanitizers) {
            let options = self.sanitizer_options(scratch.path(), test);
            for name in ["ASAN_OPTIONS", "UBSAN_OPTIONS", "MSAN_OPTIONS"] {
                say(job, name, &options);
            }
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

/// Sets a variable of the environment.
fn say(job: &mut Job, name: &str, value: impl ToString) {
    job.environment.retain(|(known, _)| known != name.as_bytes());
    job.environment.push((name.into(), value.to_string().into()));
}

/// Whether lines are counted under a watch.
fn coverage_of(watch: Instrumentation, asked: CoverageMode) -> CoverageMode {
    match watch {
        Instrumentation::Counters => CoverageMode::Yes,
        Instrumentation::Route | Instrumentation::Library => CoverageMode::No,
        Instrumentation::Address | Instrumentation::Memory => asked,
    }
}

fn watch_for(test: &TestFile) -> Instrumentation {
    match &test.outcome {
        OutcomeRecord::Finding { finding, .. } if finding == "uninitialised-use" => Instrumentation::Memory,
        _ => Instrumentation::Address,
    }
}

fn observed(run: NativeRunResult) -> Observed {
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
fn input_lines(test: &TestFile, globals: &[i64]) -> String {
    let call = test.call.as_ref().map(|call| call.replay_lines(globals)).unwrap_or_default();
    let known = test.call.as_ref().map_or(0, |call| call.objects.len());
    let after = test.returned.as_ref().map(|returned| returned.replay_lines(known)).unwrap_or_default();
    let asked = test.asked().map(|input| format!("{} {}\n", one_word(&input.name), input.bytes));
    call + &after + &asked.collect::<String>()
}

/// `SIZE NAME`, of which either may be missing.
fn asked(line: &str) -> Asked {
    let (size, name) = line.split_once(' ').unwrap_or((line, ""));
    Asked { size: size.parse().ok(), name: name.to_owned() }
}

/// Sanitizers add the number of the process to the name.
fn report_in(scratch: &ScratchFolder) -> String {
    let names = scratch.names().into_iter().filter(|name| name.starts_with("report"));
    names.map(|name| scratch.text(&name)).collect()
}
