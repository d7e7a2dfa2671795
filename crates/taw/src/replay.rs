//! The program of a run, natively; and the compiler and headers for it.

use std::path::Path;

use taw_loader::Clang;
use taw_native::{Conditions, NativeToolchain, ReplayVerdict, Replayed, Replayer};
use taw_report::{OutcomeRecord, Recipe, Spot, TestFile};
use tempfile::TempDir;

use crate::{Error, runtime};

/// Taw's own headers, in a folder that is gone when this is dropped.
#[derive(Debug)]
pub struct Headers(TempDir);

impl Headers {
    /// Writes them.
    ///
    /// # Errors
    /// If there is no place for them.
    pub fn new() -> Result<Self, Error> {
        runtime::include_folder().map(Headers)
    }
}

/// The compiler, and what of Taw's own goes into every native program.
///
/// # Errors
/// If there is no compiler.
pub fn toolchain(headers: &Headers) -> Result<NativeToolchain, Error> {
    Ok(NativeToolchain {
        clang: Clang::find()?.path().to_owned(),
        headers: headers.0.path().into(),
        library: runtime::REPLAY,
        // Without it one question less can be asked.
        sysroot: runtime::sysroot().ok(),
    })
}

/// The program of a run, natively; built when it is first needed.
pub struct NativeProgram {
    recipe: Recipe,
    conditions: Conditions,
    started: Option<(Headers, Replayer)>,
}

impl NativeProgram {
    /// How it is built and run.
    pub fn new(recipe: Recipe, conditions: Conditions) -> Self {
        NativeProgram { recipe, conditions, started: None }
    }

    fn replayer(&mut self) -> Result<&mut Replayer, Error> {
        let started = match self.started.take() {
            Some(started) => started,
            None => {
                let headers = Headers::new()?;
                let tools = toolchain(&headers)?;
                let replayer = Replayer::new(self.recipe.clone(), tools, self.conditions.clone());
                (headers, replayer)
            }
        };
        Ok(&mut self.started.insert(started).1)
    }

    /// Begins to build what [`Session::reach`](crate::Session::reach) will need.
    ///
    /// # Errors
    /// If there is no compiler.
    pub fn begin(&mut self) -> Result<(), Error> {
        self.replayer()?.begin();
        Ok(())
    }

    /// Runs this binary instead of building the program.
    ///
    /// # Errors
    /// If it cannot be run, or there is no compiler.
    pub fn use_binary(&mut self, program: &Path) -> Result<(), Error> {
        self.replayer()?.use_binary(program).map_err(Error::Binary)
    }

    /// Why the binary cannot be given the inputs of a test, if that is so.
    ///
    /// # Errors
    /// If there is no compiler.
    pub fn lacks(&mut self, test: &TestFile) -> Result<Option<String>, Error> {
        Ok(self.replayer()?.lacks(test))
    }

    /// Replays one test.
    ///
    /// # Errors
    /// If there is no compiler.
    pub fn replay(&mut self, test: &TestFile) -> Result<Replayed, Error> {
        Ok(self.replayer()?.replay(test))
    }

    /// Why no native run can be seen to pass a route, whatever the test.
    ///
    /// # Errors
    /// If there is no compiler.
    pub fn blind_to(&mut self, route: &[Vec<Spot>]) -> Result<Option<String>, Error> {
        Ok(self.replayer()?.blind_to(route))
    }

    /// Whether a native run of a test passes the places of a route, however it ends.
    ///
    /// # Errors
    /// If there is no compiler.
    pub fn passes(&mut self, test: &TestFile, target: &str, route: &[Vec<Spot>]) -> Result<bool, Error> {
        let outcome = OutcomeRecord::Reached { target: target.to_owned(), route: route.to_vec() };
        Ok(self.replay(&TestFile { outcome, ..test.clone() })?.verdict == ReplayVerdict::Same)
    }
}
