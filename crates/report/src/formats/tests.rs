//! Tests of the formats: what is written is read back, and what is wrong is named.

use super::*;
use taw_engine::{Input, InputType};

fn input(name: &str, ty: &str, bytes: &[u8]) -> Input {
    let ty = if ty.is_empty() { InputType::Bytes } else { InputType::Scalar(ty.into()) };
    Input { name: name.into(), ty, bytes: bytes.into() }
}

fn seed(name: &str, content: &[u8]) -> Result<Vec<Input>, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, content).unwrap();
    read_seed(&path).map_err(|error| error.to_string())
}

#[test]
fn a_ktest_file_is_as_klee_writes_it_and_read_back() {
    let objects = [input("x", "int", &[1, 2, 3, 4]), input("", "", b"")];
    let file = ktest::encode(&["program".into(), "-a".into()], &objects);
    let head = b"KTEST\0\0\0\x03\0\0\0\x02\0\0\0\x07program\0\0\0\x02-a\0\0\0\0\0\0\0\0\0\0\0\x02\0\0\0\x01x\0\0\0\x04";
    assert_eq!(file[..head.len()], head[..]);
    let read = seed("t", &file).unwrap();
    assert_eq!(read, [input("x", "", &[1, 2, 3, 4]), input("", "", b"")]);
    for length in 0..file.len() {
        let cut = seed("t.ktest", &file[..length]).unwrap_err();
        assert!(cut.contains("t.ktest` cannot be used: it is not a whole .ktest file"), "{length}: {cut}");
    }
    let huge = [&file[..5], &[0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff]].concat();
    assert!(seed("t", &huge).unwrap_err().contains("it ends within the name of an object"));
    assert!(seed("t", &[&file[..], b"!"].concat()).unwrap_err().contains("1 bytes follow"));
    assert!(seed("t", b"KTEST\0\0\0\x09").unwrap_err().contains("version 9"));
}

#[test]
fn xml_is_read_in_call_order() {
    let text = br#"<?xml version="1.0"?><!DOCTYPE testcase SYSTEM "x"><testcase coversError="true">
        <input>7</input><input variable="b[0]" type="unsigned char">65</input>
        <input variable="b[1]" type="unsigned char">66</input><input type="char">&apos;a&apos;</input></testcase>"#;
    let read = seed("t", text).unwrap();
    assert!(read.iter().all(|input| input.name.is_empty()));
    let first: Vec<u8> = read.iter().map(|input| input.bytes[0]).collect();
    assert_eq!(first, [7, 65, b'a']);
    assert_eq!(read[1].bytes, b"AB");
    assert_eq!(seed("t", b"<testcase/>").unwrap(), []);
}

#[test]
fn what_looks_like_a_format_and_is_not_is_named() {
    let cases: [(&str, &[u8], &str); 9] = [
        ("a.xml", b"", "it is XML without an element"),
        ("a.xml", b"<testcase><input>1</testcase>", "it is not XML"),
        ("a", b"<testcase><input>", "it is not XML"),
        ("a", b"<?xml version='1.0'?><other/>", "`other` and not `testcase`"),
        ("a", b"<testcase><input>one</input></testcase>", "`one`"),
        ("a", b"<testcase><input>&bad;</input></testcase>", "it is not XML"),
        ("a.json", b"{}", "it is not a test written by Taw"),
        ("a", b"{\"outcome\":{\"kind\":\"exit\"", "it is not a test written by Taw"),
        ("a.ktest", b"hello", "it does not begin with KTEST"),
    ];
    for (name, content, expected) in cases {
        let error = seed(name, content).expect_err(expected);
        assert!(error.contains(expected) && error.contains(name), "{error}");
    }
    let bytes = br#"{"outcome":{"kind":"exit","code":0},"inputs":[{"name":"x","type":"int","bytes":"zz","value":""}],
        "labels":[],"prints":[],"output":"","path":[]}"#;
    assert!(seed("a", bytes).unwrap_err().contains("input `x` are not hexadecimal"));
}

#[test]
fn anything_else_is_raw_bytes() {
    for raw in [&b"{\"name\": 1}"[..], b"", b"\0\xff", b"<html>"] {
        assert_eq!(seed("file", raw).unwrap(), [input("", "", raw)]);
    }
    let missing = read_seeds(Path::new("no/such")).unwrap_err().to_string();
    assert!(missing.contains("no/such"), "{missing}");
    let empty = tempfile::tempdir().unwrap();
    assert!(read_seeds(empty.path()).unwrap_err().to_string().contains("no files"));
}

#[test]
fn a_corpus_is_one_buffer_cut_to_its_size() {
    assert_eq!(corpus::buffer(&[input("b", "", b"abc")]), Some(b"abc".to_vec()));
    let size = |n: u8| input("size", "size_t", &[n, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(corpus::buffer(&[size(2), input("data", "", b"abc")]), Some(b"ab".to_vec()));
    assert_eq!(corpus::buffer(&[size(0)]), Some(Vec::new()));
    assert_eq!(corpus::buffer(&[size(4), input("data", "", b"abc")]), None);
    assert_eq!(corpus::buffer(&[input("x", "int", &[0; 4])]), None);
    assert_eq!(corpus::buffer(&[]), None);
}

#[test]
fn every_format_has_a_name_of_its_own() {
    for format in FORMATS {
        assert_eq!(FormatDef::named(format.name).map(|found| found.help), Some(format.help));
    }
    assert!(FormatDef::named("tests").is_none(), "the folder of the tests themselves");
}

#[test]
fn findings_are_valid_by_the_published_schema() {
    let text = include_str!("../../tests/data/sarif-schema-2.1.0.json");
    let mut schema: serde_json::Value = serde_json::from_str(text).unwrap();
    // The published pattern has a bracket too many, which strict readers of regular expressions refuse; unused here.
    for part in ["run", "toolComponent"] {
        schema["definitions"][part]["properties"]["language"].as_object_mut().unwrap().remove("pattern");
    }
    let validator = jsonschema::draft7::new(&schema).unwrap();
    let frame = |function: &str, line| crate::StackFrame {
        function: function.into(),
        file: Some("dir/a b.c".into()),
        line,
        column: line,
        user: true,
    };
    let finding = FindingRecord {
        kind: "abort".into(),
        message: "the program aborts".into(),
        file: Some("dir/a b.c".into()),
        line: Some(3),
        column: None,
        function: "f".into(),
        stack: vec![frame("f", Some(3)), frame("main", None)],
        caller: None,
        api: None,
        because: vec![crate::findings::Because { at: frame("main", Some(9)), held: false }],
        test: "tests/t.json".into(),
        count: 2,
        confirmed: None,
        confirmation: None,
        call: Vec::new(),
        inputs: Vec::new(),
    };
    let bare = FindingRecord { file: None, line: None, stack: Vec::new(), because: Vec::new(), ..finding.clone() };
    for findings in [vec![], vec![finding.clone()], vec![finding, bare]] {
        let log = sarif::log(&findings);
        let errors: Vec<String> = validator.iter_errors(&log).map(|e| format!("{}: {e}", e.instance_path())).collect();
        assert_eq!(errors, [""; 0], "{log:#}");
        assert_eq!(log["runs"][0]["results"].as_array().unwrap().len(), findings.len());
    }
}
