//! An input for a place, confirmed by a native run: `cargo run -p taw --example reach -- FILE.c FILE.c:LINE`.

use std::process::ExitCode;

use taw::{Compile, Confirm, Error, GoalVerdict, Program, Session};

fn main() -> ExitCode {
    // Native runs are started by this executable in a process of its own, whose `main` is this one.
    if let Some(code) = taw::serve_if_asked() {
        return code;
    }
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [file, target] = &words[..] else { return ExitCode::from(2) };
    match reach(file, target) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

fn reach(file: &str, target: &str) -> Result<(), Error> {
    let program = Program::compile([file], &Compile::default())?;
    for target in Session::new(program).targets([target])?.reach(Confirm::Natively)?.targets {
        match (target.verdict, target.arrival) {
            (GoalVerdict::Reached, Some(arrival)) => {
                println!("{} is reached{}", target.name, if arrival.confirmed { ", natively too" } else { "" });
                arrival.inputs.iter().for_each(|input| println!("  {} = {}", input.name, input.value));
            }
            (GoalVerdict::Unreachable(_), _) => println!("{} cannot be reached", target.name),
            (other, _) => println!("{}: {other:?}", target.name),
        }
    }
    Ok(())
}
