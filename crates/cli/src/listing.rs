//! What `taw` knows about itself: strategies, manual pages, completions.

use std::io::{self, Write};
use std::path::Path;

use clap::CommandFactory;
use clap_complete::Shell;

use crate::args::Cli;
use crate::failure::Failure;
use crate::style::BOLD;

/// The strategies, one line each.
pub(crate) fn strategies(out: &mut impl Write) -> io::Result<()> {
    for def in taw_search::STRATEGIES {
        writeln!(out, "{BOLD}{:<14}{BOLD:#} {}", def.name, def.help)?;
    }
    Ok(())
}

/// The manual pages, one file per command.
pub(crate) fn man(folder: &Path) -> Result<(), Failure> {
    let refused = |error| Failure::Message(format!("cannot write manual pages into `{}`: {error}", folder.display()));
    std::fs::create_dir_all(folder).map_err(refused)?;
    clap_mangen::generate_to(Cli::command(), folder).map_err(refused)
}

/// The completions for a shell.
pub(crate) fn completions(shell: Shell, out: &mut impl Write) -> io::Result<()> {
    // Through memory: the generator panics where it cannot write, as on a closed pipe.
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "taw", &mut script);
    out.write_all(&script)
}
