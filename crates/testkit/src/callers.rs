//! Random whole programs that move pointers about and call a function with them, started at that function: what some native run of `main` was seen to
//! pass must not be called unreachable.
//!
//! The function looks at its arguments and at what is behind them (null, equal, a global, a function), one label for each. `main` moves pointers in every
//! way that an analysis may lose: memory, copies of structures, unions, integers, bytes, further arguments, callbacks, tables.
//! Which labels it passes, running it on all values of two bytes tells.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::time::Duration;

use libtest_mimic::{Failed, Trial};

use crate::brute;
use crate::taw::Taw;

/// One trial per seed.
pub fn caller_trials(taw: &Taw, seeds: crate::Seeds) -> Vec<Trial> {
    let trial = |seed: u32| {
        let taw = taw.clone();
        Trial::test(format!("callers/seed-{seed}"), move || check(&taw, seed).map_err(Failed::from))
    };
    (seeds.first..=seeds.last).map(trial).collect()
}

fn check(taw: &Taw, seed: u32) -> Result<(), String> {
    let folder = crate::scratch()?;
    let source = folder.path().join(format!("callers-{seed}.c"));
    let text = CallerWriter::new(seed).program();
    std::fs::write(&source, &text).map_err(|e| e.to_string())?;
    let passed = brute::labels(&source)?;
    let names = [source.display().to_string()];
    let options = ["--entry", "looked_at", "--no-replay", "--target", "label:*", "--max-time", "60s"];
    let arguments: Vec<String> = names.into_iter().chain(options.map(str::to_owned)).collect();
    let rows = taw.reach(&folder.path().join("out"), &arguments, Duration::from_secs(200))?.reached()?.targets;
    let excluded: BTreeSet<&str> = rows
        .iter()
        .filter(|row| row.verdict == "unreachable")
        .map(|row| row.target.trim_start_matches("label:"))
        .collect();
    if let Some(wrong) = excluded.iter().find(|label| passed.contains(**label)) {
        return Err(format!("{wrong} is called unreachable, and `main` gets there\n{text}"));
    }
    // Two arrays that are passed for nothing else never meet; where another pointer may be anything, both may be that.
    if is_followed(seed) && !excluded.contains("L99") {
        return Err(format!("L99 is not called unreachable\n{text}"));
    }
    Ok(())
}

const HEAD: &str = r#"#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <taw.h>
struct node { struct node *next; int *data; int (*call)(int); };
struct pair { int *first; struct node *second; };
static int one(int n) { return n + 1; }
static int two(int n) { return n + 2; }
static int three(int n) { return n + 3; }
static int (*const calls[3])(int) = {one, two, three};
static int numbers[2][3], more[2];
static struct node nodes[3];
static int *cell; static uintptr_t number; static struct node *last;
#define look(what, label) do { if (what) taw_target(label); } while (0)
static int looked_at(int *p, int *q, struct node *n, int (*call)(int), int *left, int *right) {
  look(left == right, "L99");
  look(!p, "L0"); look(!q, "L1"); look(p && p == q, "L2"); look(p == numbers[0], "L3"); look(q == more, "L4");
  look(!n, "L5"); look(!call, "L6"); look(call == one, "L7"); look(call == two, "L8"); look(call == three, "L9");
  if (!n) return 0;
  look(!n->data, "L10"); look(n->data && n->data == p, "L11"); look(n->data && n->data == q, "L12");
  look(n == n->next, "L13"); look(n->call == one, "L14"); look(n->call == two, "L15"); look(n == &nodes[1], "L16");
  look(n->data == more, "L17"); look(!n->next, "L18");
  if (n->next) { look(n->next->data && n->next->data == p, "L19"); look(n->next->data && n->next->data == n->data, "L20"); }
  return 0;
}
static int *same(int *p) { return p; }
static int *further(int count, ...) { va_list l; va_start(l, count); int *p = 0; while (count--) p = va_arg(l, int *); va_end(l); return p; }
static struct pair paired(int *p, struct node *n) { struct pair pair = {p, n}; return pair; }
static int *first(struct pair pair) { return pair.first; }
static int *(*const through[2])(int *) = {same, same};
static int sorted(const void *a, const void *b) { cell = *(int *const *)a; return 0; }
static void keep(int **to, int *p) { *to = p; }
"#;

/// Ways of a pointer to numbers, from `@` to `p[$]`.
const WAYS: [&str; 16] = [
    "p[$] = @;",
    "memcpy(&p[$], &p[#], sizeof *p);",
    "{ union { int *p; uintptr_t n; } u; u.p = @; uintptr_t n = u.n; union { uintptr_t n; int *p; } v; v.n = n; p[$] = v.p; }",
    "p[$] = (int *)(uintptr_t)@;",
    "{ uintptr_t n = (uintptr_t)@ | 1; p[$] = (int *)(n & ~(uintptr_t)1); }",
    "for (unsigned i = 0; i < sizeof *p; i++) ((char *)&p[$])[i] = ((char *)&p[#])[i];",
    "p[$] = further(2, &more[1], @);",
    "p[$] = first(paired(@, s[0]));",
    "p[$] = through[x & 1](@);",
    "{ int *both[2] = {@, @}; qsort(both, 2, sizeof *both, sorted); p[$] = cell; }",
    "keep(&p[$], @);",
    "{ int **room = malloc(2 * sizeof *room); room[0] = @; room = realloc(room, 64); p[$] = room[0]; free(room); }",
    "p[$] = x & 2 ? @ : p[#];",
    "if (s[0]) { s[0]->data = @; last = s[0]; } if (last) p[$] = last->data;",
    "number = (uintptr_t)@; p[$] = (int *)number;",
    "{ int *from = @; uintptr_t a = (uintptr_t)from, b = x; p[$] = (int *)((a ^ b) ^ b); }",
];

/// How many of them, at the beginning, every analysis should follow.
const FOLLOWED: usize = 14;

/// Whether the program of a seed has no other ways.
fn is_followed(seed: u32) -> bool {
    seed.is_multiple_of(2)
}

/// What is done to structures.
const DEEDS: [&str; 8] = [
    "s[%] = &nodes[1];",
    "s[%] = calloc(1, sizeof **s);",
    "if (s[%]) s[%]->data = @;",
    "if (s[%]) s[%]->next = s[0];",
    "if (s[%]) s[%]->call = calls[x & 1];",
    "if (s[%] && s[1]) *s[%] = *s[1];",
    "if (s[%]) memcpy(s[%], &nodes[0], sizeof **s);",
    "s[%] = paired(@, s[0]).second;",
];

/// Where pointers come from.
const SOURCES: [&str; 6] = ["numbers[0]", "more", "own", "0", "malloc(4)", "numbers[1]"];

struct CallerWriter {
    state: u64,
    ways: usize,
}

impl CallerWriter {
    fn new(seed: u32) -> Self {
        let state = u64::from(seed).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5151_1515_abcd_ef01;
        CallerWriter { state, ways: if is_followed(seed) { FOLLOWED } else { WAYS.len() } }
    }

    /// A number below `n` (xorshift: any fair source will do).
    fn below(&mut self, n: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        ((self.state >> 11) % n as u64) as usize
    }

    fn program(&mut self) -> String {
        let mut text = HEAD.to_owned();
        text.push_str("int main(void) {\n  uint8_t x = taw_u8(\"x\"), y = taw_u8(\"y\");\n");
        text.push_str("  int left[2], right[2], own[2], *p[4] = {0};\n  struct node *s[2] = {0};\n");
        for _ in 0..3 + self.below(4) {
            let (to, from) = (self.below(4), SOURCES[self.below(SOURCES.len())]);
            let _ = writeln!(text, "  p[{to}] = {from};");
        }
        for _ in 0..4 + self.below(12) {
            let statement = match self.below(3) {
                0 => DEEDS[self.below(DEEDS.len())],
                _ => WAYS[self.below(self.ways)],
            };
            let condition =
                if self.below(2) == 0 { format!("if (y & {}) ", 1 << self.below(8)) } else { String::new() };
            let statement = self.filled(statement);
            let _ = writeln!(text, "  {condition}{{ {statement} }}");
            if self.below(4) == 0 {
                self.call(&mut text);
            }
        }
        self.call(&mut text);
        text.push_str("  return 0;\n}\n");
        text
    }

    fn call(&mut self, text: &mut String) {
        let (p, q, n, call) = (self.below(4), self.below(4), self.below(2), self.below(3));
        let call = ["0", "calls[1]", "s[0] ? s[0]->call : three"][call];
        let _ = writeln!(text, "  looked_at(p[{p}], p[{q}], s[{n}], {call}, &left[x & 1], &right[y & 1]);");
    }

    /// A statement with places for its marks.
    fn filled(&mut self, statement: &str) -> String {
        let mut filled = String::new();
        let (to, from, structure) = (self.below(4), self.below(4), self.below(2));
        for letter in statement.chars() {
            match letter {
                '$' => filled.push_str(&to.to_string()),
                '#' => filled.push_str(&from.to_string()),
                '%' => filled.push_str(&structure.to_string()),
                '@' => {
                    let from = self.below(4);
                    let _ = write!(filled, "p[{from}]");
                }
                other => filled.push(other),
            }
        }
        filled
    }
}
