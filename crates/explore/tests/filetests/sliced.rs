//! `; slice @f to @f:b3 [guards 2]`: what is left of a program for a place, from an entry that anybody may call, or from `@main`.

use std::rc::Rc;

use taw_engine::{Config, Engine};
use taw_ir::{CallGraph, FuncId, Program, Site, verify};
use taw_solver::{Solver, SolverConfig};

use crate::analyses::print;
use crate::explored::site;

/// The functions that have changed, each as it is now, and where the places are.
pub fn slice(program: &Program, about: &str) -> Result<Vec<String>, String> {
    let (entry, rest) = about.split_once(" to ").ok_or("`slice @f to @g:b3, @g:b4 [guards 2]` is the form")?;
    let (places, guards) = rest.split_once(" guards ").unwrap_or((rest, "1"));
    let guards = guards.parse().map_err(|_| format!("`{guards}` is no number"))?;
    let goals: Result<Vec<Site>, String> = places.split(',').map(|place| site(program, place.trim())).collect();
    let goals = goals?;
    let entry =
        program.function_named(entry.trim_start_matches('@')).ok_or("`slice @f` should begin with a function")?;
    let solver = Solver::new(SolverConfig::default()).map_err(|error| error.to_string())?;
    let engine = Engine::new(program, Config::default(), solver, taw_env::MODELS).map_err(|error| error.to_string())?;
    let graph = Rc::new(CallGraph::with_conduct(program, &|func: FuncId| engine.conduct(func)));
    let is_main = program.functions[entry].name == "main";
    let points_to = if is_main { engine.points_to() } else { engine.points_to_from(&[entry], false) };
    let slicer = engine.slicer(&graph, Rc::new(points_to), &[entry]);
    let slice = match slicer.and_then(|slicer| slicer.slice(&goals, guards)) {
        Ok(slice) => slice,
        Err(obstacle) => return Ok(vec![format!("none: {}", obstacle.in_words(program))]),
    };
    verify(&slice.program).map_err(|error| format!("the slice is no program: {error}\n{}", slice.program))?;
    let mut lines = Vec::new();
    for function in slice.program.functions.values().filter(|function| function.is_defined()) {
        let now = print(&slice.program, &format!("@{}", function.name))?;
        if now != print(program, &format!("@{}", function.name))? {
            lines.extend(now);
        }
    }
    for (place, goal) in places.split(',').zip(&goals) {
        let now = slice.site(*goal).map_or("nowhere".to_owned(), |site| format!("instruction {}", site.pc));
        lines.push(format!("{}: {now}", place.trim()));
    }
    Ok(lines)
}
