//! The folder in which a native run finds the files of its test, and nothing else.

use std::fs;
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

use taw_cage::Job;
use taw_engine::Given;

use crate::variables;
use taw_report::Recipe;

/// Most that is copied of one file of the host.
const LARGEST: u64 = 1 << 30;

/// Puts the files of a test into `work`, an empty folder, and copies of the host's files that have relative names.
///
/// # Errors
/// What cannot be placed, or must not be given to a program, in words.
pub(crate) fn furnish(work: &Path, given: &Given, recipe: &Recipe) -> Result<(), String> {
    if let Some(why) = given.env.iter().find_map(|(name, _)| variables::refusal(name)) {
        return Err(why);
    }
    for (path, content) in &given.files {
        let place = within(work, Path::new(path)).ok_or_else(|| {
            format!("the file `{path}` lies outside of the folder in which native runs are made, and is not written")
        })?;
        put(&place, |place| fs::write(place, content)).map_err(|error| format!("the file `{path}`: {error}"))?;
    }
    for path in recipe.host.iter().filter(|path| path.is_relative()) {
        // What lies outside of the folder cannot be copied into it: the program will say that it is not there.
        let Some(place) = within(work, path) else { continue };
        let from = recipe.directory.join(path);
        put(&place, |place| copy(&from, place)).map_err(|error| format!("`{}`: {error}", path.display()))?;
    }
    Ok(())
}

/// A program with the name, arguments and environment of a test.
pub(crate) fn job(program: &Path, given: &Given) -> Job {
    Job {
        program: program.into(),
        name: Some(given.program.clone()),
        arguments: given.args.clone(),
        environment: given.env.clone(),
        ..Job::default()
    }
}

/// The place of a relative path that does not leave the folder.
fn within(work: &Path, path: &Path) -> Option<PathBuf> {
    let mut place = work.to_owned();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::Normal(name) => place.push(name),
            Component::Prefix(_) | Component::RootDir | Component::ParentDir => return None,
        }
    }
    (place != work).then_some(place)
}

fn put(place: &Path, write: impl FnOnce(&Path) -> io::Result<()>) -> io::Result<()> {
    if let Some(parent) = place.parent() {
        fs::create_dir_all(parent)?;
    }
    write(place)
}

/// A copy, never a link: the program may write to it.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    if !from.is_dir() {
        // A file of the test's own comes first, as in the model.
        return if to.exists() { Ok(()) } else { copy_file(taw_files::open_regular(from)?, to) };
    }
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        // Links and devices stay where they are.
        if entry.file_type()?.is_dir() || entry.file_type()?.is_file() {
            copy(&entry.path(), &to.join(entry.file_name()))?;
        }
    }
    Ok(())
}

fn copy_file(from: fs::File, to: &Path) -> io::Result<()> {
    let (permissions, mut file) = (from.metadata()?.permissions(), fs::File::create_new(to)?);
    match io::copy(&mut from.take(LARGEST + 1), &mut file)? {
        0..=LARGEST => file.set_permissions(permissions),
        _ => Err(io::Error::other("it is too large to be copied")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_lie_in_the_folder_or_nowhere() {
        let folder = tempfile::tempdir().unwrap();
        let given = |path: &str| Given { files: vec![(path.into(), b"x".to_vec())], ..Given::default() };
        let place = |path: &str| furnish(folder.path(), &given(path), &Recipe::default());
        assert_eq!(place("./a/b"), Ok(()));
        assert_eq!(fs::read(folder.path().join("a/b")).unwrap(), b"x");
        for outside in ["/etc/x", "../x", "a/../../x", "."] {
            assert!(place(outside).unwrap_err().contains("outside"), "{outside}");
        }
    }

    #[test]
    fn files_of_the_host_are_copied() {
        let (host, work) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        fs::create_dir_all(host.path().join("d/e")).unwrap();
        fs::write(host.path().join("d/e/f"), "text").unwrap();
        let recipe = Recipe { directory: host.path().into(), host: vec!["d".into()], ..Recipe::default() };
        furnish(work.path(), &Given::default(), &recipe).unwrap();
        fs::write(work.path().join("d/e/f"), "changed").unwrap();
        assert_eq!(fs::read_to_string(host.path().join("d/e/f")).unwrap(), "text");
    }
}
