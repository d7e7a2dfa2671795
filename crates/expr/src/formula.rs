//! Terms without an arena: conditions that are kept in files, and made again over other inputs.
//!
//! A formula is a list of steps, each of which uses earlier ones; its inputs are named by two numbers, whatever these mean to who keeps it.
//! As text it is one word: `slt(1.0,2.0)`, `eq(0.8,3w32)`; what is used more than once is defined in front of it (`$0=…;slt($0,2.0)`).
//!
//! Boundary: opaque functions are not kept, since nobody who reads a file has them. What is read is checked: a formula that there is has right widths.

use std::fmt;

use rustc_hash::FxHashMap;

use crate::arena::Terms;
use crate::bits::Bits;
use crate::node::*;

/// The name of an input in a formula.
pub type FormulaInput = (u32, u32);

/// A term of any width without its arena.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Formula {
    steps: Vec<FormulaStep>,
}

/// Operands are numbers of earlier steps.
#[derive(Clone, PartialEq, Eq, Debug)]
enum FormulaStep {
    Const(Bits),
    Input(FormulaInput, u32),
    Bin(BinOp, usize, usize),
    Cut {
        arg: usize,
        lo: u32,
        width: u32,
    },
    ZExt(usize, u32),
    SExt(usize, u32),
    Ite(usize, usize, usize),
    /// The element at an index of a row: the index first.
    Select(Vec<usize>),
    FloatBin(FloatBin, FloatFormat, usize, usize),
    FloatCmp(FloatCmp, FloatFormat, usize, usize),
}

/// Deeper nesting is taken apart by definitions, and not read.
const DEPTH: u32 = 200;

/// Longer rows and wider numbers are no condition that Taw has written.
const WIDEST: u32 = 1 << 12;

const FLOAT_BIN: [(FloatBin, &str); 7] = [
    (FloatBin::Add, "fadd"),
    (FloatBin::Sub, "fsub"),
    (FloatBin::Mul, "fmul"),
    (FloatBin::Div, "fdiv"),
    (FloatBin::Rem, "frem"),
    (FloatBin::Min, "fmin"),
    (FloatBin::Max, "fmax"),
];

const FLOAT_CMP: [(FloatCmp, &str); 4] =
    [(FloatCmp::Eq, "feq"), (FloatCmp::Lt, "flt"), (FloatCmp::Le, "fle"), (FloatCmp::Unordered, "fnan")];

const FORMATS: [FloatFormat; 5] =
    [FloatFormat::F16, FloatFormat::F32, FloatFormat::F64, FloatFormat::F80, FloatFormat::F128];

impl FormulaStep {
    fn operands(&self) -> Vec<usize> {
        match self {
            FormulaStep::Const(_) | FormulaStep::Input(..) => Vec::new(),
            FormulaStep::Cut { arg, .. } | FormulaStep::ZExt(arg, _) | FormulaStep::SExt(arg, _) => vec![*arg],
            FormulaStep::Bin(_, a, b) | FormulaStep::FloatBin(_, _, a, b) | FormulaStep::FloatCmp(_, _, a, b) => {
                vec![*a, *b]
            }
            FormulaStep::Ite(a, b, c) => vec![*a, *b, *c],
            FormulaStep::Select(all) => all.clone(),
        }
    }
}

impl Formula {
    /// The formula that a term is; `name` tells what its inputs are called.
    ///
    /// # Errors
    /// What it has that cannot be kept, in words.
    pub fn of(terms: &Terms, t: Term, name: &dyn Fn(Var) -> Option<FormulaInput>) -> Result<Self, String> {
        let mut order = vec![t];
        let mut seen: FxHashMap<Term, ()> = FxHashMap::default();
        let mut at = 0;
        while let Some(&next) = order.get(at) {
            at += 1;
            if seen.insert(next, ()).is_none() {
                order.extend(terms.children(next));
            }
        }
        let mut numbers: FxHashMap<Term, usize> = FxHashMap::default();
        let mut steps = Vec::new();
        for part in terms.operands_first(order) {
            steps.push(step_of(terms, part, name, &numbers)?);
            numbers.insert(part, steps.len() - 1);
        }
        // The whole comes last: everything else is a part of it.
        Ok(Formula { steps })
    }

    /// The inputs.
    pub fn inputs(&self) -> impl Iterator<Item = FormulaInput> + '_ {
        self.steps.iter().filter_map(|step| match step {
            FormulaStep::Input(name, _) => Some(*name),
            _ => None,
        })
    }

    /// The term that it is over the terms that stand for its inputs.
    pub fn term(&self, terms: &mut Terms, input: &mut dyn FnMut(&mut Terms, FormulaInput) -> Term) -> Term {
        let mut made: Vec<Term> = Vec::with_capacity(self.steps.len());
        for step in &self.steps {
            let t = match *step {
                FormulaStep::Const(ref bits) => terms.constant(bits.clone()),
                FormulaStep::Input(name, _) => input(terms, name),
                FormulaStep::Bin(op, a, b) => terms.bin(op, made[a], made[b]),
                FormulaStep::Cut { arg, lo, width } => terms.extract(made[arg], lo, width),
                FormulaStep::ZExt(arg, width) => terms.zext(made[arg], width),
                FormulaStep::SExt(arg, width) => terms.sext(made[arg], width),
                FormulaStep::Ite(a, b, c) => terms.ite(made[a], made[b], made[c]),
                FormulaStep::FloatBin(op, format, a, b) => terms.float_bin(op, format, made[a], made[b]),
                FormulaStep::FloatCmp(op, format, a, b) => terms.float_cmp(op, format, made[a], made[b]),
                FormulaStep::Select(ref all) => {
                    let elements: Box<[Term]> = all[1..].iter().map(|&element| made[element]).collect();
                    let row = terms.array_of(elements);
                    terms.select(row, made[all[0]])
                }
            };
            made.push(t);
        }
        made.pop().expect("a formula has a step")
    }

    /// The formula for people, as C writes it but for the words of operators that C has not; `name` tells what inputs are called.
    pub fn in_c(&self, name: &dyn Fn(FormulaInput) -> String) -> String {
        let mut texts: Vec<String> = Vec::new();
        for step in &self.steps {
            let text = c_text(self, step, &texts, name);
            texts.push(text);
        }
        let whole = texts.pop().unwrap_or_default();
        let is_enclosed = whole.starts_with('(') && closes_last(&whole);
        if is_enclosed { whole[1..whole.len() - 1].to_owned() } else { whole }
    }

    /// Reads what [`fmt::Display`] writes. `width` tells how many bits an input has, if there is such a one.
    ///
    /// # Errors
    /// What is wrong, in words.
    pub fn read(text: &str, width: &dyn Fn(FormulaInput) -> Option<u32>) -> Result<Self, String> {
        let mut reader = Reader { text: text.as_bytes(), at: 0, steps: Vec::new(), widths: Vec::new(), width };
        let mut named = Vec::new();
        loop {
            let is_definition = reader.text.get(reader.at) == Some(&b'$') && {
                let digits = reader.text[reader.at + 1..].iter().take_while(|byte| byte.is_ascii_digit()).count();
                reader.text.get(reader.at + 1 + digits) == Some(&b'=')
            };
            if !is_definition {
                break;
            }
            reader.expect("$")?;
            let number = reader.number()?;
            reader.expect("=")?;
            if number != named.len() as u64 {
                return Err(format!("`${number}` is defined out of order"));
            }
            let step = reader.part(&named, 0)?;
            named.push(step);
            reader.expect(";")?;
        }
        let whole = reader.part(&named, 0)?;
        if reader.at != text.len() {
            return Err(format!("`{}` is left over", &text[reader.at..]));
        }
        match reader.widths[whole] == 1 {
            true if whole + 1 == reader.steps.len() => Ok(Formula { steps: reader.steps }),
            true => Err("it names something and says nothing of it".to_owned()),
            false => Err("it is no truth value".to_owned()),
        }
    }
}

/// Whether the first bracket of a text is closed by its last character.
fn closes_last(text: &str) -> bool {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        depth += i32::from(c == '(') - i32::from(c == ')');
        if depth == 0 {
            return at + 1 == text.len();
        }
    }
    false
}

/// How C writes a step of two operands: between them, and in front of the first if they are meant without a sign.
fn c_operator(op: BinOp) -> Option<(&'static str, &'static str)> {
    Some(match op {
        BinOp::Add => ("+", ""),
        BinOp::Sub => ("-", ""),
        BinOp::Mul => ("*", ""),
        BinOp::UDiv => ("/", "(unsigned)"),
        BinOp::SDiv => ("/", ""),
        BinOp::URem => ("%", "(unsigned)"),
        BinOp::SRem => ("%", ""),
        BinOp::Shl => ("<<", ""),
        BinOp::LShr => (">>", "(unsigned)"),
        BinOp::AShr => (">>", ""),
        BinOp::And => ("&", ""),
        BinOp::Or => ("|", ""),
        BinOp::Xor => ("^", ""),
        BinOp::Eq => ("==", ""),
        BinOp::Ult => ("<", "(unsigned)"),
        BinOp::Ule => ("<=", "(unsigned)"),
        BinOp::Slt => ("<", ""),
        BinOp::Sle => ("<=", ""),
        BinOp::Concat => return None,
    })
}

fn c_text(formula: &Formula, step: &FormulaStep, texts: &[String], name: &dyn Fn(FormulaInput) -> String) -> String {
    let is_ones = |part: usize| matches!(&formula.steps[part], FormulaStep::Const(bits) if bits.is_ones());
    match step {
        FormulaStep::Const(bits) => match bits.as_u64() {
            Some(word) if bits.width() == 1 => word.to_string(),
            Some(word) => {
                let unused = 64 - bits.width();
                (((word << unused) as i64) >> unused).to_string()
            }
            None => step_text(step, texts),
        },
        FormulaStep::Input(input, _) => name(*input),
        // What does not hold.
        FormulaStep::Bin(BinOp::Xor, a, b) if is_ones(*b) || is_ones(*a) => {
            let inner = if is_ones(*b) { *a } else { *b };
            match &formula.steps[inner] {
                FormulaStep::Bin(BinOp::Eq, x, y) => format!("({} != {})", texts[*x], texts[*y]),
                FormulaStep::Bin(BinOp::Slt, x, y) => format!("({} <= {})", texts[*y], texts[*x]),
                FormulaStep::Bin(BinOp::Sle, x, y) => format!("({} < {})", texts[*y], texts[*x]),
                FormulaStep::Bin(BinOp::Ult, x, y) => format!("((unsigned){} <= {})", texts[*y], texts[*x]),
                FormulaStep::Bin(BinOp::Ule, x, y) => format!("((unsigned){} < {})", texts[*y], texts[*x]),
                FormulaStep::Bin(op, ..) if op.is_comparison() => format!("!{}", texts[inner]),
                _ => format!("~{}", texts[inner]),
            }
        }
        FormulaStep::Bin(op, a, b) => match c_operator(*op) {
            Some((between, front)) => format!("({front}{} {between} {})", texts[*a], texts[*b]),
            None => format!("concat({}, {})", texts[*a], texts[*b]),
        },
        // Widening does not change what is meant.
        FormulaStep::ZExt(arg, _) | FormulaStep::SExt(arg, _) => texts[*arg].clone(),
        FormulaStep::Ite(a, b, c) => format!("({} ? {} : {})", texts[*a], texts[*b], texts[*c]),
        _ => step_text(step, texts),
    }
}

fn step_of(
    terms: &Terms,
    t: Term,
    name: &dyn Fn(Var) -> Option<FormulaInput>,
    numbers: &FxHashMap<Term, usize>,
) -> Result<FormulaStep, String> {
    let n = |t: Term| numbers[&t];
    Ok(match *terms.node(t) {
        Node::Const(ref bits) => FormulaStep::Const(bits.clone()),
        Node::Var(var) => {
            let input = name(var).ok_or_else(|| format!("the input `{}`", terms.vars()[var.0 as usize].name))?;
            FormulaStep::Input(input, terms.width(t))
        }
        Node::Bin(op, a, b) => FormulaStep::Bin(op, n(a), n(b)),
        Node::Extract { arg, lo, width } => FormulaStep::Cut { arg: n(arg), lo, width },
        Node::ZExt(arg, width) => FormulaStep::ZExt(n(arg), width),
        Node::SExt(arg, width) => FormulaStep::SExt(n(arg), width),
        Node::Ite(a, b, c) => FormulaStep::Ite(n(a), n(b), n(c)),
        Node::FloatBin(op, format, a, b) => FormulaStep::FloatBin(op, format, n(a), n(b)),
        Node::FloatCmp(op, format, a, b) => FormulaStep::FloatCmp(op, format, n(a), n(b)),
        Node::Select(array, index) => match terms.array(array) {
            ArrayNode::Elements(elements) => {
                FormulaStep::Select(std::iter::once(index).chain(elements.iter().copied()).map(n).collect())
            }
            ArrayNode::Store { .. } => return Err("an element of an array that was written at an unknown place".into()),
        },
        Node::Apply(..) => return Err("a function that is called natively".to_owned()),
        _ => return Err("a conversion or root of a floating-point number".to_owned()),
    })
}

impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut uses = vec![0; self.steps.len()];
        self.steps.iter().flat_map(FormulaStep::operands).for_each(|operand| uses[operand] += 1);
        let (mut texts, mut depths): (Vec<String>, Vec<u32>) = (Vec::new(), Vec::new());
        let mut defined = 0;
        for (at, step) in self.steps.iter().enumerate() {
            let operands = step.operands();
            let depth = operands.iter().map(|&operand| depths[operand]).max().map_or(0, |depth| depth + 1);
            let text = step_text(step, &texts);
            let is_last = at + 1 == self.steps.len();
            if (uses[at] > 1 || depth >= DEPTH / 2) && !operands.is_empty() && !is_last {
                write!(f, "${defined}={text};")?;
                texts.push(format!("${defined}"));
                depths.push(0);
                defined += 1;
            } else {
                texts.push(text);
                depths.push(depth);
            }
        }
        f.write_str(texts.last().map_or("", String::as_str))
    }
}

fn step_text(step: &FormulaStep, texts: &[String]) -> String {
    let list = |all: &[usize]| all.iter().map(|&part| texts[part].as_str()).collect::<Vec<_>>().join(",");
    match step {
        FormulaStep::Const(bits) => match bits.as_u64() {
            Some(word) => format!("{word}w{}", bits.width()),
            None => {
                let digits: Vec<String> = bits.words().map(|word| format!("{word:016x}")).collect();
                format!("x{}w{}", digits.into_iter().rev().collect::<String>(), bits.width())
            }
        },
        FormulaStep::Input((a, b), _) => format!("{a}.{b}"),
        FormulaStep::Bin(op, a, b) => format!("{}({})", format!("{op:?}").to_lowercase(), list(&[*a, *b])),
        FormulaStep::Cut { arg, lo, width } => format!("cut({},{lo},{width})", texts[*arg]),
        FormulaStep::ZExt(arg, width) => format!("zext({},{width})", texts[*arg]),
        FormulaStep::SExt(arg, width) => format!("sext({},{width})", texts[*arg]),
        FormulaStep::Ite(a, b, c) => format!("ite({})", list(&[*a, *b, *c])),
        FormulaStep::Select(all) => format!("select({})", list(all)),
        FormulaStep::FloatBin(op, format, a, b) => {
            let name = FLOAT_BIN.iter().find(|(known, _)| known == op).map_or("", |(_, name)| name);
            format!("{name}{}({})", format.width(), list(&[*a, *b]))
        }
        FormulaStep::FloatCmp(op, format, a, b) => {
            let name = FLOAT_CMP.iter().find(|(known, _)| known == op).map_or("", |(_, name)| name);
            format!("{name}{}({})", format.width(), list(&[*a, *b]))
        }
    }
}

/// Reads a formula; steps are as they come.
struct Reader<'a> {
    text: &'a [u8],
    at: usize,
    steps: Vec<FormulaStep>,
    widths: Vec<u32>,
    width: &'a dyn Fn(FormulaInput) -> Option<u32>,
}

impl Reader<'_> {
    fn expect(&mut self, what: &str) -> Result<(), String> {
        match self.text[self.at..].starts_with(what.as_bytes()) {
            true => {
                self.at += what.len();
                Ok(())
            }
            false => Err(format!("`{what}` is missing at character {}", self.at + 1)),
        }
    }

    fn run(&mut self, is_part: fn(&u8) -> bool) -> &str {
        let from = self.at;
        self.at += self.text[from..].iter().take_while(|byte| is_part(byte)).count();
        std::str::from_utf8(&self.text[from..self.at]).unwrap_or_default()
    }

    fn number(&mut self) -> Result<u64, String> {
        let at = self.at + 1;
        self.run(u8::is_ascii_digit).parse().map_err(|_| format!("a number is missing at character {at}"))
    }

    fn small(&mut self) -> Result<u32, String> {
        let number = self.number()?;
        u32::try_from(number).ok().filter(|number| *number <= WIDEST).ok_or_else(|| format!("{number} is too large"))
    }

    fn push(&mut self, step: FormulaStep, width: u32) -> usize {
        self.steps.push(step);
        self.widths.push(width);
        self.steps.len() - 1
    }

    /// A part of a formula: its step.
    fn part(&mut self, named: &[usize], depth: u32) -> Result<usize, String> {
        if depth > DEPTH {
            return Err("it is nested too deeply".to_owned());
        }
        match self.text.get(self.at) {
            Some(b'$') => {
                self.at += 1;
                let number = self.number()?;
                let known = usize::try_from(number).ok().and_then(|number| named.get(number));
                known.copied().ok_or_else(|| format!("`${number}` is not defined"))
            }
            Some(byte) if byte.is_ascii_digit() => {
                let number = self.number()?;
                if self.text.get(self.at) == Some(&b'w') {
                    self.at += 1;
                    let width = self.small()?;
                    let fits = (1..=64).contains(&width) && (width == 64 || number >> width == 0);
                    return if fits {
                        Ok(self.push(FormulaStep::Const(Bits::new(width, number)), width))
                    } else {
                        Err(format!("{number} has no {width} bits"))
                    };
                }
                self.expect(".")?;
                let (object, at) = (u32::try_from(number).ok(), u32::try_from(self.number()?).ok());
                let name = object.zip(at).ok_or("an input has too large a number")?;
                let width = (self.width)(name).ok_or_else(|| format!("there is no input {}.{}", name.0, name.1))?;
                Ok(self.push(FormulaStep::Input(name, width), width))
            }
            Some(b'x') if self.text.get(self.at + 1).is_some_and(u8::is_ascii_hexdigit) => self.wide(),
            _ => self.application(named, depth),
        }
    }

    fn wide(&mut self) -> Result<usize, String> {
        self.at += 1;
        let digits = self.run(u8::is_ascii_hexdigit).to_owned();
        self.expect("w")?;
        let width = self.small()?;
        if width == 0 || !digits.len().is_multiple_of(16) || digits.len() / 16 != (width as usize).div_ceil(64) {
            return Err(format!("a constant has no {width} bits"));
        }
        let word = |chunk: &[u8]| u64::from_str_radix(std::str::from_utf8(chunk).unwrap_or_default(), 16);
        let words: Result<Vec<u64>, _> = digits.as_bytes().rchunks(16).map(word).collect();
        let words = words.map_err(|_| "a constant is no number".to_owned())?;
        Ok(self.push(FormulaStep::Const(Bits::from_words(width, &words)), width))
    }

    fn application(&mut self, named: &[usize], depth: u32) -> Result<usize, String> {
        let at = self.at + 1;
        let name = self.run(u8::is_ascii_alphanumeric).to_owned();
        self.expect("(").map_err(|_| format!("something is missing at character {at}"))?;
        let first = self.part(named, depth + 1)?;
        let width = self.widths[first];
        if let "cut" | "zext" | "sext" = name.as_str() {
            return self.extension(&name, first);
        }
        let mut all = vec![first];
        while self.text.get(self.at) == Some(&b',') {
            self.at += 1;
            all.push(self.part(named, depth + 1)?);
        }
        self.expect(")")?;
        let widths: Vec<u32> = all.iter().map(|&part| self.widths[part]).collect();
        let unfit = || format!("`{name}` is not given what it takes");
        let bin = BinOp::ALL.into_iter().find(|op| format!("{op:?}").to_lowercase() == name);
        match (name.as_str(), &all[..]) {
            ("ite", &[a, b, c]) if widths[0] == 1 && widths[1] == widths[2] => {
                Ok(self.push(FormulaStep::Ite(a, b, c), widths[1]))
            }
            ("select", [_, first, ..]) if widths[0] == Terms::INDEX_WIDTH => {
                let element = self.widths[*first];
                let is_even = widths[1..].iter().all(|width| *width == element);
                if is_even { Ok(self.push(FormulaStep::Select(all), element)) } else { Err(unfit()) }
            }
            (_, &[a, b]) => {
                if let Some(op) = bin {
                    let joined = widths[0].saturating_add(widths[1]);
                    return match op {
                        BinOp::Concat if joined <= WIDEST => Ok(self.push(FormulaStep::Bin(op, a, b), joined)),
                        BinOp::Concat => Err(unfit()),
                        _ if widths[0] != widths[1] => Err(unfit()),
                        _ => Ok(self.push(FormulaStep::Bin(op, a, b), if op.is_comparison() { 1 } else { width })),
                    };
                }
                let format = FORMATS.into_iter().find(|format| name.ends_with(&format.width().to_string()));
                let format = format.filter(|format| widths == [format.width(), format.width()]).ok_or_else(unfit)?;
                let plain = name.trim_end_matches(|c: char| c.is_ascii_digit());
                let of = |all: &[(FloatBin, &str)]| all.iter().find(|(_, known)| *known == plain).map(|(op, _)| *op);
                if let Some(op) = of(&FLOAT_BIN) {
                    return Ok(self.push(FormulaStep::FloatBin(op, format, a, b), width));
                }
                let op = FLOAT_CMP.iter().find(|(_, known)| *known == plain).ok_or_else(unfit)?.0;
                Ok(self.push(FormulaStep::FloatCmp(op, format, a, b), 1))
            }
            _ => Err(unfit()),
        }
    }

    /// What has numbers behind its operand.
    fn extension(&mut self, name: &str, arg: usize) -> Result<usize, String> {
        self.expect(",")?;
        let (of, first) = (self.widths[arg], self.small()?);
        let (step, width) = match name {
            "cut" => {
                self.expect(",")?;
                let width = self.small()?;
                if width == 0 || first.saturating_add(width) > of {
                    return Err("`cut` takes bits that there are not".to_owned());
                }
                (FormulaStep::Cut { arg, lo: first, width }, width)
            }
            _ if first < of => return Err(format!("`{name}` makes something narrower")),
            "zext" => (FormulaStep::ZExt(arg, first), first),
            _ => (FormulaStep::SExt(arg, first), first),
        };
        self.expect(")")?;
        Ok(self.push(step, width))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn again(terms: &mut Terms, t: Term, vars: &[Var]) -> Term {
        let place = |var: Var| vars.iter().position(|known| *known == var).map(|at| (at as u32, 4));
        let formula = Formula::of(terms, t, &place).unwrap();
        let infos: Vec<u32> = vars.iter().map(|var| terms.vars()[var.0 as usize].width).collect();
        let width = |name: FormulaInput| infos.get(name.0 as usize).copied().filter(|_| name.1 == 4);
        let read = Formula::read(&formula.to_string(), &width).unwrap_or_else(|why| panic!("{formula}: {why}"));
        read.term(terms, &mut |terms, name| terms.var(vars[name.0 as usize]))
    }

    /// What is written and read again is the same term.
    #[test]
    fn text_and_back() {
        let mut terms = Terms::new();
        let vars: Vec<Var> =
            [32, 32, 8, 64].iter().enumerate().map(|(i, w)| terms.new_var(&format!("v{i}"), *w)).collect();
        let (x, y) = (terms.var(vars[0]), terms.var(vars[1]));
        let (c, z) = (terms.var(vars[2]), terms.var(vars[3]));
        let sum = terms.add(x, y);
        let less = terms.slt(sum, x);
        let wide = terms.sext(c, 32);
        let same = terms.eq(wide, sum);
        let both = terms.and(less, same);
        let low = terms.extract(z, 3, 32);
        let product = terms.mul(low, sum);
        let other = terms.ule(product, y);
        let joined = terms.concat(z, z);
        let many = terms.concat(joined, c);
        let wide = terms.constant(Bits::ones(136));
        let not_all = terms.ne(many, wide);
        let elements: Box<[Term]> = Box::new([x, y, sum]);
        let row = terms.array_of(elements);
        let element = terms.select(row, z);
        let picked = terms.ult(element, x);
        let real = terms.float_cmp(FloatCmp::Lt, FloatFormat::F64, z, z);
        let product = terms.float_bin(FloatBin::Mul, FloatFormat::F64, z, z);
        let real_product = terms.float_cmp(FloatCmp::Le, FloatFormat::F64, product, z);
        let chosen = terms.ite(less, other, not_all);
        for t in [less, same, both, other, not_all, picked, real, real_product, chosen] {
            assert_eq!(again(&mut terms, t, &vars), t, "{}", terms.show(t));
        }
    }

    /// Deep terms and those that share parts stay as short as they are.
    #[test]
    fn what_is_shared_is_written_once() {
        let mut terms = Terms::new();
        let var = terms.new_var("x", 32);
        let mut t = terms.var(var);
        for i in 1..300 {
            let (three, shift) = (terms.bv(32, 2 * i + 1), terms.bv(32, 1));
            let shifted = terms.bin(BinOp::LShr, t, shift);
            let sum = terms.mul(t, three);
            t = terms.xor(sum, shifted);
        }
        let limit = terms.bv(32, 7);
        let t = terms.ult(t, limit);
        let text = Formula::of(&terms, t, &|_| Some((0, 4))).unwrap().to_string();
        assert!(text.len() < 20_000, "{} characters", text.len());
        assert_eq!(again(&mut terms, t, &[var]), t);
    }

    #[test]
    fn what_is_wrong_is_said() {
        let width = |name: FormulaInput| [32, 8].get(name.0 as usize).copied().filter(|_| name.1 == 0);
        let wrong = [
            ("", "something is missing at character 1"),
            ("eq(0.0", "`)` is missing"),
            ("eq(0.0,1.0)", "`eq` is not given what it takes"),
            ("eq(0.0,3.0)", "there is no input 3.0"),
            ("0.0", "no truth value"),
            ("eq(0.0,0.0)x", "`x` is left over"),
            ("frob(0.0,0.0)", "`frob` is not given"),
            ("eq($0,0.0)", "`$0` is not defined"),
            ("$1=add(0.0,0.0);eq($1,0.0)", "out of order"),
            ("eq(0.0,300w8)", "300 has no 8 bits"),
            ("eq(cut(0.0,30,8),1.0)", "bits that there are not"),
            ("eq(zext(0.0,8),1.0)", "narrower"),
            ("eq(0.0,99999999999999999999w32)", "a number is missing"),
        ];
        for (text, why) in wrong {
            let said = Formula::read(text, &width).unwrap_err();
            assert!(said.contains(why), "{text}: {said}");
        }
        let deep = format!("{}0.0{}", "sext(".repeat(5000), ",32)".repeat(5000));
        assert!(Formula::read(&deep, &width).is_err());
    }
}
