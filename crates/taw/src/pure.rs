//! Functions that are called natively, in another process. What can be wrong with them is said before the search.

use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::str::FromStr;

use taw_cage::{Cage, Job, Keeper, hand_over};
use taw_engine::OwnModel;
use taw_env::{Prototype, pure_models, worker_source};
use taw_ir::{Callee, ConstValue, FuncId, Function, Inst, LocId, Origin, Program, Symbol};
use taw_native::Patience;
use taw_report::{Places, Recipe, Source};
use taw_targets::nearest;
use tempfile::TempDir;

use crate::Error;
use crate::PureError;
use crate::replay::{self, Headers};

/// A function that the user declares pure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PureFunction {
    /// Its name.
    pub name: String,
    /// Where it is, if it is not in the program, the C library or a library that the compiler is told of (`-lm`).
    pub library: Option<PathBuf>,
}

impl fmt::Display for PureFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.library {
            Some(library) => write!(f, "{}={}", self.name, library.display()),
            None => f.write_str(&self.name),
        }
    }
}

impl FromStr for PureFunction {
    type Err = String;

    /// Reads `NAME[=LIB.so]`; the error is what is missing.
    fn from_str(text: &str) -> Result<Self, String> {
        let (name, library) = match text.split_once('=') {
            Some((_, "")) => return Err("name the library after `=`, or leave `=` away".into()),
            Some((name, library)) => (name, Some(PathBuf::from(library))),
            None => (text, None),
        };
        if name.is_empty() {
            return Err("name the function before `=`".into());
        }
        Ok(PureFunction { name: name.to_owned(), library })
    }
}

/// The libraries, each once.
///
/// # Errors
/// If one cannot be read.
pub(crate) fn libraries(pure: &[PureFunction], directory: &Path) -> Result<Vec<Source>, PureError> {
    let paths: BTreeSet<&PathBuf> = pure.iter().filter_map(|pure| pure.library.as_ref()).collect();
    let read = |path: &PathBuf| {
        if path.extension().is_some_and(|extension| extension == "c") {
            return Err(PureError::Source(path.clone()));
        }
        Source::read(directory, path).map_err(|error| PureError::Library { path: path.clone(), error })
    };
    paths.into_iter().map(read).collect()
}

/// The functions, ready to be called.
#[derive(Default)]
pub(crate) struct PureFunctions {
    models: Vec<Rc<dyn OwnModel>>,
    /// Where the program is that calls them; gone when dropped.
    _folder: Option<TempDir>,
}

impl PureFunctions {
    /// Builds the program that calls them, and starts it.
    ///
    /// # Errors
    /// What is wrong with one of them.
    pub(crate) fn new(
        pure: &[PureFunction],
        program: &Program,
        recipe: &Recipe,
        keeper: impl FnOnce() -> Result<Keeper, Error>,
    ) -> Result<Self, Error> {
        if pure.is_empty() {
            return Ok(PureFunctions::default());
        }
        let mut asked = pure.to_vec();
        asked.dedup();
        let places = Places::new(program, recipe.directory.clone());
        let prototypes = asked.iter().map(|pure| prototype(pure, &places)).collect::<Result<Vec<_>, _>>()?;
        let own = asked.iter().filter(|pure| is_own(program, &pure.name)).map(|pure| pure.name.as_str());
        let own: Vec<&str> = own.collect();
        if let ([name, ..], Some(path)) = (&own[..], recipe.executable()) {
            return Err(PureError::PartOfExecutable { name: (*name).to_owned(), path }.into());
        }
        let folder = taw_files::scratch("taw-pure-").map_err(PureError::Folder)?;
        let headers = Headers::new()?;
        let worker = replay::toolchain(&headers)?
            .build_beside(recipe, &worker_source(&prototypes), &own, folder.path(), &Patience::default())
            .map_err(|why| not_linked(&asked, &why))?;
        let models = started(&keeper()?, recipe, worker, prototypes, folder.path()).map_err(PureError::Start)?;
        Ok(PureFunctions { models, _folder: Some(folder) })
    }

    /// For the engine.
    pub(crate) fn models(&self) -> Vec<Rc<dyn OwnModel>> {
        self.models.clone()
    }
}

/// Starts the program, in its cage.
fn started(
    keeper: &Keeper,
    recipe: &Recipe,
    worker: PathBuf,
    prototypes: Vec<Prototype>,
    folder: &Path,
) -> Result<Vec<Rc<dyn OwnModel>>, String> {
    let scratch = folder.join("scratch");
    fs::create_dir(&scratch).and_then(|()| hand_over(&scratch)).map_err(|error| error.to_string())?;
    let cage = Cage::open(keeper).map_err(|why| format!("{why}; `--unconfined` runs them anyway"))?;
    let libraries = recipe.libraries.iter().map(|library| recipe.directory.join(&library.path));
    let visible = libraries.collect();
    let job = Job { program: worker, directory: scratch.clone(), scratch, visible, ..Job::default() };
    pure_models(cage, job, prototypes)
}

fn prototype(pure: &PureFunction, places: &Places<'_>) -> Result<Prototype, PureError> {
    let (name, program) = (&pure.name, places.program());
    let fail = |why: String| PureError::Function { name: name.clone(), why };
    let called = called(program);
    let id =
        program.function_named(name).filter(|id| called.contains(id)).ok_or_else(|| fail(unknown(name, program)))?;
    let function = &program.functions[id];
    if let Some(library) = &pure.library
        && is_own(program, name)
    {
        return Err(fail(format!(
            "the program defines `{name}` itself{}; leave `={}` away to have that called, or take the definition out",
            defined_at(places, function),
            library.display()
        )));
    }
    Prototype::of(function, &program.layout).map_err(|why| {
        fail(format!(
            "`{name}`{} cannot be called natively: {why}. Only numbers of at most 64 bits (and `long double`) can be passed; let Taw run its \
             source instead, or name a function that calls it and takes and returns such numbers",
            first_call(places, id)
        ))
    })
}

fn is_own(program: &Program, name: &str) -> bool {
    let function = program.function_named(name).map(|id| &program.functions[id]);
    function.is_some_and(|function| function.is_defined() && function.origin == Origin::User)
}

/// The functions that the user's code calls, or whose address it takes.
pub(crate) fn called(program: &Program) -> BTreeSet<FuncId> {
    let users = program.functions.values().filter(|function| function.origin == Origin::User);
    let direct = users.clone().flat_map(|f| f.calls.values()).filter_map(|call| match call.callee {
        Callee::Direct(id) => Some(id),
        Callee::Indirect(_) => None,
    });
    let globals = program.globals.values().filter(|global| global.origin == Origin::User);
    let relocated = globals.filter_map(|g| g.init.as_ref()).flat_map(|i| &i.relocations);
    let constants = users.flat_map(|f| f.consts.values()).map(|c| &c.value).chain(relocated.map(|r| &r.value));
    let taken = constants.filter_map(|value| match value {
        ConstValue::Address(Symbol::Function(id), _) => Some(*id),
        _ => None,
    });
    direct.chain(taken).collect()
}

fn unknown(name: &str, program: &Program) -> String {
    let named = |id: &FuncId| program.functions[*id].name.as_str();
    // What begins so is Taw's or the C library's own.
    let is_users = |name: &&str| !name.starts_with("taw_") && !name.starts_with("__");
    let names: BTreeSet<&str> = called(program).iter().map(named).filter(is_users).collect();
    let guess = nearest(name, names.iter().copied()).map(|near| format!("; did you mean `{near}`?"));
    let list = match names.len() {
        0 => "it calls none".to_owned(),
        1..=12 => format!("it calls {}", names.into_iter().collect::<Vec<_>>().join(", ")),
        count => format!("it calls {count} others"),
    };
    format!("the program does not call a function `{name}`{} ({list})", guess.unwrap_or_default())
}

/// `, called at FILE:LINE,`
fn first_call(places: &Places<'_>, id: FuncId) -> String {
    let is_call = |function: &Function, at: usize| match function.code[at] {
        Inst::Call { call } => function.calls[call].callee == Callee::Direct(id),
        _ => false,
    };
    let calls = |f: &'_ Function| (0..f.code.len()).find(|&at| is_call(f, at)).and_then(|at| f.locs[at]);
    let first = places.program().functions.values().find_map(calls);
    first.map_or(String::new(), |loc| format!(", called at {},", place(places, loc)))
}

/// ` (FILE:LINE)`
fn defined_at(places: &Places<'_>, function: &Function) -> String {
    function.loc.map_or(String::new(), |loc| format!(" ({})", place(places, loc)))
}

fn place(places: &Places<'_>, loc: LocId) -> String {
    let loc = &places.program().locs[loc];
    format!("{}:{}", places.file(loc.file), loc.line)
}

/// What the linker says, as far as it is about a function that is nowhere.
fn not_linked(asked: &[PureFunction], why: &str) -> PureError {
    let no_letter = |c: char| !c.is_alphanumeric() && c != '_';
    let undefined = why.lines().filter(|line| line.contains("undefined"));
    let missing =
        |pure: &&PureFunction| undefined.clone().any(|line| line.split(no_letter).any(|word| word == pure.name));
    let Some(PureFunction { name, library }) = asked.iter().find(missing) else {
        return PureError::Link(why.to_owned());
    };
    let why = match library.as_ref().map(|library| library.display()) {
        Some(library) => format!("`{library}` has no function `{name}`; `nm -D {library}` lists what it has"),
        None => {
            format!("`{name}` is neither in the program nor in the C library; say where it is: --pure {name}=LIB.so")
        }
    };
    PureError::Function { name: name.clone(), why }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_comes_with_or_without_a_library() {
        let of =
            |name: &str, library: Option<&str>| PureFunction { name: name.into(), library: library.map(PathBuf::from) };
        assert_eq!("f".parse(), Ok(of("f", None)));
        assert_eq!("f=./a=b.so".parse(), Ok(of("f", Some("./a=b.so"))));
        assert!(["=x.so", "f=", ""].iter().all(|text| text.parse::<PureFunction>().is_err()));
    }

    #[test]
    fn a_missing_function_is_named() {
        let asked = ["sum", "checksum=lib.so"].map(|text| text.parse().unwrap());
        let why = "ld: main.o: in function `x':\nmain.c:9: undefined reference to `checksum'";
        assert!(not_linked(&asked, why).to_string().contains("`lib.so` has no function `checksum`"));
        assert!(not_linked(&asked, "ld: cannot find -lx").to_string().contains("cannot find -lx"));
    }
}
