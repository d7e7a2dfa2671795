//! What cppcheck writes with `--xml` (version 2): the first place of each of its errors is a target.

use quick_xml::Reader;
use quick_xml::escape::unescape;
use quick_xml::events::{BytesStart, Event};

use crate::{FileLine, Request, Spec};

pub(crate) fn looks_so(text: &str) -> bool {
    text.trim_start().starts_with('<') && text.contains("<results") && text.contains("<cppcheck")
}

/// One request per error that has a place, and the rule of every error.
///
/// # Errors
/// If it is no XML, in words.
pub(crate) fn requests(text: &str) -> Result<(Vec<Request>, Vec<String>), String> {
    let mut reader = Reader::from_str(text);
    let (mut requests, mut rules) = (Vec::new(), Vec::new());
    let mut placed = true;
    loop {
        let event = reader.read_event().map_err(|error| format!("not the XML of cppcheck: {error}"))?;
        let element = match &event {
            Event::Start(element) | Event::Empty(element) => element,
            Event::Eof => return Ok((requests, rules)),
            _ => continue,
        };
        match element.name().as_ref() {
            "error" => {
                rules.push(attribute(element, "id").unwrap_or_else(|| "no rule".to_owned()));
                placed = false;
            }
            // Further places tell how it comes about.
            "location" if !placed => {
                let line = attribute(element, "line").and_then(|line| line.parse().ok()).filter(|line| *line > 0);
                if let (Some(file), Some(line)) = (attribute(element, "file"), line) {
                    let request = Request::of_tool(Spec::Line(FileLine { file, line }));
                    requests.push(Request { result: Some(rules.len() - 1), ..request });
                }
                placed = true;
            }
            _ => {}
        }
    }
}

fn attribute(element: &BytesStart<'_>, name: &str) -> Option<String> {
    let found = element.try_get_attribute(name).ok().flatten()?;
    let text = found.value.into_owned();
    Some(unescape(&text).map(|value| value.into_owned()).unwrap_or(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<results version="2"><cppcheck version="2.10"/><errors>
  <error id="nullPointer" severity="error" msg="p" cwe="476" file0="a.c">
    <location file="src/a &amp; b.c" line="3" column="5"/><location file="a.c" line="9"/><symbol>p</symbol></error>
  <error id="missingInclude" severity="information" msg="m"/>
  <error id="zerodiv" severity="error" msg="d"><location file="b.c" line="0"/></error>
  <error id="zerodiv" severity="error" msg="d"><location file="b.c" line="4"/></error>
</errors></results>"#;

    #[test]
    fn the_first_place_of_an_error_is_a_target() {
        assert!(looks_so(LOG) && !looks_so("<a/>") && !looks_so("a.c:3"));
        let (requests, rules) = requests(LOG).unwrap();
        assert_eq!(rules, ["nullPointer", "missingInclude", "zerodiv", "zerodiv"]);
        assert_eq!(requests.iter().map(|request| request.result).collect::<Vec<_>>(), [Some(0), Some(3)]);
        assert_eq!(requests[0].spec, Spec::Line(FileLine { file: "src/a & b.c".into(), line: 3 }));
    }

    #[test]
    fn what_is_no_xml_is_said() {
        assert!(requests("<results><cppcheck/></a>").is_err());
    }
}
