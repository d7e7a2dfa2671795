//! Random programs of csmith, by seed: lowered, run on a simple machine, compared with the native program.

mod support;

use std::path::PathBuf;
use std::process::Command;

use support::same_as_native;
use tempfile::TempDir;

const HEADERS: &str = "-I/usr/include/csmith";

/// Smaller programs than the default: the machine is slow.
const LIMITS: [&str; 6] = ["--max-funcs", "4", "--max-block-depth", "3", "--max-expr-complexity", "6"];

fn generated(folder: &TempDir, seed: u32, options: &[&str]) -> PathBuf {
    let path = folder.path().join(format!("seed{seed}.c"));
    let mut csmith = Command::new("csmith");
    csmith.current_dir(folder.path()).args(LIMITS).args(options);
    let output = csmith.args(["--seed", &seed.to_string()]).output().expect("csmith is part of the set-up");
    std::fs::write(&path, output.stdout).expect("the program is written");
    path
}

fn check(seeds: std::ops::Range<u32>, options: &[&str], flags: &[&str]) {
    let folder = TempDir::new().expect("a folder for the test");
    let flags: Vec<&str> = flags.iter().copied().chain([HEADERS, "-w"]).collect();
    let all = seeds.len();
    let ran = seeds.filter(|&seed| same_as_native(&generated(&folder, seed, options), &flags)).count();
    // Some programs of csmith never end; if most do not, the test is none.
    assert!(ran * 2 > all, "only {ran} of {all} programs ran to their end");
}

#[test]
fn unoptimised_programs_keep_their_checksum() {
    check(0..30, &[], &[]);
}

#[test]
fn optimised_programs_keep_their_checksum() {
    check(0..30, &[], &["-O2"]);
}

#[test]
fn programs_for_32_bits_keep_their_checksum() {
    // Without bit-fields: the machine of the tests has no integers of more than 128 bits.
    check(30..38, &["--no-bitfields"], &["-m32", "-O1"]);
}

#[test]
fn programs_with_floats_keep_their_checksum() {
    check(40..50, &["--float"], &["-O2", "-Wno-incompatible-pointer-types"]);
}
