//! What may be asked of a right program, by command; those about the program alone are answered here.

use taw_engine::{Config, Engine};
use taw_ir::{
    AbstractObject, BlockId, CallGraph, Distances, Dominators, Liveness, Loops, Pointees, PointsToObstacle,
    PostDominators, Program, Site, Ty, TypeId,
};
use taw_solver::{Solver, SolverConfig};

use crate::explored::{explore, named, site, verdict};
use crate::file::{FileTest, Question};
use crate::{single, sliced};

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
        "dominators" => dominators(program, about),
        "postdominators" => post_dominators(program, about),
        "loops" => loops(program, about),
        "types" => Ok(types(program)),
        "guards" => guards(program, about),
        "flags" => Ok(flags(program)),
        "liveness" => liveness(program, about),
        "points-to" => points_to(program, about),
        "slice" => sliced::slice(program, about),
        other => Err(format!("there is no command `{other}`")),
    }
}

fn lines(text: &str) -> Vec<String> {
    text.lines().map(str::to_owned).collect()
}

/// The program, or a function of it, as it is written.
pub fn print(program: &Program, about: &str) -> Result<Vec<String>, String> {
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

fn joined<T: ToString>(list: impl IntoIterator<Item = T>) -> String {
    list.into_iter().map(|one| one.to_string()).collect::<Vec<_>>().join(" ")
}

/// `b3: b1`: the block, and the one right above it.
fn tree(program: &Program, about: &str, above: impl Fn(BlockId) -> Option<BlockId>) -> Result<Vec<String>, String> {
    let line = |block: BlockId| format!("{block}: {}", above(block).map_or("-".to_owned(), |above| above.to_string()));
    Ok(named(program, about)?.blocks.keys().map(line).collect())
}

fn dominators(program: &Program, about: &str) -> Result<Vec<String>, String> {
    let found = Dominators::of(named(program, about)?);
    tree(program, about, |block| found.immediate(block))
}

fn post_dominators(program: &Program, about: &str) -> Result<Vec<String>, String> {
    let found = PostDominators::of(named(program, about)?);
    tree(program, about, |block| found.immediate(block))
}

/// Each loop by its header: its depth, the way back, all its blocks, and the header of the loop around it.
fn loops(program: &Program, about: &str) -> Result<Vec<String>, String> {
    let function = named(program, about)?;
    let found = Loops::of(function, &Dominators::of(function));
    let line = |l: &taw_ir::Loop| {
        let around = l.parent.map_or(String::new(), |outer| format!(" in {}", found.loops[outer].header));
        format!("{} depth {}{around}: {} back from {}", l.header, l.depth, joined(&l.blocks), joined(&l.latches))
    };
    let lines: Vec<String> = found.loops.values().map(line).collect();
    Ok(if lines.is_empty() { vec!["none".to_owned()] } else { lines })
}

/// For each block the registers that are live where it begins.
fn liveness(program: &Program, about: &str) -> Result<Vec<String>, String> {
    let function = named(program, about)?;
    let found = Liveness::of(function);
    let line = |block: BlockId| format!("{block}: {}", joined(found.at_start(block))).trim_end().to_owned();
    Ok(function.blocks.keys().map(line).collect())
}

/// Each type as C writes it, and its size in bytes.
fn types(program: &Program) -> Vec<String> {
    let line = |id: TypeId| {
        let size = program.types.bytes(id, &program.layout).map_or("-".to_owned(), |size| size.to_string());
        format!("{id}: {} ({size})", program.types.spelled(id))
    };
    program.types.all.keys().map(line).collect()
}

/// The guards of a place, the nearest first: the branch, the way that it must go, and the comparison that it looks at.
fn guards(program: &Program, about: &str) -> Result<Vec<String>, String> {
    let place = site(program, about)?;
    let function = &program.functions[place.func];
    let line = |guard: &taw_ir::Guard| {
        let (block, range) =
            function.blocks.iter().find(|(_, range)| range.end == guard.pc + 1).expect("a branch ends a block");
        let way = if guard.needed { "first" } else { "second" };
        let compares =
            guard.comparison.map_or("nothing it can see".to_owned(), |c| format!("{:?}", c.op).to_lowercase());
        format!("{block}+{}: the {way} way, by {compares}", guard.pc - range.start)
    };
    let lines: Vec<String> = taw_ir::guards(function, place.pc).iter().map(line).collect();
    Ok(if lines.is_empty() { vec!["none".to_owned()] } else { lines })
}

/// The branches that globals decide, and the blocks that write those.
fn flags(program: &Program) -> Vec<String> {
    let name = |func: taw_ir::FuncId| format!("@{}", program.functions[func].name);
    let line = |branch: &taw_ir::FlagBranch| {
        let writers = branch.writers.iter().map(|(func, block)| format!("{}:{block}", name(*func)));
        format!("{} instruction {}: written by {}", name(branch.func), branch.pc, joined(writers))
    };
    let lines: Vec<String> = taw_ir::flag_branches(program).iter().map(line).collect();
    if lines.is_empty() { vec!["none".to_owned()] } else { lines }
}

/// What the parameters of a function may be, and what the objects among them hold.
fn points_to(program: &Program, about: &str) -> Result<Vec<String>, String> {
    let func = program.function_named(about.trim_start_matches('@')).ok_or("`@function` should follow")?;
    let solver = Solver::new(SolverConfig::default()).map_err(|error| error.to_string())?;
    let engine = Engine::new(program, Config::default(), solver, taw_env::MODELS).map_err(|error| error.to_string())?;
    let analysis = engine.points_to();
    if let Some(obstacle) = analysis.obstacle() {
        return Ok(vec![match obstacle {
            PointsToObstacle::NoMain => "nothing: there is no @main".to_owned(),
            PointsToObstacle::Unknown(func) => format!("nothing: @{} may be called", program.functions[func].name),
            PointsToObstacle::Unsupported(func, _) => format!("nothing: @{} has it", program.functions[func].name),
        }]);
    }
    if !analysis.runs(func) {
        return Ok(vec!["it does not run".to_owned()]);
    }
    let named = |pointees: &Pointees| joined(analysis.objects(pointees).map(|object| object_name(program, object)));
    let line = |(at, param): (usize, &taw_ir::Param)| {
        let pointees = analysis.parameter(func, at);
        let behind = if param.ty == Ty::Ptr {
            format!("; behind it {}", named(&analysis.content(&pointees)))
        } else {
            String::new()
        };
        format!("{}: {}{behind}", param.reg, named(&pointees))
    };
    Ok(program.functions[func].params.iter().enumerate().map(line).collect())
}

fn object_name(program: &Program, object: AbstractObject) -> String {
    let function = |func: taw_ir::FuncId| &program.functions[func].name;
    match object {
        AbstractObject::Global(id) => format!("@{}", program.globals[id].name),
        AbstractObject::Function(func) => format!("@{}", function(func)),
        AbstractObject::Local(func, alloca) => {
            format!("{} of @{}", program.functions[func].allocas[alloca].dst, function(func))
        }
        AbstractObject::Allocated(func, call) => format!("{call} of @{}", function(func)),
        AbstractObject::Copy(func, at) => format!("copy {at} of @{}", function(func)),
        AbstractObject::Further(func) => format!("further arguments of @{}", function(func)),
        other => format!("{other:?}").to_lowercase(),
    }
}
