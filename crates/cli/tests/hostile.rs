//! Files and neighbours that mean ill: a test, an output directory, a program's names, a folder that others can write to.

mod common;

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

use common::command;

const PROGRAM: &str = "#include <taw.h>\nint main(void) { int x = taw_int(\"x\"); taw_assert(x != 7); return 0; }\n";

/// A library that leaves a file where it is loaded.
const LIBRARY: &str =
    "#include <fcntl.h>\n__attribute__((constructor)) static void f(void) { open(CANARY, O_CREAT, 0600); }\n";

fn taw(folder: &Path, words: &str) -> Output {
    ended(command(folder, words))
}

/// What a command said, which must not go on for ever.
fn ended(mut command: Command) -> Output {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if start.elapsed() > Duration::from_secs(90) {
            child.kill().unwrap();
            panic!("{command:?} does not end");
        }
        thread::sleep(Duration::from_millis(10));
    }
    child.wait_with_output().unwrap()
}

fn said(output: &Output) -> String {
    [&output.stdout[..], &output.stderr].concat().iter().map(|&byte| char::from(byte)).collect()
}

fn clang() -> String {
    std::env::var("TAW_CLANG").unwrap_or_else(|_| "clang-22".into())
}

/// A folder with an explored program in `o`, and `e.so`, which makes `canary` when it is loaded.
fn explored(words: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    fs::write(here.join("p.c"), PROGRAM).unwrap();
    fs::write(here.join("e.c"), LIBRARY).unwrap();
    let canary = format!("-DCANARY=\"{}\"", here.join("canary").display());
    let made =
        Command::new(clang()).args(["-shared", "-fPIC", "-o", "e.so", "e.c", &canary]).current_dir(here).status();
    assert!(made.unwrap().success());
    let output = taw(here, &format!("run p.c --out o {words}"));
    assert!(matches!(output.status.code(), Some(0 | 1)), "{}", said(&output));
    folder
}

fn tests(folder: &Path, start: &str) -> String {
    let names = fs::read_dir(folder.join("o/tests")).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names = names.map(|name| name.into_string().unwrap());
    format!("o/tests/{}", names.find(|name| name.starts_with(start)).unwrap())
}

fn edit(path: &Path, change: impl FnOnce(&mut Value)) {
    let mut value: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    change(&mut value);
    fs::write(path, value.to_string()).unwrap();
}

#[test]
fn a_test_cannot_give_orders_to_the_loader() {
    let folder = explored("");
    let here = folder.path();
    let test = tests(here, "exit-0");
    let library: String = fs::read(here.join("e.so")).unwrap().iter().map(|byte| format!("{byte:02x}")).collect();
    for (name, value) in [("LD_PRELOAD", "./e.so"), ("LD_AUDIT", "./e.so"), ("ASAN_OPTIONS", "log_path=/x")] {
        edit(&here.join(&test), |test| {
            test["given"] = json!({
                "program": "p",
                "env": [{ "name": name, "value": value }],
                "files": [{ "path": "e.so", "content": { "hex": library } }],
            });
        });
        let output = taw(here, &format!("replay {test}"));
        assert!(said(&output).contains("not confirmed") && said(&output).contains(name), "{}", said(&output));
        assert!(!here.join("canary").exists(), "{name}: the library was loaded");
    }
}

#[test]
fn a_test_of_ours_with_such_a_variable_is_not_confirmed_and_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let program = "#include <stdlib.h>\nint main(void) { char *s = getenv(\"LD_LIBRARY_PATH\"); if (s && s[0] == 'x') abort(); return 0; }\n";
    fs::write(folder.path().join("p.c"), program).unwrap();
    let output = taw(folder.path(), "run p.c --sym-env LD_LIBRARY_PATH=1");
    assert!(said(&output).contains("not confirmed: the test sets `LD_LIBRARY_PATH`"), "{}", said(&output));
}

#[test]
fn flags_of_an_output_directory_run_nothing_unless_the_user_says_them() {
    let folder = explored("");
    let here = folder.path();
    edit(&here.join("o/command.json"), |command| {
        command["command"].as_array_mut().unwrap().extend([json!("--cflag"), json!("-fplugin=./e.so")]);
        command["program"]["cflags"] = json!(["-fplugin=./e.so"]);
    });
    let test = tests(here, "exit-0");
    for words in [format!("show --path {test}"), format!("replay {test}"), "replay o".into()] {
        let output = taw(here, &words);
        assert_eq!(output.status.code(), Some(2), "{}", said(&output));
        assert!(said(&output).contains("--cflag=-fplugin=./e.so"), "{}", said(&output));
        assert!(!here.join("canary").exists(), "{words}: the plugin was loaded");
    }
    // The same said by the user: what is refused above is what would run.
    for words in [format!("show --path {test} --cflag=-fplugin=./e.so"), "replay o --cflag=-fplugin=./e.so".into()] {
        taw(here, &words);
        assert!(here.join("canary").exists(), "{words}");
        fs::remove_file(here.join("canary")).unwrap();
    }
}

#[test]
fn flags_that_say_what_the_c_means_need_no_repetition() {
    let folder = explored("--cflag -O1 -DN=3 -I. --cflag -Wall --cflag -fno-strict-aliasing");
    let output = taw(folder.path(), "replay o");
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let test = tests(folder.path(), "exit-0");
    assert_eq!(taw(folder.path(), &format!("show --path {test}")).status.code(), Some(0));
}

#[test]
fn a_viewer_calls_no_function_natively_and_writes_no_queries() {
    let folder = explored("");
    let here = folder.path();
    let words = |more: &[&str]| {
        edit(&here.join("o/command.json"), |command| {
            let words = ["taw", "run", "p.c", "--out", "o"].iter().chain(more);
            command["command"] = words.map(|word| json!(word)).collect();
        });
    };
    let test = tests(here, "exit-0");
    words(&["--pure", "taw_int=./e.so"]);
    let output = taw(here, &format!("show --path {test}"));
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).contains("--pure 'taw_int=./e.so'") && !here.join("canary").exists(), "{}", said(&output));
    words(&["--dump-queries", "queries"]);
    assert_eq!(taw(here, &format!("show --path {test}")).status.code(), Some(0));
    assert!(!here.join("queries").exists());
}

#[test]
fn a_source_whose_name_begins_with_an_at_sign_is_a_source() {
    let folder = explored("");
    let here = folder.path();
    fs::write(here.join("@q.c"), PROGRAM).unwrap();
    fs::write(here.join("q.c"), "-fplugin=./e.so p.c").unwrap();
    let output = taw(here, "run @q.c");
    assert!(
        said(&output).contains("1 error found") && said(&output).contains("confirmed by a native run"),
        "{}",
        said(&output)
    );
    assert!(!here.join("canary").exists(), "the file of flags was read");
}

#[test]
fn the_c_library_is_not_taken_from_a_folder_that_others_can_write_to() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    fs::write(here.join("p.c"), PROGRAM).unwrap();
    let temporary = here.join("tmp");
    fs::create_dir(&temporary).unwrap();
    let run = |home: &str| {
        let mut command = command(here, "run p.c --no-replay");
        command.env("TMPDIR", &temporary).env_remove("XDG_CACHE_HOME").env("HOME", home);
        ended(command)
    };
    assert_eq!(run("/dev/null/x").status.code(), Some(1));
    let cache = fs::read_dir(&temporary).unwrap().next().unwrap().unwrap().path();
    let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&cache), 0o700);
    fs::set_permissions(&cache, fs::Permissions::from_mode(0o777)).unwrap();
    let output = run("/dev/null/x");
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).contains("can be written to by others"), "{}", said(&output));
    // Nor through a link, nor from the folder that happens to be the current one.
    fs::rename(&cache, here.join("moved")).unwrap();
    fs::set_permissions(here.join("moved"), fs::Permissions::from_mode(0o700)).unwrap();
    symlink(here.join("moved"), &cache).unwrap();
    assert_eq!(run("/dev/null/x").status.code(), Some(2));
    assert_eq!(run("").status.code(), Some(2));
    assert!(!here.join(".cache").exists());
}

#[test]
fn no_file_is_written_through_a_link() {
    let folder = explored("--emit sarif --plot p.svg");
    let here = folder.path();
    let victim = here.join("victim");
    fs::write(&victim, "mine").unwrap();
    let places =
        ["o/.command.json.part", "o/command.json", "o/stats.json", "o/sarif/findings.sarif", "p.svg", ".p.svg.part"];
    for name in places {
        let _ = fs::remove_file(here.join(name));
        symlink(&victim, here.join(name)).unwrap();
    }
    let output = taw(here, "run p.c --out o --emit sarif --plot p.svg");
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    assert_eq!(fs::read(&victim).unwrap(), b"mine");
    assert!(!here.join("o/stats.json").is_symlink() && !here.join("p.svg").is_symlink());
}

#[test]
fn nobody_else_can_look_into_scratch_folders() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    fs::write(here.join("p.c"), PROGRAM).unwrap();
    fs::create_dir(here.join("tmp")).unwrap();
    let script = format!("#!/bin/sh\nls -l {0}/tmp >> {0}/seen\nexec {1} \"$@\"\n", here.display(), clang());
    fs::write(here.join("clang"), script).unwrap();
    fs::set_permissions(here.join("clang"), fs::Permissions::from_mode(0o755)).unwrap();
    let line = format!("umask 0; exec {} run p.c", env!("CARGO_BIN_EXE_taw"));
    let mut command = Command::new("sh");
    command.args(["-c", &line]).current_dir(here).env("TMPDIR", here.join("tmp")).env("TAW_CLANG", here.join("clang"));
    let output = ended(command);
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    let seen = fs::read_to_string(here.join("seen")).unwrap();
    let folders: Vec<&str> = seen.lines().filter(|line| line.starts_with('d')).collect();
    for kind in ["taw-include-", "taw-native-"] {
        assert!(folders.iter().any(|line| line.contains(kind)), "{seen}");
    }
    for line in folders {
        assert!(line.starts_with("drwx------"), "{line}");
    }
}

#[test]
fn a_program_cannot_command_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let name = "p\x1b]0;name\x07.c";
    let program = "#include <taw.h>\n#include <stdio.h>\n\
        int main(void) {\n int x = taw_int(\"\\033]0;input\\007\");\n taw_target(\"\\033[2Jlabel\");\n\
         taw_target(\"a\\nconfirmed by a native run\"); puts(\"\\033]0;output\\007\\r\\233\"); taw_assert(x != 7 /* \x1b]0;source\x07 */); return 0; }\n";
    fs::write(here.join(name), program).unwrap();
    fs::write(here.join("bad.c"), "#error \x1b]0;compiler\x07\n").unwrap();
    let check = |words: &[&str]| {
        let mut command = command(here, "");
        command.args(words).env("CLICOLOR_FORCE", "1");
        let output = ended(command);
        let said = said(&output);
        for order in ["\x1b]", "\x1b[2J", "\x07", "\r", "\u{9b}"] {
            assert!(!said.contains(order), "{words:?}: {order:?} in {said:?}");
        }
        said
    };
    let run = check(&["run", name, "--out", "o", "--print-output", "--keep", "all"]);
    for part in ["name", "input", "source", "output"] {
        assert!(run.contains(&format!("\\x1b]0;{part}\\x07")), "{part}: {run}");
    }
    assert!(run.contains("\x1b["), "colours of our own were asked for: {run:?}");
    let reach = check(&["reach", name, "--out", "r", "--target", "label:*"]);
    assert!(reach.contains("\\x1b[2Jlabel"), "{reach}");
    check(&["show", &tests(here, "assert")]);
    check(&["show", "--path", &tests(here, "assert")]);
    assert!(check(&["show", &tests(here, "exit-0")]).contains("passes \\x1b[2Jlabel, a\\nconfirmed"));
    check(&["replay", "o"]);
    check(&["run", "bad.c"]);
    check(&["run", "\x1b]0;missing\x07.c"]);
    check(&["reach", name, "--out", "r", "--target", "\x1b]0;missing\x07"]);
}

#[test]
fn what_a_file_names_is_read_only_if_it_ends() {
    let folder = explored("");
    let here = folder.path();
    assert!(Command::new("mkfifo").arg(here.join("pipe.c")).status().unwrap().success());
    fs::File::create(here.join("large.c")).unwrap().set_len(100 << 30).unwrap();
    let test = tests(here, "assert");
    for file in ["/dev/zero", "pipe.c", "large.c", "/dev/stdin", "/proc/self/mem"] {
        edit(&here.join(&test), |test| {
            for frame in test["outcome"]["stack"].as_array_mut().unwrap() {
                frame["file"] = json!(file);
            }
        });
        let output = taw(here, &format!("show {test}"));
        assert_eq!(output.status.code(), Some(0), "{file}: {}", said(&output));
        edit(&here.join("o/command.json"), |command| {
            command["program"]["sources"][0]["path"] = json!(file);
            command["command"][2] = json!(file);
        });
        for words in [format!("show {test}"), format!("show --path {test}"), "replay o".into()] {
            assert!(taw(here, &words).status.code().is_some(), "{file}: {words}");
        }
    }
    // A test, or the command, that is no file at all.
    fs::remove_file(here.join(&test)).unwrap();
    assert!(Command::new("mkfifo").arg(here.join(&test)).status().unwrap().success());
    for words in [format!("show {test}"), "replay o".into(), format!("run p.c --replay-path {test}")] {
        assert_eq!(taw(here, &words).status.code(), Some(2), "{words}");
    }
    fs::remove_file(here.join("o/command.json")).unwrap();
    symlink("/dev/zero", here.join("o/command.json")).unwrap();
    assert_eq!(taw(here, "replay o").status.code(), Some(2));
}
