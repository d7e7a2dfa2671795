//! From the commands that made objects to objects that carry their bitcode.

use std::fs::{self, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;

use taw_embed::{Appended, SourceBitcode, SourceRecord, append_section};

use crate::bitcode;
use crate::log::LoggedCommand;
use crate::made::{Made, made};

/// Adds a record to every object that the commands have made and that is still there. What goes wrong is told in one
/// line on standard error; the object is then as clang has made it.
pub(crate) fn into_objects(jobs: &[LoggedCommand], stdin: Option<&Path>) {
    for made in made(jobs) {
        if let Err(why) = into_object(&made, stdin) {
            warn(&made, &why);
        }
    }
}

fn warn(made: &Made<'_>, why: &str) {
    eprintln!("taw cc: warning: {}: Taw will not see this source: {why}", source(made));
}

fn into_object(made: &Made<'_>, stdin: Option<&Path>) -> Result<(), String> {
    // Not into devices and pipes; and an object that is not there any more needs nothing.
    let path = Path::new(made.object);
    if !fs::metadata(path).is_ok_and(|m| m.is_file()) {
        return Ok(());
    }
    let object = fs::read(path).map_err(|error| error.to_string())?;
    // Before the second compile, which is in vain if this is no object.
    if append_section(&object, &[]).map_err(|broken| broken.to_string())?.is_none() {
        let lto = made.compiled.is_some_and(|job| job.words.iter().any(|word| word.starts_with("-flto")));
        return if lto { Err("-flto leaves no object for its bitcode; leave it out".into()) } else { Ok(()) };
    }
    let record = record(made, stdin);
    match append_section(&object, &record.to_bytes()) {
        Ok(Some(appended)) => write(path, &appended).map_err(|error| error.to_string()),
        Ok(None) => Ok(()),
        Err(broken) => Err(broken.to_string()),
    }
}

/// What autoconf calls its questions to the compiler. There are hundreds of them in a `configure` script, they are gone
/// at once, and a second compile of each would be a third of the script's time.
const QUESTIONS: [&str; 3] = ["conftest.c", "conftest.cpp", "conftest.cc"];

fn record(made: &Made<'_>, stdin: Option<&Path>) -> SourceRecord {
    let content = match made.compiled {
        None => SourceBitcode::Missing("it is assembly".into()),
        Some(_) if QUESTIONS.contains(&made.source) => SourceBitcode::Missing(
            "files of this name are taken for questions of a `configure` script; rename it".into(),
        ),
        Some(job) => match bitcode::compile(job, stdin) {
            Ok(bitcode) => SourceBitcode::Bitcode(bitcode),
            Err(why) => {
                warn(made, &why);
                SourceBitcode::Missing(why)
            }
        },
    };
    let directory = std::env::current_dir().map(|dir| dir.display().to_string()).unwrap_or_default();
    let target = made.compiled.and_then(|job| job.value("-triple")).unwrap_or_default().to_owned();
    SourceRecord { source: source(made).to_owned(), directory, target, content }
}

fn source<'j>(made: &Made<'j>) -> &'j str {
    if made.source == "-" { "<stdin>" } else { made.source }
}

fn write(path: &Path, appended: &Appended) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).open(path)?;
    file.seek(SeekFrom::End(0))?;
    file.write_all(&appended.tail)?;
    file.seek(SeekFrom::Start(0))?;
    file.write_all(&appended.header)
}
