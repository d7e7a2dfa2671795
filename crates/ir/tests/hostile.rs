//! Programs in the text form that somebody damaged: read and verified or refused, and never a panic.

use std::fs;
use std::path::{Path, PathBuf};

use taw_ir::{promote, read_program, verify, verify_types};

/// Every filetest, in order.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).expect("a folder of tests").map(|e| e.expect("an entry").path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() { files(&path, found) } else { found.push(path) }
    }
}

/// A number below `n` (xorshift).
fn below(state: &mut u64, n: usize) -> usize {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    (*state >> 11) as usize % n
}

/// Words exchanged, left out, made of other kinds; numbers made extreme.
fn damaged(text: &str, state: &mut u64) -> String {
    let mut words: Vec<&str> = text.split_inclusive([' ', ',', '\n', '(', ')', ':']).collect();
    for _ in 0..=below(state, 3) {
        let (at, other) = (below(state, words.len()), below(state, words.len()));
        match below(state, 4) {
            0 => words[at] = words[other],
            1 => words[at] = "",
            2 => words.swap(at, other),
            _ => {
                words[at] =
                    ["-1 ", "18446744073709551615 ", "i0 ", "i4294967295 ", "v99999 ", "b4294967295 ", "@nobody "]
                        [below(state, 7)]
            }
        }
    }
    words.concat()
}

/// `TAW_FUZZ` says how many; `make fuzz` wants more of them.
#[test]
fn damaged_programs_are_verified_or_refused() {
    let mut all = Vec::new();
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/filetests"), &mut all);
    let count: u64 = std::env::var("TAW_FUZZ").ok().and_then(|n| n.parse().ok()).unwrap_or(3000);
    let (mut read, mut right) = (0, 0);
    for seed in 1..=count {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let path = &all[below(&mut state, all.len())];
        let text = fs::read_to_string(path).expect("a test is text");
        let Ok(mut program) = read_program(&damaged(&text, &mut state)) else { continue };
        read += 1;
        if verify(&program).is_ok() && verify_types(&program).is_ok() {
            right += 1;
            promote(&mut program);
            assert!(verify(&program).is_ok(), "seed {seed}: promotion made it wrong\n{program}");
        }
    }
    assert!(right * 50 > count, "only {read} of {count} were read and {right} right: the damage is too great");
}
