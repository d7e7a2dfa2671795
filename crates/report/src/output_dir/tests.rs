//! Tests of the output directory.

use super::*;
use crate::place::tests::program;
use taw_engine::{Finding, FindingKind, Input, InputType, StackEntry};
use taw_ir::Program;

fn command() -> CommandRecord {
    CommandRecord { taw: "0".into(), command: vec!["taw".into()], directory: "/".into(), program: Default::default() }
}

fn exit(code: i32) -> TestCase {
    let bytes = code.to_le_bytes().to_vec();
    TestCase {
        graph: None,
        returned: None,
        entry: taw_ir::FuncId::from_u32(0),
        inputs: vec![Input { name: "x".into(), ty: InputType::Scalar("int".into()), bytes }],
        outcome: Outcome::Exit(code),
        path: taw_engine::PathWays::Written(vec![taw_engine::Decision {
            func: taw_ir::FuncId::from_u32(0),
            pc: 0,
            way: 1,
        }]),
        written: taw_engine::Written::default(),
        given: taw_engine::Given::default(),
        labels: Vec::new(),
        prints: Vec::new(),
        covered: taw_engine::PathCoverage::default(),
        decisive: Vec::new(),
        caller: None,
    }
}

fn create<'p>(target: Destination, program: &'p Program, stop: &Arc<AtomicBool>) -> Result<OutputDir<'p>, OutputError> {
    OutputDir::create(&target, command(), Places::new(program, "/".into()), Keep::All, Arc::clone(stop))
}

fn names(dir: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn everything_is_there_the_moment_it_is_found() {
    let (program, main, _, inner) = program();
    let (folder, stop) = (tempfile::tempdir().unwrap(), Arc::new(AtomicBool::new(false)));
    let mut out = create(Destination::NumberedIn(folder.path().into()), &program, &stop).unwrap();
    out.path(&exit(0));
    let stack = vec![StackEntry { function: main, loc: Some(inner) }];
    let finding = Finding { kind: FindingKind::Abort, message: "m".into(), stack };
    let failing = TestCase { outcome: Outcome::Finding(finding), ..exit(7) };
    out.path(&failing);
    out.path(&failing);
    out.path(&exit(1));
    let finding = out.findings()[0].test.clone();
    assert!(finding.starts_with("tests/abort-"), "{finding}");
    assert!(out.dir().join(&finding).is_file(), "a finding does not wait");
    assert_eq!(names(&out.dir().join(FINDINGS)), ["001-abort.json"]);
    assert_eq!(out.findings()[0].inputs[0].value, "7");
    let dir = out.dir().to_owned();
    let kept = out.finish("TN:\n", &"stats").unwrap();
    let kept = kept.tests;
    assert_eq!(kept.len(), 3);
    assert_eq!(names(&dir.join(TESTS)), kept.iter().map(|name| name[TESTS.len() + 1..].to_owned()).collect::<Vec<_>>());
    let stored: FindingRecord =
        serde_json::from_slice(&fs::read(dir.join("findings/001-abort.json")).unwrap()).unwrap();
    assert_eq!(stored.count, 2);
    assert_eq!(names(&dir), [".taw-output", "command.json", "coverage.lcov", "findings", "stats.json", "tests"]);
}

#[test]
fn numbers_go_on_after_the_highest_and_the_link_follows() {
    let (program, ..) = program();
    let (folder, stop) = (tempfile::tempdir().unwrap(), Arc::new(AtomicBool::new(false)));
    fs::create_dir(folder.path().join("taw-out-7")).unwrap();
    for expected in ["taw-out-8", "taw-out-9"] {
        let mut out = create(Destination::NumberedIn(folder.path().into()), &program, &stop).unwrap();
        assert_eq!(out.dir(), folder.path().join(expected));
        out.path(&exit(0));
        assert_eq!(fs::read_link(folder.path().join(numbered::LAST)).unwrap(), Path::new(expected));
    }
}

#[test]
fn a_file_called_taw_last_is_the_users() {
    let (program, ..) = program();
    let (folder, stop) = (tempfile::tempdir().unwrap(), Arc::new(AtomicBool::new(false)));
    fs::write(folder.path().join(numbered::LAST), "mine").unwrap();
    create(Destination::NumberedIn(folder.path().into()), &program, &stop).unwrap().path(&exit(0));
    assert_eq!(fs::read(folder.path().join(numbered::LAST)).unwrap(), b"mine");
}

#[test]
fn an_earlier_output_is_replaced_and_anything_else_is_refused() {
    let (program, ..) = program();
    let (folder, stop) = (tempfile::tempdir().unwrap(), Arc::new(AtomicBool::new(false)));
    let dir = folder.path().join("deep/out");
    let mut out = create(Destination::Named(dir.clone()), &program, &stop).unwrap();
    out.path(&exit(0));
    // Waits for the writer, which would otherwise write into the new directory.
    drop(out);
    let old = names(&dir.join(TESTS));
    let mut out = create(Destination::Named(dir.clone()), &program, &stop).unwrap();
    assert_eq!(names(&dir.join(TESTS)), old, "they stay until there are others");
    out.path(&exit(1));
    drop(out);
    assert!(names(&dir.join(TESTS)).len() == 1 && names(&dir.join(TESTS)) != old);
    let foreign = folder.path().join("deep");
    let refused = create(Destination::Named(foreign), &program, &stop).unwrap_err();
    assert!(refused.to_string().contains("was not written by Taw"), "{refused}");
    assert!(dir.is_dir());
}

#[test]
fn a_file_that_cannot_be_written_stops_the_run() {
    let (program, ..) = program();
    let (folder, stop) = (tempfile::tempdir().unwrap(), Arc::new(AtomicBool::new(false)));
    let mut out = create(Destination::NumberedIn(folder.path().into()), &program, &stop).unwrap();
    out.path(&exit(1));
    fs::remove_dir_all(out.dir().join(TESTS)).unwrap();
    out.path(&exit(0));
    let refused = out.finish("", &()).unwrap_err();
    assert!(stop.load(Ordering::Relaxed));
    // The writer may have come to the first only when its folder was gone.
    assert!(refused.to_string().contains("tests/exit-"), "{refused}");
}

#[test]
fn what_waits_to_be_written_is_written_when_the_run_breaks_off() {
    let (program, ..) = program();
    let (folder, stop) = (tempfile::tempdir().unwrap(), Arc::new(AtomicBool::new(false)));
    let mut out = create(Destination::NumberedIn(folder.path().into()), &program, &stop).unwrap();
    let tests = out.dir().join(TESTS);
    for code in 0..500 {
        out.path(&exit(code));
    }
    drop(out);
    assert_eq!(names(&tests).len(), 500);
    for name in names(&tests) {
        TestFile::read(&tests.join(name)).unwrap();
    }
}

#[test]
fn only_findings_stay_if_so_asked() {
    let (program, main, _, inner) = program();
    let (folder, stop) = (tempfile::tempdir().unwrap(), Arc::new(AtomicBool::new(false)));
    let target = Destination::NumberedIn(folder.path().into());
    let places = Places::new(&program, "/".into());
    let mut out = OutputDir::create(&target, command(), places, Keep::Findings, stop).unwrap();
    out.path(&exit(0));
    let stack = vec![StackEntry { function: main, loc: Some(inner) }];
    let finding = Finding { kind: FindingKind::Abort, message: "m".into(), stack };
    out.path(&TestCase { outcome: Outcome::Finding(finding), ..exit(7) });
    let (dir, test) = (out.dir().to_owned(), out.findings()[0].test.clone());
    assert_eq!(out.finish("", &()).unwrap().tests, [test]);
    assert_eq!(names(&dir.join(TESTS)).len(), 1);
}

#[test]
fn what_the_user_put_there_stays() {
    let (program, ..) = program();
    let (folder, stop) = (tempfile::tempdir().unwrap(), Arc::new(AtomicBool::new(false)));
    let dir = folder.path().join("out");
    let mut out = create(Destination::Named(dir.clone()), &program, &stop).unwrap();
    out.path(&exit(0));
    drop(out);
    fs::create_dir_all(dir.join("corpus/mine")).unwrap();
    fs::create_dir_all(dir.join("ctest/klee")).unwrap();
    let users = ["notes", "tests/mine.json", "corpus/seed", "corpus/mine/a", "ctest/klee/b.h", "findings/x"];
    let taws = [
        "corpus/exit-0-0123456789abcdef",
        "ctest/suite.c",
        "ctest/klee/klee.h",
        "targets-2.sarif",
        "tests/.taw-x.part",
    ];
    users.iter().chain(&taws).for_each(|name| fs::write(dir.join(name), "x").unwrap());
    create(Destination::Named(dir.clone()), &program, &stop).unwrap().path(&exit(1));
    users.iter().for_each(|name| assert!(dir.join(name).is_file(), "{name}"));
    taws.iter().for_each(|name| assert!(!dir.join(name).exists(), "{name}"));
}

#[test]
fn only_a_marker_proves_a_directory_ours() {
    let (program, ..) = program();
    let (folder, stop) = (tempfile::tempdir().unwrap(), Arc::new(AtomicBool::new(false)));
    let dir = folder.path().join("out");
    fs::create_dir_all(dir.join(TESTS)).unwrap();
    fs::write(dir.join(COMMAND), "{}").unwrap();
    fs::write(dir.join("tests/exit-0-0123456789abcdef.json"), "{}").unwrap();
    let refused = || create(Destination::Named(dir.clone()), &program, &stop).unwrap_err().to_string();
    assert!(refused().contains("no marker of Taw's"), "{}", refused());
    fs::write(dir.join(claim::MARKER), "mine").unwrap();
    assert!(refused().contains("was not written by Taw"), "{}", refused());
    fs::write(dir.join(claim::MARKER), "This is an output directory of Taw, format 99\n").unwrap();
    assert!(refused().contains("another version of Taw (format 99)"), "{}", refused());
    fs::remove_file(dir.join(claim::MARKER)).unwrap();
    std::os::unix::fs::symlink("/dev/zero", dir.join(claim::MARKER)).unwrap();
    assert!(refused().contains("was not written by Taw"), "{}", refused());
    assert_eq!(names(&dir.join(TESTS)).len(), 1);
}

#[test]
fn a_link_in_the_place_of_a_folder_is_not_followed() {
    let (program, ..) = program();
    let (folder, stop) = (tempfile::tempdir().unwrap(), Arc::new(AtomicBool::new(false)));
    let (dir, victim) = (folder.path().join("out"), folder.path().join("victim"));
    create(Destination::Named(dir.clone()), &program, &stop).unwrap().path(&exit(0));
    fs::create_dir(&victim).unwrap();
    fs::write(victim.join("exit-0-0123456789abcdef.json"), "mine").unwrap();
    fs::remove_dir_all(dir.join(TESTS)).unwrap();
    std::os::unix::fs::symlink(&victim, dir.join(TESTS)).unwrap();
    let mut out = create(Destination::Named(dir), &program, &stop).unwrap();
    out.path(&exit(0));
    assert!(out.finish("", &()).unwrap_err().to_string().contains("is not a folder that Taw made"));
    assert_eq!(names(&victim), ["exit-0-0123456789abcdef.json"]);
}

#[test]
fn a_second_run_is_refused_until_the_first_has_ended() {
    let (program, ..) = program();
    let (folder, stop) = (tempfile::tempdir().unwrap(), Arc::new(AtomicBool::new(false)));
    let target = || Destination::Named(folder.path().join("out"));
    let mut first = create(target(), &program, &stop).unwrap();
    let refused = || create(target(), &program, &stop).unwrap_err().to_string();
    assert!(refused().contains("another run of Taw is writing"), "{}", refused());
    first.path(&exit(0));
    assert!(refused().contains("another run of Taw is writing"), "{}", refused());
    let left = first.finish("", &()).unwrap();
    assert!(refused().contains("another run of Taw is writing"), "other formats are still to be written");
    drop(left);
    create(target(), &program, &stop).unwrap();
}

#[test]
fn a_run_that_did_not_begin_leaves_nothing() {
    let (program, ..) = program();
    let (folder, stop) = (tempfile::tempdir().unwrap(), Arc::new(AtomicBool::new(false)));
    let empty = folder.path().join("empty");
    fs::create_dir(&empty).unwrap();
    for target in [Destination::Named(folder.path().join("out")), Destination::NumberedIn(folder.path().into())] {
        drop(create(target, &program, &stop).unwrap());
    }
    drop(create(Destination::Named(empty.clone()), &program, &stop).unwrap());
    assert_eq!(names(folder.path()), ["empty"]);
    assert!(names(&empty).is_empty());
}

#[test]
fn many_runs_at_once_have_a_directory_each_and_the_link_names_the_newest() {
    let (program, ..) = program();
    let (folder, stop) = (tempfile::tempdir().unwrap(), Arc::new(AtomicBool::new(false)));
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..10 {
                    let mut out = create(Destination::NumberedIn(folder.path().into()), &program, &stop).unwrap();
                    out.path(&exit(0));
                }
            });
        }
    });
    assert_eq!(names(folder.path()).len(), 81);
    assert_eq!(fs::read_link(folder.path().join(numbered::LAST)).unwrap(), Path::new("taw-out-79"));
}
