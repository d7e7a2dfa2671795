//! What the library does to its host: nothing that it is not told.
//!
//! This executable does not begin with `serve_if_asked`, as no test by `cargo test` does.

mod common;

use std::env;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;

use common::{example, table};
use taw::{
    Compile, Confinement, Confirm, Each, Error, GoalVerdict, Keeper, NoKeeper, Program, Reached, Session, TestCase,
};
use tempfile::TempDir;

/// The folder of the program must stay as long as the session.
fn session() -> (TempDir, Session) {
    let (folder, file) = table();
    (folder, Session::new(Program::compile([file], &Compile::default()).unwrap()))
}

fn is_confirmed(reached: &Reached) -> bool {
    reached.targets[0].arrival.as_ref().is_some_and(|arrival| arrival.confirmed)
}

#[test]
fn a_host_that_does_not_serve_is_not_started_again() {
    let (_folder, session) = session();
    let session = session.targets(["table.c:8"]).unwrap();
    let refused = session.reach(Confirm::Natively).unwrap_err();
    assert!(matches!(refused, Error::Keeper(NoKeeper::DoesNotServe)), "{refused}");
    assert!(refused.to_string().contains("serve_if_asked"));
    // Without native runs it may look, and with another keeper it may run.
    assert!(!is_confirmed(&session.reach(Confirm::No).unwrap()));
    let keeper = Keeper::at(example("reach"), Confinement::Whole);
    assert!(is_confirmed(&session.keeper(keeper).reach(Confirm::Natively).unwrap()));
}

#[test]
fn little_stack_and_any_directory_will_do() {
    let here = env::current_dir().unwrap();
    let small = thread::Builder::new().stack_size(64 << 10);
    let explored = small.spawn(|| {
        let mut tests = 0;
        let (_folder, session) = session();
        let summary = session.explore(&mut Each(|_: &TestCase| tests += 1)).unwrap();
        (tests, summary.paths.completed)
    });
    assert_eq!(explored.unwrap().join().unwrap(), (3, 2));
    assert_eq!(env::current_dir().unwrap(), here);
}

#[test]
fn two_sessions_run_at_a_time() {
    let explore = || {
        let (_folder, session) = session();
        session.explore(&mut Each(|_: &TestCase| {})).unwrap().paths.completed
    };
    let both = [thread::spawn(explore), thread::spawn(explore)];
    assert_eq!(both.map(|thread| thread.join().unwrap()), [2, 2]);
}

#[test]
fn a_flag_stops_it() {
    let (_folder, session) = session();
    let stopped = session.stop_by(Arc::new(AtomicBool::new(true)));
    assert!(!stopped.explore(&mut Each(|_: &TestCase| {})).unwrap().incomplete.is_empty());
}

#[test]
fn what_cannot_be_reached_is_shown_to_be() {
    let (_folder, session) = session();
    let reached = session.targets(["table.c:10"]).unwrap().reach(Confirm::No).unwrap();
    assert!(matches!(reached.targets[0].verdict, GoalVerdict::Unreachable(_)));
}

#[test]
fn what_is_wrong_is_an_error_with_words() {
    let (_folder, session) = session();
    let refused = session.clone().targets(["table.c:0"]).unwrap_err();
    assert!(refused.to_string().contains("is no target"), "{refused}");
    let refused = session.targets(["table.c:99"]).unwrap().reach(Confirm::No).unwrap_err();
    assert!(matches!(&refused, Error::Target(why) if why.contains("nearest lines")), "{refused}");
    let refused = Program::compile(["no-such-file.c"], &Compile::default()).unwrap_err();
    assert!(matches!(refused, Error::Load(_)), "{refused}");
}
