//! From what is asked for to what it is in the program: instructions to reach, and what a native run must pass.

use std::collections::BTreeMap;

use taw_engine::{ErrorAt, FindingKind, Goal, GoalStep, condition_label};
use taw_ir::{Callee, ConstValue, FileId, Inst, Program, Site};

use crate::index::{CodeIndex, CodeLine};
use crate::labels::{Labels, is_address_taken};
use crate::near::nearest;
use crate::{Asker, FileLine, Request, Spec, TraceFrame};
use taw_report::{Places, Spot};

/// A target of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Target {
    /// What is to be reached.
    pub goal: Goal,
    /// What a native run must be seen to pass: steps in order, each with places of which one will do. For an error, where it
    /// is: that it happens there is for sanitizers to see.
    pub route: Vec<Vec<Spot>>,
    /// What the user should know about it: that the line was moved.
    pub note: Option<String>,
    /// The results of a SARIF log that ask for it.
    pub results: Vec<usize>,
}

/// All targets of a run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Resolved {
    /// Each once, in the order in which they were asked for.
    pub targets: Vec<Target>,
    /// What tools asked for and is not in the program, with the reason.
    pub left_out: Vec<(Request, String)>,
}

/// A condition of a place that a program asks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AskedPlace {
    /// The line and the condition, as they were written.
    pub said: (FileLine, String),
    /// What the target is called.
    pub name: String,
    /// What the user should know about it: that the line was moved.
    pub note: Option<String>,
}

/// The file that has code and ends so.
///
/// # Errors
/// If there is none or more than one, in words.
pub fn file_with_code(places: &Places<'_>, name: &str) -> Result<FileId, String> {
    CodeIndex::new(places.program()).file(name)
}

/// Finds what is asked for in a program, whose markers are `taw_target` and those named; it was compiled so as to ask conditions, by number.
///
/// # Errors
/// What a person asked for and is not there or not unique, in words and with what there is.
pub fn resolve(
    places: &Places<'_>,
    markers: &[String],
    requests: &[Request],
    conditions: &[AskedPlace],
) -> Result<Resolved, String> {
    let program = places.program();
    let (index, labels) = (CodeIndex::new(program), Labels::of(program, markers));
    let finder = Finder { program, places, index, labels, conditions };
    let mut resolved = Resolved::default();
    let mut known: BTreeMap<String, usize> = BTreeMap::new();
    for request in requests {
        let found = match finder.find(request) {
            Ok(found) => found,
            Err(why) if request.asker == Asker::Person => return Err(why),
            Err(why) => {
                resolved.left_out.push((request.clone(), why));
                continue;
            }
        };
        for mut target in found {
            target.results.extend(request.result);
            match known.get(&target.goal.name) {
                Some(&at) => resolved.targets[at].results.extend(target.results),
                None => {
                    known.insert(target.goal.name.clone(), resolved.targets.len());
                    resolved.targets.push(target);
                }
            }
        }
    }
    Ok(resolved)
}

struct Finder<'p> {
    program: &'p Program,
    places: &'p Places<'p>,
    index: CodeIndex<'p>,
    labels: Labels,
    /// Those that the program asks, by number.
    conditions: &'p [AskedPlace],
}

impl Finder<'_> {
    fn find(&self, request: &Request) -> Result<Vec<Target>, String> {
        match &request.spec {
            Spec::EveryLabel => self.every_label(),
            one => self.find_one(one, request.asker).map(|target| vec![target]),
        }
    }

    fn find_one(&self, spec: &Spec, asker: Asker) -> Result<Target, String> {
        match spec {
            Spec::Line(at) => self.line(at, asker),
            Spec::Condition(at, text) => self.condition(at, text),
            Spec::Error(at, kind) => self.error(at, *kind),
            Spec::Function(name) => self.function(name),
            Spec::Label(label) => self.label(label),
            Spec::EveryLabel => Err("every label is more than one place".to_owned()),
            Spec::ErrorCall(name) => self.error_call(name),
            Spec::Trace(frames) => self.trace(frames),
            Spec::Steps(steps) => self.steps(steps, asker),
        }
    }

    /// Where a condition tells that it holds.
    fn condition(&self, at: &FileLine, text: &str) -> Result<Target, String> {
        let mut asked = (0..).zip(self.conditions);
        let asked = asked.find(|(_, known)| (&known.said.0, known.said.1.as_str()) == (at, text));
        let Some((number, asked)) = asked else {
            return Err(format!("the program was not compiled so as to ask `{text}` (`Session::with_conditions`)"));
        };
        let tells = self.program.function_named("taw_place_tell");
        let mut sites = Vec::new();
        for (func, function) in &self.program.functions {
            for (pc, inst) in (0..).zip(&function.code) {
                let Inst::Call { call } = inst else { continue };
                let call = &function.calls[*call];
                // What an optimiser has put together is any number and any answer.
                let known = |argument: usize| {
                    let value = &function.consts[call.args.get(argument)?.value.as_const()?].value;
                    if let ConstValue::Bits(words) = value { words.first().copied() } else { None }
                };
                let is_it = || known(0).is_none_or(|known| known == number) && known(1) != Some(0);
                if matches!(call.callee, Callee::Direct(callee) if Some(callee) == tells) && is_it() {
                    sites.push(Site { func, pc });
                }
            }
        }
        let label = condition_label(number);
        let mut target = self.plain(&asked.name, GoalStep::Label(label.clone(), sites), vec![Spot::Condition(label)]);
        target.note = asked.note.clone();
        Ok(target)
    }

    fn steps(&self, steps: &[Spec], asker: Asker) -> Result<Target, String> {
        let steps = steps.iter().map(|step| self.find_one(step, asker)).collect::<Result<Vec<_>, _>>()?;
        let names: Vec<&str> = steps.iter().map(|step| step.goal.name.as_str()).collect();
        let notes: Vec<&str> = steps.iter().filter_map(|step| step.note.as_deref()).collect();
        Ok(Target {
            goal: Goal {
                name: names.join(" then "),
                steps: steps.iter().flat_map(|step| &step.goal.steps).cloned().collect(),
            },
            route: steps.iter().flat_map(|step| &step.route).cloned().collect(),
            note: (!notes.is_empty()).then(|| notes.join("; ")),
            results: Vec::new(),
        })
    }

    fn code_line(&self, at: &FileLine) -> Result<CodeLine, String> {
        self.index.line(self.index.file(&at.file)?, at.line)
    }

    /// `file:line`, with the file as reports name it.
    fn name(&self, file: FileId, line: u32) -> String {
        format!("{}:{line}", self.places.file(file))
    }

    fn spot(&self, file: FileId, line: u32) -> Spot {
        Spot::Line { file: self.index.path(file).to_owned(), line }
    }

    /// A tool means exactly the line; a person the statement there.
    fn line(&self, at: &FileLine, asker: Asker) -> Result<Target, String> {
        let code = self.code_line(at)?;
        if asker == Asker::Tool && code.line != at.line {
            return Err(format!("line {} of {} has no code", at.line, at.file));
        }
        Ok(Target {
            goal: Goal { name: self.name(code.file, code.line), steps: vec![GoalStep::Sites(code.sites)] },
            route: vec![vec![self.spot(code.file, code.line)]],
            note: moved(at, code.line),
            results: Vec::new(),
        })
    }

    fn error(&self, at: &FileLine, kind: Option<FindingKind>) -> Result<Target, String> {
        let code = self.code_line(at)?;
        let error = ErrorAt { kind, file: code.file, line: code.line };
        let name = format!("{}!{}", self.name(code.file, code.line), kind.map_or("", FindingKind::name));
        Ok(Target {
            goal: Goal { name, steps: vec![GoalStep::Error(error, code.sites)] },
            route: vec![vec![self.spot(code.file, code.line)]],
            note: moved(at, code.line),
            results: Vec::new(),
        })
    }

    fn function(&self, name: &str) -> Result<Target, String> {
        let func = self.index.function(name)?;
        Ok(self.plain(name, GoalStep::Sites(vec![Site { func, pc: 0 }]), vec![Spot::Function(name.to_owned())]))
    }

    fn plain(&self, name: &str, step: GoalStep, route: Vec<Spot>) -> Target {
        let goal = Goal { name: name.to_owned(), steps: vec![step] };
        Target { goal, route: vec![route], note: None, results: Vec::new() }
    }

    fn label(&self, label: &str) -> Result<Target, String> {
        let known = self.labels.known.get(label);
        if known.is_none() && self.labels.computed.is_empty() {
            let names = self.labels.known.keys().map(String::as_str);
            let guess = nearest(label, names.clone()).map(|near| format!("did you mean `{near}`? "));
            let some: Vec<&str> = names.take(12).collect();
            return Err(match some.as_slice() {
                [] => format!("no label `{label}`: the program calls no marker; name one with --marker FUNCTION"),
                _ => format!("no label `{label}`; {}labels: {}", guess.unwrap_or_default(), some.join(", ")),
            });
        }
        let sites: Vec<Site> = known.into_iter().flatten().chain(&self.labels.computed).copied().collect();
        let mut route = vec![Spot::Label(label.to_owned())];
        // A call that names several labels does not tell which by its place.
        let alone = |site: &&Site| self.labels.known.values().filter(|sites| sites.contains(site)).count() == 1;
        route.extend(known.into_iter().flatten().filter(alone).filter_map(|site| self.spot_of(*site)));
        let mut target = self.plain(&format!("label:{label}"), GoalStep::Label(label.to_owned(), sites), route);
        if known.is_none() {
            target.note = Some(format!("no call names the label `{label}` in the program text; it may be computed"));
        }
        Ok(target)
    }

    fn every_label(&self) -> Result<Vec<Target>, String> {
        if self.labels.known.is_empty() {
            return Err(
                "the program text has no labels: no call of taw_target or of a --marker FUNCTION names one".into()
            );
        }
        let mut targets = self.labels.known.keys().map(|label| self.label(label)).collect::<Result<Vec<_>, _>>()?;
        if let (Some(first), false) = (targets.first_mut(), self.labels.computed.is_empty()) {
            first.note = Some("some calls compute their label; those are not in the list".into());
        }
        Ok(targets)
    }

    /// Calls of a function, wherever they are, and its start if it has code.
    fn error_call(&self, name: &str) -> Result<Target, String> {
        let Some(wanted) = self.program.function_named(name) else {
            let names = self.program.names.keys().map(String::as_str);
            let guess = nearest(name, names).map(|near| format!("; did you mean `{near}`?"));
            return Err(format!("the program never calls `{name}`{}", guess.unwrap_or_default()));
        };
        let mut sites = Vec::new();
        for (func, function) in &self.program.functions {
            for (pc, inst) in (0..).zip(&function.code) {
                if let Inst::Call { call } = inst
                    && function.calls[*call].callee == Callee::Direct(wanted)
                {
                    sites.push(Site { func, pc });
                }
            }
        }
        if !self.program.functions[wanted].is_defined() && is_address_taken(self.program, wanted) {
            return Err(format!(
                "`{name}` may be called through a pointer, and has no code to watch for; name the lines of its calls"
            ));
        }
        let mut route = vec![Spot::Function(name.to_owned())];
        route.extend(sites.iter().filter_map(|site| self.spot_of(*site)));
        if self.program.functions[wanted].is_defined() {
            sites.push(Site { func: wanted, pc: 0 });
        }
        if sites.is_empty() {
            return Err(format!("the program never calls `{name}`"));
        }
        Ok(self.plain(&format!("error-call:{name}"), GoalStep::Sites(sites), route))
    }

    /// The source line of an instruction.
    fn spot_of(&self, site: Site) -> Option<Spot> {
        let loc = self.program.functions[site.func].locs.get(site.pc as usize).copied().flatten()?;
        let loc = &self.program.locs[loc];
        (loc.line > 0).then(|| self.spot(loc.file, loc.line))
    }

    /// The calls of a trace that are in the program, each but the last at a call.
    fn trace(&self, frames: &[TraceFrame]) -> Result<Target, String> {
        let mut steps: Vec<(String, Vec<Site>, Vec<Spot>)> = Vec::new();
        for frame in frames {
            if let Some(code) = frame.at.as_ref().and_then(|at| self.code_line(at).ok()) {
                let name = self.name(code.file, code.line);
                steps.push((name, code.sites, vec![self.spot(code.file, code.line)]));
            } else if let Some(name) = &frame.function
                && let Ok(func) = self.index.function(name)
                && self.program.functions[func].origin.counts()
            {
                let start = Site { func, pc: 0 };
                steps.push((name.clone(), vec![start], vec![Spot::Function(name.clone())]));
            }
        }
        let Some((last, before)) = steps.split_last() else {
            return Err("no call of the stack trace is in the program".into());
        };
        let names: Vec<&str> = steps.iter().map(|step| step.0.as_str()).collect();
        let mut ordered: Vec<GoalStep> =
            before.iter().map(|step| GoalStep::Sites(self.index.calls_of(&step.1))).collect();
        ordered.push(GoalStep::Sites(last.1.clone()));
        Ok(Target {
            goal: Goal { name: names.join(" > "), steps: ordered },
            route: steps.iter().map(|step| step.2.clone()).collect(),
            note: None,
            results: Vec::new(),
        })
    }
}

fn moved(at: &FileLine, line: u32) -> Option<String> {
    (at.line != line).then(|| format!("line {} has no code; the next line with code is {line}", at.line))
}

#[cfg(test)]
mod tests {
    use super::*;
    use taw_ir::EntityRef;

    /// `f` at line 1, of which the text form says nothing: a branch on line 2 to returns on the lines 3 and 4.
    fn example() -> Program {
        let mut program = taw_ir::read_program(EXAMPLE).unwrap();
        let branch = program.locs.values().next().unwrap().clone();
        let declared = program.locs.push(taw_ir::Loc { line: 1, ..branch });
        program.functions.values_mut().for_each(|function| function.loc = Some(declared));
        program
    }

    const EXAMPLE: &str = r#"target "x" 64 bits little
func @f(v0: i1) {
b0:
    br v0, b1, b2  ; /src/a.c:2:1
b1:
    ret  ; /src/a.c:3:1
b2:
    ret  ; /src/a.c:4:1
}
"#;

    fn find(texts: &[&str]) -> Result<Resolved, String> {
        let program = example();
        let places = Places::new(&program, "/src".into());
        let requests: Vec<Request> = texts.iter().map(|text| Request::parse(text).unwrap()).collect();
        resolve(&places, &[], &requests, &[])
    }

    #[test]
    fn a_line_is_its_instructions_and_is_asked_for_once() {
        let found = find(&["a.c:3", "/src/a.c:3", "f"]).unwrap();
        let names: Vec<&str> = found.targets.iter().map(|t| t.goal.name.as_str()).collect();
        assert_eq!(names, ["a.c:3", "f"]);
        let func = taw_ir::FuncId::new(0);
        assert_eq!(found.targets[0].goal.steps, [GoalStep::Sites(vec![Site { func, pc: 1 }])]);
        assert_eq!(found.targets[1].goal.steps, [GoalStep::Sites(vec![Site { func, pc: 0 }])]);
    }

    #[test]
    fn a_line_without_code_moves_on_and_says_so() {
        let found = find(&["a.c:1"]).unwrap();
        assert_eq!(found.targets[0].goal.name, "a.c:2");
        assert_eq!(found.targets[0].note.as_deref(), Some("line 1 has no code; the next line with code is 2"));
    }

    #[test]
    fn what_is_not_there_is_an_error_with_suggestions() {
        for (text, said) in [
            ("b.c:3", "did you mean `a.c`?"),
            ("a.c:99", "nearest lines with code are 4"),
            ("g", "functions: f"),
            ("label:x", "calls no marker"),
            ("label:*", "no labels"),
            ("error-call:nowhere", "never calls `nowhere`"),
        ] {
            let error = find(&[text]).unwrap_err();
            assert!(error.contains(said), "{text}: {error}");
        }
    }

    #[test]
    fn what_a_tool_asks_for_may_be_missing() {
        let program = example();
        let places = Places::new(&program, "/src".into());
        let at = |line| Request::of_tool(Spec::Line(FileLine { file: "a.c".into(), line }));
        let found = resolve(&places, &[], &[at(3), at(1), at(50)], &[]).unwrap();
        assert_eq!((found.targets.len(), found.left_out.len()), (1, 2));
    }
}
