//! Random functions as lists of steps, and the C that they are.

use std::fmt::Write as _;

/// What all functions need.
pub(super) const TYPES: &str = "\
struct node { unsigned char v; struct node *next; };
struct pair { unsigned char a, b; };
struct outer { unsigned char k; struct pair in; };
";

/// What functions with global variables need beside.
pub(super) const GLOBALS: &str = "struct pair g = {1, 2};\nstatic struct outer h = {3, {0, 1}};\n";

/// Where numbers come from (xorshift: any fair source will do).
pub(super) struct EntryChance(u64);

impl EntryChance {
    pub fn new(seed: u32) -> Self {
        EntryChance(u64::from(seed).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x2545_f491_4f6c_dd1d)
    }

    pub fn below(&mut self, n: u64) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from((self.0 >> 11) % n).unwrap_or(0)
    }

    /// A value of two bits.
    fn value(&mut self) -> u8 {
        u8::try_from(self.below(4)).unwrap_or(0)
    }
}

/// What the parameters are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum EntryKind {
    /// `unsigned char *p, unsigned char *q, unsigned char n`
    Arrays,
    /// `struct node *p, struct node *q`
    Lists,
    /// `struct pair *p, struct pair *q`
    Pairs,
    /// `struct pair *p, *q, *r, *s, unsigned char n`, of which steps that are skipped use some
    ManyPairs,
    /// `unsigned char *p, *q, *r, n`, as well
    ManyArrays,
    /// `struct pair *p, struct outer *q`: `p` may be a member of `*q`
    Members,
    /// The same, and both may be global variables `g` and `h` (of which `h.in` is a pair), which hold anything
    Globals,
    /// The same with variables that hold what they hold at first
    InitialGlobals,
}

impl EntryKind {
    /// Whether there are global variables.
    pub fn has_globals(self) -> bool {
        matches!(self, EntryKind::Globals | EntryKind::InitialGlobals)
    }

    /// Whether pointers lead to arrays.
    pub fn is_arrays(self) -> bool {
        matches!(self, EntryKind::Arrays | EntryKind::ManyArrays)
    }

    /// How many pointers are passed.
    pub fn pointers(self) -> usize {
        match self {
            EntryKind::ManyPairs => 4,
            EntryKind::ManyArrays => 3,
            _ => 2,
        }
    }

    fn is_many(self) -> bool {
        matches!(self, EntryKind::ManyPairs | EntryKind::ManyArrays)
    }

    /// What C calls pointers.
    fn names(self) -> [&'static str; 4] {
        if self.is_many() { ["p", "q", "r", "s"] } else { ["p", "q", "(&g)", "(&h)"] }
    }

    /// Whether `q` has a pair in it.
    fn has_outer(self) -> bool {
        self == EntryKind::Members || self.has_globals()
    }
}

/// Where a pointer comes from: a variable, and how many `->next` from there.
#[derive(Clone, Copy, Debug)]
pub(super) struct PointerWay {
    pub variable: usize,
    pub next: usize,
}

/// Which value of what a pointer points at.
#[derive(Clone, Copy, Debug)]
pub(super) enum StepIndex {
    /// An element, or a member by its number.
    Known(usize),
    /// `n & 3`
    Given,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum RandomStep {
    /// `if (p == 0) return K;`
    IfNull(PointerWay),
    /// `if (p == q) return K;`
    IfSame(PointerWay, PointerWay),
    /// `if (q && p == &q->in) return K;`, of members
    IfMember,
    /// `if (q - p == c) return K;`, of arrays
    IfApart(usize, usize, usize),
    /// `if ((p[i] & 3) == c) return K;`
    IfValue(PointerWay, StepIndex, u8),
    /// `p[i] = c;`
    Store(PointerWay, StepIndex, u8),
    /// `p = q;`
    Assign(usize, PointerWay),
    /// `if (q) p = &q->in;`, of members
    AssignMember,
    /// `p++;`, of arrays
    Advance(usize),
    /// `if ((n & 3) == c) goto lK;`: so many steps are skipped, of many pointers
    Skip(u8, usize),
}

/// A function, and where it is.
pub(super) struct RandomFunction {
    pub name: String,
    pub kind: EntryKind,
    pub steps: Vec<RandomStep>,
    /// The line of the first step.
    pub line: u32,
    pub text: String,
}

impl RandomFunction {
    /// A function, which is added to a file; with global variables or without.
    pub fn random(chance: &mut EntryChance, number: usize, has_globals: bool, text: &mut String) -> Self {
        let with_globals = [EntryKind::Globals, EntryKind::InitialGlobals];
        let without = [
            EntryKind::Arrays,
            EntryKind::Lists,
            EntryKind::Pairs,
            EntryKind::Members,
            EntryKind::Arrays,
            EntryKind::Lists,
            EntryKind::ManyPairs,
            EntryKind::ManyArrays,
        ];
        let kind = if has_globals { with_globals[chance.below(2)] } else { without[chance.below(8)] };
        let count = 3 + chance.below(4) + usize::from(kind.is_many());
        let mut steps: Vec<RandomStep> = (0..count).map(|_| step(chance, kind)).collect();
        for (at, step) in steps.iter_mut().enumerate() {
            if let RandomStep::Skip(_, steps) = step {
                *steps = (*steps).min(count - at - 1);
            }
        }
        let name = format!("f{number}");
        let parameters = match kind {
            EntryKind::Arrays => "unsigned char *p, unsigned char *q, unsigned char n",
            EntryKind::Lists => "struct node *p, struct node *q",
            EntryKind::Pairs => "struct pair *p, struct pair *q",
            EntryKind::ManyPairs => "struct pair *p, struct pair *q, struct pair *r, struct pair *s, unsigned char n",
            EntryKind::ManyArrays => "unsigned char *p, unsigned char *q, unsigned char *r, unsigned char n",
            _ => "struct pair *p, struct outer *q",
        };
        let line = u32::try_from(text.lines().count()).unwrap_or(0) + 2;
        // Half of those with many only hand them on.
        let inner = if kind.is_many() && number.is_multiple_of(2) { "static int inner_" } else { "int " };
        let mut own = format!("{inner}{name}({parameters}) {{\n");
        for (at, step) in steps.iter().enumerate() {
            let label = if kind.is_many() { format!("l{at}: ;") } else { String::new() };
            let _ = writeln!(own, "  {label}{}", written(*step, kind, at + 1));
        }
        let label = if kind.is_many() { format!("l{}: ;", steps.len()) } else { String::new() };
        let _ = writeln!(own, "  {label}return 0;\n}}");
        if inner != "int " {
            let all = [&kind.names()[..kind.pointers()], &["n"]].concat().join(", ");
            let _ = writeln!(own, "int {name}({parameters}) {{\n  return inner_{name}({all});\n}}");
        }
        text.push_str(&own);
        RandomFunction { name, kind, steps, line, text: own }
    }
}

fn step(chance: &mut EntryChance, kind: EntryKind) -> RandomStep {
    let way = |chance: &mut EntryChance| PointerWay {
        variable: chance.below(if kind.has_globals() { 4 } else { kind.pointers() as u64 }),
        next: if kind == EntryKind::Lists { chance.below(2) } else { 0 },
    };
    let place = |chance: &mut EntryChance| {
        let way = way(chance);
        let index = match (kind, chance.below(4)) {
            (EntryKind::Lists, _) => StepIndex::Known(0),
            (kind, 0 | 1) if kind.is_arrays() => StepIndex::Known(0),
            (kind, 2) if kind.is_arrays() => StepIndex::Known(1),
            (kind, _) if kind.is_arrays() => StepIndex::Given,
            (kind, n) if kind.has_outer() && way.variable % 2 == 1 => StepIndex::Known(n % 3),
            (_, n) => StepIndex::Known(n % 2),
        };
        (way, index)
    };
    let pointers = kind.pointers() as u64;
    match (kind, chance.below(9)) {
        (kind, 0) if kind.has_globals() => {
            let variable = chance.below(2);
            RandomStep::IfSame(PointerWay { variable, next: 0 }, PointerWay { variable: variable + 2, next: 0 })
        }
        (kind, 1) if kind.is_many() => RandomStep::Skip(chance.value(), 1 + chance.below(3)),
        (_, 0 | 1) => RandomStep::IfNull(PointerWay { variable: chance.below(pointers), ..way(chance) }),
        (kind, 2) if kind.has_outer() => RandomStep::IfMember,
        (_, 2) => RandomStep::IfSame(way(chance), way(chance)),
        (_, 3 | 4) => {
            let (way, index) = place(chance);
            RandomStep::IfValue(way, index, chance.value())
        }
        (_, 5 | 6) => {
            let (way, index) = place(chance);
            RandomStep::Store(way, index, chance.value())
        }
        (kind, 7) if kind.is_arrays() => match chance.below(3) {
            0 => RandomStep::IfApart(chance.below(pointers), chance.below(pointers), 1 + chance.below(2)),
            _ => RandomStep::Advance(chance.below(pointers)),
        },
        (kind, 7) if kind.has_globals() => {
            let variable = chance.below(2);
            RandomStep::Assign(variable, PointerWay { variable: variable + 2, next: 0 })
        }
        (kind, _) if kind.has_outer() => RandomStep::AssignMember,
        _ => RandomStep::Assign(chance.below(pointers), way(chance)),
    }
}

fn written(step: RandomStep, kind: EntryKind, number: usize) -> String {
    let names = kind.names();
    let way = |way: PointerWay| format!("{}{}", names[way.variable], "->next".repeat(way.next));
    let value = |to: PointerWay, index: StepIndex| match (kind, index) {
        (kind, StepIndex::Known(i)) if kind.is_arrays() => format!("{}[{i}]", way(to)),
        (_, StepIndex::Given) => format!("{}[n & 3]", way(to)),
        (EntryKind::Lists, _) => format!("{}->v", way(to)),
        (kind, StepIndex::Known(i)) if kind.has_outer() && to.variable % 2 == 1 => {
            format!("{}->{}", way(to), ["k", "in.a", "in.b"][i])
        }
        (_, StepIndex::Known(i)) => format!("{}->{}", way(to), ["a", "b"][i]),
    };
    match step {
        RandomStep::IfNull(a) => format!("if ({} == 0) return {number};", way(a)),
        RandomStep::IfSame(a, b) => format!("if ({} == {}) return {number};", way(a), way(b)),
        RandomStep::IfMember => format!("if (q && p == &q->in) return {number};"),
        RandomStep::IfApart(a, b, c) => format!("if ({} - {} == {c}) return {number};", names[b], names[a]),
        RandomStep::IfValue(a, index, c) => format!("if (({} & 3) == {c}) return {number};", value(a, index)),
        RandomStep::Store(a, index, c) => format!("{} = {c};", value(a, index)),
        RandomStep::Assign(variable, a) => format!("{} = {};", names[variable], way(a)),
        RandomStep::AssignMember => "if (q) p = &q->in;".to_owned(),
        RandomStep::Advance(variable) => format!("{}++;", names[variable]),
        RandomStep::Skip(c, steps) => format!("if ((n & 3) == {c}) goto l{};", number + steps),
    }
}
