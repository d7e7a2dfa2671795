//! What is in an output directory is safe: from mistakes, from another run, and what is not Taw's stays.

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use common::{command, taw};

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A folder with a program that has two paths, and one that never ends.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let good = "#include <taw.h>\nint main(void) { return taw_int(\"x\") > 3; }\n";
    let endless =
        "#include <taw.h>\nint main(void) { for (unsigned i = 0;; i++) if (taw_int(\"x\") == i) return 1; }\n";
    fs::write(folder.path().join("good.c"), good).unwrap();
    fs::write(folder.path().join("endless.c"), endless).unwrap();
    fs::write(folder.path().join("broken.c"), "int main(void) { return x; }\n").unwrap();
    folder
}

/// Every file with its content.
fn snapshot(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            all.extend(snapshot(&path));
        } else {
            all.insert(path.clone(), fs::read(&path).unwrap());
        }
    }
    all
}

#[test]
fn a_mistake_costs_nothing_of_the_last_run() {
    let folder = folder();
    let here = folder.path();
    assert_eq!(taw(here, "run good.c --out o --emit ktest").status.code(), Some(0));
    let before = snapshot(here);
    assert!(before.len() > 8, "{before:?}");
    fs::write(here.join("bad.list"), "nosuch.c:1:2:3\n").unwrap();
    let before: BTreeMap<_, _> =
        before.into_iter().chain([(here.join("bad.list"), b"nosuch.c:1:2:3\n".to_vec())]).collect();
    let mistakes = [
        "run good.c --out o --entry nosuch",
        "run good.c --out o --entry main --entry nosuch",
        "run broken.c --out o",
        "run missing.c --out o",
        "run good.c --out o --search nosuch",
        "run good.c --out o --seeds nosuch",
        "run good.c --out o --pure nosuch",
        "run good.c --out o --sym-args 0 1 2",
        "run good.c --out o --replay-path nosuch.json",
        "run good.c --out o --dump-queries good.c/queries",
        "run good.c --out o --max-time nosuch",
        "run good.c --out o --cflag -fnosuch",
        "reach good.c --out o --target nosuch",
        "reach good.c --out o --target label:nosuch",
        "reach good.c --out o --target good.c:2 --entry nosuch",
        "reach good.c --out o --targets-from nosuch",
        "reach good.c --out o --targets-from bad.list",
        "run good.c --entry nosuch",
    ];
    for words in mistakes {
        let output = taw(here, words);
        assert_eq!(output.status.code(), Some(2), "{words}: {}", stderr(&output));
        assert!(snapshot(here) == before, "{words} has changed {:?}", snapshot(here).keys());
    }
}

#[test]
fn a_second_run_into_the_same_directory_is_refused() {
    let folder = folder();
    let here = folder.path();
    let mut first =
        command(here, "run endless.c --out o --keep all --no-replay").stdout(Stdio::null()).spawn().unwrap();
    let start = Instant::now();
    while !here.join("o/command.json").is_file() {
        assert!(start.elapsed() < Duration::from_secs(60), "the first run does not begin");
        thread::sleep(Duration::from_millis(20));
    }
    let second = taw(here, "run good.c --out o");
    assert_eq!(second.status.code(), Some(2));
    assert!(stderr(&second).contains("another run of Taw is writing to `o`"), "{}", stderr(&second));
    let said = fs::read_to_string(here.join("o/command.json")).unwrap();
    assert!(said.contains("endless.c"), "{said}");
    first.kill().unwrap();
    first.wait().unwrap();
    // kill -9 leaves no lock.
    assert_eq!(taw(here, "run good.c --out o").status.code(), Some(0));
}

#[test]
fn a_folder_with_a_command_json_is_the_users() {
    let folder = folder();
    let here = folder.path();
    fs::create_dir_all(here.join("project/tests")).unwrap();
    fs::write(here.join("project/command.json"), "{\"mine\": true}").unwrap();
    fs::write(here.join("project/tests/precious.json"), "mine").unwrap();
    let before = snapshot(here);
    let output = taw(here, "run good.c --out project");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("no marker of Taw's") && stderr(&output).contains("--out"), "{}", stderr(&output));
    assert!(snapshot(here) == before);
}

#[test]
fn what_the_user_put_beside_the_results_stays() {
    let folder = folder();
    let here = folder.path();
    taw(here, "run good.c --out o");
    fs::write(here.join("o/notes.txt"), "mine").unwrap();
    fs::write(here.join("o/tests/mine.json"), "mine").unwrap();
    let tests = || fs::read_dir(here.join("o/tests")).unwrap().count();
    let before = tests();
    assert_eq!(taw(here, "run good.c --out o").status.code(), Some(0));
    assert_eq!(tests(), before);
    assert!(here.join("o/notes.txt").is_file() && here.join("o/tests/mine.json").is_file());
}
