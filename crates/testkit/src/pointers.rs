//! Random pointer arithmetic over two symbolic bytes: which labels are reached, which values are read and which accesses leave
//! their object must be what trying all inputs natively says, at every optimisation level.
//!
//! Each element of each array has a value of its own, so that a pointer resolved to another object shows. Every pointer is
//! computed in a roundabout way (moved far out and back, through memory, unions, integers, choices) to an index that is known.
//! An access may also leave its array: for the native program, which must not do that, the macro STRAY passes a label instead.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use libtest_mimic::{Failed, Trial};

use crate::brute;
use crate::taw::Taw;

const LEVELS: [&str; 4] = ["-O0", "-O1", "-O2", "-O3"];

/// What no pointer may do: the labels of values that are wrong start here.
const WRONG: u32 = 500;
/// Labels of accesses that leave their array, of the native program only, start here.
const STRAY: u32 = 700;

/// One trial per seed.
pub fn pointer_trials(taw: &Taw, seeds: crate::Seeds) -> Vec<Trial> {
    let trial = |seed: u32| {
        let taw = taw.clone();
        Trial::test(format!("pointers/seed-{seed}"), move || check(&taw, seed).map_err(Failed::from))
    };
    (seeds.first..=seeds.last).map(trial).collect()
}

fn check(taw: &Taw, seed: u32) -> Result<(), String> {
    let folder = crate::scratch()?;
    let source = folder.path().join(format!("pointers-{seed}.c"));
    let program = PointerWriter::new(seed).program();
    std::fs::write(&source, &program.text).map_err(|e| e.to_string())?;
    let passed = brute::labels(&source)?;
    if let Some(wrong) = passed.iter().find(|label| (WRONG..STRAY).contains(&number(label))) {
        return Err(format!("the native program passes {wrong}\n{}", program.text));
    }
    for level in LEVELS {
        let out = folder.path().join(level);
        compare(taw, &out, &source, level, &program, &passed)
            .map_err(|why| format!("{level}: {why}\n{}", program.text))?;
    }
    Ok(())
}

fn number(label: &str) -> u32 {
    label.trim_start_matches("label:").trim_start_matches('L').parse().unwrap_or(0)
}

fn compare(
    taw: &Taw,
    out: &Path,
    source: &Path,
    level: &str,
    program: &PointerProgram,
    passed: &BTreeSet<String>,
) -> Result<(), String> {
    let limit = Duration::from_secs(200);
    let mut arguments = vec![source.display().to_string(), format!("--cflag={level}")];
    let document = taw.run(&out.join("run"), &arguments, limit)?.document()?;
    if !document.exhaustive {
        return Err("not exhaustive".into());
    }
    let found: BTreeSet<u32> = document.findings.iter().filter_map(|f| f.line).collect();
    let strays = program.accesses.iter().filter(|(_, block)| passed.contains(&format!("L{}", STRAY + block)));
    let wanted: BTreeSet<u32> = strays.map(|(line, _)| *line).collect();
    if found != wanted {
        return Err(format!("errors at lines {found:?} instead of {wanted:?}: {:?}", document.findings));
    }
    arguments.extend(["--no-replay", "--target", "label:*"].map(str::to_owned));
    for row in taw.reach(&out.join("reach"), &arguments, limit)?.reached()?.targets {
        let label = row.target.trim_start_matches("label:");
        let wanted = if passed.contains(label) { "reached" } else { "unreachable" };
        if row.verdict != wanted {
            return Err(format!("{} is {} instead of {wanted}: {:?}", row.target, row.verdict, row.reason));
        }
    }
    Ok(())
}

/// A program, and the lines of the accesses that may leave their array, with the numbers of their blocks.
struct PointerProgram {
    text: String,
    accesses: Vec<(u32, u32)>,
}

/// An array: its name and length. Its first element is `first`, each next one more.
struct PointedArray {
    name: String,
    len: u64,
    first: u64,
}

struct PointerWriter {
    state: u64,
    text: String,
    element: &'static str,
    arrays: Vec<PointedArray>,
    accesses: Vec<(u32, u32)>,
}

const HEAD: &str = r#"#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <taw.h>
#ifdef main
#define STRAY(fine, label) if (!(fine)) { taw_target(label); return 0; }
#else
#define STRAY(fine, label)
#endif
"#;

const ELEMENTS: [&str; 4] = ["uint8_t", "uint16_t", "uint32_t", "uint64_t"];
const INDICES: [&str; 8] = ["uint8_t", "int8_t", "uint16_t", "int16_t", "uint32_t", "int32_t", "uint64_t", "int64_t"];
const BLOCKS: u32 = 4;

impl PointerWriter {
    fn new(seed: u32) -> Self {
        let state = u64::from(seed).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x0123_4567_89ab_cdef;
        let mut writer =
            PointerWriter { state, text: HEAD.into(), element: "", arrays: Vec::new(), accesses: Vec::new() };
        writer.element = writer.one_of(&ELEMENTS);
        writer
    }

    /// A number below `n` (xorshift: any fair source will do).
    fn below(&mut self, n: u64) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state >> 11) % n
    }

    fn one_of(&mut self, choices: &[&'static str]) -> &'static str {
        let at = self.below(choices.len() as u64);
        choices[usize::try_from(at).unwrap_or(0)]
    }

    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "{line}");
    }

    fn program(mut self) -> PointerProgram {
        let t = self.element;
        for i in 0..5 {
            let len = 3 + self.below(38);
            let first = self.arrays.last().map_or(10, |a| a.first + a.len);
            self.arrays.push(PointedArray { name: format!("a{i}"), len, first });
        }
        let [len0, len1, len2, len3, len4] = [0, 1, 2, 3, 4].map(|i| self.arrays[i].len);
        self.line(&format!("static {t} a0[{len0}];\n{t} a1[{len1}];\nstatic {t} *volatile kept;"));
        self.line(
            "struct holder { int before; void *pointer; } holder;\nunion both { void *pointer; uintptr_t number; };",
        );
        self.line("int main(void) {\n  uint8_t x = taw_u8(\"x\"), y = taw_u8(\"y\");");
        self.line(&format!("  {t} a2[{len2}], *a3 = malloc({len3} * sizeof *a3), *a4 = malloc({len4} * sizeof *a4);"));
        for i in 0..self.arrays.len() {
            let PointedArray { name, len, first } = &self.arrays[i];
            let fill = format!("  for (int i = 0; i < {len}; i++) {name}[i] = ({t})({first} + i);");
            self.line(&fill);
        }
        // Nothing may be optimised away: every array is seen from outside.
        self.line("  kept = a0, kept = a2, kept = a3, kept = a4;");
        for block in 0..BLOCKS {
            self.block(block);
        }
        self.line("  taw_target(\"L499\");\n  return 0;\n}");
        PointerProgram { text: self.text, accesses: self.accesses }
    }

    /// An index that is sometimes in bounds, an access there, and whether it read the right value and wrote the right place.
    fn block(&mut self, block: u32) {
        let at = usize::try_from(self.below(5)).unwrap_or(0);
        let (name, len, first) = (self.arrays[at].name.clone(), self.arrays[at].len, self.arrays[at].first);
        let (t, index, value) = (self.element, self.one_of(&INDICES), self.index_value(len));
        let fine = format!("i >= 0 && (uint64_t)i < {len}");
        self.line(&format!("  {{\n    {index} i = ({index})({value});"));
        let strays = self.below(3) == 0;
        if strays {
            self.line(&format!("    STRAY({fine}, \"L{}\")\n    {{", STRAY + block));
        } else {
            self.line(&format!("    if ({fine}) {{"));
        }
        let pointer = self.pointer(&name, len);
        self.line(&format!("    {t} *p;\n    {pointer}"));
        if strays {
            let line = self.text.lines().count() as u32 + 1;
            self.accesses.push((line, block));
        }
        self.line(&format!("    {t} v = *p;"));
        self.line(&format!("    taw_target(\"L{block}\");"));
        self.line(&format!("    if (v != ({t})({first} + i)) taw_target(\"L{}\");", WRONG + block));
        self.line(&format!("    *p = 251;\n    if ({name}[i] != 251) taw_target(\"L{}\");", WRONG + 50 + block));
        self.line(&format!(
            "    *p = v;\n    if ({name}[{}] != {}) taw_target(\"L{}\");\n    }}\n  }}",
            len - 1,
            first + len - 1,
            WRONG + 100 + block
        ));
    }

    /// An index: where it is computed in 64 bits, its constant folds into the address.
    fn index_value(&mut self, len: u64) -> String {
        let (a, b) = (self.below(60), self.below(20));
        let wide = self.one_of(&["(int64_t)", "(uint64_t)", ""]);
        match self.below(6) {
            0 => format!("{wide}x - {a}"),
            1 => format!("{wide}(x & 31) - (y & 7) + {}", b / 4),
            2 => format!("{wide}(x % {}) - {b}", len + 9),
            3 => format!("{wide}x + y - {a}"),
            4 => format!("{wide}{a} - (y & 63)"),
            _ => format!("{wide}(x ^ {b}) - {b}"),
        }
    }

    /// Statements that make `p` point at element `i` of an array.
    fn pointer(&mut self, a: &str, len: u64) -> String {
        let (t, k, m) = (self.element, self.below(90), 1 + self.below(300));
        let size = "(intptr_t)sizeof *p";
        match self.below(18) {
            0 => format!("p = &{a}[i];"),
            1 => format!("p = {a} + i - {k};\n    p += {k};"),
            2 => format!("{t} *q = {a};\n    q -= {k};\n    p = &q[(int64_t)i + {k}];"),
            3 => format!("int64_t n = (int64_t)i + {k};\n    p = {a} + n - {k};"),
            4 => format!("p = ({a} + {len} - 1) - ({len} - 1 - (int64_t)i);"),
            5 => format!(
                "p = ({t} *)((uintptr_t){a} + (uintptr_t)((int64_t)i * {size}) - {m});\n    p = ({t} *)((uintptr_t)p + {m});"
            ),
            6 => format!("holder.pointer = {a} + (int64_t)i - {k};\n    p = ({t} *)holder.pointer + {k};"),
            7 => format!("kept = {a} - {k};\n    p = kept + ((int64_t)i + {k});"),
            8 => format!("p = ({t} *)((char *){a} + ((int64_t)i + {k}) * {size} - {k} * {size});"),
            9 => format!("{t} *q = &{a}[i] - {k}, *r;\n    memcpy(&r, &q, sizeof r);\n    p = r + {k};"),
            10 => format!(
                "{t} *q = {a} + i + {k};\n    char *from = (char *)&q, *to = (char *)&p;\n    for (unsigned b = 0; b < sizeof p; b++) to[b] = from[b];\n    p -= {k};"
            ),
            11 => format!("{t} *q = {a} + {k};\n    ptrdiff_t d = q - {a};\n    p = {a} + i + d - {k};"),
            12 => self.choice(a, k),
            13 => self.table(a, k),
            14 => format!(
                "uintptr_t tagged = (uintptr_t)({a} + i - {k});\n    tagged ^= 1;\n    p = ({t} *)(tagged ^ 1) + {k};"
            ),
            15 => format!(
                "{t} *end = {a} + {len};\n    p = end + ((int64_t)i - {len});\n    if (p > end) p = end - {len} + (int64_t)i;"
            ),
            16 => format!("p = ({t} *)((uintptr_t){a} - {m} + (uintptr_t)((int64_t)i * {size}) + {m});"),
            _ => format!(
                "union both u = {{{a}}};\n    u.number -= {m};\n    u.number += (uintptr_t)((int64_t)i * {size} + {m});\n    p = u.pointer;"
            ),
        }
    }

    /// One of two arrays, the right one after all.
    fn choice(&mut self, a: &str, k: u64) -> String {
        let other = self.below(5);
        let t = self.element;
        format!(
            "{t} *q = y & 1 ? {a} : a{other};\n    q = q + i - {k};\n    if (!(y & 1)) q = {a} + i - {k};\n    p = q + {k};"
        )
    }

    /// The array as an element of a table that is read at an unknown place.
    fn table(&mut self, a: &str, k: u64) -> String {
        let (t, other) = (self.element, self.below(5));
        format!(
            "{t} *rows[4] = {{{a} - {k}, {a} - {k}, a{other}, a{other} + 1}};\n    p = rows[y & 1] + ((int64_t)i + {k});"
        )
    }
}
