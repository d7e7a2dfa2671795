//! The command line of `taw test`.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Args, CommandFactory, FromArgMatches, Parser, ValueEnum};
use taw::{ArrayRule, InvariantRule, PureFunction, StubRule};
use taw_report::suite::{Criterion, STYLES, SuiteStyle};

use super::config::{CONFIG, TestConfig};
use crate::args::{Cli, Command, CompileArgs, RunArgs, SolverArgs};
use crate::failure::Failure;
use crate::shapes::ShapeArgs;
use crate::units;

pub(crate) const TEST_EXAMPLES: &str = "\
Examples:
  taw test lib.c                                   tests of every function that lib.c exports, in taw-tests/
  taw test lib.c --function parse --function 'buf_*' --out tests
  taw test lib.c util.c -I include --style cmocka  cmocka, check, criterion, gtest, unity, or plain assert
  taw test lib.c --function sum --array data=len --assume 'len <= 8'   only such calls
  taw test lib.c --static                          static functions too; nothing has to be exported
  taw test lib.c --stub '*'                        what is defined nowhere gives back what a test says
  taw test lib.c --setup init --teardown done      called before and after each call
  taw test lib.c --update                          after a change: valid tests stay, what is missing is added
  taw test lib.c --check                           in CI: does the suite still hold and cover what it did?
  git diff | taw test lib.c --diff - --update      only the functions that a change touches
  taw test lib.c --max-time 60s --iterations 1000  at most so long, and so many paths, for each function
  cmake -S taw-tests -B build && cmake --build build && ctest --test-dir build";

pub(crate) const TEST_EXIT_CODES: &str = "Exit codes: 0 the suite is written (--check: it holds), 1 errors were found (they are tests with the label known-failure) or a test gives something else now, 3 there is no test to write, 2 wrong usage or a failure of Taw itself.";

#[derive(Debug, Args)]
pub(crate) struct TestArgs {
    /// C sources; several are linked, and each has a file of tests
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Test this function; repeat it, or 'parse_*' for all of such names [default: every function with external linkage]
    #[arg(long, value_name = "FUNCTION")]
    pub function: Vec<String>,
    /// Test static functions too: the test includes the source file
    #[arg(long = "static")]
    pub statics: bool,
    /// What is to be covered: line; branch (each operand of && and || is one); condition (also both outcomes of a comparison that is
    /// returned, stored or passed on)
    #[arg(long, value_name = "CRITERION", default_value = "condition", hide_possible_values = true)]
    pub criterion: CriterionArg,
    /// Write tests in this style: assert, cmocka, check, criterion, gtest, unity
    #[arg(long, value_name = "STYLE", default_value = "assert", value_parser = styles(), hide_possible_values = true)]
    pub style: String,
    /// Write the suite into this folder. A file in it that Taw has not written is never replaced
    #[arg(long, value_name = "DIR", default_value = "taw-tests")]
    pub out: PathBuf,
    /// Bring the suite in --out up to date: tests that are still valid stay, those whose coverage others have go, what is missing is added. A test whose result
    /// has changed is shown and stays as it is
    #[arg(long)]
    pub update: bool,
    /// With --update: expect what tests whose results have changed give now
    #[arg(long, requires = "update")]
    pub accept: bool,
    /// Write nothing, and exit with 1 if a test of the suite gives something else now, or the suite leaves more uncovered than it did
    #[arg(long, conflicts_with = "update")]
    pub check: bool,
    /// Work on the functions that a unified diff touches; - for standard input
    #[arg(long, value_name = "FILE")]
    pub diff: Vec<PathBuf>,
    /// Read options from this file, if it is there: a key is an option, as in style = "cmocka"
    #[arg(long, value_name = "FILE", default_value = CONFIG)]
    pub config: PathBuf,
    /// Call this function, which takes nothing, before each call: in the exploration and in the tests
    #[arg(long, value_name = "FUNCTION")]
    pub setup: Vec<String>,
    /// Call this function, which takes nothing, after each call, in the tests
    #[arg(long, value_name = "FUNCTION")]
    pub teardown: Vec<String>,

    /// Only calls where this holds: C over the names of the function's parameters and all that its file declares
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
    pub assume: Vec<String>,
    /// Only calls where this function of the program, called with the same arguments, does not return 0
    #[arg(long, value_name = "FUNCTION")]
    pub requires: Vec<String>,
    /// A pointer leads to exactly as many elements as a number says: data=len, buf.data=buf.len
    #[arg(long, value_name = "POINTER=NUMBER", value_parser = clap::value_parser!(ArrayRule))]
    pub array: Vec<ArrayRule>,
    /// A `char *` is null or leads to text with a zero byte at its end: p, buf.name, '*' for every one
    #[arg(long, value_name = "POINTER")]
    pub string: Vec<String>,
    /// Of every structure of a type that is passed this function of the program holds: 'struct buf'=buf_ok
    #[arg(long, value_name = "TYPE=FUNCTION", value_parser = clap::value_parser!(InvariantRule))]
    pub invariant: Vec<InvariantRule>,
    /// A function that is declared and defined nowhere gives back what each test says ('*' for all); how else it behaves as in `taw run`
    #[arg(long, value_name = "NAME[=HOW]", value_parser = clap::value_parser!(StubRule))]
    pub stub: Vec<StubRule>,
    /// Call this function natively instead of running it: it takes and returns numbers, and has no effects
    #[arg(long, value_name = "NAME[=LIB.so]", value_parser = clap::value_parser!(PureFunction))]
    pub pure: Vec<PureFunction>,

    /// Which path to run next (see `taw strategies`)
    #[arg(long, value_name = "STRATEGY", default_value = taw::TEST_SEARCH, hide_default_value = true)]
    pub search: String,
    /// The only source of randomness: the same seed gives the same run
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Stop a function after this time
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = units::duration)]
    pub max_time: Duration,
    /// Stop a function after this number of paths: the same on every machine
    #[arg(long, value_name = "N")]
    pub iterations: Option<u64>,
    /// Use no more memory than this
    #[arg(long, value_name = "SIZE", default_value = "4G", value_parser = units::bytes)]
    pub max_memory: u64,

    /// Print one JSON document instead of the summary
    #[arg(long)]
    pub json: bool,
    /// Run the tests natively as you would, and not in a cage
    #[arg(long)]
    pub unconfined: bool,

    #[command(flatten)]
    pub shapes: ShapeArgs,
    #[command(flatten)]
    pub compile: CompileArgs,
    #[command(flatten)]
    pub solver: SolverArgs,
}

/// What is to be covered.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum CriterionArg {
    /// Every line
    Line,
    /// Every side of every branch
    Branch,
    /// That, and both outcomes of every comparison
    Condition,
}

fn styles() -> PossibleValuesParser {
    PossibleValuesParser::new(STYLES.iter().map(|style| PossibleValue::new(style.name).help(style.help)))
}

/// The arguments with what a file of options says before them.
///
/// # Errors
/// If the file has a mistake.
pub(crate) fn with_config(args: Box<TestArgs>) -> Result<Box<TestArgs>, Failure> {
    let Some(config) = TestConfig::read(&args.config)? else { return Ok(args) };
    let said = std::env::args_os().skip(2);
    let words = ["taw".into(), "test".into()].into_iter().chain(config.words.iter().map(OsString::from)).chain(said);
    let Command::Test(mut all) = Cli::parse_from(words).command else { return Ok(args) };
    all.files = if args.files.is_empty() { config.files.iter().map(PathBuf::from).collect() } else { args.files };
    Ok(all)
}

impl TestArgs {
    /// The style.
    pub(crate) fn style(&self) -> &'static SuiteStyle {
        SuiteStyle::named(&self.style).unwrap_or(&STYLES[0])
    }

    pub(crate) fn criterion(&self) -> Criterion {
        match self.criterion {
            CriterionArg::Line => Criterion::Line,
            CriterionArg::Branch => Criterion::Branch,
            CriterionArg::Condition => Criterion::Condition,
        }
    }

    /// The same as arguments of `taw run`, which starts at these functions.
    pub(crate) fn as_run(&self, functions: Vec<String>) -> RunArgs {
        #[derive(Parser)]
        struct Defaults {
            #[command(flatten)]
            run: RunArgs,
        }
        let matches = Defaults::command().get_matches_from(["taw", "FILE"]);
        let mut run = Defaults::from_arg_matches(&matches).expect("these are the defaults").run;
        run.files = self.files.clone();
        run.entry = functions;
        run.compile = self.compile.clone();
        run.shapes = self.shapes.clone();
        run.solver = self.solver.clone();
        // The setup happens where what is assumed is asked.
        run.assume =
            self.setup.iter().map(|function| format!("({function}(), 1)")).chain(self.assume.clone()).collect();
        run.requires = self.requires.clone();
        run.array = self.array.clone();
        run.string = self.string.clone();
        run.invariant = self.invariant.clone();
        run.stub = self.stub.clone();
        run.pure = self.pure.clone();
        run.search.search = Some(self.search.clone());
        run.search.seed = self.seed;
        run.search.max_time = Some(self.max_time);
        run.search.max_paths = self.iterations;
        run.search.max_memory = self.max_memory;
        run.output.unconfined = self.unconfined;
        run
    }
}
