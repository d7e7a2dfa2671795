//! A file written by `gcov`: `COUNT: LINE:SOURCE`, where `#####` and `=====` are never.

use crate::{FileLine, Request, Spec};

pub(crate) fn looks_so(text: &str) -> bool {
    text.lines().any(|line| {
        fields(line).is_some_and(|(count, line, rest)| (count, line) == ("-", 0) && rest.starts_with("Source:"))
    })
}

pub(crate) fn requests(text: &str) -> Vec<Request> {
    let mut file = "";
    let mut requests = Vec::new();
    for (count, line, rest) in text.lines().filter_map(fields) {
        if let (0, Some(name)) = (line, rest.strip_prefix("Source:")) {
            file = name.trim();
        } else if line > 0 && matches!(count, "#####" | "=====") {
            requests.push(Request::of_tool(Spec::Line(FileLine { file: file.to_owned(), line })));
        }
    }
    requests
}

fn fields(line: &str) -> Option<(&str, u32, &str)> {
    let (count, rest) = line.split_once(':')?;
    let (number, rest) = rest.split_once(':')?;
    Some((count.trim(), number.trim().parse().ok()?, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_and_equals_signs_are_never() {
        let text = "        -:    0:Source:src/a.c\n        -:    1:int f(void);\n        1:    2:  g();\n    #####:    3:  h(\"1:2\");\n    =====:    4:  i();\n";
        assert!(looks_so(text) && !looks_so("a: 3: b"));
        let at = |line| Request::of_tool(Spec::Line(FileLine { file: "src/a.c".into(), line }));
        assert_eq!(requests(text), [at(3), at(4)]);
    }
}
