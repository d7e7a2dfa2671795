//! Random whole programs with labels in nested calls, searched for forward and from the labels' side: no verdict contradicts what trying all inputs says.
//!
//! The functions read and write what a search that starts in the middle does not know: parameters, globals, what pointers lead to, locals whose address
//! is taken, counters of loops. Most conditions are rare or impossible, some only because of what a caller, or a loop, has done before. Programs are free of
//! undefined behaviour by construction.

use std::fmt::Write as _;
use std::time::Duration;

use libtest_mimic::{Failed, Trial};

use crate::brute;
use crate::taw::Taw;

/// How each program is searched; nothing is the default.
const SEARCHES: [Option<&str>; 5] =
    [None, Some("CCBSE(RP)"), Some("Mix-CCBSE(KLEE,0.1)"), Some("Portfolio(KLEE,0.1,0)"), Some("symcretic")];

/// One trial per seed.
pub fn backward_trials(taw: &Taw, seeds: crate::Seeds) -> Vec<Trial> {
    let trial = |seed: u32| {
        let taw = taw.clone();
        Trial::test(format!("backward/seed-{seed}"), move || check(&taw, seed).map_err(Failed::from))
    };
    (seeds.first..=seeds.last).map(trial).collect()
}

fn check(taw: &Taw, seed: u32) -> Result<(), String> {
    let folder = crate::scratch()?;
    let source = folder.path().join(format!("backward-{seed}.c"));
    let text = LabelWriter::new(seed).program();
    std::fs::write(&source, &text).map_err(|e| e.to_string())?;
    let passed = brute::labels(&source)?;
    for search in SEARCHES {
        let level = if seed.is_multiple_of(4) { "-O1" } else { "-O0" };
        let options = ["--no-replay", "--target", "label:*", "--max-time", "3s", "--cflag", level];
        let mut arguments = vec![source.display().to_string()];
        arguments.extend(options.map(str::to_owned));
        arguments.extend(search.into_iter().flat_map(|search| ["--search".to_owned(), search.to_owned()]));
        let rows = taw.reach(&folder.path().join("out"), &arguments, Duration::from_secs(100))?.reached()?.targets;
        for row in rows {
            let is_passed = passed.contains(row.target.trim_start_matches("label:"));
            let is_wrong = match row.verdict.as_str() {
                "reached" => !is_passed,
                "unreachable" => is_passed,
                _ => false,
            };
            if is_wrong {
                let search = search.unwrap_or("the default");
                return Err(format!("{search}, {level}: {} is called {}\n{text}", row.target, row.verdict));
            }
        }
    }
    Ok(())
}

const HEAD: &str = r#"#include <stdint.h>
#include <taw.h>
struct node { uint8_t n; uint8_t *p; struct node *next; };
static uint8_t g, h, t[4], u[4];
static struct node nodes[3];
"#;

/// Functions, the first of which `main` calls.
const FUNCTIONS: usize = 4;

/// What may be asked, with `$` for a small number. `a`, `b` and `c` are numbers, `p`, `q` and `r` pointers, `l` and `k` locals whose
/// addresses are taken; `r` alone may point at a local, and nobody keeps it.
const CONDITIONS: [&str; 19] = [
    "a > $",
    "a == b",
    "(a & 3) == $",
    "b < $",
    "*p == $",
    "p == &g",
    "q->n == $",
    "q->p == p",
    "g == $",
    "h > g",
    "l[a & 3] == $",
    "c == $",
    "a + b == $",
    "q->next == q",
    "*q->p > $",
    "c > a",
    "t[b & 3] != u[a & 3]",
    "k.n == $",
    "*r == $",
];

/// What may be done.
const DEEDS: [&str; 19] = [
    "a += $;",
    "b ^= a;",
    "g = a & 7;",
    "h = g;",
    "*p = $;",
    "q->n = a;",
    "q->p = p;",
    "p = &t[b & 3];",
    "p = q->p;",
    "q = q->next;",
    "l[b & 3] = a;",
    "c = c * 2 + $;",
    "c = l[$ & 3];",
    "r = &l[a & 3];",
    "k = *q;",
    "q->p = &u[c & 3];",
    "q = &k; k.p = &h; k.next = &nodes[1];",
    "*q->p += 1;",
    "*r = a;",
];

struct LabelWriter {
    state: u64,
    labels: usize,
}

impl LabelWriter {
    fn new(seed: u32) -> Self {
        LabelWriter { state: u64::from(seed).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x1234_5678_9abc_def1, labels: 0 }
    }

    /// A number below `n` (xorshift: any fair source will do).
    fn below(&mut self, n: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        ((self.state >> 11) % n as u64) as usize
    }

    fn one_of(&mut self, texts: &[&str]) -> String {
        let text = texts[self.below(texts.len())];
        let number = [0, 1, 2, 3, 5, 7, 200][self.below(7)];
        text.replace('$', &number.to_string())
    }

    fn program(&mut self) -> String {
        let mut text = HEAD.to_owned();
        for function in (0..FUNCTIONS).rev() {
            writeln!(
                text,
                "static uint8_t f{function}(uint8_t a, uint8_t b, uint8_t *p, struct node *q, uint8_t *r) {{"
            )
            .unwrap();
            text.push_str("  uint8_t c = b / 3, l[4] = {1, 2, a, b};\n  struct node k = *q;\n");
            let count = 2 + self.below(3);
            (0..count).for_each(|_| self.statement(&mut text, function, 1));
            self.call(&mut text, function, "  ");
            self.label(&mut text, "  ");
            (0..2).for_each(|_| self.statement(&mut text, function, 1));
            text.push_str("  return c + l[1] + k.n;\n}\n");
        }
        text.push_str("int main(void) {\n  uint8_t x = taw_u8(\"x\"), y = taw_u8(\"y\");\n  g = 4; h = x & 1;\n");
        text.push_str("  for (int i = 0; i < 4; i++) { t[i] = i; u[i] = y & 3; }\n");
        text.push_str("  for (int i = 0; i < 3; i++) { nodes[i].n = i; nodes[i].p = &t[i]; nodes[i].next = &nodes[(i + 1) % 3]; }\n");
        let (first, second) = (self.below(20), self.below(200));
        writeln!(text, "  if (x < {second}) f0(x & 15, y + {first}, &g, &nodes[y & 1], &h);").unwrap();
        text.push_str("  f0(x, 3, u, nodes, &x);\n  return 0;\n}\n");
        text
    }

    /// Two conditions and a label behind them.
    fn label(&mut self, text: &mut String, blank: &str) {
        let (first, deed, second) = (self.one_of(&CONDITIONS), self.one_of(&DEEDS), self.one_of(&CONDITIONS));
        let label = self.labels;
        writeln!(text, "{blank}if ({first}) {{ {deed} if ({second}) taw_target(\"L{label}\"); }}").unwrap();
        self.labels += 1;
    }

    /// A call of a later function, if there is one.
    fn call(&mut self, text: &mut String, function: usize, blank: &str) {
        if function + 1 < FUNCTIONS {
            let callee = function + 1 + self.below(FUNCTIONS - function - 1);
            let arguments =
                ["a, c, p, q, r", "b, a, p, q, l", "c, g, q->p, q, p", "a, b, p, &k, &c", "a & 3, 7, &h, q->next, r"];
            let arguments = arguments[self.below(arguments.len())];
            writeln!(text, "{blank}c = f{callee}({arguments});").unwrap();
        }
    }

    fn statement(&mut self, text: &mut String, function: usize, depth: usize) {
        let blank = "  ".repeat(depth);
        let kind = self.below(if depth > 3 { 3 } else { 9 });
        match kind {
            0 | 1 => {
                let deed = self.one_of(&DEEDS);
                writeln!(text, "{blank}{deed}").unwrap();
            }
            2 => self.label(text, &blank),
            3..=5 => {
                let condition = self.one_of(&CONDITIONS);
                writeln!(text, "{blank}if ({condition}) {{").unwrap();
                (0..2).for_each(|_| self.statement(text, function, depth + 1));
                if self.below(2) == 0 {
                    writeln!(text, "{blank}}} else {{").unwrap();
                    self.statement(text, function, depth + 1);
                }
                writeln!(text, "{blank}}}").unwrap();
            }
            6 => {
                writeln!(text, "{blank}for (uint8_t i = 0; i < (a & 3); i++) {{").unwrap();
                self.statement(text, function, depth + 1);
                writeln!(text, "{blank}  c += i;\n{blank}}}").unwrap();
            }
            7 => self.call(text, function, &blank),
            _ => {
                let condition = self.one_of(&CONDITIONS);
                writeln!(text, "{blank}if ({condition}) return c;").unwrap();
            }
        }
    }
}
