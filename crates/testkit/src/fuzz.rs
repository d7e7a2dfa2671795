//! Random small programs over two symbolic bytes: Taw's paths are compared with brute force, its tests with native runs.
//!
//! Where csmith checks numbers on one path, this checks that no path is missing and none is invented. Programs are free
//! of undefined behaviour by construction: arithmetic is unsigned, divisors are odd, shifts and indices are masked.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use libtest_mimic::{Completion, Failed, Trial};

use crate::brute;
use crate::native::{BuildRecipe, CompiledProgram};
use crate::taw::{JsonOutcome, Taw};

/// A program with more paths than this is left out: it would only be slow.
const MOST_PATHS: u64 = 400;

/// Tests of one program that are replayed.
const REPLAYED: usize = 20;

/// One path after the other, which must be the same ones.
const CONCOLIC: &str = "concolic(IPPC)";

/// One trial per seed.
pub fn fuzz_trials(taw: &Taw, seeds: crate::Seeds) -> Vec<Trial> {
    let trial = |seed: u32| {
        let taw = taw.clone();
        Trial::ignorable_test(format!("random/seed-{seed}"), move || check(&taw, seed).map_err(Failed::from))
    };
    (seeds.first..=seeds.last).map(trial).collect()
}

fn check(taw: &Taw, seed: u32) -> Result<Completion, String> {
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let source = folder.path().join(format!("random-{seed}.c"));
    let text = ProgramWriter::new(seed).program();
    std::fs::write(&source, &text).map_err(|e| e.to_string())?;
    let counted = brute::count(&source)?;
    if counted.0 > MOST_PATHS {
        return Ok(Completion::ignored_with(format!("{} paths", counted.0)));
    }
    compare(taw, folder.path(), &source, counted)
        .and_then(|()| reach(taw, folder.path(), &source, &text))
        .map_err(|why| format!("{why}\n{text}"))?;
    Ok(Completion::Completed)
}

/// At -O0 the paths are those of the source; at -O2 they are others, but what they print is not.
fn compare(taw: &Taw, folder: &Path, source: &Path, counted: (u64, u64)) -> Result<(), String> {
    let recipe = BuildRecipe {
        sources: vec![source.to_owned()],
        sanitize: "address,undefined".into(),
        ..BuildRecipe::default()
    };
    let native = CompiledProgram::compile(&recipe)?;
    for (level, paths, search) in
        [("-O0", Some(counted), None), ("-O2", None, None), ("-O0", Some(counted), Some(CONCOLIC))]
    {
        let out = folder.join(search.map_or(level, |_| "concolic"));
        let words = [format!("--cflag={level}")].into_iter().chain(search.map(|search| format!("--search={search}")));
        let words: Vec<String> = words.collect();
        explore(taw, &out, source, &words, paths, &native).map_err(|why| format!("{}: {why}", words.join(" ")))?;
    }
    Ok(())
}

/// Every label has the verdict that trying all inputs gives it.
fn reach(taw: &Taw, folder: &Path, source: &Path, text: &str) -> Result<(), String> {
    if !text.contains("taw_target") {
        return Ok(());
    }
    let passed = brute::labels(source)?;
    for search in [None, Some("--search=concolic(DFS)".to_owned())] {
        let words = [source.display().to_string(), "--target".to_owned(), "label:*".to_owned()];
        let arguments: Vec<String> = words.into_iter().chain(search.clone()).collect();
        let run = taw.reach(&folder.join("reach"), &arguments, Duration::from_secs(200))?;
        for row in run.reached()?.targets {
            let label = row.target.trim_start_matches("label:");
            let wanted = if passed.contains(label) { "reached" } else { "unreachable" };
            if row.verdict != wanted {
                let why = &row.reason;
                return Err(format!("{} is {} instead of {wanted} by {search:?}: {why:?}", row.target, row.verdict));
            }
        }
    }
    Ok(())
}

fn explore(
    taw: &Taw,
    out: &Path,
    source: &Path,
    words: &[String],
    paths: Option<(u64, u64)>,
    native: &CompiledProgram,
) -> Result<(), String> {
    let arguments: Vec<String> = [source.display().to_string()].into_iter().chain(words.iter().cloned()).collect();
    let run = taw.run(out, &arguments, Duration::from_secs(200))?;
    if run.code() == 2 {
        return Err(run.stderr());
    }
    let (document, tests) = (run.document()?, run.tests()?);
    if let Some(finding) = document.findings.first() {
        return Err(format!("a finding in a correct program: {finding:?}"));
    }
    let found = (document.paths.completed, document.paths.errored);
    if paths.is_some_and(|paths| paths != found) || !document.exhaustive {
        return Err(format!("{found:?} paths instead of {paths:?}; exhaustive: {}", document.exhaustive));
    }
    if tests.iter().any(|test| !matches!(test.outcome, JsonOutcome::Exit { .. })) {
        return Err("a path did not end".into());
    }
    tests.iter().step_by(tests.len().div_ceil(REPLAYED).max(1)).try_for_each(|test| native.confirm(test))
}

/// Writes one program.
struct ProgramWriter {
    state: u64,
    text: String,
    indent: usize,
    loops: u32,
    labels: u32,
}

const TYPES: [&str; 6] = ["uint8_t", "int8_t", "uint16_t", "int16_t", "uint32_t", "uint64_t"];
const VARIABLES: usize = 5;

impl ProgramWriter {
    fn new(seed: u32) -> Self {
        let state = u64::from(seed).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x1234_5678_9abc_def1;
        ProgramWriter { state, text: String::new(), indent: 1, loops: 0, labels: 0 }
    }

    /// A number below `n` (xorshift: any fair source will do).
    fn below(&mut self, n: u64) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state >> 11) % n
    }

    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "{}{line}", "  ".repeat(self.indent));
    }

    fn program(mut self) -> String {
        self.text.push_str("#include <stdio.h>\n#include <taw.h>\n\nint main(void) {\n");
        let kind = self.below(4);
        let element = TYPES[usize::try_from(kind).unwrap_or(0)];
        let items: Vec<String> = (0..8).map(|_| self.below(200).to_string()).collect();
        self.line(&format!("{element} a[8] = {{{}}};", items.join(", ")));
        self.line("uint8_t x = taw_u8(\"x\"), y = taw_u8(\"y\");");
        for (i, ty) in TYPES.iter().enumerate().take(VARIABLES) {
            let value = self.expression(2, i);
            self.line(&format!("{ty} v{i} = ({ty})({value});"));
        }
        for _ in 0..5 {
            self.statement(2);
        }
        for i in 0..VARIABLES {
            self.line(&format!("printf(\"%llx \", (unsigned long long)v{i});"));
        }
        self.line("for (int i = 0; i < 8; i++) printf(\"%x \", (unsigned)a[i]);");
        self.line("return 0;");
        self.text.push_str("}\n");
        self.text
    }

    fn variable(&mut self, known: usize) -> String {
        match usize::try_from(self.below(known as u64 + 2)).unwrap_or(0) {
            0 => "x".into(),
            1 => "y".into(),
            n => format!("v{}", n - 2),
        }
    }

    /// An expression over the inputs and the first `known` variables. Every operation is done on uint64_t.
    fn expression(&mut self, depth: u32, known: usize) -> String {
        if depth == 0 {
            return match self.below(4) {
                0 => self.below(300).to_string() + "u",
                _ => format!("(uint64_t){}", self.variable(known)),
            };
        }
        let (a, b) = (self.expression(depth - 1, known), self.expression(depth - 1, known));
        match self.below(12) {
            0 => format!("({a} + {b})"),
            1 => format!("({a} - {b})"),
            2 => format!("({a} & 255) * ({b} & 15)"),
            3 => format!("({a} / (({b} & 31) | 1))"),
            4 => format!("({a} % (({b} & 63) | 1))"),
            5 => format!("({a} ^ {b})"),
            6 => format!("({a} | {b})"),
            7 => format!("({a} >> ({b} & 7))"),
            8 => format!("({a} << ({b} & 7))"),
            9 => format!("(uint64_t)a[{a} & 7]"),
            10 => format!("(uint64_t)({a} < {b})"),
            _ => format!("~{a}"),
        }
    }

    fn condition(&mut self) -> String {
        let (a, b) = (self.expression(1, VARIABLES), self.expression(1, VARIABLES));
        match self.below(7) {
            0 => format!("{a} == {b}"),
            1 => format!("{a} < {b}"),
            2 => format!("(int8_t){a} < (int8_t){b}"),
            3 => format!("(int16_t){a} >= {}", self.below(100)),
            4 => format!("{a} & {}", 1 << self.below(6)),
            5 => format!("{a} > {b} && {} != x", self.variable(VARIABLES)),
            _ => format!("{a} > {b} || {} == y", self.variable(VARIABLES)),
        }
    }

    fn block(&mut self, head: &str, depth: u32, count: u64) {
        self.line(&format!("{head} {{"));
        self.indent += 1;
        self.line(&format!("taw_target(\"L{}\");", self.labels));
        self.labels += 1;
        for _ in 0..=self.below(count) {
            self.statement(depth);
        }
        self.indent -= 1;
        self.line("}");
    }

    fn assignment(&mut self) {
        let value = self.expression(2, VARIABLES);
        if self.below(3) == 0 {
            let index = self.expression(1, VARIABLES);
            self.line(&format!("a[{index} & 7] = {value};"));
        } else {
            let target = self.below(VARIABLES as u64);
            self.line(&format!("v{target} = {value};"));
        }
    }

    fn statement(&mut self, depth: u32) {
        let kind = if depth == 0 { 9 } else { self.below(10) };
        match kind {
            0..=2 => {
                let condition = self.condition();
                self.block(&format!("if ({condition})"), depth - 1, 2);
                if self.below(2) == 0 {
                    self.block("else", depth - 1, 2);
                }
            }
            3 => {
                let (name, bound) = (format!("i{}", self.loops), self.expression(1, VARIABLES));
                self.loops += 1;
                self.block(&format!("for (unsigned {name} = 0; {name} < ({bound} & 3); {name}++)"), 0, 2);
            }
            4 => self.switch(depth),
            _ => self.assignment(),
        }
    }

    fn switch(&mut self, depth: u32) {
        let value = self.expression(1, VARIABLES);
        self.line(&format!("switch ({value} & 7) {{"));
        self.indent += 1;
        for case in ["case 0:", "case 3: case 4:", "case 6:", "default:"] {
            self.block(case, depth - 1, 1);
            if self.below(4) != 0 {
                self.line("break;");
            }
        }
        self.line(";");
        self.indent -= 1;
        self.line("}");
    }
}
