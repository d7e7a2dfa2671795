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
        writeln!(out, "{BOLD}{:<20}{BOLD:#} {}", def.name, def.help)?;
    }
    for def in taw_search::COMBINATORS {
        writeln!(out, "{BOLD}{:<20}{BOLD:#} {}", def.usage, def.help)?;
    }
    for def in taw_search::SCHEMES {
        writeln!(out, "{BOLD}{:<20}{BOLD:#} {}", def.usage, def.help)?;
    }
    writeln!(out, "\nIn concolic(s), s is one of these:")?;
    for def in taw_search::CONCOLIC {
        writeln!(out, "{BOLD}{:<20}{BOLD:#} {}", def.usage, def.help)?;
    }
    for (name, _, help) in taw_search::WAYS_OF_SOLVING {
        writeln!(out, "{BOLD}{:<20}{BOLD:#} {help}", format!("{name}[(x)]"))?;
    }
    let defaults = (taw_search::DEFAULT_FORWARD, taw_search::DEFAULT_REACH);
    writeln!(
        out,
        "\nCombine them freely: --search 'B(RR(RP,SDSE))'. Without --search, `run` uses {} and `reach` {}.",
        defaults.0, defaults.1
    )
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
