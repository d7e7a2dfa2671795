//! The modelled kernel keeps to itself: no program changes the host's disk.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::Duration;

/// Paths below a folder.
fn listing(folder: &Path) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        all.insert(path.display().to_string());
        if path.is_dir() {
            all.extend(listing(&path));
        }
    }
    all
}

#[test]
fn a_program_that_makes_and_removes_files_leaves_the_host_as_it_was() {
    let taw = taw_testkit::taw().expect("taw");
    let scratch = taw_testkit::scratch().expect("a scratch folder");
    let here = scratch.path().join("here");
    fs::create_dir(&here).expect("a folder");
    for name in ["shared", "moved", "other"] {
        fs::write(here.join(name), "the host's").expect("a file");
    }
    let before = listing(&here);
    let program = taw_testkit::root().join("tests/programs/kernel/five-states.c");
    let arguments = [program.display().to_string(), format!("--host-dir={}", here.display())];
    let run = taw.run(&scratch.path().join("out"), &arguments, Duration::from_secs(120)).expect("a run");
    assert_eq!(run.code(), 0, "{}", run.stderr());
    assert_eq!(listing(&here), before);
    for name in ["shared", "moved", "other"] {
        assert_eq!(fs::read_to_string(here.join(name)).expect("the file"), "the host's");
        assert!(!taw_testkit::root().join(name).exists(), "{name} is where taw was started");
    }
}
