//! Bitcode that is cut off or damaged is refused, also where LLVM's reader crashes on it: this executable reads it first, in another
//! process.

mod support;

use std::process::ExitCode;

use libtest_mimic::{Arguments, Trial};
use support::{bitcode, message, try_load};

fn main() -> ExitCode {
    if let Some(code) = taw_loader::read_if_asked() {
        return code;
    }
    let facts: [(&str, fn()); 2] = [
        ("what_is_cut_off_is_refused", cut_off),
        ("whatever_the_damage_the_answer_is_a_program_or_a_message", damaged),
    ];
    let trial = |(name, fact): (&str, fn())| {
        Trial::test(name, move || {
            fact();
            Ok(())
        })
    };
    libtest_mimic::run(&Arguments::from_args(), facts.map(trial).into()).exit_code()
}

fn cut_off() {
    let whole = bitcode(&[]);
    for length in [4, 5, 100, whole.len() / 2, whole.len() - 40] {
        let said = message(try_load("cut.bc", &whole[..length], &[]));
        assert!(said.contains("cut.bc` is not a module that LLVM 22."), "{length}: {said}");
        assert!(said.ends_with("make it anew with clang-22"), "{length}: {said}");
    }
}

fn damaged() {
    let whole = bitcode(&[]);
    let mut crashes = 0;
    for place in (8..whole.len()).step_by(whole.len() / 60) {
        let mut damaged = whole.clone();
        damaged[place] ^= 0x55;
        let said = try_load("damaged.bc", damaged, &[]).err().map(|error| error.to_string()).unwrap_or_default();
        crashes += usize::from(said.contains("LLVM's reader fails on it"));
    }
    assert!(crashes > 0, "no damage made LLVM's reader crash: the trial was not tried");
}
