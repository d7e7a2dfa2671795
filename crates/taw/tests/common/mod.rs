//! Programs for the tests of the library.
#![allow(dead_code, reason = "each test uses a part of it")]

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// Reads past `table` if `i` is 4; line 8 for 3; line 10 never. The compiler warns of it.
pub const TABLE: &str = r#"#include <taw.h>
int table[4] = {1, 2, 3, 4};
int main(void) {
#warning "which nobody asked to see"
  unsigned i = taw_u32("i");
  taw_assume(i < 5);
  if (i == 3)
    return 7;
  if (i > 7)
    return 8;
  return table[i];
}
"#;

/// A folder of its own with that program in `table.c`.
pub fn table() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("table.c");
    fs::write(&file, TABLE).expect("a file");
    (folder, file)
}

/// An example, as cargo has built it beside this test.
pub fn example(name: &str) -> PathBuf {
    let this = std::env::current_exe().expect("an executable");
    let built = this.parent().and_then(Path::parent).expect("the folder of deps");
    built.join("examples").join(name)
}
