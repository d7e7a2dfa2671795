//! Prints what files are lowered to: `cargo run -p taw-loader --example lower -- [--promote] file.c -O2 -Ifolder`.

use taw_loader::{Sources, load};

fn main() {
    let (mut sources, mut promote) = (Sources::default(), false);
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "--promote" => promote = true,
            flag if flag.starts_with('-') => sources.cflags.push(argument),
            _ => sources.files.push(argument.into()),
        }
    }
    match load(&sources) {
        Ok(mut program) => {
            if promote {
                taw_ir::promote(&mut program);
            }
            print!("{program}");
        }
        Err(error) => {
            eprintln!("{error}");
            std::process::exit(2);
        }
    }
}
