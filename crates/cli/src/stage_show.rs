//! `taw show tree.stage`: each structure as a drawing, with its condition in words of the source; or as concrete structures.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use taw_engine::{CellContent, FormulaInput, ObjectCount, Structure, StructureCell};
use taw_report::{StageFile, StageInstances, number_in_c};

use crate::failure::Failure;
use crate::stage_args::StageShowArgs;
use crate::style::{BOLD, WARNING};
use crate::terminal::Within;

/// Instances that are written out; of more only the number is told.
const WRITTEN: u64 = 10_000;

/// Whether a file is a stage, by its name.
pub(crate) fn is_stage(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "stage")
}

/// Shows stages.
pub(crate) fn show(out: &mut impl Write, stages: &[PathBuf], args: &StageShowArgs) -> Result<(), Failure> {
    for path in stages {
        let file = StageFile::read(path).map_err(Failure::message)?;
        // What is C stays C.
        let (before, after) = if args.concrete.as_deref() == Some("") { ("/* ", " */") } else { ("", "") };
        show_head(out, &file, before, after)?;
        match args.concrete.as_deref() {
            None => {
                for (number, structure) in file.stage.structures.iter().enumerate() {
                    writeln!(out, "\n{BOLD}structure {}{BOLD:#}", number + 1)?;
                    Drawing { out, file: &file, structure }.draw()?;
                }
            }
            Some("") => show_examples(out, &file)?,
            Some(domain) => show_instances(out, &file, domain)?,
        }
    }
    Ok(())
}

fn show_head(out: &mut impl Write, file: &StageFile, before: &str, after: &str) -> io::Result<()> {
    let head = &file.head;
    let count = head.count.map(|count| format!("[{count}]")).unwrap_or_default();
    writeln!(
        out,
        "{before}{BOLD}{} structures{BOLD:#} of `{}{count}` of which `{}` holds, out of {} paths ({}, Taw {}){after}",
        file.stage.structures.len(),
        Within(&head.types.join("` and `")),
        Within(&head.invariant),
        head.explored,
        Within(&head.program.join(" ")),
        Within(&head.taw),
    )?;
    match &head.not_tried[..] {
        [] => writeln!(out, "{before}these are all{after}")?,
        cut => {
            for why in cut {
                writeln!(out, "{before}{WARNING}not all{WARNING:#}: {}{after}", Within(why))?;
            }
        }
    }
    Ok(())
}

/// A structure that is drawn.
struct Drawing<'a, W> {
    out: &'a mut W,
    file: &'a StageFile,
    structure: &'a Structure,
}

impl<W: Write> Drawing<'_, W> {
    fn draw(&mut self) -> io::Result<()> {
        let mut drawn = vec![false; self.structure.objects.len()];
        for (name, root) in self.file.head.parameters.iter().zip(&self.structure.roots) {
            self.pointer(name, *root, "  ", "", &mut drawn)?;
        }
        let names = names(&self.file.head.parameters, self.structure);
        for condition in &self.structure.conditions {
            let text = condition.in_c(&|input| name_of(&names, self.structure, input));
            writeln!(self.out, "  {BOLD}where{BOLD:#} {}", Within(&text))?;
        }
        Ok(())
    }

    fn pointer(
        &mut self,
        name: &str,
        target: Option<usize>,
        lead: &str,
        below: &str,
        drawn: &mut [bool],
    ) -> io::Result<()> {
        let Some(number) = target else { return writeln!(self.out, "{lead}{} = null", Within(name)) };
        if drawn[number] {
            return writeln!(self.out, "{lead}{} -> object {number} again", Within(name));
        }
        drawn[number] = true;
        let object = &self.structure.objects[number];
        let count = match object.count {
            ObjectCount::Exactly(1) => String::new(),
            ObjectCount::Exactly(count) => format!("[{count}]"),
            ObjectCount::Open => "[…]".to_owned(),
        };
        let numbers: Vec<String> = object.cells.iter().filter_map(number_text).collect();
        let numbers = if numbers.is_empty() { String::new() } else { format!(": {}", numbers.join(", ")) };
        writeln!(
            self.out,
            "{lead}{} -> {}{count} (object {number}){}",
            Within(name),
            Within(&object.ty),
            Within(&numbers)
        )?;
        let pointers: Vec<(&str, Option<usize>)> = object
            .cells
            .iter()
            .filter_map(|cell| match cell.content {
                CellContent::Pointer(target) => Some((cell.path.trim_start_matches('.'), target)),
                _ => None,
            })
            .collect();
        let last = pointers.len().saturating_sub(1);
        for (at, (name, target)) in pointers.into_iter().enumerate() {
            let (branch, further) = if at == last { ("└ ", "  ") } else { ("├ ", "│ ") };
            let (lead, deeper) = (format!("  {below}{branch}"), format!("{below}{further}"));
            self.pointer(name, target, &lead, &deeper, drawn)?;
        }
        Ok(())
    }
}

/// A number of an object, unless it is a pointer.
fn number_text(cell: &StructureCell) -> Option<String> {
    let name = cell.path.trim_start_matches('.');
    let name = if name.is_empty() { "it" } else { name };
    match cell.content {
        CellContent::Fixed(word) => Some(format!("{name} = {}", number_in_c(&cell.ty, cell.bytes, word))),
        CellContent::Free(_) => Some(name.to_owned()),
        CellContent::Pointer(_) => None,
    }
}

/// How C gets to each object.
fn names(parameters: &[String], structure: &Structure) -> Vec<String> {
    let mut names = vec![String::new(); structure.objects.len()];
    let roots = parameters.iter().zip(&structure.roots);
    let mut todo: Vec<(String, usize)> = roots.filter_map(|(name, root)| Some((name.clone(), (*root)?))).collect();
    todo.reverse();
    while let Some((name, number)) = todo.pop() {
        if !names[number].is_empty() {
            continue;
        }
        for cell in structure.objects[number].cells.iter().rev() {
            if let CellContent::Pointer(Some(target)) = cell.content {
                todo.push((cell_name(&name, cell), target));
            }
        }
        names[number] = name;
    }
    names
}

fn cell_name(object: &str, cell: &StructureCell) -> String {
    match cell.path.strip_prefix('.') {
        Some(member) => format!("{object}->{member}"),
        None if cell.path.is_empty() => format!("*{object}"),
        None => format!("{object}{}", cell.path),
    }
}

fn name_of(names: &[String], structure: &Structure, (object, at): FormulaInput) -> String {
    let cells = structure.objects.get(object as usize).map(|object| &object.cells[..]).unwrap_or_default();
    match cells.iter().find(|cell| cell.at == u64::from(at)) {
        Some(cell) => cell_name(&names[object as usize], cell),
        None => format!("{object}.{at}"),
    }
}

/// One concrete structure for each shape, as C.
fn show_examples(out: &mut impl Write, file: &StageFile) -> Result<(), Failure> {
    for (number, structure) in file.stage.structures.iter().enumerate() {
        writeln!(out, "\n/* structure {} */", number + 1)?;
        write_c(out, file, structure, number + 1)?;
    }
    Ok(())
}

/// A structure as C: objects that know each other.
fn write_c(out: &mut impl Write, file: &StageFile, structure: &Structure, number: usize) -> io::Result<()> {
    let name = |object: usize| format!("s{number}_{object}");
    let declared = |object: usize| {
        let count = match structure.objects[object].count {
            ObjectCount::Exactly(1) | ObjectCount::Open => String::new(),
            ObjectCount::Exactly(count) => format!("[{count}]"),
        };
        format!("static {} {}{count}", structure.objects[object].ty, name(object))
    };
    for object in 0..structure.objects.len() {
        writeln!(out, "{};", Within(&declared(object)))?;
    }
    for (at, object) in structure.objects.iter().enumerate() {
        let value = |cell: &StructureCell| match cell.content {
            CellContent::Fixed(word) | CellContent::Free(word) => number_in_c(&cell.ty, cell.bytes, word),
            CellContent::Pointer(None) => "0".to_owned(),
            CellContent::Pointer(Some(target)) => format!("&{}", name(target)),
        };
        let cells: Vec<String> = object
            .cells
            .iter()
            .map(|cell| if cell.path.is_empty() { value(cell) } else { format!("{} = {}", cell.path, value(cell)) })
            .collect();
        let cells = if cells.is_empty() { "0".to_owned() } else { cells.join(", ") };
        writeln!(out, "{} = {{ {} }};", Within(&declared(at)), Within(&cells))?;
    }
    let roots = file.head.parameters.iter().zip(&structure.roots);
    for (parameter, root) in roots {
        let root = root.map_or_else(|| "0".to_owned(), |root| format!("&{}", name(root)));
        writeln!(out, "/* {} = {root} */", Within(parameter))?;
    }
    Ok(())
}

/// Every structure with numbers of a domain.
fn show_instances(out: &mut impl Write, file: &StageFile, domain: &str) -> Result<(), Failure> {
    let bounds = domain.split_once("..").and_then(|(a, b)| Some((a.trim().parse().ok()?, b.trim().parse().ok()?)));
    let (from, to): (i64, i64) = bounds.filter(|(from, to)| from <= to).ok_or_else(|| {
        Failure::Message(format!("`{domain}` is no domain; say --concrete=0..3 for the numbers 0, 1, 2, 3"))
    })?;
    let mut total: u64 = 0;
    for (number, structure) in file.stage.structures.iter().enumerate() {
        let mut failed = Ok(());
        let mut count: u64 = 0;
        StageInstances::new(structure, from, to).for_each(&mut |instance| {
            count += 1;
            total += 1;
            if total <= WRITTEN && failed.is_ok() {
                failed = write_line(out, number + 1, instance);
            }
        });
        failed?;
        writeln!(out, "structure {}: {count} instances", number + 1)?;
    }
    if total > WRITTEN {
        writeln!(out, "(the first {WRITTEN} are shown)")?;
    }
    writeln!(
        out,
        "{BOLD}{total} instances{BOLD:#} of {} structures over {from}..{to}; numbers in arrays that `{}` does not look at are not counted",
        file.stage.structures.len(),
        Within(&file.head.invariant)
    )?;
    Ok(())
}

fn write_line(out: &mut impl Write, number: usize, structure: &Structure) -> io::Result<()> {
    let text = |object: &taw_engine::StructureObject| {
        let cell = |cell: &StructureCell| match cell.content {
            CellContent::Fixed(word) | CellContent::Free(word) => number_in_c(&cell.ty, cell.bytes, word),
            CellContent::Pointer(target) => target.map_or_else(|| "null".to_owned(), |target| format!("#{target}")),
        };
        object.cells.iter().map(cell).collect::<Vec<_>>().join(" ")
    };
    let objects: Vec<String> = structure.objects.iter().map(text).collect();
    writeln!(out, "  {number}: {}", Within(&objects.join(" | ")))
}
