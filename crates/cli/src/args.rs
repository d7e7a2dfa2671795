//! The command line: what may be said. What it means is `settings`'s.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use taw::{ArrayRule, FileFlags, InvariantRule, PureFunction, StageRule, StubRule};

use crate::inputs::InputArgs;
use crate::reach_args::{Bench, REACH_EXAMPLES, REACH_EXIT_CODES, ReachArgs};
use crate::shapes::ShapeArgs;
use crate::stage_args::{STAGE_EXAMPLES, STAGE_EXIT_CODES, StageArgs, StageShowArgs};
use crate::test::options::{TEST_EXAMPLES, TEST_EXIT_CODES, TestArgs};
use crate::units;

/// Taw finds the inputs that make a C program fail, and the tests that exercise the rest of it.
#[derive(Debug, Parser)]
#[command(name = "taw", version, max_term_width = 100, after_help = EXIT_CODES)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

const EXIT_CODES: &str = "Exit codes: 0 nothing found, 1 findings, 2 wrong usage or a failure of Taw itself.";

const RUN_EXAMPLES: &str = "\
Examples:
  taw run prog.c                          every path from main, every error with a test
  taw run prog.c --entry parse            start at parse(), its parameters symbolic
  taw run lib.c --entry each --max-time 60s                     each function on its own; --list only lists them
  taw run prog.c --entry parse --assume 'n <= 16 && valid(n)'   only such calls; a predicate of the program may be used
  taw run lib.c --entry sum --array data=len --string name      data leads to len elements, name to text
  taw run tree.c --entry insert --stage t=tree4.stage           t is any structure that `taw stage` has found
  taw run list.c --entry list_sum --build-with '*'              which errors calls of its own functions lead to, and how
  taw run prog.c --stub '*' --stub die=never        what is defined nowhere returns anything; die() is not called
  taw run -p build lib.c --entry parse    with the flags that build/compile_commands.json has for lib.c
  taw run *.c -I include -D N=4 -- a b    several files; a and b are the program's arguments
  taw run prog.c --sym-args 0 2 4         nothing to two arguments of up to four bytes each
  taw run prog.c --sym-stdin 8 -- -n @sym:4 file    the second argument and standard input are symbolic
  taw run prog.c --sym-file data=16 -- data         so is the content of a file
  taw run prog.c --sym-peer tcp:8080=4              so is what the program hears at a TCP port
  taw run prog.c --max-time 30s --json    at most 30 seconds; one JSON document as answer
  taw run prog.c --emit ctest,sarif       a suite for CMake, findings for code scanning
  taw run fuzz.c --harness libfuzzer      a libFuzzer target as it is
  taw run prog.c --replay-path taw-last/tests/TEST.json

In the program, say what is symbolic:   #include <taw.h>   int x = taw_int(\"x\");";

const REPLAY_EXAMPLES: &str = "\
Examples:
  taw replay taw-last                          every test of the last run
  taw replay taw-last/tests/TEST.json          one test
  taw replay taw-last --program ./prog         on a program that you have built yourself
  taw replay taw-last --json                   with the lines that each run covered";

const SOLVE_EXAMPLES: &str = "\
Examples:
  taw solve query.smt2                         sat with a model, unsat, or unknown
  taw run prog.c --dump-queries q              then: taw solve q/query-000001.smt2 --stats
  echo '(declare-const x Float64) (assert (fp.lt x (fp.mul RNE x x))) (check-sat)' | taw solve -";

const SOLVE_EXIT_CODES: &str = "Exit codes: 10 sat, 20 unsat, 0 unknown, 2 wrong usage or a script with a mistake.";

const REPLAY_EXIT_CODES: &str = "Exit codes: 0 nothing contradicts a test, 1 a run diverged (a bug in Taw), 2 wrong usage or a file that is no test.";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Explore the paths of a program; report every error with a test that shows it
    #[command(before_help = RUN_EXAMPLES, after_help = EXIT_CODES)]
    Run(Box<RunArgs>),
    /// Find an input for a place in the program, or show that there is none
    #[command(before_help = REACH_EXAMPLES, after_help = REACH_EXIT_CODES)]
    Reach(Box<ReachArgs>),
    /// Write a suite of C tests for functions: readable calls with asserted results, for CTest and the frameworks that people use
    #[command(before_help = TEST_EXAMPLES, after_help = TEST_EXIT_CODES, args_override_self = true)]
    Test(Box<TestArgs>),
    /// Find the structures of which an invariant holds, once, for every function that takes them
    #[command(before_help = STAGE_EXAMPLES, after_help = STAGE_EXIT_CODES)]
    Stage(Box<StageArgs>),
    /// Run tests on the native program and say whether it does what they claim
    Replay(ReplayArgs),
    /// Compile C as clang does, with bitcode in every object: make CC="taw cc", then taw run ./program
    #[command(disable_help_flag = true)]
    Cc {
        /// Arguments of clang (`taw cc --help` says what is different)
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARG")]
        words: Vec<OsString>,
    },
    /// Compile C++ as clang does, with bitcode in every object
    #[command(name = "c++", disable_help_flag = true)]
    Cxx {
        /// Arguments of clang (`taw c++ --help` says what is different)
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARG")]
        words: Vec<OsString>,
    },
    /// Show tests again as the summary does: place, calls, inputs, and the command that repeats them; or the structures of a stage
    Show {
        /// Tests of an output directory, or stages
        #[arg(required = true, value_name = "TEST.json|FILE.stage")]
        tests: Vec<PathBuf>,
        /// Step through the lines of the path, with the values that changed
        #[arg(long)]
        path: bool,
        #[command(flatten)]
        stage: StageShowArgs,
        #[command(flatten)]
        trust: TrustArgs,
    },
    /// Answer an SMT-LIB script (QF_BV, QF_FP, QF_BVFP, QF_ABV): sat with a model, unsat, or unknown with the reason
    Solve(SolveArgs),
    /// Say what is installed, what is missing and how to get it
    Doctor,
    /// List the search strategies
    Strategies,
    /// Measure
    Bench {
        #[command(subcommand)]
        what: Bench,
    },
    /// Write the manual pages into a folder
    #[command(hide = true)]
    Man {
        /// The folder
        folder: PathBuf,
    },
    /// Print the completions for a shell
    #[command(hide = true)]
    Completions {
        /// The shell
        shell: Shell,
    },
}

/// What to run and how; `taw reach` takes the same.
#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    /// C sources, bitcode (.bc), LLVM assembly (.ll), or what `taw cc` has built; several are linked
    #[arg(required_unless_present = "database", value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Start at this function; its parameters and what they point at are symbolic; repeat it, or 'parse_*' for all of such names, '*' for all that no other
    /// calls, each for each on its own with an equal share of the limits [default: main]
    #[arg(long, value_name = "FUNCTION", default_value = "main", hide_default_value = true)]
    pub entry: Vec<String>,

    /// Only list the functions (those that --entry means), with what keeps paths from starting there
    #[arg(long)]
    pub list: bool,

    /// Look for more kinds of errors: overflow (signed), uninit (memory that decides), leak
    #[arg(long, value_name = "KIND,...", value_delimiter = ',', hide_possible_values = true)]
    pub check: Vec<CheckArg>,

    /// Treat calls of this function as marks; its first argument is the label (as of taw_target)
    #[arg(long, value_name = "FUNCTION")]
    pub marker: Vec<String>,

    /// Call this function natively instead of running it, and search for arguments where its value matters: it must take and
    /// return numbers and have no effects. LIB.so has it, unless the program, the C library or a library of --cflag -l does
    #[arg(long, value_name = "NAME[=LIB.so]", value_parser = clap::value_parser!(PureFunction))]
    pub pure: Vec<PureFunction>,

    /// Start only where this holds: C over the names of the entry's parameters (of main argc and argv) and all that its file declares
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
    pub assume: Vec<String>,

    /// Start only where this function of the program, called with the entry's arguments, does not return 0
    #[arg(long, value_name = "FUNCTION")]
    pub requires: Vec<String>,

    /// Where the entry returns, this function of the program must not return 0: called with its arguments, or with each one that it takes, the result
    /// among them; the usual one is an invariant
    #[arg(long, value_name = "FUNCTION")]
    pub ensures: Vec<String>,

    /// A pointer leads to exactly as many elements as a number says: two parameters (data=len), or members by their structure (buf.data=buf.len)
    #[arg(long, value_name = "POINTER=NUMBER", value_parser = clap::value_parser!(ArrayRule))]
    pub array: Vec<ArrayRule>,

    /// A `char *` is null or leads to text with a zero byte at its end: a parameter (p), a member (buf.name), '*' for every one
    #[arg(long, value_name = "POINTER")]
    pub string: Vec<String>,

    /// Of every structure of a type that is passed this function of the program holds: it takes a pointer to one ('struct buf'=buf_ok)
    #[arg(long, value_name = "TYPE=FUNCTION", value_parser = clap::value_parser!(InvariantRule))]
    pub invariant: Vec<InvariantRule>,

    /// A parameter of --entry is any structure of a stage that `taw stage` made (t=tree.stage); several parameters of one invariant: a,b=pair.stage
    #[arg(long, value_name = "PARAMETER=FILE", value_parser = clap::value_parser!(StageRule))]
    pub stage: Vec<StageRule>,

    /// Say how a function behaves that is declared and defined nowhere ('*' for all, or a pattern): return (an unknown value), havoc (also
    /// unknown values through its pointers that are not to const; the default), fail (a call is an error), never (it is not called)
    #[arg(long, value_name = "NAME[=HOW]", value_parser = clap::value_parser!(StubRule))]
    pub stub: Vec<StubRule>,

    /// Search for each error of --entry as a sequence of calls of these functions of the program, which make the objects that it takes: 'list_new,list_add',
    /// patterns, or '*' for all that it exports. What is found so is no caller's fault, and is shown first. Half of --max-time is for this
    #[arg(long, value_name = "FUNCTION,...", value_delimiter = ',')]
    pub build_with: Vec<String>,

    /// With --build-with: try up to N calls before that of the entry
    #[arg(long, value_name = "N", default_value_t = 4, requires = "build_with", value_parser = clap::value_parser!(u32).range(0..=16))]
    pub build_calls: u32,

    /// Run a harness written for another tool: libfuzzer (LLVMFuzzerTestOneInput)
    #[arg(long, value_name = "KIND", conflicts_with = "entry", hide_possible_values = true)]
    pub harness: Option<HarnessArg>,

    /// With --harness: the longest input in bytes
    #[arg(long, value_name = "N", default_value_t = 16, requires = "harness")]
    pub max_len: u64,

    /// Show what the program prints, path by path
    #[arg(long)]
    pub print_output: bool,

    /// Count the C library's code in coverage too, and let the search aim at it
    #[arg(long)]
    pub cover_libc: bool,

    #[command(flatten)]
    pub inputs: InputArgs,
    #[command(flatten)]
    pub shapes: ShapeArgs,
    #[command(flatten)]
    pub compile: CompileArgs,
    #[command(flatten)]
    pub search: SearchArgs,
    #[command(flatten)]
    pub solver: SolverArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// Errors that are looked for only on request.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum CheckArg {
    /// Signed arithmetic that overflows
    Overflow,
    /// Floats that do not fit the integer type they are converted to
    FloatCast,
    /// Branching on, or addressing by, memory that was never written
    Uninit,
    /// Heap memory that is not freed at exit
    Leak,
}

/// Entry points that are there for other tools.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum HarnessArg {
    /// LLVMFuzzerTestOneInput(data, size)
    Libfuzzer,
}

/// Which tests stay at the end of the run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum KeepArg {
    /// One per path
    All,
    /// Findings, and a small subset of the others with the same line and branch coverage
    Covering,
    /// Findings only
    Findings,
}

#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Compiling")]
pub(crate) struct CompileArgs {
    /// Take the flags of each file from a compile_commands.json, or from that of a folder; without FILE all of its files
    #[arg(short = 'p', long = "compile-commands", value_name = "DIR|FILE.json")]
    pub database: Option<PathBuf>,
    /// What that says of each file: found out before anything else
    #[arg(skip)]
    pub own_flags: Vec<FileFlags>,
    /// Pass one flag to clang (-O2, -m32, -std=c99, ...)
    #[arg(long, value_name = "FLAG", allow_hyphen_values = true)]
    pub cflag: Vec<String>,
    /// Search a folder for headers
    #[arg(short = 'I', value_name = "DIR")]
    pub include: Vec<String>,
    /// Define a macro
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub define: Vec<String>,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Search and limits")]
pub(crate) struct SearchArgs {
    /// Which path to run next (see `taw strategies`)
    #[arg(long, value_name = "STRATEGY")]
    pub search: Option<String>,
    /// The only source of randomness: the same seed gives the same run
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Stop after this time (30s, 5m, 1h)
    #[arg(long, value_name = "TIME", value_parser = units::duration)]
    pub max_time: Option<Duration>,
    /// Stop after this number of paths
    #[arg(long, value_name = "N")]
    pub max_paths: Option<u64>,
    /// Cut a path off after this number of forks
    #[arg(long, value_name = "N")]
    pub max_depth: Option<u32>,
    /// Keep at most this number of states
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_states: Option<u64>,
    /// Stop after this number of instructions, of all paths together: the same on every machine
    #[arg(long, value_name = "N")]
    pub max_instructions: Option<u64>,
    /// Cut a path off after this number of instructions: a loop without an end then costs no more
    #[arg(long, value_name = "N")]
    pub max_path_instructions: Option<u64>,
    /// Use no more memory than this (500M, 4G): paths are given up, and if that is not enough the run stops
    #[arg(long, value_name = "SIZE", default_value = "4G", value_parser = units::bytes)]
    pub max_memory: u64,
    /// Look for terms that are not needed any more whenever so many were made, to test that
    #[arg(long, value_name = "N", hide = true)]
    pub collect_after: Option<usize>,
    /// Show each run and each question of concolic testing, on standard error
    #[arg(long)]
    pub trace: bool,
    /// Execute these inputs first: files or folders of .ktest, Test-Comp XML, raw bytes, tests of Taw
    #[arg(long, value_name = "PATH", num_args = 1.., conflicts_with = "replay_path")]
    pub seeds: Vec<PathBuf>,
    /// Walk the path of a test of an earlier run again, without the solver
    #[arg(long, value_name = "TEST.json", conflicts_with_all = ["max_paths", "max_depth", "max_states", "max_instructions", "max_path_instructions"])]
    pub replay_path: Option<PathBuf>,
}

#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Solver")]
pub(crate) struct SolverArgs {
    /// Give a query up after this time; its path is then unknown
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = units::duration)]
    pub solver_timeout: Duration,
    /// Give all further queries up after this time in the solver
    #[arg(long, value_name = "TIME", value_parser = units::duration)]
    pub max_solver_time: Option<Duration>,
    /// Ask without what makes questions cheap or needless (ranges, intervals, caches, earlier models, local search): slices and a back end are left, to measure
    #[arg(long)]
    pub plain_solver: bool,
    /// Check every answer of the solver against another (slow)
    #[arg(long)]
    pub validate: bool,
    /// Write every query as SMT-LIB into this folder
    #[arg(long, value_name = "DIR")]
    pub dump_queries: Option<PathBuf>,
    /// Leave parts of the heuristic search out, to measure what they are worth
    #[arg(long, value_name = "PART,...", value_delimiter = ',', value_parser = ingredients(), hide = true)]
    pub walk_without: Vec<String>,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct OutputArgs {
    /// Write tests, findings and coverage here; an earlier output is replaced [default: a fresh taw-out-N]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Which tests stay at the end: all, covering (findings and a small set that covers as much; the default of
    /// `taw run`), findings (and what was reached; the default of `taw reach`)
    #[arg(long, value_name = "WHICH", hide_possible_values = true)]
    pub keep: Option<KeepArg>,
    /// Write the tests in other formats too: testcomp, ktest, corpus, ctest, sarif, coverage
    #[arg(long, value_name = "FORMAT,...", value_delimiter = ',', value_parser = formats(), hide_possible_values = true)]
    pub emit: Vec<String>,
    /// Print one JSON document instead of the summary
    #[arg(long)]
    pub json: bool,
    /// Leave out errors of --entry that a parameter which is null, or the same as another, alone explains: they are marked in JSON and files,
    /// and do not count for the exit code
    #[arg(long)]
    pub quiet_preconditions: bool,
    /// Do not confirm findings by running the program natively
    #[arg(long)]
    pub no_replay: bool,
    /// Run the other tests that are kept natively too, and say which do not what they claim
    #[arg(long, conflicts_with = "no_replay")]
    pub replay_tests: bool,
    /// Run the program natively as you would, and not in a cage: it may then change and remove your files
    #[arg(long)]
    pub unconfined: bool,
    /// Write time, instructions, paths, states, memory and more into this table, a line every second
    #[arg(long, value_name = "FILE.csv")]
    pub stats: Option<PathBuf>,
    /// Write what was covered and reached over time as a picture
    #[arg(long, value_name = "FILE.svg")]
    pub plot: Option<PathBuf>,
    /// With --plot: draw earlier runs beside this one
    #[arg(long, value_name = "DIR", requires = "plot")]
    pub plot_with: Vec<PathBuf>,
}

#[derive(Debug, Args)]
#[command(before_help = SOLVE_EXAMPLES, after_help = SOLVE_EXIT_CODES)]
pub(crate) struct SolveArgs {
    /// The script, or - for standard input
    #[arg(value_name = "FILE.smt2")]
    pub file: PathBuf,
    /// The only source of randomness: the same seed gives the same answer
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Give up after this time
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = units::duration)]
    pub solver_timeout: Duration,
    /// Check the answer against another solver
    #[arg(long)]
    pub validate: bool,
    /// Say how much each stage of the solver did, as comments
    #[arg(long)]
    pub stats: bool,
    /// Leave parts of the heuristic search out, to measure what they are worth
    #[arg(long, value_name = "PART,...", value_delimiter = ',', value_parser = ingredients(), hide = true)]
    pub walk_without: Vec<String>,
}

/// What of a command that somebody else may have written the user allows.
#[derive(Debug, Args)]
pub(crate) struct TrustArgs {
    /// With --path: a flag that the run had for clang and that could run code or write files: to allow it, say it again
    #[arg(long, value_name = "FLAG", allow_hyphen_values = true, requires = "path")]
    pub cflag: Vec<String>,
    /// With --path: a function that the run called natively: to have it called again, say it again
    #[arg(long, value_name = "NAME[=LIB.so]", value_parser = clap::value_parser!(PureFunction), requires = "path")]
    pub pure: Vec<PureFunction>,
}

#[derive(Debug, Args)]
#[command(before_help = REPLAY_EXAMPLES, after_help = REPLAY_EXIT_CODES)]
pub(crate) struct ReplayArgs {
    /// Output directories of `taw run`, or single tests of one
    #[arg(required = true, value_name = "DIR|TEST")]
    pub tests: Vec<PathBuf>,
    /// Run this binary instead of building the program; for inputs that its calls ask for, link it with runtime/replay/replay.c
    #[arg(long, value_name = "BINARY")]
    pub program: Option<PathBuf>,
    /// A flag that the output directory has for clang and that could run code or write files: to allow it, say it again
    #[arg(long, value_name = "FLAG", allow_hyphen_values = true)]
    pub cflag: Vec<String>,
    /// End a run after this time
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = units::duration)]
    pub timeout: Duration,
    /// End a run that uses more memory than this
    #[arg(long, value_name = "SIZE", default_value = "2G", value_parser = units::bytes)]
    pub memory: u64,
    /// Print one JSON document, with the lines that each run covered
    #[arg(long)]
    pub json: bool,
    /// Run the program as you would, and not in a cage: it may then change and remove your files
    #[arg(long)]
    pub unconfined: bool,
}

fn ingredients() -> PossibleValuesParser {
    PossibleValuesParser::new(taw_solver::Ingredient::ALL.map(|(name, _)| name))
}

fn formats() -> PossibleValuesParser {
    let format = |format: &taw_report::FormatDef| PossibleValue::new(format.name).help(format.help);
    PossibleValuesParser::new(taw_report::FORMATS.iter().map(format))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;
    use taw::Arg;

    fn run(words: &str) -> RunArgs {
        match Cli::try_parse_from(words.split(' ')).unwrap().command {
            Command::Run(args) => *args,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_definition_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn flags_of_compilers_are_spelled_as_compilers_spell_them() {
        let args = run("taw run a.c -Iinc -I inc2 -DX=1 -D Y --cflag -O2 --cflag=-m32 -- -x y");
        assert_eq!(args.compile.include, ["inc", "inc2"]);
        assert_eq!(args.compile.define, ["X=1", "Y"]);
        assert_eq!(args.compile.cflag, ["-O2", "-m32"]);
        let world = args.inputs.world("p".as_ref(), None).unwrap();
        assert_eq!(world.args, [Arg::Text(b"-x".to_vec()), Arg::Text(b"y".to_vec())]);
        assert_eq!(args.files, [PathBuf::from("a.c")]);
    }

    #[test]
    fn checks_are_a_list() {
        assert_eq!(run("taw run a.c --check overflow,leak").check, [CheckArg::Overflow, CheckArg::Leak]);
        assert!(Cli::try_parse_from(["taw", "run", "a.c", "--check", "typo"]).is_err());
    }

    #[test]
    fn formats_are_a_list_of_known_names() {
        assert_eq!(run("taw run a.c --emit ktest,sarif").output.emit, ["ktest", "sarif"]);
        assert!(Cli::try_parse_from(["taw", "run", "a.c", "--emit", "typo"]).is_err());
        let help = RunArgs::augment_args(clap::Command::new("x")).render_long_help().to_string();
        for format in taw_report::FORMATS {
            assert!(help.contains(format.name), "--help does not name {}", format.name);
        }
    }

    #[test]
    fn a_file_is_needed() {
        assert_eq!(Cli::try_parse_from(["taw", "run"]).unwrap_err().exit_code(), 2);
    }
}
