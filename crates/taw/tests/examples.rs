//! The examples do what they say, and nothing else shows.

mod common;

use std::process::{Command, Output};

use common::{example, table};

fn said(output: &Output) -> String {
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "the library prints nothing");
    assert!(output.status.success(), "{output:?}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn explore_prints_each_test() {
    let (_folder, file) = table();
    let said = said(&Command::new(example("explore")).arg(file).output().unwrap());
    assert!(said.contains("exit 7: i=3\n"), "{said}");
    assert!(said.contains("ERROR 4 bytes at offset 16 of `table`, which has 16 bytes: i=4\n"), "{said}");
    assert!(said.ends_with("2 paths completed, 1 with errors\n"), "{said}");
}

#[test]
fn reach_finds_an_input_and_confirms_it() {
    let (folder, file) = table();
    let reach = |target: &str| {
        let mut command = Command::new(example("reach"));
        said(&command.current_dir(folder.path()).arg(&file).arg(target).output().unwrap())
    };
    assert_eq!(reach("table.c:8"), "table.c:8 is reached, natively too\n  i = 3\n");
    assert_eq!(reach("table.c:11!"), "table.c:11! is reached, natively too\n  i = 4\n");
    assert_eq!(reach("table.c:10"), "table.c:10 cannot be reached\n");
}
