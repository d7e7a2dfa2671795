//! Suites of C tests, tried before they are written: built as a user builds them, run in the cage.
//!
//! Boundary: knows texts and processes, not what a test means. The text includes the source under test; the other sources are compiled as ever.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use taw_cage::{Cage, Job, hand_over};
use taw_report::Recipe;
use taw_report::suite::TRIAL_RESULTS;
use tempfile::TempDir;

use crate::build::{NativeToolchain, as_file, libraries, machine};
use crate::process::{run, said};
use crate::replayer::Conditions;
use crate::scratch::ScratchFolder;

/// Builds and runs texts of tests.
#[derive(Debug)]
pub struct SuiteTrial {
    recipe: Recipe,
    tools: NativeToolchain,
    conditions: Conditions,
    cage: Option<Cage>,
}

/// A program of tests.
#[derive(Debug)]
pub struct TrialProgram {
    folder: TempDir,
    /// What the compiler says of the text, line by line.
    pub words: Vec<String>,
    /// Whether there is a program; if not, `words` say why.
    pub is_built: bool,
}

/// What became of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TrialRun {
    /// Whether it ended by itself, and with 0.
    pub went_well: bool,
    /// What it has noted.
    pub notes: String,
}

impl SuiteTrial {
    /// Nothing is built yet.
    pub fn new(recipe: Recipe, tools: NativeToolchain, conditions: Conditions) -> Self {
        SuiteTrial { recipe, tools, conditions, cage: None }
    }

    /// Builds a text that includes `source`, with the other sources of the program.
    ///
    /// # Errors
    /// If another source does not compile, or nothing can be built at all.
    pub fn build(
        &self,
        text: &str,
        source: &Path,
        has_main: bool,
        sanitizers: &[&str],
    ) -> Result<TrialProgram, String> {
        let failed = |error: io::Error| format!("no folder to build in: {error}");
        let folder = taw_files::scratch("taw-trial-").map_err(failed)?;
        let (file, object) = (folder.path().join("suite.c"), folder.path().join("suite.o"));
        fs::write(&file, text).map_err(failed)?;
        let mut command = self.compiler(source);
        command.args(["-Wall", "-Wextra"]).args(sanitizers).arg("-o").arg(&object).arg("--").arg(as_file(&file));
        let output = command.output().map_err(|error| format!("cannot run the compiler: {error}"))?;
        let words = String::from_utf8_lossy(&output.stderr).lines().map(str::to_owned).collect();
        let mut program = TrialProgram { folder, words, is_built: output.status.success() };
        if program.is_built {
            self.link(&mut program, object, source, has_main, sanitizers)?;
            hand_over(program.folder.path()).map_err(failed)?;
        }
        Ok(program)
    }

    /// The compiler with what it is told of a source.
    fn compiler(&self, source: &Path) -> Command {
        let mut command = Command::new(&self.tools.clang);
        command.current_dir(&self.recipe.directory).args(["-c", "-g"]);
        command.args(self.recipe.own_flags(source)).args(&self.recipe.cflags);
        command.arg("-idirafter").arg(&self.tools.headers);
        command
    }

    fn link(
        &self,
        program: &mut TrialProgram,
        object: PathBuf,
        source: &Path,
        has_main: bool,
        sanitizers: &[&str],
    ) -> Result<(), String> {
        let (patience, folder) = (&self.conditions.patience, program.folder.path());
        let mut objects = vec![object];
        for (index, other) in self.recipe.sources.iter().filter(|other| other.path != source).enumerate() {
            let object = folder.join(format!("{index}.o"));
            let mut command = self.compiler(&other.path);
            command.arg("-w").args(sanitizers).args(has_main.then_some("-Dmain=main_of_the_program"));
            command.arg("-o").arg(&object).arg("--").arg(as_file(&other.path));
            said(command, patience)?;
            objects.push(object);
        }
        let mut command = Command::new(&self.tools.clang);
        command.current_dir(&self.recipe.directory).args(machine(&self.recipe)).args(sanitizers).args(&objects);
        command.args(libraries(&self.recipe)).args(["-lm", "-o"]).arg(folder.join("program"));
        if let Err(why) = said(command, patience) {
            program.is_built = false;
            program.words.extend(why.lines().map(str::to_owned));
        }
        Ok(())
    }

    /// Runs a program in a folder of its own.
    ///
    /// # Errors
    /// Why it was not run to its end.
    pub fn run(&mut self, program: &TrialProgram, arguments: &[String]) -> Result<TrialRun, String> {
        if self.cage.is_none() {
            let cage = Cage::open(&self.conditions.keeper);
            self.cage = Some(cage.map_err(|why| format!("{why}; `--unconfined` runs it anyway"))?);
        }
        let Some(cage) = &self.cage else { return Err("there is no cage".to_owned()) };
        let scratch = ScratchFolder::new()?;
        hand_over(scratch.path()).map_err(|error| format!("no scratch folder: {error}"))?;
        let job = Job {
            program: program.folder.path().join("program"),
            arguments: arguments.iter().map(|word| word.clone().into_bytes()).collect(),
            environment: vec![("ASAN_OPTIONS".into(), "detect_leaks=0".into())],
            directory: scratch.work(),
            scratch: scratch.path().into(),
            visible: self.recipe.libraries.iter().map(|library| self.recipe.directory.join(&library.path)).collect(),
            limits: self.conditions.limits,
            ..Job::default()
        };
        let ended = run(cage, &job, Vec::new(), &self.conditions.patience)?;
        let notes = scratch.text(&format!("work/{TRIAL_RESULTS}"));
        Ok(TrialRun { went_well: ended.code == Some(0) && ended.cut.is_none(), notes })
    }
}
