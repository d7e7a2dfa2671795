//! Every path of a program can be followed: what one engine has explored, saved and read back, another executes again, to the same
//! test and without the solver. And what is no path of the program is a divergence, never more.
//!
//! The programs are those of `tests/programs`, without a C library (a path that calls one ends there) and as far as some hundred paths go.

use std::fs;
use std::path::{Path, PathBuf};

use taw_engine::{
    Config, Divergence, End, Engine, Others, Outcome, Prefix, SharedSurroundings, State, TestCase, program_identity,
    read_prefixes, write_prefixes,
};
use taw_env::{Arg, Kernel, MODELS, World, boot};
use taw_ir::{Program, promote};
use taw_loader::{Sources, load};
use taw_solver::{Solver, SolverConfig};

const PATHS: usize = 60;
const SLICES: usize = 600;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn program(file: &Path) -> Program {
    let sources = Sources {
        files: vec![file.to_owned()],
        include_dirs: vec![root().join("runtime"), root().join("runtime/include")],
        warn: Some(|_| {}),
        ..Sources::default()
    };
    let mut program = load(&sources).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    promote(&mut program);
    program
}

fn engine(program: &Program) -> Engine<'_> {
    engine_in(program, World::default())
}

fn engine_in(program: &Program, world: World) -> Engine<'_> {
    let surroundings = SharedSurroundings::new(Kernel::new(world));
    let config = Config { surroundings, boot, ..Config::default() };
    let solver = Solver::new(SolverConfig::default()).expect("a solver");
    Engine::new(program, config, solver, MODELS).expect("an engine")
}

/// What a program has: paths to their ends, and states that wait.
#[derive(Default)]
struct Explored {
    ended: Vec<(Prefix, TestCase)>,
    waiting: Vec<Prefix>,
}

/// Depth-first, with every kind of state that an explorer may want to save.
fn explored(engine: &mut Engine<'_>) -> Explored {
    explored_from(engine, "main")
}

fn explored_from(engine: &mut Engine<'_>, entry: &str) -> Explored {
    let mut all = Explored::default();
    let mut states = vec![engine.initial(entry).expect("an entry")];
    for _ in 0..SLICES {
        let Some(mut state) = states.pop().filter(|_| all.ended.len() < PATHS) else { break };
        let slice = engine.run(&mut state, 20_000);
        match slice.end {
            Some(End::Test(test)) => all.ended.push((engine.prefix(&state).expect("it is possible"), *test)),
            Some(End::Infeasible | End::Silent) => {}
            None => {
                all.waiting.extend(engine.prefix(&state));
                states.push(state);
            }
        }
        all.waiting.extend(slice.forks.iter().filter_map(|fork| engine.prefix(fork)));
        states.splice(0..0, slice.forks);
    }
    all
}

/// Runs a state to its end; its test, if it has one.
fn finish(engine: &mut Engine<'_>, mut state: State, end: Option<End>) -> (Option<TestCase>, State) {
    let mut end = end;
    for _ in 0..SLICES {
        match end {
            Some(End::Test(test)) => return (Some(*test), state),
            Some(End::Infeasible | End::Silent) => return (None, state),
            None => end = engine.run(&mut state, 20_000).end,
        }
    }
    (None, state)
}

/// All that a test says, as text.
fn told(test: &TestCase) -> String {
    format!("{test:?}")
}

fn round_trip(file: &Path) -> (usize, usize) {
    round_trip_in(file, &World::default())
}

fn round_trip_in(file: &Path, world: &World) -> (usize, usize) {
    let program = program(file);
    let explored = explored(&mut engine_in(&program, world.clone()));
    follow_all(&program, &explored, engine_in(&program, world.clone()), file);
    (explored.ended.len(), explored.waiting.len())
}

/// Saves and reads back what was explored, and follows it with an engine that knows nothing of it.
fn follow_all(program: &Program, explored: &Explored, other: Engine<'_>, file: &Path) {
    let identity = program_identity(program);
    let saved: Vec<&Prefix> = explored.ended.iter().map(|(prefix, _)| prefix).chain(&explored.waiting).collect();
    let read = read_prefixes(&identity, &write_prefixes(&identity, saved.iter().copied())).expect("what was written");
    assert!(saved.into_iter().eq(&read), "{}", file.display());
    follow_each(explored, &read, other, file);
}

/// Follows what was explored by its prefixes, of paths to their ends first.
fn follow_each(explored: &Explored, read: &[Prefix], mut other: Engine<'_>, file: &Path) {
    for ((_, test), prefix) in explored.ended.iter().zip(read) {
        // A query that was not answered is no decision: the path ends elsewhere.
        if matches!(test.outcome, Outcome::Unknown(_)) {
            continue;
        }
        let initial = other.initial(&prefix.entry).expect("an entry");
        let followed = other.follow(initial, prefix, Others::Dropped);
        let followed = followed.unwrap_or_else(|why| panic!("{}: {why}\n{prefix:?}", file.display()));
        assert!(followed.others.is_empty());
        let (again, state) = finish(&mut other, followed.state, followed.end);
        let again = again.unwrap_or_else(|| panic!("{}: no test\n{}", file.display(), told(test)));
        assert_eq!(told(&again), told(test), "{}", file.display());
        assert_eq!(other.prefix(&state).as_ref(), Some(prefix), "{}", file.display());
    }
    for (prefix, waiting) in read[explored.ended.len()..].iter().zip(&explored.waiting) {
        let initial = other.initial(&prefix.entry).expect("an entry");
        let followed = other.follow(initial, prefix, Others::Dropped);
        let followed = followed.unwrap_or_else(|why| panic!("{}: {why}\n{prefix:?}", file.display()));
        // What it has done since its last decision it does again.
        let mut again = other.prefix(&followed.state).expect("it is possible");
        again.inputs.extend(waiting.inputs[again.inputs.len()..].iter().cloned());
        again.answers.extend(&waiting.answers[again.answers.len()..]);
        assert_eq!((&again, followed.state.pending.is_some()), (waiting, waiting.open.is_some()), "{}", file.display());
    }
    assert_eq!(other.solver.stats().queries, 0, "{}", file.display());
}

/// Programs of a folder that need no options.
fn programs(folder: &str) -> Vec<PathBuf> {
    let folder = root().join("tests/programs").join(folder);
    let mut files: Vec<PathBuf> = fs::read_dir(folder).expect("programs").flatten().map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "c") && is_plain(file));
    files.sort();
    files
}

fn is_plain(file: &Path) -> bool {
    !fs::read_to_string(file).expect("a source").contains("//@ flags")
}

fn all_of(folder: &str, least: usize) {
    let files = programs(folder);
    assert!(files.len() >= least, "{folder} has {} programs", files.len());
    let (mut ended, mut waiting) = (0, 0);
    for file in files {
        let (e, w) = round_trip(&file);
        (ended, waiting) = (ended + e, waiting + w);
    }
    println!("{folder}: {ended} paths and {waiting} states that wait were followed");
    assert!(ended > 0 && waiting > 0);
}

#[test]
fn paths_of_programs_about_paths() {
    all_of("paths", 20);
}

#[test]
fn paths_of_programs_with_bugs() {
    all_of("bugs", 40);
}

#[test]
fn paths_of_programs_about_memory() {
    all_of("memory", 20);
}

#[test]
fn paths_of_programs_about_the_language() {
    all_of("language", 40);
}

const SAMPLE: &str = r#"
#include <stddef.h>
#include <taw.h>
void *malloc(size_t size);
void free(void *);
static int table[8] = {3, 1, 4, 1, 5, 9, 2, 6};
int main(void) {
  int x = taw_int("x"), n = 0;
  unsigned i = taw_uint("i"), size = taw_uint("size");
  unsigned char b[4];
  taw_symbolic(b, sizeof b, "b");
  taw_assume(i < 12);
  switch (x) { case 1: n = 5; break; case 7: case 9: n = 6; break; default: if (x > 100) n = 7; }
  for (int k = 0; k < 4; k++) if (b[k] == 'a' + k) n++;
  n += table[i];
  if (size > 0 && size < 20) {
    char *p = malloc(size);
    if (p) p[size / 2] = 1;
    free(p);
  }
  taw_print("n", n);
  int late = taw_int("late");
  taw_assume(late > 5);
  return 10 / (x - 3) + n;
}
"#;

fn sample() -> Program {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("sample.c");
    fs::write(&file, SAMPLE).expect("a file");
    program(&file)
}

#[test]
fn a_path_with_everything() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("sample.c");
    fs::write(&file, SAMPLE).expect("a file");
    let (ended, waiting) = round_trip(&file);
    assert!(ended == PATHS && waiting >= 100, "{ended} {waiting}");
}

/// States that a seed leads to have its witness before they are checked by anything else.
#[test]
fn a_path_that_a_seed_led_to() {
    let program = sample();
    let seeds = explored(&mut engine(&program)).ended.into_iter().step_by(9).map(|(_, test)| test.inputs).collect();
    let mut seeded = engine(&program);
    seeded.config.seeds = seeds;
    let explored = explored(&mut seeded);
    assert_eq!(explored.ended.len(), PATHS);
    follow_all(&program, &explored, engine(&program), Path::new("sample.c"));
}

/// Making the arguments forks before the first instruction.
#[test]
fn a_path_that_forks_before_it_starts() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("arguments.c");
    let text = "int main(int argc, char **argv) { return argc > 1 && argv[1][0] == 'x' ? argc : argc > 2 ? 7 : 0; }";
    fs::write(&file, text).expect("a file");
    let world = World { args: vec![Arg::Symbolic(2), Arg::Several { min: 0, max: 3, len: 2 }], ..World::default() };
    let (ended, waiting) = round_trip_in(&file, &world);
    assert!(ended >= 8 && waiting >= 8, "{ended} {waiting}");
}

/// Pointers that are passed are made when something uses them: in the same order when the path is followed, with and without a seed.
#[test]
fn a_path_that_starts_in_the_middle() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("middle.c");
    let text = "struct s { int v; struct s *next; int *data; };
        static int use(struct s *x, struct s *y, int *d) { if (!y) return 1; y->v = 2; return x && x->v == 2 && *d == 3; }
        int f(struct s *a, struct s *b, int *d, int *e, struct s *c, int n) {
          if (n == 1) return use(c, b, d);
          if (c && c->v == n) return c->next == a ? 7 : c->data == e;
          return use(a, c, e);
        }";
    fs::write(&file, text).expect("a file");
    let program = program(&file);
    let explored = explored_from(&mut engine(&program), "f");
    assert!(explored.ended.len() >= 20 && explored.waiting.len() >= 20, "{}", explored.ended.len());
    // What choices are called is not saved.
    let prefixes = |explored: &Explored| -> Vec<Prefix> {
        explored.ended.iter().map(|(prefix, _)| prefix).chain(&explored.waiting).cloned().collect()
    };
    follow_each(&explored, &prefixes(&explored), engine(&program), &file);
    let mut seeded = engine(&program);
    seeded.config.seeds = explored.ended.into_iter().step_by(5).map(|(_, test)| test.inputs).collect();
    let explored = explored_from(&mut seeded, "f");
    follow_each(&explored, &prefixes(&explored), engine(&program), &file);
}

#[test]
fn the_other_sides_are_those_of_a_run() {
    let program = sample();
    let mut engine = engine(&program);
    let explored = explored(&mut engine);
    let (prefix, _) = explored.ended.iter().max_by_key(|(prefix, _)| prefix.ways.len()).expect("paths");
    let initial = engine.initial("main").expect("a main");
    let followed = engine.follow(initial, prefix, Others::Kept).expect("a path of the program");
    assert!(followed.others.len() >= prefix.ways.len(), "{}", followed.others.len());
    // One of them, run as in any exploration, ends as a path that is not this one.
    let other = followed.others.into_iter().next_back().expect("there are some");
    let way = other.ways().to_vec();
    if let (Some(test), _) = finish(&mut engine, other, None) {
        assert!(test.path.to_vec().starts_with(&way));
        assert_ne!(test.path.to_vec(), prefix.ways);
    }
}

/// Each part of a prefix made wrong: another value, another place, more or less of it.
fn corrupted(prefix: &Prefix, mut choice: usize) -> Prefix {
    let mut pick = |n: usize| {
        let picked = choice % n.max(1);
        choice /= n.max(1);
        picked
    };
    let mut broken = prefix.clone();
    match pick(7) {
        0 if !broken.ways.is_empty() => {
            let at = pick(broken.ways.len());
            broken.ways[at].way ^= 1 + pick(3) as u32;
        }
        1 if !broken.ways.is_empty() => {
            let at = pick(broken.ways.len());
            broken.ways[at].pc = broken.ways[at].pc.wrapping_add(1 + pick(1000) as u32);
        }
        2 if !broken.ways.is_empty() => {
            let at = pick(broken.ways.len());
            broken.ways.remove(at);
        }
        3 => broken.ways.extend(prefix.ways.last().copied()),
        4 if !broken.inputs.is_empty() => {
            let at = pick(broken.inputs.len());
            broken.inputs[at].bytes.iter_mut().for_each(|byte| *byte = pick(256) as u8);
        }
        5 if !broken.inputs.is_empty() => {
            let at = pick(broken.inputs.len());
            let len = pick(9);
            broken.inputs[at].bytes.resize(len, 0x5a);
        }
        _ => {
            broken.answers = vec![u64::MAX; pick(2)];
            broken.open = Some(pick(30) as u32);
            broken.turns.truncate(pick(2));
        }
    }
    broken
}

#[test]
fn what_is_no_path_diverges_and_nothing_worse() {
    let program = sample();
    let mut engine = engine(&program);
    let explored = explored(&mut engine);
    let queries = engine.solver.stats().queries;
    let prefixes: Vec<&Prefix> = explored.ended.iter().map(|(prefix, _)| prefix).chain(&explored.waiting).collect();
    let (mut diverged, mut fine) = (0, 0);
    let mut seed = 7u64;
    for round in 0..4_000 {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let prefix = corrupted(prefixes[round % prefixes.len()], (seed >> 20) as usize);
        let initial = engine.initial("main").expect("a main");
        match engine.follow(initial, &prefix, Others::Dropped) {
            Err(_) => diverged += 1,
            // Another value of an input that nothing depends on, or fewer decisions: that is a path too.
            Ok(followed) => {
                fine += 1;
                assert_eq!(followed.state.ways().to_vec(), prefix.ways);
                let mut witness = followed.state.witness.clone();
                let conditions = followed.state.path.conditions();
                assert!(conditions.iter().all(|c| witness.holds(&engine.terms, c.term)));
            }
        }
    }
    assert!(diverged > 1_000 && fine > 100, "{diverged} {fine}");
    assert_eq!(engine.solver.stats().queries, queries);
}

#[test]
fn a_divergence_says_where() {
    let program = sample();
    let mut engine = engine(&program);
    let explored = explored(&mut engine);
    let (prefix, _) = explored.ended.iter().find(|(prefix, _)| prefix.ways.len() > 3).expect("a path with decisions");
    let mut follow = |prefix: &Prefix| {
        let initial = engine.initial("main").expect("a main");
        engine.follow(initial, prefix, Others::Dropped).map(|_| ()).unwrap_err()
    };
    let mut other = prefix.clone();
    other.ways[2].way += 5;
    let (expected, found) = (other.ways[2], prefix.ways[2]);
    assert_eq!(follow(&other), Divergence::Decision { at: 2, expected, found });
    let mut longer = prefix.clone();
    longer.ways.push(prefix.ways[0]);
    let (at, expected) = (prefix.ways.len(), prefix.ways[0]);
    assert_eq!(follow(&longer), Divergence::End { at, expected });
    let elsewhere = Prefix { entry: "elsewhere".to_owned(), ..prefix.clone() };
    assert_eq!(follow(&elsewhere), Divergence::Entry("elsewhere".to_owned()));
    let mut against = prefix.clone();
    let i = against.inputs.iter_mut().find(|input| input.name == "i").expect("an input");
    i.bytes = vec![200, 0, 0, 0];
    assert!(matches!(follow(&against), Divergence::Witness(_)));
}
