//! A SARIF log of another tool (or of Taw): the place of each result is a target, and the verdict goes back into the log.

use serde::Serialize;
use serde_json::{Value, json};
use taw_engine::FindingKind;

use crate::{FileLine, Request, Spec};

/// A log as it was read. Results are numbered through all its runs.
#[derive(Clone, PartialEq, Debug)]
pub struct SarifLog(Value);

/// What is written back of one result, as the property `taw`.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct SarifVerdict {
    /// `reached`, `unreachable` or `unknown`.
    pub verdict: String,
    /// The target that it was understood as.
    pub target: String,
    /// The test that reaches it.
    pub test: Option<String>,
    /// Why, or what stopped the search.
    pub reason: Option<String>,
}

impl SarifLog {
    /// A log, or those that a compiler has written among its other words, each on a line (`clang -fdiagnostics-format=sarif`), as one.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let is_log = |value: &Value| value["runs"].is_array();
        if let Ok(value) = serde_json::from_str(text) {
            return Some(SarifLog(value)).filter(|log| is_log(&log.0));
        }
        let lines = text.lines().filter(|line| line.starts_with('{'));
        let mut logs = lines.filter_map(|line| serde_json::from_str::<Value>(line).ok()).filter(is_log);
        let mut all = logs.next()?;
        for mut more in logs {
            if let (Some(runs), Some(others)) = (all["runs"].as_array_mut(), more["runs"].as_array_mut()) {
                runs.append(others);
            }
        }
        Some(SarifLog(all))
    }

    /// The rule of each result, as its tool calls it.
    pub(crate) fn rules(&self) -> Vec<String> {
        self.results().map(|(run, result)| rule(run, result)).collect()
    }

    /// One request per result that has a place.
    pub(crate) fn requests(&self) -> Vec<Request> {
        let mut requests = Vec::new();
        for (number, (run, result)) in self.results().enumerate() {
            let Some(at) = place(run, &result["locations"][0]["physicalLocation"]) else { continue };
            // A rule of our own says which error it is.
            let kind = result["ruleId"].as_str().and_then(FindingKind::named);
            let spec = match kind {
                Some(kind) => Spec::Error(at, Some(kind)),
                None => Spec::Line(at),
            };
            requests.push(Request { result: Some(number), ..Request::of_tool(spec) });
        }
        requests
    }

    /// How many results there are.
    pub fn len(&self) -> usize {
        self.results().count()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The log with what became of its results; rules, places and all else are as they were.
    pub fn with_verdicts(&self, verdicts: &[SarifVerdict]) -> Value {
        let mut log = self.0.clone();
        let runs = log["runs"].as_array_mut().into_iter().flatten();
        let results = runs.filter_map(|run| run.get_mut("results")?.as_array_mut()).flatten();
        for (result, verdict) in results.zip(verdicts) {
            // What is not a result by its form has a number, as all have, and stays as it is.
            let Some(result) = result.as_object_mut() else { continue };
            let properties = result.entry("properties").or_insert_with(|| json!({}));
            if !properties.is_object() {
                *properties = json!({});
            }
            properties["taw"] = serde_json::to_value(verdict).expect("plain data");
        }
        log
    }

    fn results(&self) -> impl Iterator<Item = (&Value, &Value)> {
        let runs = self.0["runs"].as_array().into_iter().flatten();
        runs.flat_map(|run| run["results"].as_array().into_iter().flatten().map(move |result| (run, result)))
    }
}

/// The name of a result's rule. Where that is a mere number, as clang has them, what the result says: without the names in it.
fn rule(run: &Value, result: &Value) -> String {
    let listed = || result["ruleIndex"].as_u64().map(|at| &run["tool"]["driver"]["rules"][at as usize]);
    let id = result["ruleId"].as_str().or_else(|| listed()?["id"].as_str()).unwrap_or("no rule");
    if !id.bytes().all(|byte| byte.is_ascii_digit()) {
        return id.to_owned();
    }
    match (listed().and_then(|rule| rule["name"].as_str()), result["message"]["text"].as_str()) {
        (Some(name), _) if !name.is_empty() => name.to_owned(),
        (_, Some(text)) => {
            let parts = text.split('\'').enumerate().map(|(at, part)| if at % 2 == 0 { part } else { "…" });
            parts.collect::<Vec<_>>().join("'")
        }
        _ => id.to_owned(),
    }
}

fn place(run: &Value, physical: &Value) -> Option<FileLine> {
    let artifact = &physical["artifactLocation"];
    let listed = || run["artifacts"][artifact["index"].as_u64()? as usize]["location"]["uri"].as_str();
    let uri = artifact["uri"].as_str().or_else(listed)?;
    let line = physical["region"]["startLine"].as_u64().and_then(|line| u32::try_from(line).ok())?;
    Some(FileLine { file: path_of(uri), line })
}

/// A URI reference as a path: `file://` and escapes undone.
fn path_of(uri: &str) -> String {
    let path = uri.strip_prefix("file://").unwrap_or(uri);
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let [first, tail @ ..] = rest {
        let escaped = (*first == b'%').then(|| tail.get(..2)).flatten();
        let value = escaped.and_then(|hex| u8::from_str_radix(std::str::from_utf8(hex).ok()?, 16).ok());
        bytes.push(value.unwrap_or(*first));
        rest = if value.is_some() { &tail[2..] } else { tail };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &str = r#"{ "version": "2.1.0", "runs": [
      { "tool": { "driver": { "name": "lint" } }, "artifacts": [{ "location": { "uri": "b.c" } }],
        "results": [
          { "ruleId": "R1", "message": { "text": "m" }, "locations": [{ "physicalLocation": {
            "artifactLocation": { "uri": "file:///s/a%20b.c" }, "region": { "startLine": 3 } } }] },
          { "ruleId": "R2", "message": { "text": "no place" } },
          { "ruleId": "leak", "message": { "text": "m" }, "properties": { "own": 1 }, "locations": [{ "physicalLocation": {
            "artifactLocation": { "index": 0 }, "region": { "startLine": 7 } } }] } ] } ] }"#;

    #[test]
    fn results_become_targets_and_get_their_verdicts_back() {
        let log = SarifLog::read(LOG).unwrap();
        let requests = log.requests();
        assert_eq!(requests.iter().map(|r| r.result).collect::<Vec<_>>(), [Some(0), Some(2)]);
        assert_eq!(requests[0].spec, Spec::Line(FileLine { file: "/s/a b.c".into(), line: 3 }));
        assert_eq!(requests[1].spec, Spec::Error(FileLine { file: "b.c".into(), line: 7 }, Some(FindingKind::Leak)));
        let verdict = |word: &str| SarifVerdict { verdict: word.into(), ..Default::default() };
        let back = log.with_verdicts(&[verdict("reached"), verdict("unknown"), verdict("unreachable")]);
        let results = &back["runs"][0]["results"];
        assert_eq!(results[0]["properties"]["taw"]["verdict"], "reached");
        assert_eq!(results[0]["ruleId"], "R1");
        assert_eq!(results[2]["properties"]["own"], 1);
        assert_eq!(results[2]["properties"]["taw"]["verdict"], "unreachable");
    }

    #[test]
    fn a_log_of_another_form_is_left_as_it_is() {
        let text =
            r#"{ "runs": [1, null, "x", [2], {}, { "results": 3 }, { "results": [4, null, { "properties": 5 }] }] }"#;
        let log = SarifLog::read(text).unwrap();
        assert_eq!((log.len(), log.requests().len()), (3, 0));
        let back = log.with_verdicts(&vec![SarifVerdict::default(); 3]);
        assert!(back["runs"][6]["results"][2]["properties"]["taw"].is_object(), "{back}");
        let mut wanted: Value = serde_json::from_str(text).unwrap();
        wanted["runs"][6]["results"][2] = back["runs"][6]["results"][2].clone();
        assert_eq!(back, wanted);
    }

    #[test]
    fn logs_among_the_words_of_a_compiler_are_one() {
        let one = |rule: &str, text: &str| {
            format!(r#"{{"runs":[{{"results":[{{"ruleId":"{rule}","message":{{"text":"{text}"}}}}]}}]}}"#)
        };
        let text = format!(
            "clang: warning: unstable\n\n{}\n1 warning generated.\n{}\n",
            one("77", "unused 'y' in 'f'"),
            one("R", "")
        );
        let log = SarifLog::read(&text).unwrap();
        assert_eq!(log.rules(), ["unused '…' in '…'", "R"]);
    }

    #[test]
    fn other_json_is_no_log() {
        assert!(SarifLog::read("{}").is_none() && SarifLog::read("[1]").is_none() && SarifLog::read("x").is_none());
    }
}
