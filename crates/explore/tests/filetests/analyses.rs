//! What may be asked of a right program, by command; those about the program alone are answered here.

use taw_ir::{CallGraph, Distances, Program, Site};

use crate::explored::{explore, named, site, verdict};
use crate::file::{FileTest, Question};
use crate::single;

/// The answer to a question.
pub fn answer(test: &FileTest, program: &Program, question: &Question) -> Result<Vec<String>, String> {
    let about = question.about.as_str();
    match question.command.as_str() {
        "run" => single::run(test, program, about).map(|answer| vec![answer]),
        "explore" => explore(test, program, about),
        "verdict" => verdict(test, program, about),
        "print" => print(program, about),
        "promote" => promote(program, about),
        "distance" => distance(program, about),
        other => Err(format!("there is no command `{other}`")),
    }
}

fn lines(text: &str) -> Vec<String> {
    text.lines().map(str::to_owned).collect()
}

/// The program, or a function of it, as it is written.
fn print(program: &Program, about: &str) -> Result<Vec<String>, String> {
    if about.is_empty() {
        return Ok(lines(&program.to_string()));
    }
    let function = named(program, about)?;
    let whole = program.to_string();
    let head = format!("@{}(", function.name);
    let from = whole.lines().skip_while(|line| !line.contains(&head) || line.starts_with(' '));
    let mut text = Vec::new();
    for line in from {
        text.push(line.to_owned());
        if line == "}" || line.starts_with("declare") {
            break;
        }
    }
    Ok(text)
}

/// A function after promotion of its locals.
fn promote(program: &Program, about: &str) -> Result<Vec<String>, String> {
    let mut promoted = program.clone();
    taw_ir::promote(&mut promoted);
    print(&promoted, about)
}

/// For each function the distances from its instructions to the nearest of the places.
fn distance(program: &Program, about: &str) -> Result<Vec<String>, String> {
    let places = about.strip_prefix("to ").ok_or("`distance to @f:b3, @g:b0` is the form")?;
    let sites: Result<Vec<Site>, String> = places.split(',').map(|place| site(program, place.trim())).collect();
    let distances = Distances::to(program, &CallGraph::new(program), &sites?);
    let mut lines = Vec::new();
    for (func, function) in program.functions.iter().filter(|(_, f)| f.is_defined()) {
        lines.push(format!("@{}", function.name));
        for (block, range) in &function.blocks {
            let from = |pc| distances.from_site(Site { func, pc }).map_or("-".to_owned(), |n| n.to_string());
            let numbers: Vec<String> = (range.start..range.end).map(from).collect();
            lines.push(format!("  {block}: {}", numbers.join(" ")));
        }
    }
    Ok(lines)
}

