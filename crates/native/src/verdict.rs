//! The claim of a test against what its native run did.
//!
//! A contradiction is *diverged*: a defect of Taw. What a native run cannot show is *not confirmed*, with the reason. A run
//! that asks for other inputs than the test holds is not of the test's program.

use std::path::Path;

use serde::{Deserialize, Serialize};
use taw_cage::LimitHit;
use taw_engine::FindingKind;

use crate::output_text::differs;
use crate::process::RunOutput;
use crate::replayer::{Eyes, NativeRunResult};
use crate::returned::difference;
use crate::route::resolved;
use crate::sighting::Sighting;
use taw_report::Recipe;
use taw_report::{InputRecord, OutcomeRecord, StackFrame, TestFile, one_word};

/// Exit code by which a sanitizer says that it found something.
pub(crate) const SANITIZER: i32 = 66;
/// Exit codes of the replay library.
const OTHER_INPUT: i32 = 97;
const ASSUMPTION: i32 = 98;
const UNREADABLE: i32 = 99;

/// How a native run compares with a test.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum ReplayVerdict {
    /// It did what the test says.
    #[serde(rename = "same")]
    Same,
    /// It could not show what the test says.
    #[serde(rename = "not confirmed")]
    NotConfirmed,
    /// It contradicts the test.
    #[serde(rename = "diverged")]
    Diverged,
    /// It asked for other inputs: the test is of another program.
    #[serde(rename = "other program")]
    OtherProgram,
}

/// Why a test is not run at all.
pub(crate) fn not_replayed(test: &TestFile) -> Option<String> {
    if let Some(beyond) = test.given.as_ref().and_then(|given| given.beyond.first()) {
        return Some(format!("the path depends on {beyond}, which a native run cannot be made to do"));
    }
    match &test.outcome {
        OutcomeRecord::Exit { .. }
        | OutcomeRecord::Signal { .. }
        | OutcomeRecord::Finding { .. }
        | OutcomeRecord::Reached { .. } => None,
        OutcomeRecord::Unsupported { what, .. } => Some(format!("the path ended at something unsupported ({what})")),
        OutcomeRecord::Limit { reason } => {
            Some(format!("the path was cut off ({reason}), so nothing is claimed of its end"))
        }
        OutcomeRecord::Unknown { reason } => Some(format!("the path ended without an answer ({reason})")),
    }
}

/// Compares a native run with what the test says of it; the verdict, and in words what differs.
pub(crate) fn judge(test: &TestFile, run: &NativeRunResult, recipe: &Recipe) -> (ReplayVerdict, String) {
    if !run.arrived
        && !fails_making_an_input(test, run)
        && let Some(why) = other_inputs(test, run)
    {
        return (ReplayVerdict::OtherProgram, why);
    }
    match &test.outcome {
        OutcomeRecord::Finding { finding, message, stack } => {
            let claim = Claim { kind: finding, message, labels: &test.labels, stack };
            judge_finding(&claim, run, recipe)
        }
        OutcomeRecord::Exit { code } => judge_exit(*code, test, run, recipe),
        OutcomeRecord::Signal { signal } => judge_signal(*signal, test, run, recipe),
        OutcomeRecord::Reached { target, .. } => judge_arrival(target, run),
        _ => (ReplayVerdict::NotConfirmed, String::new()),
    }
}

/// Whether the run fails while it makes an input, which a test that ends there does not have.
fn fails_making_an_input(test: &TestFile, run: &NativeRunResult) -> bool {
    matches!(test.outcome, OutcomeRecord::Finding { .. }) && failed(run) && run.asked.len() == test.asked().count() + 1
}

/// How the inputs asked for differ from those of the test.
fn other_inputs(test: &TestFile, run: &NativeRunResult) -> Option<String> {
    let inputs: Vec<&InputRecord> = test.asked().collect();
    for (index, asked) in run.asked.iter().enumerate() {
        let Some(input) = inputs.get(index) else {
            return Some(format!(
                "it asks for input {} (`{}`), but the test has {}",
                index + 1,
                asked.name,
                inputs.len()
            ));
        };
        if !asked.name.is_empty() && !is_named(&input.name, &asked.name) {
            return Some(format!("it asks for `{}` where the test has `{}`", asked.name, input.name));
        }
        let held = input.bytes.len() / 2;
        // An extended float has ten bytes of value in twelve or sixteen of memory.
        let padded = held == 10 && matches!(asked.size, Some(12 | 16));
        if let Some(size) = asked.size
            && size != held
            && !padded
        {
            return Some(format!("it asks for {size} bytes of `{}`, of which the test has {held}", input.name));
        }
    }
    let (used, held) = (run.asked.len(), inputs.len());
    let ended = run.ended.cut.is_none() && matches!(test.outcome, OutcomeRecord::Exit { .. });
    if ended && used < held && !failed(run) {
        return Some(format!("it asks for {used} inputs, but the test has {held}"));
    }
    match run.ended.code {
        Some(OTHER_INPUT | UNREADABLE) if stopped_by_library(&run.ended) => Some(said(&run.ended)),
        _ => None,
    }
}

/// A second input of a name has a number in the test.
fn is_named(input: &str, asked: &str) -> bool {
    let rest = one_word(input);
    let rest = rest.strip_prefix(&one_word(asked)).map(|rest| rest.strip_prefix('_').unwrap_or(rest).to_owned());
    rest.is_some_and(|rest| rest.chars().all(|c| c.is_ascii_digit()))
}

/// Whether it crashed or a sanitizer ended it; a program may have the sanitizer's exit code as its own.
fn failed(run: &NativeRunResult) -> bool {
    run.ended.signal.is_some() || run.ended.code == Some(SANITIZER) && run.sighting.is_some()
}

fn stopped_by_library(ended: &RunOutput) -> bool {
    String::from_utf8_lossy(&ended.stderr).contains("replay: ")
}

/// The last line that the replay library wrote.
fn said(ended: &RunOutput) -> String {
    let output = String::from_utf8_lossy(&ended.stderr).into_owned();
    let line = output.lines().rev().find_map(|line| line.split_once("replay: ").map(|(_, why)| why.to_owned()));
    line.unwrap_or_else(|| "the replay library stopped it".to_owned())
}

/// A run that does not arrive contradicts the test, however it ended.
fn judge_arrival(target: &str, run: &NativeRunResult) -> (ReplayVerdict, String) {
    match (run.arrived, run.ended.cut, run.ended.code) {
        (true, ..) => (ReplayVerdict::Same, String::new()),
        (false, Some(cut), _) => (ReplayVerdict::NotConfirmed, cut_in_words(cut)),
        (false, _, Some(OTHER_INPUT | ASSUMPTION)) if stopped_by_library(&run.ended) => {
            (ReplayVerdict::Diverged, format!("natively {target} is not reached: {}", said(&run.ended)))
        }
        (false, _, Some(code)) => (
            ReplayVerdict::Diverged,
            format!("natively {target} is not reached; the program ends with exit code {code}"),
        ),
        (false, ..) => {
            (ReplayVerdict::Diverged, format!("natively {target} is not reached: {}", failure_in_words(run)))
        }
    }
}

fn judge_exit(code: i32, test: &TestFile, run: &NativeRunResult, recipe: &Recipe) -> (ReplayVerdict, String) {
    let diverged = |why: String| (ReplayVerdict::Diverged, why);
    if let Some(cut) = run.ended.cut {
        return diverged(format!("exit code {code} was claimed; {}", cut_in_words(cut)));
    }
    if failed(run) {
        return diverged(format!("exit code {code} was claimed; natively {}", failure_in_words(run)));
    }
    if run.ended.code == Some(ASSUMPTION) && stopped_by_library(&run.ended) {
        return diverged(format!("exit code {code} was claimed; natively {}", said(&run.ended)));
    }
    // The driver of a function without an integer result returns zero.
    let comparable = recipe.entry_of(test).is_none_or(|entry| entry.function == "main" || entry.result.is_some());
    if comparable && run.ended.code != Some(code & 0xff) {
        let native = run.ended.code.unwrap_or(-1);
        return diverged(format!("exit code {code} was claimed; natively it is {native}"));
    }
    if let Some(claimed) = test.returned.as_ref().filter(|_| recipe.has_driver()) {
        match &run.returned {
            None => return diverged("the call was to return; natively it does not".to_owned()),
            Some(native) => {
                if let Some(why) = difference(test, claimed, native) {
                    return diverged(why);
                }
            }
        }
    }
    judge_traces(test, run, recipe)
}

/// A signal that the program sent itself. A sanitizer handles some, and says which it was.
fn judge_signal(signal: i32, test: &TestFile, run: &NativeRunResult, recipe: &Recipe) -> (ReplayVerdict, String) {
    let seen = run.sighting.as_ref().is_some_and(|seen| is_named_for(signal, &seen.what));
    if run.ended.cut.is_some() || run.ended.signal != Some(signal) && !seen {
        let native = match (run.ended.cut, run.ended.code) {
            (Some(cut), _) => cut_in_words(cut),
            (None, Some(code)) if !failed(run) => format!("natively it ends with exit code {code}"),
            _ => format!("natively {}", failure_in_words(run)),
        };
        return (ReplayVerdict::Diverged, format!("an end by signal {signal} was claimed; {native}"));
    }
    // What a sanitizer says is on standard error, too.
    if seen { (ReplayVerdict::Same, String::new()) } else { judge_traces(test, run, recipe) }
}

/// Whether a sanitizer calls a signal so.
fn is_named_for(signal: i32, what: &str) -> bool {
    const NAMES: &[(i32, &str)] = &[(4, "ILL"), (5, "TRAP"), (6, "ABRT"), (7, "BUS"), (8, "FPE"), (11, "SEGV")];
    NAMES.iter().any(|&(number, name)| number == signal && what == name)
}

/// What a run that ended as it should has left: its output, its marks.
fn judge_traces(test: &TestFile, run: &NativeRunResult, recipe: &Recipe) -> (ReplayVerdict, String) {
    if let Some(otherwise) = judge_output(test, run) {
        return otherwise;
    }
    if recipe.labels_are_seen() && run.labels != test.labels {
        let why = format!("the marks {:?} were claimed; natively they are {:?}", test.labels, run.labels);
        return (ReplayVerdict::Diverged, why);
    }
    let note = test.output_unclear.as_ref().map(|why| format!("its output was not compared: {why}"));
    (ReplayVerdict::Same, note.unwrap_or_default())
}

/// What is not as the test says of what the program writes, if it says something.
fn judge_output(test: &TestFile, run: &NativeRunResult) -> Option<(ReplayVerdict, String)> {
    if test.output_unclear.is_some() {
        return None;
    }
    let (out, err) = match test.streams() {
        Ok(claimed) => claimed,
        Err(why) => return Some((ReplayVerdict::OtherProgram, why)),
    };
    let differences = [differs("output", &out, &run.ended.stdout), differs("error output", &err, &run.ended.stderr)];
    // One that nothing explains is worse than one that something does.
    let difference = differences.into_iter().flatten().min_by_key(|difference| difference.explained)?;
    let verdict = if difference.explained { ReplayVerdict::NotConfirmed } else { ReplayVerdict::Diverged };
    Some((verdict, difference.why))
}

/// An error as a test claims it.
struct Claim<'t> {
    kind: &'t str,
    message: &'t str,
    labels: &'t [String],
    stack: &'t [StackFrame],
}

fn judge_finding(claim: &Claim<'_>, run: &NativeRunResult, recipe: &Recipe) -> (ReplayVerdict, String) {
    let &Claim { kind, message, labels, stack } = claim;
    let kind_of = FindingKind::named(kind);
    if let Some(cut) = run.ended.cut {
        let expected = cut == LimitHit::Memory && kind_of == Some(FindingKind::MemoryLimit);
        let verdict = if expected { ReplayVerdict::Same } else { ReplayVerdict::NotConfirmed };
        return (verdict, cut_in_words(cut));
    }
    if run.ended.code == Some(ASSUMPTION) && stopped_by_library(&run.ended) {
        return (ReplayVerdict::Diverged, format!("{kind} was claimed; natively {}", said(&run.ended)));
    }
    if !failed(run) {
        let ending = format!("natively the program ends with exit code {}", run.ended.code.unwrap_or(-1));
        return match kind_of.and_then(|kind| invisible(kind, message, stack, recipe, run.eyes)) {
            Some(why) => (ReplayVerdict::NotConfirmed, format!("{why}; {ending}")),
            None => (ReplayVerdict::Diverged, format!("{kind} was claimed; {ending}")),
        };
    }
    if recipe.labels_are_seen() && run.labels != labels {
        return (
            ReplayVerdict::Diverged,
            format!("the marks {labels:?} were claimed; natively they are {:?}", run.labels),
        );
    }
    let Some(seen) = &run.sighting else { return judge_crash(kind, kind_of, run) };
    let verdict = compare_places(kind, kind_of, StackFrame::reported(stack), seen, recipe);
    if verdict.0 != ReplayVerdict::Diverged {
        return verdict;
    }
    if is_seen_from_caller(kind_of, stack, seen, recipe) {
        return (
            ReplayVerdict::Same,
            "natively the stack begins with the caller, as after every call of what is no code".into(),
        );
    }
    match kind_of {
        Some(kind) if is_out_of_bounds(kind) && far_off(message) && words_fit(kind, &seen.what) => {
            (ReplayVerdict::NotConfirmed, format!("{MISSED}, and the program fails later; {}", verdict.1))
        }
        _ => verdict,
    }
}

/// Why an access outside of its object is not always seen.
pub const MISSED: &str = "AddressSanitizer misses an access that lands in another object";

fn is_out_of_bounds(kind: FindingKind) -> bool {
    matches!(kind, FindingKind::OutOfBoundsRead | FindingKind::OutOfBoundsWrite | FindingKind::WildDereference)
}

/// Whether a jump to where no code is was seen from the function that called the one with the call: whoever unwinds the stack has nothing to
/// tell where the innermost frame ends, and leaves it out.
fn is_seen_from_caller(kind: Option<FindingKind>, stack: &[StackFrame], seen: &Sighting, recipe: &Recipe) -> bool {
    let mut users = stack.iter().filter(|frame| frame.user);
    let caller = users.nth(1).and_then(|frame| Some((frame.file.as_ref()?, frame.line?)));
    let (Some(FindingKind::InvalidFunctionPointer), Some((file, line)), Some(top)) =
        (kind, caller, seen.frames.first())
    else {
        return false;
    };
    let place = |file: &Path| resolved(&recipe.directory, file);
    seen.outside && top.line == line && place(&top.file) == place(Path::new(file))
}

/// A crash that nobody watched: the signal tells the kind at most, and never the place.
fn judge_crash(kind: &str, kind_of: Option<FindingKind>, run: &NativeRunResult) -> (ReplayVerdict, String) {
    let words = failure_in_words(run);
    match run.ended.signal.zip(kind_of) {
        Some((signal, of)) if !signal_fits(of, signal) => {
            (ReplayVerdict::NotConfirmed, format!("natively {words}, which is not what {kind} does by itself"))
        }
        _ => (ReplayVerdict::Same, format!("natively {words}; without a sanitizer its place is not known")),
    }
}

/// Whether an error of that kind may end a program by that signal.
fn signal_fits(kind: FindingKind, signal: i32) -> bool {
    use FindingKind as K;
    const ILL: i32 = 4;
    const TRAP: i32 = 5;
    const ABRT: i32 = 6;
    const BUS: i32 = 7;
    const FPE: i32 = 8;
    const SEGV: i32 = 11;
    match kind {
        K::DivisionByZero | K::DivisionOverflow => signal == FPE,
        K::AssertionFailure | K::Abort | K::ReportedError | K::ForbiddenCall => signal == ABRT,
        K::ReachedUnreachable | K::ShiftTooWide | K::SignedOverflow | K::FloatCast => [ILL, TRAP].contains(&signal),
        K::NativeCrash => true,
        // An allocator that sees its own data overwritten aborts.
        _ => [SEGV, BUS, ABRT, ILL].contains(&signal),
    }
}

fn compare_places(
    kind: &str,
    kind_of: Option<FindingKind>,
    claimed: Option<&StackFrame>,
    seen: &Sighting,
    recipe: &Recipe,
) -> (ReplayVerdict, String) {
    let fits = kind_of.is_none_or(|kind| words_fit(kind, &seen.what));
    let note = if fits { String::new() } else { format!("natively it is reported as `{}`", seen.what) };
    let Some((frame, file, line)) = claimed.and_then(|f| Some((f, f.file.as_ref()?, f.line?))) else {
        return (ReplayVerdict::Same, note);
    };
    // Where a stack runs out is the machine's choice.
    let Some(top) = seen.frames.first().filter(|_| kind_of != Some(FindingKind::StackOverflow)) else {
        return (ReplayVerdict::Same, note);
    };
    let place = resolved(&recipe.directory, Path::new(file));
    let here =
        |spot: &&super::sighting::CodePlace| spot.line == line && resolved(&recipe.directory, &spot.file) == place;
    // Leaks are of all stacks, and a library that crashes may have its source here.
    let anywhere = matches!(kind_of, Some(FindingKind::Leak | FindingKind::NativeCrash));
    if here(&top) || anywhere && seen.frames.iter().any(|spot| here(&spot)) {
        return (ReplayVerdict::Same, note);
    }
    let native = format!("{}:{}", top.file.display(), top.line);
    let same_function =
        seen.frames.iter().find(|spot| !spot.function.is_empty()).is_some_and(|s| s.function == frame.function);
    if fits && same_function {
        return (ReplayVerdict::Same, format!("natively at line {} of the same function", top.line));
    }
    (ReplayVerdict::Diverged, format!("{kind} was claimed at {}; natively `{}` at {native}", frame.place(), seen.what))
}

fn cut_in_words(cut: LimitHit) -> String {
    match cut {
        LimitHit::Time => "natively the program does not end within the time limit".into(),
        LimitHit::Memory => "natively the program exceeds the memory limit".into(),
        LimitHit::Output => "natively the program prints without end".into(),
        LimitHit::Disk => "natively the program writes without end".into(),
        LimitHit::Stopped => "the native run was stopped".into(),
    }
}

fn failure_in_words(run: &NativeRunResult) -> String {
    match (&run.sighting, run.ended.signal) {
        (Some(seen), _) => match seen.frames.first() {
            Some(spot) => format!("`{}` at {}:{}", seen.what, spot.file.display(), spot.line),
            None => format!("`{}`", seen.what),
        },
        (None, Some(signal)) => format!("it is ended by signal {signal}"),
        (None, None) => "a sanitizer ends it".into(),
    }
}

/// Whether the words of a sanitizer can mean a kind of error. Memory errors are one family: what lies where an access
/// lands differs between Taw and the machine.
fn words_fit(kind: FindingKind, what: &str) -> bool {
    use FindingKind as K;
    let any = |words: &[&str]| words.iter().any(|word| what.contains(word));
    match kind {
        K::DivisionByZero => any(&["division by zero", "FPE"]),
        K::DivisionOverflow => any(&["cannot be represented", "FPE"]),
        K::ShiftTooWide => any(&["shift exponent"]),
        K::SignedOverflow => any(&["cannot be represented"]),
        K::FloatCast => any(&["outside the range of representable"]),
        K::AssertionFailure | K::Abort | K::ReportedError | K::ForbiddenCall => any(&["ABRT"]),
        K::ReachedUnreachable => any(&["unreachable", "ILL", "TRAP"]),
        K::Leak => any(&["leak"]),
        K::UninitialisedUse => any(&["uninitialized"]),
        K::StackOverflow => any(&["stack-overflow", "SEGV"]),
        K::MemoryLimit | K::AssumptionViolated | K::NativeCrash => true,
        _ => !any(&["ABRT", "FPE", "leak", "division", "shift", "unreachable", "represented"]),
    }
}

/// Why a run in which nothing fails does not contradict a finding.
fn invisible(kind: FindingKind, message: &str, stack: &[StackFrame], recipe: &Recipe, eyes: Eyes) -> Option<String> {
    use FindingKind as K;
    let loud = matches!(kind, K::AssertionFailure | K::Abort | K::ReportedError | K::ForbiddenCall);
    if eyes == Eyes::Machine && !loud {
        return Some("a program that was built without sanitizers need not show this error".into());
    }
    let bitcode = recipe.sources.iter().any(|s| s.path.extension().is_some_and(|e| e == "bc" || e == "ll"));
    let memory = is_of_memory(kind);
    match kind {
        K::Leak => Some(
            "LeakSanitizer takes memory for held while any word that is left somewhere looks like its address".into(),
        ),
        _ if memory && stack.first().is_some_and(|frame| !frame.user) => {
            Some("AddressSanitizer does not watch every function of the C library".into())
        }
        _ if memory && begins_inside(message) => {
            Some("AddressSanitizer looks at the first bytes of an access that is not aligned".into())
        }
        K::UninitialisedUse => {
            Some("MemorySanitizer follows other values than Taw where an optimiser was at work".into())
        }
        K::StackOverflow => Some("the machine's stack is deeper than Taw's limit".into()),
        K::MemoryLimit => Some("the limit is Taw's, not the machine's".into()),
        K::AssumptionViolated => Some("a broken promise to the compiler need not show".into()),
        // A call of what is no function crashes; one of another type runs with whatever the registers hold.
        K::InvalidFunctionPointer if ["and the call passes", "is called with"].iter().any(|w| message.contains(w)) => {
            Some("no sanitizer of the native run looks at the types of calls".into())
        }
        K::NativeCrash => Some("the function crashed when Taw called it, and need not when the program does".into()),
        K::OutOfBoundsRead | K::OutOfBoundsWrite if message.contains("end of the vector") => {
            Some("no sanitizer of the native run looks at subscripts of vectors".into())
        }
        K::ShiftTooWide | K::SignedOverflow | K::FloatCast | K::ReachedUnreachable if bitcode => {
            Some("code that was compiled before cannot be watched for this".into())
        }
        _ if memory && bitcode => Some("code that was compiled before has no checks of AddressSanitizer".into()),
        K::UseAfterScope if message.contains("an earlier run of its block") => {
            Some("AddressSanitizer does not tell one run of a block from the next".into())
        }
        _ if is_out_of_bounds(kind) && far_off(message) => Some(MISSED.into()),
        _ if memory && recipe.cflags.iter().any(|flag| flag.starts_with("-O") && flag != "-O0") => {
            Some("an optimiser may remove an access whose value is not used".into())
        }
        _ => None,
    }
}

/// Whether errors of a kind are accesses that only a sanitizer sees.
pub fn is_of_memory(kind: FindingKind) -> bool {
    use FindingKind as K;
    matches!(kind, K::OutOfBoundsRead | K::OutOfBoundsWrite | K::UseAfterFree | K::UseAfterReturn)
        || matches!(kind, K::UseAfterScope | K::WildDereference)
}

/// The number after some words of a message.
fn number_after(message: &str, words: &str) -> Option<i128> {
    let rest = &message[message.find(words)? + words.len()..];
    rest.split(|c: char| c != '-' && !c.is_ascii_digit()).next()?.parse().ok()
}

/// Whether an access of `… at offset X of …, which has Y bytes` begins before the end of the object.
fn begins_inside(message: &str) -> bool {
    let inside = |(offset, size): (i128, i128)| (0..size).contains(&offset);
    number_after(message, "at offset ").zip(number_after(message, "which has ")).is_some_and(inside)
}

/// Whether `… at offset X of …, which has Y bytes` is outside of the zone that AddressSanitizer guards; true if it does
/// not say.
fn far_off(message: &str) -> bool {
    match (number_after(message, "at offset "), number_after(message, "which has ")) {
        (Some(offset), Some(size)) => offset < -16 || offset >= size + 8,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_numbers_are_the_same_name() {
        assert!(is_named("x", "x") && is_named("x_2", "x") && is_named("a_b", "a b"));
        assert!(!is_named("y", "x") && !is_named("xy", "x") && !is_named("x_y", "x"));
    }

    #[test]
    fn a_crash_confirms_what_crashes_so() {
        use FindingKind as K;
        assert!(signal_fits(K::OutOfBoundsWrite, 11) && signal_fits(K::OutOfBoundsWrite, 6));
        assert!(signal_fits(K::DivisionByZero, 8) && !signal_fits(K::DivisionByZero, 11));
        assert!(signal_fits(K::Abort, 6) && !signal_fits(K::Abort, 11));
        assert!(signal_fits(K::NativeCrash, 8));
    }

    #[test]
    fn near_misses_must_be_seen() {
        assert!(!far_off("4 bytes at offset 16 of `a`, which has 16 bytes"));
        assert!(far_off("4 bytes at offset 4000 of `a`, which has 16 bytes"));
        assert!(!far_off("4 bytes at offset -4 of `a`, which has 16 bytes"));
        assert!(far_off("somewhere"));
    }

    #[test]
    fn every_kind_has_words_that_fit_it() {
        let words = [
            "ABRT",
            "FPE",
            "SEGV",
            "leak",
            "shift exponent 40",
            "cannot be represented",
            "3e+10 is outside the range of representable values",
            "unreachable",
            "uninitialized",
        ];
        for (kind, name, _) in FindingKind::TABLE {
            assert!(words.iter().any(|what| words_fit(*kind, what)), "{name}");
        }
    }
}
