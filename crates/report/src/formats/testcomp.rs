//! The exchange format of the testing competition, version 1.1: `metadata.xml`, and one `testcase-N.xml` per test with the
//! inputs in the order of the calls that make them.
//!
//! An object of several bytes is several inputs of one byte each, `name[0]`, `name[1]`, …: the format knows scalars only.

use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

use quick_xml::Reader;
use quick_xml::Writer;
use quick_xml::escape::unescape;
use quick_xml::events::{BytesDecl, BytesText, Event};
use sha2::{Digest, Sha256};
use taw_engine::{Input, InputType};
use taw_ir::Layout;

use super::{FinishedRun, FormatDef, FormatError, NamedTest, put};
use crate::output_dir::is_number;
use crate::test_file::{InputRecord, OutcomeRecord};
use crate::value;

pub(super) const DEF: FormatDef = FormatDef {
    name: "testcomp",
    help: "Test-Comp's XML: metadata.xml and one testcase-N.xml per test",
    writes: |name| {
        let number = name.strip_prefix("testcase-").and_then(|rest| rest.strip_suffix(".xml"));
        name == "metadata.xml" || number.is_some_and(is_number)
    },
    write,
};

/// The type of a byte of an object.
const BYTE: &str = "unsigned char";

fn write(suite: &FinishedRun<'_>, folder: &Path) -> Result<Vec<String>, FormatError> {
    let given = |test: &NamedTest| test.test.given.as_ref().and_then(|given| given.inputs.first().cloned());
    if let Some((test, input)) = suite.tests.iter().find_map(|test| Some((test, given(test)?))) {
        let why = format!(
            "the format knows only inputs that the program asks for by calls, and the test {} has `{input}`; choose ktest or \
             ctest",
            test.name
        );
        return Err(FormatError::Unfit { format: DEF.name, why });
    }
    let entry = suite.entry(DEF.name)?;
    put(folder, "metadata.xml", &xml("test-metadata", |out| metadata(suite, entry, out)))?;
    for (index, test) in suite.tests.iter().enumerate() {
        let text = xml("testcase", |out| testcase(test, &suite.program.layout, out));
        put(folder, &format!("testcase-{}.xml", index + 1), &text)?;
    }
    Ok(Vec::new())
}

type Out = Writer<Vec<u8>>;

fn xml(root: &str, body: impl FnOnce(&mut Out) -> io::Result<()>) -> Vec<u8> {
    let mut out = Writer::new_with_indent(Vec::new(), b' ', 2);
    let doctype = format!(
        "{root} PUBLIC \"+//IDN sosy-lab.org//DTD test-format {root} 1.1//EN\" \"https://sosy-lab.org/test-format/{root}-1.1.dtd\""
    );
    let written = out
        .write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), Some("no"))))
        .and_then(|()| out.write_event(Event::DocType(BytesText::from_escaped(doctype))))
        .and_then(|()| body(&mut out))
        .and_then(|()| out.get_mut().write_all(b"\n"));
    written.expect("writing to memory does not fail");
    out.into_inner()
}

fn metadata(suite: &FinishedRun<'_>, entry: &str, out: &mut Out) -> io::Result<()> {
    let files: Vec<String> = suite.sources.iter().map(|path| path.display().to_string()).collect();
    let architecture = format!("{}bit", suite.program.layout.pointer_bytes() * 8);
    let producer = format!("taw {}", env!("CARGO_PKG_VERSION"));
    let specification = format!("COVER( init({entry}()), FQL(COVER EDGES(@DECISIONEDGE)) )");
    // The order is the document type's.
    let fields: [(&str, &str); 8] = [
        ("sourcecodelang", "C"),
        ("producer", &producer),
        ("specification", &specification),
        ("programfile", &files.join(" ")),
        ("programhash", &hash(suite)),
        ("entryfunction", entry),
        ("architecture", &architecture),
        ("creationtime", &newest(suite)),
    ];
    out.create_element("test-metadata")
        .write_inner_content(|out| {
            for (name, text) in fields {
                out.create_element(name).write_text_content(BytesText::new(text))?;
            }
            Ok(())
        })
        .map(drop)
}

/// SHA-256 over the files, in their order.
fn hash(suite: &FinishedRun<'_>) -> String {
    let mut hash = Sha256::new();
    for file in &suite.sources {
        // What cannot be read any more adds nothing; the run itself has read it.
        hash.update(fs::read(file).unwrap_or_default());
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The time of the newest source, not of the run: the same run gives the same files.
fn newest(suite: &FinishedRun<'_>) -> String {
    let modified = |path: &std::path::PathBuf| fs::metadata(path).and_then(|file| file.modified()).ok();
    let newest = suite.sources.iter().filter_map(modified).max().unwrap_or(std::time::UNIX_EPOCH);
    let seconds = newest.duration_since(std::time::UNIX_EPOCH).map_or(0, |since| since.as_secs());
    iso_8601(seconds)
}

/// Seconds since 1970 as date and time (the civil calendar by Howard Hinnant's `civil_from_days`).
fn iso_8601(seconds: u64) -> String {
    let (days, second) = (seconds / 86400 + 719_468, seconds % 86400);
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let (day, month) = (day - (153 * month + 2) / 5 + 1, if month < 10 { month + 3 } else { month - 9 });
    let year = year + era * 400 + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z", second / 3600, second / 60 % 60, second % 60)
}

fn testcase(test: &NamedTest, layout: &Layout, out: &mut Out) -> io::Result<()> {
    let mut element = out.create_element("testcase");
    if matches!(test.test.outcome, OutcomeRecord::Finding { .. }) {
        element = element.with_attribute(("coversError", "true"));
    }
    let inputs: Vec<InputRecord> = test.test.inputs.iter().flat_map(|input| scalars(input, layout)).collect();
    element
        .write_inner_content(|out| {
            for input in &inputs {
                out.create_element("input")
                    .with_attributes([("variable", input.name.as_str()), ("type", input.ty.as_str())])
                    .write_text_content(BytesText::new(&input.value))?;
            }
            Ok(())
        })
        .map(drop)
}

/// The scalars of which an input consists, with values that C compilers read.
fn scalars(record: &InputRecord, layout: &Layout) -> Vec<InputRecord> {
    let Some(input) = record.input() else { return Vec::new() };
    if let Some(value) = value::number(&input, layout) {
        return vec![InputRecord { value, ..record.clone() }];
    }
    let byte = |(index, byte): (usize, &u8)| InputRecord {
        name: format!("{}[{index}]", record.name),
        ty: BYTE.into(),
        bytes: String::new(),
        value: byte.to_string(),
    };
    input.bytes.iter().enumerate().map(byte).collect()
}

/// The inputs of a test case.
///
/// # Errors
/// What is wrong with the file.
pub(super) fn decode(text: &[u8]) -> Result<Vec<Input>, String> {
    let mut reader = Reader::from_reader(text);
    reader.config_mut().trim_text(true);
    let mut inputs = Inputs::default();
    let mut root = None;
    loop {
        let at = reader.buffer_position();
        let event = reader.read_event().map_err(|error| format!("it is not XML (at byte {at}: {error})"))?;
        match event {
            Event::Start(tag) | Event::Empty(tag) if root.is_none() => {
                root = Some(tag.name().as_ref().to_owned());
            }
            Event::Start(tag) if tag.name().as_ref() == "input" => {
                let attribute = |name: &str| {
                    let found = tag.try_get_attribute(name).ok().flatten()?;
                    Some(found.value.into_owned())
                };
                let (name, ty) = (attribute("variable").unwrap_or_default(), attribute("type").unwrap_or_default());
                let text = reader.read_text(tag.name()).map_err(|error| format!("it is not XML: {error}"))?;
                let text = unescape(&text).map_err(|error| format!("it is not XML: {error}"))?;
                inputs.add(&name, ty, text.trim())?;
            }
            Event::Eof => break,
            _ => {}
        }
    }
    match root.as_deref() {
        Some("testcase") => Ok(inputs.done),
        Some(other) => Err(format!("it is XML, but `{other}` and not `testcase` is its root")),
        None => Err("it is XML without an element".into()),
    }
}

/// Inputs as they are read: nameless, because the format goes by order; bytes of one object come together again.
#[derive(Default)]
struct Inputs {
    done: Vec<Input>,
    /// The object whose bytes are being read.
    open: String,
}

impl Inputs {
    fn add(&mut self, name: &str, ty: String, text: &str) -> Result<(), String> {
        let bytes = value::parse(text, &ty)
            .ok_or_else(|| format!("the value `{text}` of `{name}` is not a number or character"))?;
        let part = name.strip_suffix(']').and_then(|name| name.rsplit_once('[')).filter(|_| ty == BYTE);
        let Some((object, index)) = part.and_then(|(object, index)| Some((object, index.parse::<usize>().ok()?)))
        else {
            self.open.clear();
            self.done.push(Input { name: String::new(), ty: InputType::Scalar(ty), bytes });
            return Ok(());
        };
        match self.done.last_mut() {
            Some(last) if self.open == object && last.bytes.len() == index => last.bytes.push(bytes[0]),
            _ => {
                self.open = object.to_owned();
                self.done.push(Input { name: String::new(), ty: InputType::Bytes, bytes: vec![bytes[0]] });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::iso_8601;

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(iso_8601(0), "1970-01-01T00:00:00Z");
        assert_eq!(iso_8601(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(iso_8601(1_767_225_599), "2025-12-31T23:59:59Z");
    }
}
