//! Every model called as no prototype would allow, as code without prototypes does: each call is an error of the program or is
//! answered, and none is a failure of Taw.

use std::fmt::Write;
use std::fs;
use std::process::Command;

use serde_json::Value;
use taw_engine::ModelDef;

const KIND: &str = "invalid-function-pointer";

/// Models, and the flag of the target that has them.
struct Registry {
    models: Vec<&'static ModelDef>,
    flag: &'static str,
}

/// The models of every target, on 64 bits and on 32. Those that stand in for what the library lacks answer no call.
fn registries() -> [Registry; 2] {
    ["-m64", "-m32"].map(|flag| Registry { models: taw_env::MODELS.always.iter().copied().flatten().collect(), flag })
}

/// In each target the models whose call, as `call` writes it, is an error must be those that `expected` says.
fn check(declare: impl Fn(&str) -> String, call: impl Fn(&ModelDef) -> String, expected: impl Fn(&ModelDef) -> bool) {
    for registry in registries() {
        let mut names: Vec<_> = registry.models.iter().filter(|m| expected(m)).map(|m| m.name).collect();
        names.sort_unstable();
        let found = unfit_calls(&registry, &declare, &call);
        assert_eq!(found, names, "with {}", registry.flag);
    }
}

/// Runs a program in which each path calls one model, and gives the models for which an error of the call itself was reported.
fn unfit_calls(
    Registry { models, flag }: &Registry,
    declare: impl Fn(&str) -> String,
    call: impl Fn(&ModelDef) -> String,
) -> Vec<&'static str> {
    let mut source = "struct big { long a[5]; }; static struct big big; static double number = 2.5;\n\
                      static volatile int some; static unsigned which; extern int klee_make_symbolic();\n"
        .to_owned();
    for model in models.iter().filter(|m| m.name != "klee_make_symbolic") {
        writeln!(source, "{}", declare(model.name)).unwrap();
    }
    writeln!(source, "int main(void) {{ klee_make_symbolic(&which, 4L, \"which\"); switch (which) {{").unwrap();
    let first = source.lines().count();
    for (i, model) in models.iter().enumerate() {
        // Its own declaration is another.
        let call = if model.name == "klee_make_symbolic" { format!("{}()", model.name) } else { call(model) };
        writeln!(source, "case {i}: {call}; break;").unwrap();
    }
    writeln!(source, "}} return 0; }}").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    fs::write(folder.path().join("p.c"), source).unwrap();
    let run = Command::new(env!("CARGO_BIN_EXE_taw"))
        .args(["run", "p.c", "--no-replay", "--max-time", "60s", "--cflag", flag, "--out"])
        .arg(&out)
        .args(["--cflag=-std=gnu89", "--cflag=-fno-builtin", "--cflag=-w"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&run.stderr);
    assert!(!said.contains("Taw has failed") && run.status.code() != Some(2), "{said}");
    let findings = fs::read_dir(out.join("findings")).into_iter().flatten();
    let findings =
        findings.map(|file| serde_json::from_slice::<Value>(&fs::read(file.unwrap().path()).unwrap()).unwrap());
    let lines = findings.filter(|f| f["kind"] == KIND).map(|f| f["stack"][0]["line"].as_u64().unwrap() as usize);
    let mut found: Vec<_> = lines.filter_map(|line| models.get(line - first - 1)).map(|m| m.name).collect();
    found.sort_unstable();
    found.retain(|name| *name != "klee_make_symbolic");
    found
}

/// A result of any width fits, as it is not used.
fn as_int(name: &str) -> String {
    format!("extern void {name}();")
}

fn has_parameters(m: &ModelDef) -> bool {
    m.name != "klee_make_symbolic" && !m.signature.parameters().is_empty()
}

fn is_float(letter: char) -> bool {
    "fde".contains(letter)
}

#[test]
fn without_arguments() {
    check(as_int, |m| format!("{}()", m.name), has_parameters);
}

#[test]
fn with_one_argument_too_few() {
    let call = |m: &ModelDef| {
        let mut args: Vec<&str> = m.signature.parameters().chars().map(fitting).collect();
        args.pop();
        format!("{}({})", m.name, args.join(", "))
    };
    check(as_int, call, has_parameters);
}

/// Too many arguments, and narrower or wider integers than the parameters, are what registers make of them.
#[test]
fn with_more_arguments_of_other_widths() {
    let call = |m: &ModelDef| {
        let args: Vec<&str> = m.signature.parameters().chars().map(other_width).collect();
        let comma = if args.is_empty() { "" } else { ", " };
        format!("{}({}{comma}some, number, big)", m.name, args.join(", "))
    };
    // Without a prototype a float is passed as a double.
    check(as_int, call, |m| m.signature.parameters().contains('f'));
}

#[test]
fn with_floats_for_integers_and_the_other_way_round() {
    let call = |m: &ModelDef| {
        let args: Vec<&str> =
            m.signature.parameters().chars().map(|l| if is_float(l) { "some" } else { "number" }).collect();
        format!("{}({})", m.name, args.join(", "))
    };
    check(as_int, call, has_parameters);
}

#[test]
fn with_structures() {
    let call = |m: &ModelDef| {
        let args: Vec<&str> = m.signature.parameters().chars().map(|_| "big").collect();
        format!("{}({})", m.name, args.join(", "))
    };
    check(as_int, call, has_parameters);
}

/// Results that are taken for what they are not. What never returns has none.
#[test]
fn with_results_of_other_types() {
    let call = |m: &ModelDef| {
        let args: Vec<&str> = m.signature.parameters().chars().map(fitting).collect();
        format!("number = {}({})", m.name, args.join(", "))
    };
    let declare = |name: &str| format!("extern double {name}();");
    let wrong = |m: &ModelDef| !m.signature.0.starts_with(['d', 'a']);
    // A path may end within the model, and then there is no result; what returns must be wrong, or a double.
    for registry in registries() {
        let found = unfit_calls(&registry, declare, call);
        assert!(found.len() > registry.models.len() / 10, "{found:?}");
        let right: Vec<_> =
            registry.models.iter().filter(|m| found.contains(&m.name) && !wrong(m)).map(|m| m.name).collect();
        assert_eq!(right, Vec::<&str>::new(), "with {}", registry.flag);
    }
}

/// An argument that a parameter can take (what it means is another matter).
fn fitting(letter: char) -> &'static str {
    match letter {
        'p' => "&some",
        'd' => "number",
        'e' => "1.5L",
        'l' => "1LL",
        'z' => "1L",
        'q' => "(__int128)1",
        _ => "some",
    }
}

fn other_width(letter: char) -> &'static str {
    match letter {
        'p' | 'l' | 'z' => "some",
        'i' => "(long)&some",
        other => fitting(other),
    }
}
