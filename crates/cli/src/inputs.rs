//! What the program under test is started with: the options, and the words after `--`.
//!
//! Arguments come in the order in which they are said: those of options first, then the words after `--`. One group for
//! every command that explores; [`InputArgs::world`] is what the options mean.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, Read};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use clap::{ArgMatches, Args, Command, Error, FromArgMatches};
use taw::{Arg, Content, PeerAddress, World};

use crate::failure::Failure;
use peers::Says;

mod peers;

/// Longest input, in bytes: each byte is a variable of the solver.
const LONGEST: usize = 1 << 20;
/// Most arguments that one option may stand for.
const MOST: usize = 1 << 10;

#[derive(Debug, Args)]
#[command(next_help_heading = "Inputs of the program")]
struct Options {
    /// One more argument: any string of up to LEN bytes (also as a word after `--`: @sym:LEN)
    #[arg(long, value_name = "LEN", value_parser = length)]
    sym_arg: Vec<usize>,
    /// MIN to MAX more arguments of up to LEN bytes each (after `--`: @syms:MIN:MAX:LEN)
    #[arg(long, num_args = 3, value_names = ["MIN", "MAX", "LEN"], value_parser = length)]
    sym_args: Vec<usize>,
    /// Standard input: LEN bytes, none of them known
    #[arg(long, value_name = "LEN", value_parser = length, conflicts_with = "stdin")]
    sym_stdin: Option<usize>,
    /// Standard input: the content of a file; `-` is what `taw` itself is given
    #[arg(long, value_name = "FILE")]
    stdin: Option<PathBuf>,
    /// A file in the program's folder: LEN bytes, none of them known
    #[arg(long, value_name = "NAME=LEN", value_parser = named_length)]
    sym_file: Vec<(String, usize)>,
    /// N such files of LEN bytes each, called A, B, C, ...
    #[arg(long, num_args = 2, value_names = ["N", "LEN"], value_parser = length)]
    sym_files: Vec<usize>,
    /// A file in the program's folder with the content of a file of yours
    #[arg(long, value_name = "NAME=FILE", value_parser = named)]
    file: Vec<(String, String)>,
    /// An environment variable: any string of up to LEN bytes
    #[arg(long, value_name = "NAME=LEN", value_parser = named_length)]
    sym_env: Vec<(String, usize)>,
    /// An environment variable; without these options there are none
    #[arg(long, value_name = "NAME=VALUE", value_parser = named)]
    env: Vec<(String, String)>,
    /// Somebody to talk to at ADDRESS (tcp:PORT or unix:PATH) for one connection: sends the content of a file of yours, then
    /// no more. A program that connects there is answered; one that listens there is called
    #[arg(long, value_name = "ADDRESS=FILE", value_parser = peers::scripted)]
    peer: Vec<(PeerAddress, PathBuf)>,
    /// The same, who sends LEN bytes, none of them known
    #[arg(long, value_name = "ADDRESS=LEN", value_parser = peers::symbolic)]
    sym_peer: Vec<(PeerAddress, usize)>,
    /// Let the program read a file of this machine
    #[arg(long, value_name = "FILE")]
    host_file: Vec<PathBuf>,
    /// Let the program read a folder of this machine, with all that is in it
    #[arg(long, value_name = "DIR")]
    host_dir: Vec<PathBuf>,
    /// Explore failing system calls too, at most N on a path
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    fail_syscalls: u32,
    /// Let the clock show any time
    #[arg(long)]
    sym_time: bool,
    /// The name by which the program is called
    #[arg(long, value_name = "NAME")]
    argv0: Option<OsString>,
    /// Arguments of the program; @sym:LEN and @syms:MIN:MAX:LEN are symbolic, @@... is a word that begins with @
    #[arg(last = true, value_name = "ARG")]
    program_args: Vec<OsString>,
}

/// The group, with the arguments and the peers that options stand for in their order.
#[derive(Debug)]
pub(crate) struct InputArgs {
    options: Options,
    by_options: Vec<Arg>,
    peers: Vec<(PeerAddress, Says)>,
}

impl Args for InputArgs {
    fn augment_args(command: Command) -> Command {
        Options::augment_args(command)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Options::augment_args_for_update(command)
    }
}

impl FromArgMatches for InputArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let options = Options::from_arg_matches(matches)?;
        let places = |id: &str| -> Vec<usize> { matches.indices_of(id).into_iter().flatten().collect() };
        let one = places("sym_arg").into_iter().zip(options.sym_arg.iter().map(|len| Arg::Symbolic(*len)));
        let three = |v: &[usize]| Arg::Several { min: v[0], max: v[1], len: v[2] };
        let several = places("sym_args").into_iter().step_by(3).zip(options.sym_args.chunks_exact(3).map(three));
        let mut placed: Vec<(usize, Arg)> = one.chain(several).collect();
        placed.sort_by_key(|(place, _)| *place);
        let by_options = placed.into_iter().map(|(_, arg)| arg).collect();
        let peers = peers::in_order(&options.peer, &options.sym_peer, places);
        Ok(InputArgs { options, by_options, peers })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Of a file that is an input, in bytes.
const LARGEST: u64 = 1 << 30;

/// Standard input that was read before, for a path that is walked again.
pub(crate) type Remembered<'a> = Option<&'a [u8]>;

impl InputArgs {
    /// What the options mean. `called` is the program's name if the user gives none, `before` what `--stdin -` was.
    ///
    /// # Errors
    /// What is wrong with them, with the way out.
    pub(crate) fn world(&self, called: &OsStr, before: Remembered<'_>) -> Result<World, Failure> {
        let options = &self.options;
        let mut args = self.by_options.clone();
        for word in &options.program_args {
            args.push(word_after_dashes(word)?);
        }
        args.iter().try_for_each(bounded)?;
        Ok(World {
            program: options.argv0.as_deref().unwrap_or(called).as_bytes().to_vec(),
            args,
            env: self.environment()?,
            stdin: self.standard_input(before)?,
            files: self.files(before)?,
            peers: peers::contents(&self.peers, before)?,
            host: self.host()?,
            failures: options.fail_syscalls,
            symbolic_time: options.sym_time,
        })
    }

    /// Whether an argument is symbolic, for which the program must have a `main` that takes some.
    pub(crate) fn asks_for_arguments(&self) -> bool {
        let symbolic = |word: &OsString| word_after_dashes(word).is_ok_and(|arg| !matches!(arg, Arg::Text(_)));
        !self.by_options.is_empty() || self.options.program_args.iter().any(symbolic)
    }

    /// What of the host the program may read, as given.
    pub(crate) fn host(&self) -> Result<Vec<PathBuf>, Failure> {
        let options = &self.options;
        for path in &options.host_file {
            kind_of(path, "--host-file", fs::Metadata::is_file, "a file")?;
        }
        for path in &options.host_dir {
            kind_of(path, "--host-dir", fs::Metadata::is_dir, "a folder")?;
        }
        Ok(options.host_file.iter().chain(&options.host_dir).cloned().collect())
    }

    fn environment(&self) -> Result<Vec<(Vec<u8>, Content)>, Failure> {
        let options = &self.options;
        let given = options.env.iter().map(|(name, value)| (name, Content::Bytes(value.as_bytes().to_vec())));
        let symbolic = options.sym_env.iter().map(|(name, len)| (name, Content::Symbolic(*len)));
        let all: Vec<(&String, Content)> = given.chain(symbolic).collect();
        once(all.iter().map(|(name, _)| name.as_str()), "environment variable")?;
        Ok(all.into_iter().map(|(name, value)| (name.clone().into_bytes(), value)).collect())
    }

    fn standard_input(&self, before: Remembered<'_>) -> Result<Option<Content>, Failure> {
        let options = &self.options;
        match (&options.stdin, options.sym_stdin) {
            (_, Some(len)) => Ok(Some(Content::Symbolic(len))),
            (None, None) => Ok(None),
            (Some(path), None) if path.as_os_str() == "-" => {
                if let Some(before) = before {
                    return Ok(Some(Content::Bytes(before.to_vec())));
                }
                let mut content = Vec::new();
                let unread = |error| Failure::Message(format!("--stdin -: cannot read standard input: {error}"));
                io::stdin().lock().read_to_end(&mut content).map_err(unread)?;
                Ok(Some(Content::Bytes(content)))
            }
            (Some(path), None) => read("--stdin", path, before).map(|content| Some(Content::Bytes(content))),
        }
    }

    fn files(&self, before: Remembered<'_>) -> Result<Vec<(String, Content)>, Failure> {
        let options = &self.options;
        let mut all: Vec<(String, Content)> = Vec::new();
        for pair in options.sym_files.chunks_exact(2) {
            for _ in 0..pair[0] {
                let letter = u8::try_from(all.len()).ok().filter(|n| *n < 26).map(|n| char::from(b'A' + n));
                let letter = letter
                    .ok_or_else(|| wrong("--sym-files names files A to Z: at most 26; name others with --sym-file"))?;
                all.push((letter.to_string(), Content::Symbolic(pair[1])));
            }
        }
        all.extend(options.sym_file.iter().map(|(name, len)| (name.clone(), Content::Symbolic(*len))));
        for (name, path) in &options.file {
            all.push((name.clone(), Content::Bytes(read("--file", Path::new(path), before)?)));
        }
        once(all.iter().map(|(name, _)| name.as_str()), "file")?;
        if let Some((name, _)) = all.iter().find(|(name, _)| name.ends_with('/')) {
            return Err(wrong(&format!("`{name}` names a folder; name a file in it")));
        }
        Ok(all)
    }
}

fn wrong(text: &str) -> Failure {
    Failure::Message(text.to_owned())
}

fn once<'a>(names: impl Iterator<Item = &'a str>, what: &str) -> Result<(), Failure> {
    let mut seen = BTreeSet::new();
    for name in names {
        if !seen.insert(name) {
            return Err(Failure::Message(format!("the {what} `{name}` is given twice; give it once")));
        }
    }
    Ok(())
}

/// What the user names may be a pipe; a path that is walked again is that of a command which somebody else may have written.
fn read(option: &str, path: &Path, before: Remembered<'_>) -> Result<Vec<u8>, Failure> {
    let read = if before.is_some() { taw_files::read_regular } else { taw_files::read_named };
    read(path, LARGEST)
        .map_err(|error| Failure::Message(format!("{option}: cannot read `{}`: {error}", path.display())))
}

fn kind_of(path: &Path, option: &str, is: fn(&fs::Metadata) -> bool, what: &str) -> Result<(), Failure> {
    match fs::metadata(path) {
        Ok(found) if is(&found) => Ok(()),
        Ok(_) => Err(Failure::Message(format!("{option}: `{}` is not {what}", path.display()))),
        Err(error) => Err(Failure::Message(format!("{option}: cannot read `{}`: {error}", path.display()))),
    }
}

/// A word after `--`.
fn word_after_dashes(word: &OsStr) -> Result<Arg, Failure> {
    let bytes = word.as_bytes();
    if let Some(escaped) = bytes.strip_prefix(b"@").filter(|rest| rest.starts_with(b"@")) {
        return Ok(Arg::Text(escaped.to_vec()));
    }
    let text = String::from_utf8_lossy(bytes);
    let said =
        |form: &str| Failure::Message(format!("`{text}` is not {form}; a word that begins with @ as it is: `@{text}`"));
    let numbers = |list: &str| -> Option<Vec<usize>> { list.split(':').map(|n| length(n).ok()).collect() };
    if let Some(rest) = text.strip_prefix("@syms:") {
        return match numbers(rest).as_deref() {
            Some(&[min, max, len]) => Ok(Arg::Several { min, max, len }),
            _ => Err(said("@syms:MIN:MAX:LEN")),
        };
    }
    if let Some(rest) = text.strip_prefix("@sym:") {
        return match numbers(rest).as_deref() {
            Some(&[len]) => Ok(Arg::Symbolic(len)),
            _ => Err(said("@sym:LEN")),
        };
    }
    Ok(Arg::Text(OsString::from(word).into_vec()))
}

fn bounded(arg: &Arg) -> Result<(), Failure> {
    match *arg {
        Arg::Several { min, max, .. } if min > max => {
            Err(Failure::Message(format!("{min} to {max} arguments are none at all; say the smaller number first")))
        }
        Arg::Several { max, .. } if max > MOST => Err(Failure::Message(format!(
            "{max} symbolic arguments are too many; at most {MOST} can be asked for at once"
        ))),
        _ => Ok(()),
    }
}

fn length(text: &str) -> Result<usize, String> {
    let number = text.parse::<usize>().map_err(|_| "write a number, for example 8".to_owned())?;
    if number > LONGEST { Err(format!("more than {LONGEST} is too much")) } else { Ok(number) }
}

/// `NAME=REST`, where the name is not empty.
fn named(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, rest)) if !name.is_empty() => Ok((name.to_owned(), rest.to_owned())),
        _ => Err("write a name, =, and what it is".to_owned()),
    }
}

fn named_length(text: &str) -> Result<(String, usize), String> {
    let (name, rest) = named(text).map_err(|_| "write a name, = and a length, for example A=8".to_owned())?;
    Ok((name, length(&rest)?))
}

#[cfg(test)]
mod tests;
