//! An LCOV tracefile: every line with code that was never executed.

use crate::{FileLine, Request, Spec};

pub(crate) fn looks_so(text: &str) -> bool {
    text.lines().any(|line| line.starts_with("SF:")) && text.lines().any(|line| line.starts_with("DA:"))
}

pub(crate) fn requests(text: &str) -> Vec<Request> {
    let mut file = "";
    let mut requests = Vec::new();
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("SF:") {
            file = name.trim();
        } else if let Some((number, count)) = line.strip_prefix("DA:").and_then(|data| data.split_once(','))
            && count.split(',').next().map(str::trim) == Some("0")
            && let Ok(line) = number.trim().parse()
        {
            requests.push(Request::of_tool(Spec::Line(FileLine { file: file.to_owned(), line })));
        }
    }
    requests
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_lines_that_were_never_executed_are_targets() {
        let text = "TN:\nSF:/s/a.c\nDA:3,1\nDA:4,0\nDA:5,0,checksum\nend_of_record\nSF:b.c\nDA:1,0\nend_of_record\n";
        assert!(looks_so(text));
        let places: Vec<String> = requests(text)
            .into_iter()
            .map(|request| match request.spec {
                Spec::Line(at) => format!("{}:{}", at.file, at.line),
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(places, ["/s/a.c:4", "/s/a.c:5", "b.c:1"]);
    }
}
