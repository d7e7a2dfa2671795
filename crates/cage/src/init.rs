//! The two processes of a run: the first of its namespace, which waits, and the program.
//!
//! The program is not the first: signals that it sends to itself would not end it.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

use rustix::process::{
    Resource, Rlimit, Signal, WaitOptions, set_parent_process_death_signal, setrlimit, setsid, wait,
};
use serde::{Deserialize, Serialize};

use crate::job::Job;
use crate::raw::{self, Forked};
use crate::{Offer, filter, space, walls};

/// What comes out of a run: one line of JSON, the first that is written counts.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum InitReport {
    /// It ended by itself.
    Exited(i32),
    /// A signal ended it.
    Signaled(i32),
    /// It was not started.
    Failed(String),
}

/// Lives as the first process of a run: starts the program, waits for it, and says how it ended.
pub(crate) fn live(job: &Job, offer: &Offer, streams: Vec<OwnedFd>, mut report: File) -> ! {
    let told = |report: &mut File, what: &InitReport| {
        let line = serde_json::to_string(what).expect("a report is plain data") + "\n";
        // Nobody to tell: the keeper is gone, and so are we.
        let _ = report.write_all(line.as_bytes());
    };
    let started = prepare(job, offer).and_then(|()| raw::fork().map_err(|error| error.to_string()));
    let program = match started {
        Ok(Forked::Parent(program)) => program,
        Ok(Forked::Child) => {
            let why = become_program(job, offer, streams);
            told(&mut report, &InitReport::Failed(why));
            raw::leave(127)
        }
        Err(why) => {
            told(&mut report, &InitReport::Failed(why));
            raw::leave(127)
        }
    };
    drop(streams);
    loop {
        match wait(WaitOptions::empty()) {
            Ok(Some((pid, status))) if pid == program => {
                let how = match (status.exit_status(), status.terminating_signal()) {
                    (Some(code), _) => InitReport::Exited(code),
                    (None, Some(signal)) => InitReport::Signaled(signal),
                    (None, None) => continue,
                };
                told(&mut report, &how);
                raw::leave(0)
            }
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(_) => raw::leave(1),
        }
    }
}

fn prepare(job: &Job, offer: &Offer) -> Result<(), String> {
    set_parent_process_death_signal(Some(Signal::KILL)).map_err(|error| error.to_string())?;
    if !offer.is_unconfined && offer.has_namespaces() {
        space::furnish(job)?;
    }
    Ok(())
}

/// Becomes the program; comes back only to say why not.
fn become_program(job: &Job, offer: &Offer, streams: Vec<OwnedFd>) -> String {
    let mut streams = streams.into_iter().map(Stdio::from);
    let (Some(input), Some(output), Some(errors)) = (streams.next(), streams.next(), streams.next()) else {
        return "three descriptors are wanted".into();
    };
    let mut command = Command::new(&job.program);
    command.args(job.arguments.iter().map(|word| OsStr::from_bytes(word))).env_clear();
    command.envs(job.environment.iter().map(|(name, value)| (OsStr::from_bytes(name), OsStr::from_bytes(value))));
    command.current_dir(&job.directory).stdin(input).stdout(output).stderr(errors);
    if let Some(name) = &job.name {
        command.arg0(OsStr::from_bytes(name));
    }
    if let Err(why) = confine(job, offer) {
        return why;
    }
    format!("{}: {}", job.program.display(), command.exec())
}

/// The order is deliberate: the last is the filter, which the others would not pass.
fn confine(job: &Job, offer: &Offer) -> Result<(), String> {
    let failed = |what: &'static str| move |error: io::Error| format!("{what}: {error}");
    set_parent_process_death_signal(Some(Signal::KILL)).map_err(|error| failed("death signal")(error.into()))?;
    // Away from the terminal, and in a group of its own.
    setsid().map_err(|error| failed("session")(error.into()))?;
    limit(Resource::Core, 0)?;
    limit(Resource::Fsize, job.limits.disk)?;
    if offer.is_unconfined {
        return Ok(());
    }
    limit(Resource::Nproc, job.limits.processes)?;
    let folders: Vec<&Path> = if offer.has_namespaces() {
        [job.scratch.as_path()].into_iter().chain(space::OWN.iter().map(Path::new)).collect()
    } else {
        vec![&job.scratch]
    };
    if offer.landlock > 0 {
        walls::shut(&folders).map_err(|error| format!("Landlock: {error}"))?;
    }
    filter::apply(offer).map_err(|error| format!("the filter of system calls: {error}"))
}

/// Sets a limit, unless a lower one is in force.
fn limit(resource: Resource, value: u64) -> Result<(), String> {
    let now = rustix::process::getrlimit(resource);
    let value = now.maximum.map_or(value, |most| most.min(value));
    setrlimit(resource, Rlimit { current: Some(value), maximum: Some(value) })
        .map_err(|error| format!("a limit cannot be set: {error}"))
}
