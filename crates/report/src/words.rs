//! Reasons in words: why a run was not exhaustive, why a path was cut short, why nobody knows whether a target can be reached.
//!
//! Boundary: the only place where a [`Reason`] becomes text. Nothing is decided by these sentences; they are in documents that
//! people and tests read, so they do not change.

use std::collections::BTreeSet;

use taw_engine::entry_obstacle;
use taw_engine::{
    Bound, CallersUnknown, Cut, Doubt, Halt, Limit, NativeFailure, NoResult, Premise, Reason, Refusal, StackEntry,
    StagePremise, StubGap, Unanswered,
};
use taw_ir::{CONDITION_FILE, FuncId, Function, PointsToObstacle, Program};

/// Each reason in words, each sentence once, in the order of the alphabet.
pub fn sentences<'r>(reasons: impl IntoIterator<Item = &'r Reason>, program: &Program) -> Vec<String> {
    let all: BTreeSet<String> = reasons.into_iter().map(|reason| sentence(reason, program)).collect();
    all.into_iter().collect()
}

/// A reason in words, without a full stop.
pub fn sentence(reason: &Reason, program: &Program) -> String {
    match reason {
        Reason::Cut(cut) => cut_in_words(cut, program),
        Reason::Doubt(doubt) => doubt_in_words(doubt, program),
        Reason::Refused(refusal) => refusal_in_words(refusal),
    }
}

/// The codes of reasons, each once, in the order of the alphabet.
pub fn codes<'r>(reasons: impl IntoIterator<Item = &'r Reason>) -> Vec<String> {
    let all: BTreeSet<&str> = reasons.into_iter().map(code).collect();
    all.into_iter().map(str::to_owned).collect()
}

/// What kind of reason it is, for programs: stable, one word.
fn code(reason: &Reason) -> &'static str {
    match reason {
        Reason::Cut(Cut::Halted(Halt::Interrupted)) => "interrupted",
        Reason::Cut(Cut::Halted(Halt::Over)) => "stopped",
        Reason::Cut(Cut::Halted(Halt::Shed(_) | Halt::Limit(Limit::Memory(_)))) => "limit-memory",
        Reason::Cut(Cut::Halted(Halt::Limit(Limit::Time(_)))) => "limit-time",
        Reason::Cut(Cut::Halted(Halt::Limit(Limit::Paths(_)))) => "limit-paths",
        Reason::Cut(Cut::Halted(Halt::Limit(Limit::Depth(_)))) => "limit-depth",
        Reason::Cut(Cut::Halted(Halt::Limit(Limit::States(_)))) => "limit-states",
        Reason::Cut(Cut::Halted(Halt::Limit(Limit::Instructions(_) | Limit::PathInstructions(_)))) => {
            "limit-instructions"
        }
        Reason::Cut(Cut::Halted(Halt::Bound(_))) => "not-tried",
        Reason::Cut(Cut::Unsupported { .. }) => "unsupported",
        Reason::Cut(Cut::Unanswered(Unanswered::Query(_))) => "solver",
        Reason::Cut(Cut::Unanswered(Unanswered::Call(_))) | Reason::Doubt(Doubt::NoResults { .. }) => "native-call",
        Reason::Cut(Cut::NotStarted(_)) => "not-started",
        Reason::Doubt(Doubt::OnlyRecorded | Doubt::Diverged(_)) => "replay",
        Reason::Doubt(Doubt::NotTurned | Doubt::Mispredicted(_)) => "not-turned",
        Reason::Doubt(Doubt::Unchecked(_)) => "not-checked",
        Reason::Doubt(
            Doubt::HeapRefused(_)
            | Doubt::MappingRefused(_)
            | Doubt::CallRefused(_)
            | Doubt::LibraryDecides(_)
            | Doubt::LayoutDecides(_),
        ) => "environment",
        Reason::Doubt(Doubt::Stub(..)) => "stub",
        Reason::Doubt(Doubt::NotTried(_) | Doubt::Callback(_)) => "not-tried",
        Reason::Doubt(
            Doubt::ForkingOff | Doubt::ManyObjects(_) | Doubt::OneSize(_) | Doubt::OneValue(_) | Doubt::LoopsTaken,
        ) => "narrowed",
        Reason::Refused(_) => "not-confirmed",
    }
}

fn cut_in_words(cut: &Cut, program: &Program) -> String {
    match cut {
        Cut::Halted(halt) => halt_in_words(halt),
        Cut::Unsupported { what, at } => {
            let at = at.as_ref().map_or(String::new(), |at| place(at, program));
            format!("not supported: {what} at {at}")
        }
        Cut::Unanswered(what) => unanswered_in_words(what),
        Cut::NotStarted(func) => {
            let function = &program.functions[*func];
            let why = entry_obstacle(program, function).unwrap_or("it cannot be");
            format!("`{}` is not started: {why}", function.name)
        }
    }
}

/// Why a path was cut short, in words.
pub(crate) fn halt_in_words(halt: &Halt) -> String {
    match halt {
        Halt::Interrupted => "the run was interrupted".to_owned(),
        Halt::Over => "the run stopped".to_owned(),
        Halt::Shed(most) => format!("paths were given up to stay below the memory limit of {} MiB", most >> 20),
        Halt::Bound(bound) => bound_in_words(*bound),
        Halt::Limit(Limit::Time(most)) => format!("the time limit of {most:?} was reached"),
        Halt::Limit(Limit::Paths(most)) => format!("the limit of {most} paths was reached"),
        Halt::Limit(Limit::Depth(most)) => format!("the depth limit of {most} forks cut paths off"),
        Halt::Limit(Limit::States(most)) => format!("the limit of {most} states cut paths off"),
        Halt::Limit(Limit::Instructions(most)) => format!("the limit of {most} instructions was reached"),
        Halt::Limit(Limit::PathInstructions(most)) => format!("the limit of {most} instructions cut paths off"),
        Halt::Limit(Limit::Memory(most)) => format!("the memory limit of {} MiB was reached", most >> 20),
    }
}

/// What is not tried of an unknown state.
fn bound_in_words(bound: Bound) -> String {
    match bound {
        Bound::Array(1) => "structures were used as elements of a larger array (--max-array)".to_owned(),
        Bound::Array(most) => format!("arrays of more than {most} elements were not tried (--max-array)"),
        Bound::Apart(most) => format!(
            "pointers into one array that are farther apart than {} {}, or of which the later parameter comes first, \
             were not tried (--alias none excludes them)",
            most,
            if most == 1 { "element" } else { "elements" }
        ),
        Bound::Overlapping => {
            "arrays that reach into one of an earlier parameter from before it were not tried (--alias none excludes them)"
                .to_owned()
        }
        Bound::String(most) => format!("strings of more than {most} characters were not tried (--max-string)"),
        Bound::Nesting(most) => format!("more than {most} objects behind each other were not tried (--max-nesting)"),
        Bound::Nodes(most) => format!("structures with more than {most} objects of one type were not tried (--max-nodes)"),
        Bound::Unterminated => "characters without a zero byte at their end were not tried (--strings any)".to_owned(),
        Bound::Overlap => "pointers into objects of other types were not tried (--alias none excludes them)".to_owned(),
        Bound::Cycle => "objects that lead to themselves were not tried (--alias cyclic)".to_owned(),
        Bound::Global => "pointers to global variables were not tried (--alias none excludes them)".to_owned(),
        Bound::Constant => {
            "pointers to constants of the program were not tried (--alias none excludes them)".to_owned()
        }
        Bound::Number => "pointers that are numbers, such as (void *)-1, were not tried".to_owned(),
        Bound::Union => "unions that hold a number which is used as a pointer, or the other way round, were not tried where addresses matter".to_owned(),
        Bound::Bytes => "bytes without a type, or characters, that are used as pointers were not tried".to_owned(),
        Bound::Stream => "streams (FILE *) that are open for appending, have been used before or had errors, and several files of one mode \
                          were not tried"
            .to_owned(),
        Bound::File(most) => format!("files of more than {most} bytes were not tried (--max-string)"),
        Bound::VariadicList => {
            "arguments beyond the parameters, or a va_list, were used: which the caller passes is not tried".to_owned()
        }
        Bound::Callback => "a function that the caller passes was called".to_owned(),
    }
}

/// What was not answered, and why.
pub(crate) fn unanswered_in_words(what: &Unanswered) -> String {
    match what {
        Unanswered::Query(why) => why.to_string(),
        Unanswered::Call(call) => format!("the pure function {}", call_in_words(call)),
    }
}

fn call_in_words(NoResult { function, arguments, failure }: &NoResult) -> String {
    let what = match failure {
        NativeFailure::Crashed(signal) => format!("crashed (signal {signal}) on"),
        NativeFailure::Ended(code) => format!("ended the program with exit code {code} on"),
        NativeFailure::Closed => "closed its link to Taw on".to_owned(),
        NativeFailure::Hung(time) => format!("did not answer within {time:?} on"),
        NativeFailure::Varied => "gave two different results for".to_owned(),
        NativeFailure::NotCalled => "crashed or hung too often, so it was not called on".to_owned(),
        NativeFailure::System(why) => format!("could not be called ({why}) on"),
    };
    format!("`{function}` {what} {arguments}")
}

fn doubt_in_words(doubt: &Doubt, program: &Program) -> String {
    match doubt {
        Doubt::ForkingOff => "the program turned forking off".to_owned(),
        Doubt::ManyObjects(most) => format!("a symbolic pointer may point at more than {most} objects"),
        Doubt::Unchecked(what) => format!("{what} is not checked in bitcode that may be optimised"),
        Doubt::OneSize(above) => format!("an allocation of symbolic size above {above} bytes was given one size"),
        Doubt::OneValue(function) => format!("{function} gives one value of several"),
        Doubt::HeapRefused(most) => {
            format!("a request for more than {most} bytes of heap failed, as natively it need not")
        }
        Doubt::MappingRefused(most) => format!("a mapping of more than {most} bytes failed, as natively it need not"),
        Doubt::CallRefused(name) => format!("the system call {name} was answered as by a kernel without it"),
        Doubt::LibraryDecides(name) => {
            format!("`{name}` gives the numbers of the C library that the program was explored with, natively others")
        }
        Doubt::LayoutDecides(at) => {
            format!("at {} addresses decide, which natively are others", place(at, program))
        }
        Doubt::NotTried(bound) => bound_in_words(*bound),
        Doubt::Callback(name) => {
            format!("`{name}`, a function that the caller passes, may do more than give back a value")
        }
        Doubt::NoResults { count: 1, first } => format!("a call had no result: {}", call_in_words(first)),
        Doubt::NoResults { count, first } => {
            format!("{count} calls had no result, the first: {}", call_in_words(first))
        }
        Doubt::Stub(function, gap) => format!("`{function}`, which is defined nowhere, may {}", gap_in_words(*gap)),
        Doubt::LoopsTaken => "loops were taken as functions, and nothing is known of what is inside of them".to_owned(),
        Doubt::OnlyRecorded => "only the recorded path was executed".to_owned(),
        Doubt::NotTurned => "the search strategy does not try both ways of every decision".to_owned(),
        Doubt::Mispredicted(1) => "a run did not go the way that its inputs were solved for".to_owned(),
        Doubt::Mispredicted(runs) => format!("{runs} runs did not go the way that their inputs were solved for"),
        Doubt::Diverged(decision) => format!("the path diverged from the recorded one at decision {decision}"),
    }
}

fn gap_in_words(gap: StubGap) -> &'static str {
    match gap {
        StubGap::Callback => "call a function that it is handed",
        StubGap::FurtherArguments => "write through arguments that its declaration does not name",
        StubGap::InnerPointers => "set pointers inside of structures, which were left as they were (null in new ones)",
        StubGap::OtherResults => {
            "return other pointers than those that were tried: null, and one to a new object if its type is known"
        }
        StubGap::Unwritten => {
            "write to memory that was left as it was, because its size depends on inputs or it is not the program's own"
        }
    }
}

/// What was taken for granted, in words, each once.
pub fn premises_in_words<'p>(premises: impl IntoIterator<Item = &'p Premise>, program: &Program) -> Vec<String> {
    let (mut said, mut initial) = (Vec::new(), Vec::new());
    for premise in premises {
        match premise {
            Premise::Initial(id) => initial.push(program.globals[*id].name.as_str()),
            other => said.push(premise_in_words(other, program)),
        }
    }
    said.extend(initial_in_words(&initial));
    said
}

/// That variables have their initial values; a few by name.
fn initial_in_words(names: &[&str]) -> Option<String> {
    const NAMED: usize = 4;
    let named: Vec<String> = names.iter().take(NAMED).map(|name| format!("`{name}`")).collect();
    let more = names.len().saturating_sub(NAMED);
    match (&named[..], more) {
        ([], _) => None,
        ([one], _) => Some(format!("the global variable {one} has its initial value (--globals)")),
        (_, 0) => Some(format!("the global variables {} have their initial values (--globals)", named.join(", "))),
        (_, more) => Some(format!(
            "the global variables {} and {more} others have their initial values (--globals)",
            named.join(", ")
        )),
    }
}

fn premise_in_words(premise: &Premise, program: &Program) -> String {
    let function = |func: &FuncId| &program.functions[*func];
    match premise {
        Premise::Returns(func) | Premise::Writes(func) if function(func).noreturn => {
            format!("`{}`, which is defined nowhere, ends the program", function(func).name)
        }
        Premise::Returns(func) => {
            format!("`{}`, which is defined nowhere, returns and changes nothing", function(func).name)
        }
        Premise::Writes(func) => format!(
            "`{}`, which is defined nowhere, returns and writes only what its pointers that are not to const point at",
            function(func).name
        ),
        Premise::Holds(text, entry) => format!("`{text}` holds where `{}` starts", function(entry).name),
        Premise::Accepts(condition, entry) => {
            format!("`{}` holds where `{}` starts", function(condition).name, function(entry).name)
        }
        Premise::OnlyCalls(entry) => format!("`{}` is called only as the program calls it", function(entry).name),
        Premise::Elements(pointer, length, entry) => {
            format!("`{pointer}` leads to exactly `{length}` elements{}", where_it_starts(entry.as_ref().map(function)))
        }
        Premise::Text(pointer, entry) => {
            let what = if pointer == "*" { "every `char *`".to_owned() } else { format!("`{pointer}`") };
            let place = where_it_starts(entry.as_ref().map(function));
            format!("{what} is null or text with a zero byte at its end{place}")
        }
        Premise::Invariant(ty, function) => format!("`{function}` holds of every `{ty}` that is passed"),
        Premise::Staged(staged) => staged_in_words(staged),
        Premise::Initial(id) => initial_in_words(&[&program.globals[*id].name]).unwrap_or_default(),
        Premise::NotCalled(func) => format!("`{}` is not called", function(func).name),
        Premise::Fresh => "open files, signals and the clock are as where the program begins".to_owned(),
    }
}

/// What paths start with that start with structures of a stage.
fn staged_in_words(staged: &StagePremise) -> String {
    let StagePremise { parameters, stage, structures, invariant, cut } = staged;
    let names: Vec<String> = parameters.iter().map(|name| format!("`{name}`")).collect();
    let is = if names.len() == 1 { "is" } else { "are" };
    let beyond = match &cut[..] {
        [] => String::new(),
        cut => format!("; of those `{invariant}` accepts, not all are in it: {}", cut.join("; ")),
    };
    format!(
        "{} {is} one of the {structures} structures of {stage} (`{invariant}` holds), and shares nothing with what else is passed{beyond}",
        names.join(" and ")
    )
}

/// Why the whole program does not tell what an entry is called with.
pub fn unknown_callers_in_words(entry: FuncId, why: &CallersUnknown, program: &Program) -> String {
    let name = |func: FuncId| &program.functions[func].name;
    let entry = name(entry);
    let because = match why {
        CallersUnknown::NotCalled => {
            return format!("`main` leads to no call of `{entry}`, so it is called with whatever its types allow");
        }
        CallersUnknown::Parameter(parameter) => {
            return format!(
                "calls of `{entry}` pass as `{parameter}` something that the analysis of the program does not follow"
            );
        }
        CallersUnknown::Obstacle(PointsToObstacle::NoMain) => "there is no `main`".to_owned(),
        CallersUnknown::Obstacle(PointsToObstacle::Unknown(func)) => {
            format!("`{}` may be called, of which nobody knows what it does", name(*func))
        }
        CallersUnknown::Obstacle(PointsToObstacle::Unsupported(func, what)) => {
            format!("`{}` has {}", name(*func), program.functions[*func].unsupported[*what])
        }
    };
    format!("how the program calls `{entry}` is not known, because {because}")
}

/// What is said of parameters is said of where paths start.
fn where_it_starts(entry: Option<&Function>) -> String {
    entry.map(|entry| format!(" where `{}` starts", entry.name)).unwrap_or_default()
}

fn refusal_in_words(refusal: &Refusal) -> String {
    match refusal {
        Refusal::NotWritten(why) => why.clone(),
        Refusal::Invisible(why) => format!("a path leads there, but no native run can confirm it: {why}"),
        Refusal::NotConfirmed(why) => format!("a path leads there, but the native run does not confirm it: {why}"),
        Refusal::NotMet(why) => {
            format!("a path leads there, but with its inputs as constants Taw itself does not meet the error; {why}")
        }
    }
}

/// A place as `file:line:column`; without debug information the function.
fn place(at: &StackEntry, program: &Program) -> String {
    let Some(loc) = at.loc else { return format!("`{}`", program.functions[at.function].name) };
    let loc = &program.locs[loc];
    let file = &program.files[loc.file];
    // Conditions are in no folder.
    let path = if file.is_programs() { &file.path } else { CONDITION_FILE };
    format!("{path}:{}:{}", loc.line, loc.column)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::place::tests::program;

    #[test]
    fn each_sentence_is_said_once_and_in_order() {
        let (program, main, _, inner) = program();
        let unsupported = |loc| Cut::Unsupported { what: "asm".into(), at: Some(StackEntry { function: main, loc }) };
        let reasons = [
            Reason::Cut(Halt::Limit(Limit::States(3)).into()),
            Reason::Cut(unsupported(None)),
            Reason::Cut(unsupported(Some(inner))),
            Reason::Doubt(Doubt::ForkingOff),
            Reason::Cut(Halt::Shed(5 << 20).into()),
            // Another value, and the same words.
            Reason::Cut(Halt::Shed((5 << 20) + 1).into()),
        ];
        let said = sentences(&reasons, &program);
        let loc = &program.locs[inner];
        let at = format!("{}:{}:{}", program.files[loc.file].path, loc.line, loc.column);
        let wanted = [
            format!("not supported: asm at {at}"),
            format!("not supported: asm at `{}`", program.functions[main].name),
            "paths were given up to stay below the memory limit of 5 MiB".to_owned(),
            "the limit of 3 states cut paths off".to_owned(),
            "the program turned forking off".to_owned(),
        ];
        assert_eq!(said, wanted);
        assert_eq!(codes(&reasons), ["limit-memory", "limit-states", "narrowed", "unsupported"]);
    }
}
