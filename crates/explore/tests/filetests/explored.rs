//! `; explore @f` and `; verdict @f to @f:b3`: all paths of a function with symbolic parameters, against brute force.
//!
//! Where the inputs are few, every one of them is run with constants, and as a seed, whose path is known to be the input's own. So
//! it is checked that each path is found once, that its inputs make it end as it was said to, and that no input is on none.

use std::collections::{BTreeMap, BTreeSet};

use taw_engine::{Doubt, Goal, GoalStep, Input, InputType, Reason, Recorded};
use taw_explore::{GoalVerdict, Limits, Proof};
use taw_ir::{Function, Layout, Program, Site};
use taw_report::sentences;

use crate::answer::untyped;
use crate::drive::{Driven, EndedPath, Explored, Variation, parameter_name};
use crate::file::FileTest;

/// Bits of input up to which every value is tried.
const FEW: u32 = 10;
/// Results of a path that are listed.
const LISTED: usize = 4;

/// An input that takes part in the enumeration.
struct Space {
    name: String,
    bits: u32,
}

/// The paths of a function.
pub fn explore(test: &FileTest, program: &Program, about: &str) -> Result<Vec<String>, String> {
    let function = named(program, about)?;
    let driven = Driven::new(&test.program, function, &[], test.checks)?;
    let explored = driven.explore(Variation::default())?;
    let reasons = &explored.summary.incomplete;
    let cut = explored.paths.iter().any(|path| path.outcome.starts_with("unsupported"));
    if !reasons.is_empty() && !cut {
        return Err(format!("not everything was explored: {}", sentences(reasons, &driven.program).join("; ")));
    }
    let identity = Identity::of(&explored.paths)?;
    for path in &explored.paths {
        let again = alone(&driven, &path.inputs, Variation::default())?;
        if again.outcome != path.outcome {
            let (said, is) = (&path.detail, &again.detail);
            return Err(format!("a path ends in `{said}`, and with its inputs as constants in `{is}`"));
        }
        walk_again(&driven, path)?;
    }
    match spaces(function, &explored.paths, &program.layout) {
        Some(spaces) => partition(&driven, &explored, &spaces, identity),
        None => Ok(by_outcome(&explored.paths)),
    }
}

/// By what a path is told from the others.
#[derive(Clone, Copy)]
enum Identity {
    /// Which way its decisions went.
    Decisions,
    /// These and how it ended: which other values of an address were tried first is no decision.
    DecisionsAndEnd,
}

impl Identity {
    /// What tells these apart.
    fn of(paths: &[EndedPath]) -> Result<Self, String> {
        let tells = |identity: &Identity| {
            paths.iter().map(|path| identity.of_path(path)).collect::<BTreeSet<_>>().len() == paths.len()
        };
        [Identity::Decisions, Identity::DecisionsAndEnd].into_iter().find(tells).ok_or_else(|| {
            let paths = paths.iter().map(|path| format!("{:?} {}", path.decisions, path.detail));
            format!("two paths made the same decisions:\n{}", paths.collect::<Vec<_>>().join("\n"))
        })
    }

    fn of_path(self, path: &EndedPath) -> String {
        match self {
            Identity::Decisions => format!("{:?}", path.decisions),
            Identity::DecisionsAndEnd => format!("{:?} {}", path.decisions, path.outcome),
        }
    }
}

/// How often paths end how, where the inputs are too many.
fn by_outcome(paths: &[EndedPath]) -> Vec<String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for path in paths {
        let kind = if path.outcome.starts_with("== ") { "returns" } else { &path.outcome };
        *counts.entry(kind).or_default() += 1;
    }
    let lines = counts.into_iter().map(|(kind, n)| format!("{n}: {kind}"));
    std::iter::once(counted(paths.len(), "path")).chain(lines).collect()
}

/// Each path with the number of its inputs, the least of them, and what comes of them.
fn partition(
    driven: &Driven,
    explored: &Explored,
    spaces: &[Space],
    identity: Identity,
) -> Result<Vec<String>, String> {
    struct Share {
        least: String,
        inputs: usize,
        outcomes: Vec<String>,
    }
    let known: BTreeSet<String> = explored.paths.iter().map(|path| identity.of_path(path)).collect();
    let mut shares: BTreeMap<String, Share> = BTreeMap::new();
    let mut order: Vec<String> = Vec::new();
    let all = assignments(spaces, driven.program.layout.big_endian);
    for inputs in &all {
        let concrete = alone(driven, inputs, Variation::default())?;
        let seeded = seeded(driven, inputs)?;
        if seeded.outcome != concrete.outcome {
            let (a, b) = (&concrete.detail, &seeded.detail);
            return Err(format!("{}: with constants `{a}`, on its path `{b}`", words(inputs, spaces)));
        }
        let path = identity.of_path(&seeded);
        if !known.contains(&path) {
            return Err(format!("{}: its path was not found", words(inputs, spaces)));
        }
        let share = shares.entry(path.clone()).or_insert_with(|| {
            order.push(path);
            Share { least: words(inputs, spaces), inputs: 0, outcomes: Vec::new() }
        });
        share.inputs += 1;
        if !share.outcomes.contains(&concrete.outcome) {
            share.outcomes.push(concrete.outcome);
        }
    }
    if shares.len() != explored.paths.len() {
        return Err(format!("{} paths were found, and the inputs have {}", explored.paths.len(), shares.len()));
    }
    let mut lines = vec![format!("{} of {}", counted(shares.len(), "path"), counted(all.len(), "input"))];
    for path in order {
        let Share { least, inputs, outcomes } = &shares[&path];
        let outcomes: Vec<String> = outcomes.iter().map(|outcome| untyped(outcome)).collect();
        let said = match outcomes.len() {
            0..=LISTED => outcomes.join(" or "),
            n => format!("{} or {} others", outcomes[0], n - 1),
        };
        lines.push(format!("{inputs} from {least}: {said}"));
    }
    Ok(lines)
}

/// The inputs to enumerate: the parameters, and what paths make themselves; none if they are too many or differ.
fn spaces(function: &Function, paths: &[EndedPath], layout: &Layout) -> Option<Vec<Space>> {
    let longest = paths.iter().map(|path| &path.inputs).max_by_key(|inputs| inputs.len())?;
    let same = |path: &EndedPath| {
        path.inputs.iter().zip(longest).all(|(a, b)| a.name == b.name && a.bytes.len() == b.bytes.len())
    };
    let space = |(i, input): (usize, &Input)| {
        let bits = function.params.get(i).map(|param| param.ty.bits(layout));
        Space { name: input.name.clone(), bits: bits.unwrap_or(input.bytes.len() as u32 * 8) }
    };
    let spaces: Vec<Space> = longest.iter().enumerate().map(space).collect();
    let few = spaces.iter().map(|space| space.bits).sum::<u32>() <= FEW;
    (few && paths.iter().all(same)).then_some(spaces)
}

/// Every assignment, in ascending order of the first input, then the second …
fn assignments(spaces: &[Space], big_endian: bool) -> Vec<Vec<Input>> {
    let mut all = vec![Vec::new()];
    for space in spaces {
        let with = |inputs: &Vec<Input>| {
            let inputs = inputs.clone();
            (0..1u64 << space.bits).map(move |value| {
                let mut bytes = value.to_le_bytes()[..space.bits.div_ceil(8) as usize].to_vec();
                if big_endian {
                    bytes.reverse();
                }
                let input = Input { name: space.name.clone(), ty: InputType::Bytes, bytes };
                inputs.iter().cloned().chain([input]).collect()
            })
        };
        all = all.iter().flat_map(with).collect();
    }
    all
}

fn words(inputs: &[Input], spaces: &[Space]) -> String {
    let word = |input: &Input| {
        let value = input.bytes.iter().rev().fold(0u64, |value, &byte| value << 8 | u64::from(byte));
        format!("{}={value}", input.name)
    };
    debug_assert_eq!(inputs.len(), spaces.len());
    if inputs.is_empty() { "the start".to_owned() } else { inputs.iter().map(word).collect::<Vec<_>>().join(" ") }
}

/// The only path with these inputs as constants.
fn alone(driven: &Driven, inputs: &[Input], way: Variation) -> Result<EndedPath, String> {
    let mut explored = driven.explore(Variation { concrete: Some(inputs.to_vec()), ..way })?;
    match explored.paths.len() {
        1 => Ok(explored.paths.remove(0)),
        n => Err(format!("with constants there are {n} paths")),
    }
}

/// Walks a path again, by its inputs and what it decided: it makes the same decisions, ends as it did, and the solver is asked for no
/// inputs.
fn walk_again(driven: &Driven, path: &EndedPath) -> Result<(), String> {
    let recorded = Recorded { inputs: path.inputs.clone(), path: path.decisions.clone() };
    let again = driven.explore(Variation { recorded: Some(recorded), ..Variation::default() })?;
    let diverged = again.summary.incomplete.iter().any(|why| matches!(why, Reason::Doubt(Doubt::Diverged(_))));
    let ends: Vec<&str> = again.paths.iter().map(|path| path.detail.as_str()).collect();
    let decisions: Vec<_> = again.paths.iter().map(|path| &path.decisions).collect();
    match !diverged && ends == [path.detail.as_str()] && decisions == [&path.decisions] {
        true => Ok(()),
        false => Err(format!(
            "a path ends in `{}` after {:?}; walked again: {ends:?} after {decisions:?}",
            path.detail, path.decisions
        )),
    }
}

/// The path that the inputs take.
fn seeded(driven: &Driven, inputs: &[Input]) -> Result<EndedPath, String> {
    let limits = Limits { paths: Some(1), ..Limits::default() };
    let mut explored = driven.explore(Variation { seed: Some(inputs.to_vec()), limits, ..Variation::default() })?;
    if explored.paths.is_empty() { Err("a seed has no path".to_owned()) } else { Ok(explored.paths.remove(0)) }
}

/// `@f`, as the function.
pub fn named<'p>(program: &'p Program, about: &str) -> Result<&'p Function, String> {
    let name = about.strip_prefix('@').ok_or("`@name` should follow")?;
    let func = program.function_named(name).ok_or_else(|| format!("there is no function @{name}"))?;
    Ok(&program.functions[func])
}

/// `@f:b3` or `@f:b3+2`, as an instruction.
pub fn site(program: &Program, text: &str) -> Result<Site, String> {
    let (name, place) = text.strip_prefix('@').and_then(|rest| rest.split_once(':')).ok_or("`@f:b3+2` is a place")?;
    let func = program.function_named(name).ok_or_else(|| format!("there is no function @{name}"))?;
    let (block, further) = place.split_once('+').unwrap_or((place, "0"));
    let found = program.functions[func].blocks.iter().find(|(id, _)| id.to_string() == block);
    let (_, found) = found.ok_or_else(|| format!("@{name} has no block {block}"))?;
    let further: u32 = further.parse().map_err(|_| format!("`{further}` is no number"))?;
    Ok(Site { func, pc: found.start + further })
}

/// `@f to @g:b3 [with depth 1 …]`: the verdict, and how it is known.
pub fn verdict(test: &FileTest, program: &Program, about: &str) -> Result<Vec<String>, String> {
    let (entry, rest) = about.split_once(" to ").ok_or("`verdict @f to @g:b3` is the form")?;
    let (places, limits) = rest.split_once(" with ").unwrap_or((rest, ""));
    let function = named(program, entry)?;
    let limits = parse_limits(limits)?;
    let driven = Driven::new(&test.program, function, &[], test.checks)?;
    // Functions keep their numbers: the one that calls was added at the end.
    let steps: Result<Vec<GoalStep>, String> =
        places.split(" then ").map(|place| Ok(GoalStep::Sites(vec![site(program, place.trim())?]))).collect();
    let goal = Goal { name: places.to_owned(), steps: steps? };
    let explored = driven.explore(Variation { goals: vec![goal.clone()], limits, ..Variation::default() })?;
    let outcome = explored.summary.goals.first().ok_or("there is no verdict")?;
    let hits = brute(&driven, function, &goal)?;
    match (&outcome.verdict, hits) {
        (GoalVerdict::Reached, Some(0)) => return Err("it was reached, and no input leads there".to_owned()),
        (GoalVerdict::Unreachable(_), Some(hits @ 1..)) => {
            return Err(format!("it is said to be unreachable, and {hits} inputs lead there"));
        }
        _ => {}
    }
    let by = hits.map_or(String::new(), |hits| format!(" ({hits} inputs lead there)"));
    Ok(match &outcome.verdict {
        GoalVerdict::Reached => {
            let (_, inputs) = explored.reached.first().ok_or("it was reached by no test")?;
            let again = driven.explore(Variation {
                concrete: Some(inputs.clone()),
                goals: vec![goal],
                ..Variation::default()
            })?;
            if again.reached.is_empty() {
                return Err("the inputs that reach it do not, as constants".to_owned());
            }
            vec![format!("reached{by}")]
        }
        GoalVerdict::Unreachable(Proof::Static) => vec![format!("unreachable: no way leads there{by}")],
        GoalVerdict::Unreachable(Proof::Exhaustive) => vec![format!("unreachable: every path was explored{by}")],
        GoalVerdict::Unreachable(Proof::Slice) => vec![format!("unreachable: in a slice{by}")],
        GoalVerdict::Unreachable(Proof::Backward) => vec![format!("unreachable: from wherever it is called{by}")],
        GoalVerdict::Unknown(reasons) => {
            sentences(reasons, &driven.program).iter().map(|why| format!("unknown: {why}{by}")).collect()
        }
    })
}

/// How many assignments of the parameters reach a goal; nothing if they are too many.
fn brute(driven: &Driven, function: &Function, goal: &Goal) -> Result<Option<usize>, String> {
    let layout = &driven.program.layout;
    let space = |i: usize| Space { name: parameter_name(function, i), bits: function.params[i].ty.bits(layout) };
    let spaces: Vec<Space> = (0..function.params.len()).map(space).collect();
    if spaces.iter().map(|space| space.bits).sum::<u32>() > FEW {
        return Ok(None);
    }
    let mut hits = 0;
    for inputs in assignments(&spaces, layout.big_endian) {
        // One that never ends does not get there.
        let limits = Limits { instructions: Some(100_000), ..Limits::default() };
        let way = Variation { concrete: Some(inputs), goals: vec![goal.clone()], limits, ..Variation::default() };
        hits += usize::from(!driven.explore(way)?.reached.is_empty());
    }
    Ok(Some(hits))
}

fn parse_limits(text: &str) -> Result<Limits, String> {
    let mut limits = Limits::default();
    let words: Vec<&str> = text.split_whitespace().collect();
    for pair in words.chunks(2) {
        let [key, number] = pair else { return Err("a limit is a word and a number".to_owned()) };
        let number: u64 = number.parse().map_err(|_| format!("`{number}` is no number"))?;
        match *key {
            "paths" => limits.paths = Some(number),
            "depth" => limits.depth = Some(number as u32),
            "states" => limits.states = Some(number as usize),
            "instructions" => limits.instructions = Some(number),
            other => return Err(format!("there is no limit `{other}`")),
        }
    }
    Ok(limits)
}

fn counted(n: usize, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}
