//! Stages in files: structures that satisfy an invariant, and what they are of.
//!
//! The first line names format and version, the second is a JSON object: the program, the type, the invariant, their identities, the bounds, and the
//! members of each type. Then each structure is a line of words, a walk through its objects:
//!
//! ```text
//! 0 > {0 0> {1 0~ 8- 16- } 8=1 } r1 !0      an object of type 0; its member at 0 leads to a new object of type 1, that at 8 is 1
//! 6 8> {1 0~ ?slt(2.0,1.0) 8- 16- } …       the same first six words as the line before, then others
//! ```
//!
//! `>3` leads to an object that was met before, `-` is null, `~` a number that the conditions (`?`, see [`Formula`]) leave open, `r` what the invariant
//! returns, `!` numbers that satisfy the conditions. The last line is a hash of all before. Neighbours share most of their words, so a
//! stage of thousands of structures stays below a megabyte. People read it with `taw show`.
//!
//! Boundary: whether a stage fits a program is `taw`'s to say. What is read is checked, its conditions too: the numbers must satisfy them.

use std::collections::{BTreeMap, HashMap};
use std::fmt::{self, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use taw_engine::{
    CellContent, Formula, FormulaInput, ObjectCount, Structure, StructureCell, StructureObject, StructureSet, Terms,
};

/// The first word of a file, and the version that is written.
const FORMAT: &str = "taw-stage";
const VERSION: u32 = 1;

/// Of a stage, in bytes.
const LARGEST: u64 = 256 << 20;

/// A stage, and what it is of.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct StageFile {
    /// What it is of.
    pub head: StageHead,
    /// What holds of each structure, and the structures.
    pub stage: StructureSet,
}

/// What a stage is of.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StageHead {
    /// The version of Taw that made it.
    pub taw: String,
    /// The files that the invariant was in.
    pub program: Vec<String>,
    /// The type of each parameter of the invariant, as C writes it.
    pub types: Vec<String>,
    /// How many elements the parameter leads to, if that is more than one.
    pub count: Option<u64>,
    /// The function that holds of the structures.
    pub invariant: String,
    /// The names of its parameters.
    pub parameters: Vec<String>,
    /// A hash of how the types lie in memory.
    pub layout: String,
    /// A hash of what the invariant executes.
    pub code: String,
    /// Whether its result depends on the structure alone.
    pub decides_alone: bool,
    /// The most objects of one type.
    pub max_nodes: u64,
    /// What is not among the structures though the invariant may hold of it.
    pub not_tried: Vec<String>,
    /// Paths of the invariant that were explored.
    pub explored: u64,
    /// How many structures there are.
    pub structures: usize,
    /// What objects are made of.
    pub objects: Vec<ObjectType>,
}

/// A type of objects.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ObjectType {
    /// As C writes it.
    #[serde(rename = "type")]
    pub ty: String,
    /// Numbers and pointers in it: offset, bytes, the way there, type.
    pub cells: Vec<(u64, u64, String, String)>,
}

/// Why a file is no stage that can be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StageError {
    /// It cannot be read; why.
    Unreadable(String, String),
    /// It is something else.
    Foreign(String),
    /// It is of another version.
    Version(String, String),
    /// It ends too early.
    Truncated(String),
    /// It is not what was written; what is wrong.
    Damaged(String, String),
}

impl fmt::Display for StageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const AGAIN: &str = "make it again with `taw stage`";
        match self {
            StageError::Unreadable(name, why) => write!(f, "cannot read `{name}`: {why}"),
            StageError::Foreign(name) => write!(f, "`{name}` is no stage; `taw stage` makes one"),
            StageError::Version(name, version) => {
                write!(f, "`{name}` is a stage of version {version}, and this Taw reads version {VERSION}; {AGAIN}")
            }
            StageError::Truncated(name) => write!(f, "`{name}` is cut off; {AGAIN}"),
            StageError::Damaged(name, why) => write!(f, "`{name}` is damaged: {why}; {AGAIN}"),
        }
    }
}

impl std::error::Error for StageError {}

impl StageFile {
    /// The text of a file; structures come small ones first.
    pub fn text(&self) -> String {
        let mut head = self.head.clone();
        head.structures = self.stage.structures.len();
        head.objects = object_types(&self.stage.structures);
        let mut lines: Vec<(usize, Vec<String>)> = self
            .stage
            .structures
            .iter()
            .map(|structure| (structure.objects.len(), words_of(structure, &head.objects)))
            .collect();
        lines.sort();
        let json = serde_json::to_string(&head).expect("strings and numbers are JSON");
        let mut text = format!("{FORMAT} {VERSION}\n{json}\n");
        let mut before: &[String] = &[];
        for (_, words) in &lines {
            let common = words.iter().zip(before).take_while(|(a, b)| a == b).count();
            let _ = writeln!(text, "{common} {}", words[common..].join(" "));
            before = words;
        }
        let hash = identity_hash(&text);
        text + "end " + &hash + "\n"
    }

    /// Reads a file.
    ///
    /// # Errors
    /// If it is none, or not as it was written.
    pub fn read(path: &Path) -> Result<Self, StageError> {
        let name = path.display().to_string();
        let bytes = taw_files::read_named(path, LARGEST)
            .map_err(|error| StageError::Unreadable(name.clone(), error.to_string()))?;
        let text = String::from_utf8(bytes).map_err(|_| StageError::Foreign(name.clone()))?;
        Self::parse(&name, &text)
    }

    /// The stage that a text is, of a file of that name.
    ///
    /// # Errors
    /// If it is none, or not as it was written.
    pub fn parse(name: &str, text: &str) -> Result<Self, StageError> {
        let (first, _) = text.split_once('\n').unwrap_or((text, ""));
        let version = first.strip_prefix(FORMAT).and_then(|rest| rest.strip_prefix(' '));
        let version = version.ok_or_else(|| StageError::Foreign(name.to_owned()))?;
        if version != VERSION.to_string() {
            return Err(StageError::Version(name.to_owned(), version.to_owned()));
        }
        let damaged = |why: String| StageError::Damaged(name.to_owned(), why);
        let truncated = || StageError::Truncated(name.to_owned());
        let (body, end) = text.rsplit_once("end ").filter(|(body, _)| body.ends_with('\n')).ok_or_else(truncated)?;
        if !end.ends_with('\n') {
            return Err(truncated());
        }
        if end.trim_end() != identity_hash(body) {
            return Err(damaged("its hash does not fit".to_owned()));
        }
        let mut lines = body.lines().skip(1);
        let head: StageHead = serde_json::from_str(lines.next().ok_or_else(truncated)?)
            .map_err(|error| damaged(format!("its second line is not understood ({error})")))?;
        let mut reading = Reading { head: &head, words: Vec::new(), formulas: HashMap::new(), terms: Terms::new() };
        let mut structures = Vec::new();
        for (number, line) in lines.enumerate() {
            let structure = reading.structure(line).map_err(|why| damaged(format!("line {}: {why}", number + 3)))?;
            structures.push(structure);
        }
        if structures.len() != head.structures {
            return Err(damaged(format!("it has {} structures and should have {}", structures.len(), head.structures)));
        }
        let stage = StructureSet {
            name: name.to_owned(),
            invariant: head.invariant.clone(),
            decides_alone: head.decides_alone,
            cut: head.not_tried.clone(),
            structures,
        };
        Ok(StageFile { head, stage })
    }
}

/// What tells a text from every other.
pub fn identity_hash(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

/// The types of all objects, with the members that any structure has.
fn object_types(structures: &[Structure]) -> Vec<ObjectType> {
    let mut names: Vec<&str> = Vec::new();
    let mut cells: Vec<BTreeMap<u64, &StructureCell>> = Vec::new();
    for object in structures.iter().flat_map(|structure| &structure.objects) {
        let at = names.iter().position(|name| *name == object.ty).unwrap_or_else(|| {
            names.push(&object.ty);
            cells.push(BTreeMap::new());
            names.len() - 1
        });
        for cell in &object.cells {
            cells[at].entry(cell.at).or_insert(cell);
        }
    }
    let row = |cell: &&StructureCell| (cell.at, cell.bytes, cell.path.clone(), cell.ty.clone());
    let types = names.into_iter().zip(cells);
    types.map(|(name, cells)| ObjectType { ty: name.to_owned(), cells: cells.values().map(row).collect() }).collect()
}

/// Writes a structure as words.
struct Writing<'a> {
    structure: &'a Structure,
    types: &'a [ObjectType],
    words: Vec<String>,
    /// Objects that were met.
    met: usize,
    seen: Vec<FormulaInput>,
    /// Conditions that wait for their inputs.
    open: Vec<&'a Formula>,
    values: Vec<String>,
}

fn words_of(structure: &Structure, types: &[ObjectType]) -> Vec<String> {
    let mut writing = Writing {
        structure,
        types,
        words: Vec::new(),
        met: 0,
        seen: Vec::new(),
        open: structure.conditions.iter().collect(),
        values: Vec::new(),
    };
    for root in &structure.roots {
        writing.pointer("", *root);
    }
    let mut words = writing.words;
    words.extend(writing.open.iter().map(|condition| format!("?{condition}")));
    words.push(structure.returns.map_or_else(|| "r".to_owned(), |word| format!("r{word}")));
    words.push(format!("!{}", writing.values.join(",")));
    words
}

impl Writing<'_> {
    fn pointer(&mut self, at: &str, target: Option<usize>) {
        match target {
            None => self.words.push(format!("{at}-")),
            Some(object) if object < self.met => self.words.push(format!("{at}>{object}")),
            Some(object) => {
                self.words.push(format!("{at}>"));
                self.met += 1;
                self.object(object);
            }
        }
    }

    fn object(&mut self, number: usize) {
        let object = &self.structure.objects[number];
        let ty = self.types.iter().position(|ty| ty.ty == object.ty).unwrap_or_default();
        self.words.push(match object.count {
            ObjectCount::Exactly(1) => format!("{{{ty}"),
            ObjectCount::Exactly(count) => format!("{{{ty}*{count}"),
            ObjectCount::Open => format!("{{{ty}*"),
        });
        for cell in &object.cells {
            match cell.content {
                CellContent::Pointer(target) => self.pointer(&cell.at.to_string(), target),
                CellContent::Fixed(word) => self.words.push(format!("{}={}", cell.at, signed(word, cell.bytes))),
                CellContent::Free(word) => {
                    self.words.push(format!("{}~", cell.at));
                    self.values.push(signed(word, cell.bytes).to_string());
                    self.seen.push((number as u32, cell.at as u32));
                    self.conditions();
                }
            }
        }
        self.words.push("}".to_owned());
    }

    /// Conditions all of whose inputs were met.
    fn conditions(&mut self) {
        let seen = &self.seen;
        let (ready, open): (Vec<_>, Vec<_>) =
            self.open.iter().partition(|condition| condition.inputs().all(|input| seen.contains(&input)));
        self.words.extend(ready.iter().map(|condition| format!("?{condition}")));
        self.open = open;
    }
}

/// Reads lines of words.
struct Reading<'a> {
    head: &'a StageHead,
    /// Those of the line before.
    words: Vec<String>,
    /// Conditions that were read before, by their text.
    formulas: HashMap<String, Formula>,
    terms: Terms,
}

/// One structure that is read.
struct Walk<'a> {
    words: std::slice::Iter<'a, String>,
    structure: Structure,
    conditions: Vec<&'a str>,
    /// Cells that are free, in order.
    free: Vec<(usize, usize)>,
}

impl Reading<'_> {
    fn structure(&mut self, line: &str) -> Result<Structure, String> {
        let mut parts = line.split(' ');
        let common: usize = parts.next().and_then(|word| word.parse().ok()).ok_or("it has no number in front")?;
        if common > self.words.len() {
            return Err("it shares more words than the line before has".to_owned());
        }
        self.words.truncate(common);
        self.words.extend(parts.map(str::to_owned));
        let words = std::mem::take(&mut self.words);
        let structure = self.walk(&words);
        self.words = words;
        structure
    }

    fn walk(&mut self, words: &[String]) -> Result<Structure, String> {
        let mut walk =
            Walk { words: words.iter(), structure: Structure::default(), conditions: Vec::new(), free: Vec::new() };
        for _ in 0..self.head.types.len() {
            let word = walk.next()?;
            let target = self.target(&mut walk, word, 0)?;
            walk.structure.roots.push(target);
        }
        let returns = walk.after_conditions()?;
        let returns = returns.strip_prefix('r').ok_or_else(|| format!("`{returns}` is no result"))?;
        walk.structure.returns = (!returns.is_empty()).then(|| number(returns)).transpose()?;
        let values = walk.next()?.strip_prefix('!').ok_or("it has no values")?;
        let values: Vec<&str> = values.split(',').filter(|value| !value.is_empty()).collect();
        if values.len() != walk.free.len() || walk.words.next().is_some() {
            return Err("it has not as many values as numbers".to_owned());
        }
        for (&(object, cell), value) in walk.free.iter().zip(values) {
            let cell = &mut walk.structure.objects[object].cells[cell];
            cell.content = CellContent::Free(unsigned(value, cell.bytes)?);
        }
        self.conditions(&mut walk)?;
        Ok(walk.structure)
    }

    /// What a pointer leads to: the word after its place.
    fn target<'a>(&self, walk: &mut Walk<'a>, word: &'a str, depth: usize) -> Result<Option<usize>, String> {
        match word {
            "-" => Ok(None),
            ">" => self.object(walk, depth + 1).map(Some),
            _ => {
                let known = word.strip_prefix('>').ok_or_else(|| format!("`{word}` is no pointer"))?;
                let known = number(known)? as usize;
                if known < walk.structure.objects.len() {
                    Ok(Some(known))
                } else {
                    Err(format!("there is no object {known}"))
                }
            }
        }
    }

    fn object(&self, walk: &mut Walk<'_>, depth: usize) -> Result<usize, String> {
        // A list may be long, and a stack is not endless.
        if depth > 10_000 {
            return Err("objects lie too deep behind each other".to_owned());
        }
        let word = walk.next()?;
        let named = word.strip_prefix('{').ok_or_else(|| format!("`{word}` is no object"))?;
        let (ty, count) = match named.split_once('*') {
            None => (named, ObjectCount::Exactly(1)),
            Some((ty, "")) => (ty, ObjectCount::Open),
            Some((ty, count)) => (ty, ObjectCount::Exactly(number(count)?)),
        };
        let ty = self.head.objects.get(number(ty)? as usize).ok_or_else(|| format!("there is no type {ty}"))?;
        let at = walk.structure.objects.len();
        walk.structure.objects.push(StructureObject { ty: ty.ty.clone(), count, cells: Vec::new() });
        loop {
            let word = walk.after_conditions()?;
            if word == "}" {
                return Ok(at);
            }
            let digits = word.bytes().take_while(u8::is_ascii_digit).count();
            let (offset, rest) = (number(&word[..digits])?, &word[digits..]);
            let row =
                ty.cells.iter().find(|row| row.0 == offset).ok_or_else(|| format!("there is nothing at {offset}"))?;
            let is_in_order = walk.structure.objects[at].cells.last().is_none_or(|last| last.at < offset);
            if !is_in_order {
                return Err(format!("what is at {offset} is out of order"));
            }
            let cell = walk.structure.objects[at].cells.len();
            let blank = StructureCell {
                at: offset,
                bytes: row.1,
                path: row.2.clone(),
                ty: row.3.clone(),
                content: CellContent::Pointer(None),
            };
            walk.structure.objects[at].cells.push(blank);
            let content = match rest.split_at_checked(1) {
                Some(("=", word)) => CellContent::Fixed(unsigned(word, row.1)?),
                Some(("~", "")) => {
                    walk.free.push((at, cell));
                    CellContent::Free(0)
                }
                _ => CellContent::Pointer(self.target(walk, rest, depth)?),
            };
            walk.structure.objects[at].cells[cell].content = content;
        }
    }

    /// Conditions, which the values must satisfy.
    fn conditions(&mut self, walk: &mut Walk<'_>) -> Result<(), String> {
        let objects = &walk.structure.objects;
        let free = |input: FormulaInput| {
            let cells = &objects.get(input.0 as usize)?.cells;
            let cell = cells.iter().find(|cell| cell.at == u64::from(input.1))?;
            match cell.content {
                CellContent::Free(word) => Some((cell.bytes as u32 * 8, word)),
                _ => None,
            }
        };
        for text in &walk.conditions {
            let known = self.formulas.get(*text).filter(|formula| formula.inputs().all(|input| free(input).is_some()));
            let formula = match known {
                Some(known) => known.clone(),
                None => {
                    let width = |input: FormulaInput| free(input).map(|(width, _)| width);
                    let formula = Formula::read(text, &width).map_err(|why| format!("`{text}`: {why}"))?;
                    self.formulas.insert((*text).to_owned(), formula.clone());
                    formula
                }
            };
            let holds = formula.term(&mut self.terms, &mut |terms, input| {
                let (width, word) = free(input).unwrap_or((32, 0));
                terms.bv(width, word)
            });
            if self.terms.as_u64(holds) != Some(1) {
                return Err(format!("its values do not satisfy `{text}`"));
            }
            walk.structure.conditions.push(formula);
        }
        Ok(())
    }
}

impl<'a> Walk<'a> {
    fn next(&mut self) -> Result<&'a str, String> {
        self.words.next().map(String::as_str).ok_or_else(|| "it ends too early".to_owned())
    }

    /// The next word that is no condition.
    fn after_conditions(&mut self) -> Result<&'a str, String> {
        loop {
            let word = self.next()?;
            match word.strip_prefix('?') {
                Some(condition) => self.conditions.push(condition),
                None => return Ok(word),
            }
        }
    }
}

/// A number of so many bytes with its sign: most are near zero.
fn signed(word: u64, bytes: u64) -> i64 {
    let unused = 64 - 8 * bytes.clamp(1, 8) as u32;
    ((word << unused) as i64) >> unused
}

/// The bits of a number with its sign.
fn unsigned(text: &str, bytes: u64) -> Result<u64, String> {
    let value: i64 = text.parse().map_err(|_| format!("`{text}` is no number"))?;
    let word = value as u64 & (u64::MAX >> (64 - 8 * bytes.clamp(1, 8)));
    if signed(word, bytes) == value { Ok(word) } else { Err(format!("{value} has more than {bytes} bytes")) }
}

fn number(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("`{text}` is no number"))
}
