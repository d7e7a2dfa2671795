//! Where a condition can be asked on a line of C: in front of each statement, and of each condition and step of a loop, that begins there.
//!
//! What is asked is C of the user's between the program's own statements (`file.c:LINE if EXPR`), so that it means what it would mean there:
//! locals, macros, types of the function's own. Invariant: every way to the line passes a place, or there is an error; a statement that a macro
//! writes is one, whatever is in it.

use std::path::Path;

use crate::syntax::{NoSyntax, SyntaxNode, SyntaxPlace, functions};
use crate::{LoadError, Sources};

/// How a condition stands at a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ConditionForm {
    /// As a statement of its own.
    Statement,
    /// Before a statement that must stay the only one: `if (c) x = 1;`.
    Branch,
    /// Before an expression, whose value stays what it was.
    Operand,
    /// Before the condition of a loop that has none, which is then `1`.
    Forever,
}

/// A place where a condition can be asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ConditionPlace {
    /// The byte of the source in front of which it is asked.
    pub offset: usize,
    /// How.
    pub form: ConditionForm,
}

/// What comes behind all that is asked at a place, so that the loop goes on.
pub const FOREVER: &str = "1";

/// Why a condition cannot be asked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NoCondition {
    /// What the compiler says of it.
    #[error("{}", .0.trim_end())]
    Mistake(String),
    /// It would change something.
    #[error("it has {0} in it, and a condition changes nothing; `==` compares")]
    Changes(&'static str),
    /// The source was made of another.
    #[error(
        "the file has #line directives, so its lines are those of another file; give the file that they name, or the line without a condition"
    )]
    OtherLines,
    /// Nothing begins there.
    #[error("no statement begins on line {0}; name the line of one")]
    NoStatement(u32),
    /// Something begins before it and goes on there.
    #[error("line {0} is in the middle of a statement that begins on line {1}; name line {1}")]
    Inside(u32, u32),
    /// A loop is not written out.
    #[error(
        "the loop on line {0} is written by a macro, and nothing can be asked in the middle of one; name the first line of its body"
    )]
    MacroLoop(u32),
    /// A loop is written in a way that is not understood.
    #[error("the loop on line {0} has no condition of its own; name the first line of its body")]
    NoLoopCondition(u32),
    /// Something else went wrong.
    #[error(transparent)]
    Load(#[from] LoadError),
}

impl From<NoSyntax> for NoCondition {
    fn from(why: NoSyntax) -> Self {
        match why {
            NoSyntax::Refused(words) => NoCondition::Mistake(words),
            NoSyntax::Failed(error) => NoCondition::Load(error),
        }
    }
}

/// The statements of a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineStatements {
    /// The line that was asked for, or the next on which one begins.
    pub line: u32,
    /// The function that they are in.
    pub function: String,
    /// Where conditions can be asked, in the order of the text; never empty.
    pub places: Vec<ConditionPlace>,
}

/// The places of a line of a file. `likely` is a function that may be the one that it is in.
///
/// # Errors
/// If there are none, or not all ways to the line pass one.
pub fn statements_at(
    sources: &Sources,
    file: &Path,
    line: u32,
    likely: Option<&str>,
) -> Result<LineStatements, NoCondition> {
    let path = std::env::current_dir().unwrap_or_default().join(file);
    let text = taw_files::read_regular(&path, u64::from(u32::MAX))
        .map_err(|error| LoadError::Unreadable { path: file.into(), error })?;
    if text.split(|byte| *byte == b'\n').any(is_line_directive) {
        return Err(NoCondition::OtherLines);
    }
    let sources = Sources { conditions: Vec::new(), appendices: Vec::new(), ..sources.clone() };
    let asks = [likely, None];
    for name in if likely.is_some() { &asks[..] } else { &asks[1..] } {
        for function in functions(&sources, file, *name)? {
            for line in line..=last_line(&text, &function, line) {
                let mut finder = StatementFinder { text: &text, line, found: Vec::new(), inside: None, refused: None };
                finder.function(&function);
                let places = finder.places()?;
                if !places.is_empty() {
                    return Ok(LineStatements { line, function: function.name.unwrap_or_default(), places });
                }
            }
        }
    }
    Err(NoCondition::NoStatement(line))
}

/// The last line of a function, if a line is in it; else one before that.
fn last_line(text: &[u8], function: &SyntaxNode, line: u32) -> u32 {
    match (function.begin(), function.end()) {
        (Some(begin), Some(end)) if line_of(text, begin) <= line => line_of(text, end),
        _ => line - 1,
    }
}

fn line_of(text: &[u8], place: SyntaxPlace) -> u32 {
    text[..place.offset.min(text.len())].iter().filter(|byte| **byte == b'\n').count() as u32 + 1
}

/// `#line 3 "x"`, or `# 3 "x"` as preprocessors write it.
fn is_line_directive(line: &[u8]) -> bool {
    let Some(rest) = line.trim_ascii_start().strip_prefix(b"#") else { return false };
    let rest = rest.trim_ascii_start();
    rest.first().is_some_and(u8::is_ascii_digit) || rest.strip_prefix(b"line").is_some_and(|rest| !rest.is_empty())
}

struct StatementFinder<'s> {
    text: &'s [u8],
    line: u32,
    found: Vec<ConditionPlace>,
    /// Where the innermost statement begins that the line is in the middle of.
    inside: Option<u32>,
    refused: Option<NoCondition>,
}

impl StatementFinder<'_> {
    fn places(mut self) -> Result<Vec<ConditionPlace>, NoCondition> {
        self.found.sort_by_key(|place| place.offset);
        match (self.refused, self.inside) {
            (Some(why), _) => Err(why),
            (None, Some(first)) if self.found.is_empty() => Err(NoCondition::Inside(self.line, first)),
            _ => Ok(self.found),
        }
    }

    fn line_of(&self, place: SyntaxPlace) -> u32 {
        line_of(self.text, place)
    }

    fn is_here(&self, node: &SyntaxNode) -> bool {
        node.begin().is_some_and(|begin| self.line_of(begin) == self.line)
    }

    /// Looks into a function, which the line is in. Its head is where it is entered.
    fn function(&mut self, function: &SyntaxNode) {
        let Some(body) = function.body() else { return };
        if let Some(brace) = body.begin().filter(|brace| !brace.in_macro && self.line <= self.line_of(*brace)) {
            self.push(brace.offset + 1, ConditionForm::Statement);
        }
        self.statement(body, ConditionForm::Statement);
    }

    fn push(&mut self, offset: usize, form: ConditionForm) {
        // What a macro writes has one place, which belongs to the first of it.
        if !self.found.iter().any(|place| place.offset == offset) {
            self.found.push(ConditionPlace { offset, form });
        }
    }

    /// A statement, and what is in it. `form` is how something can stand before it.
    fn statement(&mut self, node: &SyntaxNode, form: ConditionForm) {
        let substatement = |finder: &mut Self, node| finder.statement(node, ConditionForm::Branch);
        match (node.kind.as_str(), &node.inner[..]) {
            ("", _) => {}
            ("CompoundStmt", inner) => {
                inner.iter().for_each(|inner| self.statement(inner, ConditionForm::Statement));
            }
            // Who comes by the label does not pass what is before it.
            ("LabelStmt" | "CaseStmt" | "DefaultStmt", [.., labelled]) => self.statement(labelled, form),
            _ if is_of_one_macro(node) => self.begin(node, form),
            ("ForStmt", [first, _, condition, step, body]) => {
                self.begin(node, form);
                self.head_of(node, first, condition, step);
                substatement(self, body);
            }
            ("WhileStmt", [condition, body]) => {
                if self.is_here(node) || self.is_here(condition) {
                    self.refuse_macro(node);
                    self.operand(condition);
                }
                substatement(self, body);
            }
            ("DoStmt", [body, condition]) => {
                self.begin(node, form);
                substatement(self, body);
                self.operand_here(condition);
            }
            ("IfStmt" | "SwitchStmt", [condition, bodies @ ..]) => {
                self.begin(node, form);
                if !self.is_here(node) {
                    self.operand_here(condition);
                }
                self.nested(condition);
                bodies.iter().for_each(|body| substatement(self, body));
            }
            _ => {
                self.begin(node, form);
                self.note_middle(node);
                self.nested(node);
            }
        }
    }

    /// The head of a `for`: what comes first, the condition and the step.
    fn head_of(&mut self, node: &SyntaxNode, first: &SyntaxNode, condition: &SyntaxNode, step: &SyntaxNode) {
        let head = [first, condition, step];
        if self.is_here(node) || head.iter().any(|part| self.is_here(part)) {
            self.refuse_macro(node);
        }
        if !self.is_here(node) && self.is_here(first) {
            if first.kind == "DeclStmt" {
                self.note_middle_of(node);
            } else {
                self.operand(first);
            }
        }
        if condition.kind.is_empty() && self.is_here(node) {
            match node.begin().and_then(|begin| self.empty_condition(begin.offset)) {
                Some(offset) => self.push(offset, ConditionForm::Forever),
                None => self.refused = Some(NoCondition::NoLoopCondition(self.line)),
            }
        }
        self.operand_here(condition);
        self.operand_here(step);
        head.into_iter().for_each(|part| self.nested(part));
    }

    /// A statement begins: on the line, there is a place before it.
    fn begin(&mut self, node: &SyntaxNode, form: ConditionForm) {
        if let Some(begin) = node.begin().filter(|begin| self.line_of(*begin) == self.line) {
            self.push(begin.offset, form);
        }
    }

    fn operand(&mut self, node: &SyntaxNode) {
        if let Some(begin) = node.begin() {
            self.push(begin.offset, ConditionForm::Operand);
        }
    }

    fn operand_here(&mut self, node: &SyntaxNode) {
        if self.is_here(node) {
            self.operand(node);
        }
    }

    /// Statements inside of expressions: `({ ... })`.
    fn nested(&mut self, node: &SyntaxNode) {
        for inner in &node.inner {
            match inner.kind.as_str() {
                "CompoundStmt" => self.statement(inner, ConditionForm::Statement),
                _ => self.nested(inner),
            }
        }
    }

    fn note_middle(&mut self, node: &SyntaxNode) {
        if let (Some(begin), Some(end)) = (node.begin(), node.end()) {
            let begin = self.line_of(begin);
            if begin < self.line && self.line <= self.line_of(end) {
                self.inside = Some(begin);
            }
        }
    }

    /// A declaration in the head of a loop is no place.
    fn note_middle_of(&mut self, node: &SyntaxNode) {
        let begin = node.begin().map_or(self.line, |begin| self.line_of(begin));
        self.refused = Some(NoCondition::Inside(self.line, begin));
    }

    /// The head of a loop that comes round must be written out.
    fn refuse_macro(&mut self, node: &SyntaxNode) {
        if node.begin().is_some_and(|begin| begin.in_macro) {
            self.refused = Some(NoCondition::MacroLoop(self.line));
        }
    }

    /// Where the condition of a `for (;;)` would be.
    fn empty_condition(&self, start: usize) -> Option<usize> {
        let mut rest = self.text.get(start..)?.strip_prefix(b"for")?.trim_ascii_start().strip_prefix(b"(")?;
        rest = rest.trim_ascii_start().strip_prefix(b";")?.trim_ascii_start();
        rest.starts_with(b";").then(|| self.text.len() - rest.len())
    }
}

/// Whether one macro has written all of it.
fn is_of_one_macro(node: &SyntaxNode) -> bool {
    match (node.begin(), node.end()) {
        (Some(begin), Some(end)) => begin.in_macro && end.in_macro && begin.offset == end.offset,
        _ => false,
    }
}

/// The C that asks a condition, which has a number, at a place. It has a line of its own, so that the compiler's columns are the user's, and the line
/// tells which condition it is, from 1.
pub fn condition_text(number: usize, expression: &str, form: ConditionForm) -> String {
    let (open, close) = match form {
        ConditionForm::Statement => ("(void)", ";"),
        ConditionForm::Branch => ("if ", "; else"),
        ConditionForm::Operand | ConditionForm::Forever => ("(void)", ","),
    };
    format!(
        "#pragma clang diagnostic ignored \"-Weverything\"\n#line {line} \"{file}\"\n{open}(taw_place_ask({number}) && ((\n\
         #line {line} \"{file}\"\n{expression}\n) ? taw_place_tell({number}, 1) : taw_place_tell({number}, 0))){close}",
        line = number + 1,
        file = taw_ir::CONDITION_FILE
    )
}

/// Whether what `sources` asks in a function compiles, and changes nothing.
///
/// # Errors
/// What is wrong with it.
pub fn is_sound(sources: &Sources, file: &Path, function: &str) -> Result<(), NoCondition> {
    let sources = Sources { appendices: Vec::new(), ..sources.clone() };
    let functions = functions(&sources, file, Some(function))?;
    let mut asked = functions.iter().filter(|found| found.name.as_deref() == Some(function)).flat_map(conditions);
    let change = asked.find_map(|condition| CHANGES.iter().find(|(_, is)| condition.any(is)));
    change.map_or(Ok(()), |(what, _)| Err(NoCondition::Changes(what)))
}

type IsChange = fn(&SyntaxNode) -> bool;

const CHANGES: &[(&str, IsChange)] = &[
    ("an assignment", |node| {
        node.kind == "CompoundAssignOperator"
            || node.kind == "BinaryOperator" && node.opcode.as_deref() == Some("=")
            || node.kind == "AtomicExpr"
    }),
    ("`++` or `--`", |node| {
        node.kind == "UnaryOperator" && node.opcode.as_deref().is_some_and(|op| ["++", "--"].contains(&op))
    }),
    ("statements", |node| node.kind == "StmtExpr"),
    ("`va_arg`", |node| node.kind == "VAArgExpr"),
];

/// What is asked in a part of a program.
fn conditions(node: &SyntaxNode) -> Vec<&SyntaxNode> {
    let asks = |node: &SyntaxNode| node.referenced_decl.as_ref().is_some_and(|named| named.name == "taw_place_ask");
    match (node.opcode.as_deref(), &node.inner[..]) {
        (Some("&&"), [left, right]) if left.any(&asks) => choice(right).into_iter().collect(),
        _ => node.inner.iter().flat_map(conditions).collect(),
    }
}

/// The condition of `(EXPR) ? a : b`, in parentheses and conversions.
fn choice(node: &SyntaxNode) -> Option<&SyntaxNode> {
    match node.kind.as_str() {
        "ConditionalOperator" => node.inner.first(),
        _ => node.inner.first().and_then(choice),
    }
}
