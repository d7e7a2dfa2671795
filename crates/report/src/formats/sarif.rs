//! Findings as SARIF 2.1.0: one result per finding, with its stack, and a code flow of the inputs, the branches that led to
//! the error, and the calls inwards to its place.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::{Value, json};
use taw_engine::FindingKind;

use super::{FinishedRun, FormatDef, FormatError, put};
use crate::findings::{Because, FindingRecord};
use crate::place::StackFrame;

pub(super) const DEF: FormatDef = FormatDef {
    name: "sarif",
    help: "findings.sarif: findings for code scanning services and editors",
    writes: |name| name == "findings.sarif",
    write,
};

const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

fn write(suite: &FinishedRun<'_>, folder: &Path) -> Result<Vec<String>, FormatError> {
    let mut text = serde_json::to_vec_pretty(&log(suite.findings)).expect("plain data");
    text.push(b'\n');
    put(folder, "findings.sarif", &text)?;
    Ok(Vec::new())
}

/// The whole log.
pub(super) fn log(findings: &[FindingRecord]) -> Value {
    let kinds: Vec<&str> = findings.iter().map(|f| f.kind.as_str()).collect::<BTreeSet<_>>().into_iter().collect();
    let rule = |&kind: &&str| {
        let help = FindingKind::named(kind).map_or("an error", FindingKind::help);
        json!({ "id": kind, "shortDescription": { "text": help }, "defaultConfiguration": { "level": "error" } })
    };
    let results: Vec<Value> = findings.iter().map(|finding| result(finding, &kinds)).collect();
    json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "taw",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": kinds.iter().map(rule).collect::<Vec<_>>(),
            } },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    })
}

fn result(finding: &FindingRecord, kinds: &[&str]) -> Value {
    let place = StackFrame {
        function: finding.function.clone(),
        file: finding.file.clone(),
        line: finding.line,
        column: finding.column,
        user: true,
    };
    let frames = finding.stack.iter().map(|frame| json!({ "location": location(frame, &frame.function) }));
    let mut result = json!({
        "ruleId": finding.kind,
        "ruleIndex": kinds.iter().position(|kind| *kind == finding.kind),
        "level": "error",
        "message": { "text": finding.message },
        "locations": [location(&place, &finding.message)],
        "stacks": [{ "message": { "text": "calls, innermost first" }, "frames": frames.collect::<Vec<_>>() }],
        "occurrenceCount": finding.count,
        "partialFingerprints": { "kindAndPlace/v1": format!("{} {}", finding.kind, finding.place()) },
        "properties": { "test": finding.test },
    });
    if let Some(caller) = &finding.caller {
        result["message"]["text"] = json!(format!("{} ({})", finding.message, caller.says));
        result["properties"]["caller"] = json!(caller);
        if caller.left_out {
            let why = "a parameter that is null or the same as another explains it (--quiet-preconditions)";
            result["suppressions"] = json!([{ "kind": "external", "justification": why }]);
        }
    }
    if let Some(api) = &finding.api {
        result["properties"]["api"] = json!(api);
    }
    // A flow of no steps is not allowed.
    if !finding.stack.is_empty() {
        result["codeFlows"] = json!([{ "threadFlows": [{ "locations": flow(finding) }] }]);
    }
    result
}

/// The branches that led to the error, then the calls inwards to it; the inputs are said at the first step.
fn flow<'f>(finding: &'f FindingRecord) -> Vec<Value> {
    let branch = |because: &'f Because| {
        let held = if because.held { "holds" } else { "does not hold" };
        (&because.at, format!("the condition {held}"), "important")
    };
    let call = |(index, frame): (usize, &'f StackFrame)| match index {
        0 => (frame, finding.message.clone(), "essential"),
        _ => (frame, format!("{} calls {}", frame.function, finding.stack[index - 1].function), "important"),
    };
    let calls = finding.stack.iter().enumerate().rev().map(call);
    let inputs: Vec<String> = finding.inputs.iter().map(|i| format!("{} = {}", i.name, i.value)).collect();
    let mut lead = if inputs.is_empty() { String::new() } else { format!("with {}: ", inputs.join(", ")) };
    let steps = finding.because.iter().map(branch).chain(calls);
    steps
        .map(|(frame, said, importance)| {
            let said = std::mem::take(&mut lead) + &said;
            json!({ "location": location(frame, &said), "importance": importance })
        })
        .collect()
}

fn location(frame: &StackFrame, said: &str) -> Value {
    let mut location = json!({
        "logicalLocations": [{ "name": frame.function, "kind": "function" }],
        "message": { "text": said },
    });
    if let Some(file) = &frame.file {
        let mut physical = json!({ "artifactLocation": { "uri": uri(file) } });
        if let Some(line) = frame.line {
            physical["region"] = json!({ "startLine": line });
            if let Some(column) = frame.column {
                physical["region"]["startColumn"] = json!(column);
            }
        }
        location["physicalLocation"] = physical;
    }
    location
}

/// A path as a URI reference: relative ones stay relative, everything but the plain characters is escaped.
fn uri(path: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte);
    let escaped: String = path
        .bytes()
        .map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect();
    if path.starts_with('/') { format!("file://{escaped}") } else { escaped }
}
