//! Options for paths that start at a function: what its parameters may be.

use clap::{Args, ValueEnum};
use taw::{Alias, GlobalRule, Strings, UnknownShapes};

/// What pointers that nobody knows may point at.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Parameters of --entry")]
pub(crate) struct ShapeArgs {
    /// Arrays that parameters lead to have up to N elements [default: 4; structures come alone unless this is said]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=4096))]
    pub max_array: Option<u64>,

    /// Strings that parameters lead to have up to N characters
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u64).range(0..=4096))]
    pub max_string: u64,

    /// Up to N objects lie behind each other, as in a list
    #[arg(long, value_name = "N", default_value_t = 4)]
    pub max_nesting: u32,

    /// Whether pointers may point at the same object: none; same-type; cyclic (also at an object that leads to the pointer); points-to (as
    /// the whole program calls the entry) [default: points-to if there is a `main` that calls it, else same-type]
    #[arg(long, value_name = "KIND", hide_possible_values = true)]
    pub alias: Option<AliasArg>,

    /// What global variables that are not constant hold where paths start: initial (their initial values; the default) or unknown (anything of
    /// their types); of one variable or all of such names NAME=HOW, the more special wins: --globals unknown --globals 'table_*=initial'
    #[arg(long, value_name = "[NAME=]HOW", value_parser = clap::value_parser!(GlobalRule))]
    pub globals: Vec<GlobalRule>,

    /// What a `char *` points at: terminated (text with a zero byte at its end) or any characters
    #[arg(long, value_name = "KIND", default_value = "terminated", hide_possible_values = true)]
    pub strings: StringsArg,
}

/// Whether pointers may point at the same object.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum AliasArg {
    /// They do not
    None,
    /// Those of one type may, without circles
    SameType,
    /// The same with circles
    Cyclic,
    /// As the whole program calls the entry
    PointsTo,
}

/// What a `char *` points at.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum StringsArg {
    /// Text with a zero byte at its end
    Terminated,
    /// Any characters
    Any,
}

impl ShapeArgs {
    /// The settings of the library.
    pub(crate) fn shapes(&self) -> UnknownShapes {
        let known = UnknownShapes::default();
        UnknownShapes {
            array: self.max_array.unwrap_or(known.array),
            records: self.max_array.unwrap_or(known.records),
            string: self.max_string,
            nesting: self.max_nesting,
            alias: match self.alias {
                None => known.alias,
                Some(AliasArg::None) => Alias::None,
                Some(AliasArg::SameType) => Alias::SameType,
                Some(AliasArg::Cyclic) => Alias::Cyclic,
                Some(AliasArg::PointsTo) => Alias::PointsTo,
            },
            strings: match self.strings {
                StringsArg::Terminated => Strings::Terminated,
                StringsArg::Any => Strings::Any,
            },
        }
    }
}
