//! Explores a C file and prints each test: `cargo run -p taw --example explore -- FILE.c`.

use std::process::ExitCode;

use taw::report::{OutcomeRecord, TestFile};
use taw::{Compile, Each, Error, Program, Session, TestCase};

fn main() -> ExitCode {
    let Some(file) = std::env::args_os().nth(1) else { return ExitCode::from(2) };
    match explore(file.into()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

fn explore(file: std::path::PathBuf) -> Result<(), Error> {
    let session = Session::new(Program::compile([file], &Compile::default())?);
    let places = session.program().places();
    let summary = session.explore(&mut Each(|test: &TestCase| {
        let test = TestFile::new(test, &places);
        let inputs: Vec<String> = test.inputs.iter().map(|input| format!("{}={}", input.name, input.value)).collect();
        match test.outcome {
            OutcomeRecord::Exit { code } => println!("exit {code}: {}", inputs.join(" ")),
            OutcomeRecord::Finding { message, .. } => println!("ERROR {message}: {}", inputs.join(" ")),
            other => println!("{other:?}: {}", inputs.join(" ")),
        }
    }))?;
    println!("{} paths completed, {} with errors", summary.paths.completed, summary.paths.errored);
    Ok(())
}
