//! Programs that do harm natively, under every command that starts one: what lies outside is as it was, nothing survives, and the machine answers.
//!
//! `cage/nasty.c` has the deeds. They are tried by root, whose programs run as nobody, and by a plain user, who owns all that could be spoilt.

use std::collections::BTreeMap;
use std::fs::{self, Permissions};
use std::net::{TcpListener, UdpSocket};
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

const NASTY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cage/nasty.c");
const DEEDS: usize = 'w' as usize - 'a' as usize + 1;
/// A user that nobody is.
const USER: u32 = 54321;

/// Processes are looked for on the whole machine, so the tests take turns.
static TURN: Mutex<()> = Mutex::new(());

/// A place where harm could be done, and somebody to whom.
struct Scene {
    folder: TempDir,
    user: Option<u32>,
    victim: Child,
    tcp: TcpListener,
    udp: UdpSocket,
    before: BTreeMap<PathBuf, String>,
    _turn: MutexGuard<'static, ()>,
}

impl Scene {
    /// `None` if there is no such user to be had.
    fn new(user: Option<u32>) -> Option<Self> {
        let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        if user.is_some() && !is_root() {
            eprintln!("skipped: only root can become a plain user");
            return None;
        }
        // Not among temporary files, of which a run has its own.
        let folder = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        fs::create_dir_all(folder.path().join("canary/folder/deeper")).unwrap();
        fs::create_dir(folder.path().join("here")).unwrap();
        for file in ["file", "folder/file", "folder/deeper/file"] {
            fs::write(folder.path().join("canary").join(file), format!("precious {file}")).unwrap();
        }
        symlink("file", folder.path().join("canary/link")).unwrap();
        open_to_all(folder.path(), user);
        let mut victim = Command::new("sleep");
        victim.arg("1000");
        if let Some(user) = user {
            victim.uid(user).gid(user);
        }
        let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
        tcp.set_nonblocking(true).unwrap();
        let udp = UdpSocket::bind(tcp.local_addr().unwrap()).unwrap();
        udp.set_nonblocking(true).unwrap();
        let before = snapshot(&folder.path().join("canary"));
        Some(Scene { folder, user, victim: victim.spawn().unwrap(), tcp, udp, before, _turn: turn })
    }

    /// Runs Taw on the nasty program.
    fn taw(&self, words: &str) -> Output {
        let here = self.folder.path().join("here");
        let mut command = Command::new(env!("CARGO_BIN_EXE_taw"));
        command.args(words.split(' ')).current_dir(&here).env("HOME", &here);
        if words.contains("nasty.c") {
            let canary = self.folder.path().join("canary");
            command.arg(format!("-DCANARY=\"{}\"", canary.display()));
            command.arg(format!("-DPORT={}", self.tcp.local_addr().unwrap().port()));
            command.arg(format!("-DVICTIM={}", self.victim.id()));
        }
        if let Some(user) = self.user {
            command.uid(user).gid(user);
        }
        command.output().unwrap()
    }

    /// Nothing outside has changed, and nothing is left.
    fn is_as_it_was(&mut self, after: &str) {
        assert_eq!(snapshot(&self.folder.path().join("canary")), self.before, "after {after}");
        assert!(self.victim.try_wait().unwrap().is_none(), "{after} has killed a process");
        assert!(self.tcp.accept().is_err(), "{after} has connected to a server");
        assert!(self.udp.recv(&mut [0; 8]).is_err(), "{after} has sent a message");
        for file in ["/tmp/taw-nasty", "/dev/shm/taw-nasty"] {
            assert!(!Path::new(file).exists(), "{after} has written {file}");
        }
        assert!(!is_running("tawnasty"), "a process of {after} has survived");
        let answers = Command::new("true").status().unwrap();
        assert!(answers.success());
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        let _ = self.victim.kill();
        let _ = self.victim.wait();
    }
}

fn is_root() -> bool {
    fs::metadata("/proc/self").unwrap().uid() == 0
}

fn open_to_all(path: &Path, user: Option<u32>) {
    let data = fs::symlink_metadata(path).unwrap();
    if data.is_symlink() {
        return;
    }
    if let Some(user) = user {
        chown(path, Some(user), Some(user)).unwrap();
    }
    fs::set_permissions(path, Permissions::from_mode(if data.is_dir() { 0o777 } else { 0o666 })).unwrap();
    for entry in fs::read_dir(path).into_iter().flatten().flatten() {
        open_to_all(&entry.path(), user);
    }
}

/// Everything that can be known of a tree.
fn snapshot(tree: &Path) -> BTreeMap<PathBuf, String> {
    let data = fs::symlink_metadata(tree).unwrap();
    let content = if data.is_file() { fs::read_to_string(tree).unwrap() } else { String::new() };
    let (mode, owner, links) = (data.mode(), data.uid(), data.nlink());
    let told = format!("{mode:o} {owner} {links} {:?} {:?} {content}", data.modified().unwrap(), data.ctime());
    let mut all = BTreeMap::from([(tree.to_owned(), told)]);
    for entry in fs::read_dir(tree).into_iter().flatten().flatten() {
        all.extend(snapshot(&entry.path()));
    }
    all
}

fn is_running(name: &str) -> bool {
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let names = processes.filter_map(|entry| fs::read_to_string(entry.path().join("comm")).ok());
    names.into_iter().any(|known| known.trim() == name)
}

fn document(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| {
        panic!("{error}: {}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
    })
}

/// The commands that start programs; each must have started one for every deed, or the test shows nothing.
fn all_commands(user: Option<u32>) {
    let Some(mut scene) = Scene::new(user) else { return };
    let tests = scene.taw(&format!("run {NASTY} --out o --keep all --json --replay-tests --sym-arg 1 -DCHECK="));
    scene.is_as_it_was("taw run --replay-tests");
    assert_eq!(fs::read_dir(scene.folder.path().join("here/o/tests")).unwrap().count(), DEEDS + 1);
    let said = String::from_utf8_lossy(&tests.stderr).into_owned();
    assert!(said.contains("replayed"), "{said}");

    let replayed = document(&scene.taw("replay --json o"));
    scene.is_as_it_was("taw replay");
    let native = replayed["tests"].as_array().unwrap().iter().filter(|test| !test["native"].is_null()).count();
    assert!(native >= DEEDS - 4, "of {DEEDS} deeds {native} came to an end: {replayed:#}");

    let reached = document(&scene.taw(&format!("reach {NASTY} --out r --json --target label:* --sym-arg 1 -DCHECK=")));
    scene.is_as_it_was("taw reach");
    let confirmed = reached["targets"].as_array().unwrap().iter().filter(|target| target["confirmed"] == true).count();
    assert!(confirmed >= DEEDS - 4, "of {DEEDS} deeds {confirmed} were seen: {reached:#}");

    let found = document(&scene.taw(&format!("run {NASTY} --out f --json --sym-arg 1 -DCHECK=assert(0)")));
    scene.is_as_it_was("taw run");
    let findings = found["findings"].as_array().unwrap();
    assert_eq!(findings.len(), DEEDS);
    let confirmed = findings.iter().filter(|finding| finding["confirmed"] == "confirmed").count();
    assert!(confirmed >= DEEDS - 4, "of {DEEDS} findings {confirmed} are confirmed: {found:#}");

    let pure = scene.taw(&format!("run {NASTY} --out p --json --pure evil --max-time 20s -DEVIL -DCHECK="));
    scene.is_as_it_was("taw run --pure");
    assert!(document(&pure)["paths"]["completed"].as_u64().unwrap() > 0);
}

#[test]
fn root_spoils_nothing() {
    all_commands(None);
}

#[test]
fn a_plain_user_spoils_nothing() {
    all_commands(Some(USER));
}

/// Six errors, and a program that natively sleeps before each.
const SLEEPY: &str = r#"
#include <assert.h>
#include <taw.h>
#include <unistd.h>
static void doze(void) { if (access("/proc/self/maps", R_OK) == 0) sleep(1000); }
int main(void) {
  unsigned x = taw_u32("x");
  doze();
  switch (x) {
    case 1: assert(x != 1); break;
    case 2: assert(x != 2); break;
    case 3: assert(x != 3); break;
    case 4: assert(x != 4); break;
    case 5: assert(x != 5); break;
    case 6: assert(x != 6); break;
  }
  return 0;
}
"#;

fn sleepy(folder: &Path) -> Command {
    fs::write(folder.join("p.c"), SLEEPY).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_taw"));
    command.current_dir(folder).args(["run", "p.c", "--json", "--out", "o"]);
    command
}

#[test]
fn native_runs_end_with_the_time_of_the_run() {
    let _turn = TURN.lock();
    let folder = tempfile::tempdir().unwrap();
    let begin = Instant::now();
    let output = sleepy(folder.path()).args(["--max-time", "3s"]).output().unwrap();
    let time = begin.elapsed();
    let document = document(&output);
    let findings = document["findings"].as_array().unwrap();
    assert_eq!(findings.len(), 6);
    for finding in findings {
        assert_eq!(finding["confirmed"], "not confirmed");
        let why = finding["confirmation"].as_str().unwrap_or_default();
        assert!(why.contains("the time of the run was over") || why.contains("time limit"), "{why}");
    }
    // Loading and a busy machine are in it, ten seconds for each finding are not.
    assert!(time < Duration::from_secs(10), "{time:?}");
}

#[test]
fn native_runs_end_with_ctrl_c_and_with_taw() {
    let _turn = TURN.lock();
    let folder = tempfile::tempdir().unwrap();
    for signal in ["-INT", "-KILL"] {
        let mut taw = sleepy(folder.path()).stdout(std::process::Stdio::null()).spawn().unwrap();
        let begin = Instant::now();
        while !is_running("program") {
            assert!(begin.elapsed() < Duration::from_secs(120), "no native run is made");
            thread::sleep(Duration::from_millis(10));
        }
        let sent = Instant::now();
        Command::new("kill").args([signal, &taw.id().to_string()]).status().unwrap();
        taw.wait().unwrap();
        while is_running("program") {
            assert!(sent.elapsed() < Duration::from_secs(5), "the native run has survived kill {signal}");
            thread::sleep(Duration::from_millis(5));
        }
    }
}
