//! `taw doctor`: what is installed, what is missing, how to get it.

use std::io::{self, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use taw::{Confinement, Keeper};
use taw_cage::Cage;

use crate::run::ExitAnswer;
use crate::style::{BOLD, ERROR, GOOD, WARNING};

/// How much depends on a thing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Need {
    /// Nothing works without it.
    Required,
    /// For what the text says.
    Optional(&'static str),
}

/// One thing that was looked for.
struct Examined {
    name: &'static str,
    need: Need,
    /// What was found, or why not and how to get it.
    found: Result<String, String>,
}

/// Looks, and writes what it saw.
pub(crate) fn doctor(out: &mut impl Write) -> io::Result<ExitAnswer> {
    let findings = examine();
    for finding in &findings {
        show(out, finding)?;
    }
    let missing = findings.iter().filter(|f| f.need == Need::Required && f.found.is_err()).count();
    if missing == 0 {
        writeln!(out, "{GOOD}Taw can run.{GOOD:#}")?;
        return Ok(ExitAnswer::Clean);
    }
    writeln!(
        out,
        "{ERROR}{missing} required part(s) missing.{ERROR:#} `make setup` in Taw's folder installs all of them."
    )?;
    Ok(ExitAnswer::Findings)
}

fn show(out: &mut impl Write, finding: &Examined) -> io::Result<()> {
    let (mark, text) = match (&finding.found, finding.need) {
        (Ok(found), _) => (format!("{GOOD}ok     {GOOD:#}"), found.clone()),
        (Err(why), Need::Required) => (format!("{ERROR}missing{ERROR:#}"), why.clone()),
        (Err(why), Need::Optional(purpose)) => {
            (format!("{WARNING}absent {WARNING:#}"), format!("{why} (optional: {purpose})"))
        }
    };
    writeln!(out, "{mark}  {BOLD}{:<16}{BOLD:#} {text}", finding.name)
}

fn examine() -> Vec<Examined> {
    let clang = taw_loader::Clang::find();
    let path = clang.as_ref().ok().map(|clang| clang.path().to_owned());
    vec![
        Examined {
            name: "clang",
            need: Need::Required,
            found: clang
                .map(|clang| format!("{} at {}", clang.version(), clang.path().display()))
                .map_err(|error| error.to_string()),
        },
        // Taw is linked against these two: that it runs at all shows that they are there.
        Examined { name: "LLVM library", need: Need::Required, found: Ok(taw_loader::llvm_version()) },
        Examined { name: "Z3 library", need: Need::Required, found: Ok(taw_solver::z3_version()) },
        Examined {
            name: "cage",
            need: Need::Optional("native runs that confirm what was found; without it they need --unconfined"),
            found: cage(),
        },
        Examined {
            name: "32-bit headers",
            need: Need::Optional("programs compiled with -m32"),
            found: thirty_two_bit(path.as_deref()),
        },
        Examined {
            name: "csmith",
            need: Need::Optional("Taw's own tests against random programs"),
            found: version("csmith", "install the package csmith"),
        },
        Examined {
            name: "klee",
            need: Need::Optional("comparison in `make bench`"),
            found: version("klee", "see KLEE's own site"),
        },
    ]
}

/// What programs under test are confined by.
fn cage() -> Result<String, String> {
    let keeper = Keeper::this(Confinement::Whole).map_err(|error| error.to_string())?;
    Cage::open(&keeper).map(|cage| cage.offer().in_words())
}

/// The first line that mentions a version.
fn version(program: &str, remedy: &str) -> Result<String, String> {
    let absent = || format!("not found; {remedy}");
    let output = Command::new(program).arg("--version").stdin(Stdio::null()).output().map_err(|_| absent())?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let line = text.lines().find(|line| line.chars().any(|c| c.is_ascii_digit()));
    Ok(line.unwrap_or("installed").trim().to_owned())
}

/// Whether a program that includes a system header compiles with -m32.
fn thirty_two_bit(clang: Option<&Path>) -> Result<String, String> {
    let remedy = || "clang -m32 finds no C library headers; install the package gcc-multilib".to_owned();
    let mut child = Command::new(clang.ok_or("clang is needed to tell")?)
        .args(["-m32", "-fsyntax-only", "-x", "c", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|_| remedy())?;
    if let Some(mut stdin) = child.stdin.take() {
        // A compiler that does not read its input fails, which is what is asked below.
        let _ = stdin.write_all(b"#include <stdio.h>\n");
    }
    match child.wait() {
        Ok(status) if status.success() => Ok("clang -m32 works".into()),
        _ => Err(remedy()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_named_with_a_remedy() {
        assert_eq!(version("no-such-program-here", "install it"), Err("not found; install it".into()));
        let mut out = Vec::new();
        let finding = Examined { name: "x", need: Need::Optional("y"), found: Err("why".into()) };
        show(&mut out, &finding).unwrap();
        assert!(String::from_utf8(out).unwrap().contains("why (optional: y)"));
    }

    #[test]
    fn the_machine_that_builds_taw_can_run_it() {
        let mut out = Vec::new();
        assert_eq!(doctor(&mut out).unwrap(), ExitAnswer::Clean, "{}", String::from_utf8_lossy(&out));
    }
}
