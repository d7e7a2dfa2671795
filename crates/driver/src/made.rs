//! From the commands that ran to the objects that they made: which source each object comes from, and how.

use std::collections::BTreeMap;

use crate::log::{CommandStep, LoggedCommand};

/// An object file, possibly only for a moment, and its source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Made<'j> {
    /// The file that was written.
    pub object: &'j str,
    /// The source as the user named it.
    pub source: &'j str,
    /// The front end's command; `None` if the source is assembly.
    pub compiled: Option<&'j LoggedCommand>,
}

/// Everything that may be an object, in the order in which it was made. Some of it may be gone, or be of another kind.
pub(crate) fn made(jobs: &[LoggedCommand]) -> Vec<Made<'_>> {
    // What each written file comes from. With -save-temps or another assembler several commands make one object.
    let mut origin: BTreeMap<&str, (&str, Option<&LoggedCommand>)> = BTreeMap::new();
    let mut order = Vec::new();
    for job in jobs {
        let Some(output) = job.value("-o") else { continue };
        let input = job.input();
        let known = origin.get(input).copied();
        let from = match job.step() {
            CommandStep::Preprocess => (known.map_or(input, |(source, _)| source), None),
            CommandStep::Compile if is_ir(job) => match known {
                Some(known) => known,
                // The user gave bitcode or textual IR: that is what the front end reads again.
                None => (input, Some(job)),
            },
            CommandStep::Compile => (known.map_or(input, |(source, _)| source), Some(job)),
            CommandStep::Assemble => known.unwrap_or((input, None)),
            CommandStep::Other => continue,
        };
        origin.insert(output, from);
        if job.step() != CommandStep::Preprocess {
            order.push(output);
        }
    }
    order
        .into_iter()
        .filter_map(|object| origin.get(object).map(|&(source, compiled)| Made { object, source, compiled }))
        .collect()
}

fn is_ir(job: &LoggedCommand) -> bool {
    job.value("-x") == Some("ir")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn jobs(lines: &[&str]) -> Vec<LoggedCommand> {
        lines.iter().map(|line| LoggedCommand { words: line.split(' ').map(str::to_owned).collect() }).collect()
    }

    #[test]
    fn one_command_makes_an_object_and_the_linker_none() {
        let jobs = jobs(&["clang -cc1 -emit-obj -o /tmp/a-1.o -x c a.c", "ld -o a /tmp/a-1.o"]);
        assert_eq!(made(&jobs), [Made { object: "/tmp/a-1.o", source: "a.c", compiled: Some(&jobs[0]) }]);
    }

    #[test]
    fn through_all_temporary_files_the_source_is_known() {
        let jobs = jobs(&[
            "clang -cc1 -E -o a.i -x c a.c",
            "clang -cc1 -emit-llvm-bc -o a.bc -x cpp-output a.i",
            "clang -cc1 -S -o a.s -x ir a.bc",
            "clang -cc1as -o a.o a.s",
        ]);
        let object = made(&jobs).into_iter().find(|made| made.object == "a.o");
        assert_eq!(object, Some(Made { object: "a.o", source: "a.c", compiled: Some(&jobs[1]) }));
    }

    #[test]
    fn assembly_has_no_front_end() {
        let jobs = jobs(&["clang -cc1 -E -o /tmp/a.s -x assembler-with-cpp a.S", "clang -cc1as -o a.o /tmp/a.s"]);
        assert_eq!(made(&jobs), [Made { object: "a.o", source: "a.S", compiled: None }]);
    }
}
