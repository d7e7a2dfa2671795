//! A list of targets, one per line as on the command line; `#` begins a comment.

use crate::Request;

pub(crate) fn requests(text: &str) -> Result<Vec<Request>, String> {
    let mut requests = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if !line.is_empty() && !line.starts_with('#') {
            requests.push(Request::parse(line).map_err(|why| format!("line {number}: {why}"))?);
        }
    }
    Ok(requests)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_empty_lines_are_skipped_and_errors_are_placed() {
        assert_eq!(requests("# all\n\nmain\n  a.c:3 \n").unwrap().len(), 2);
        assert!(requests("main\na.c:0\n").unwrap_err().starts_with("line 2: "));
    }
}
