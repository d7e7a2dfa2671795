//! How near a search came to a place it did not reach: the executed instruction with the shortest way to it, and the branch
//! there that never went the right way.

use taw_engine::{Engine, StackEntry};
use taw_ir::{Distances, EdgeId, EntityRef, FuncId, Function, Inst, Site};

/// The nearest that was executed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Closest {
    /// Instructions from there to the goal, at least.
    pub distance: u64,
    /// Where that is.
    pub at: StackEntry,
    /// If it is a branch whose condition never was what it had to be: what it had to be.
    pub needed: Option<bool>,
    /// The instruction.
    pub site: Site,
}

/// The closest that was executed of the user's code; none if nothing that was leads there.
pub(crate) fn closest(engine: &Engine<'_>, near: &Distances) -> Option<Closest> {
    let users = engine.program.functions.iter().filter(|(_, f)| f.origin.counts());
    let executed = users.flat_map(|(func, function)| {
        let covered = &engine.coverage.instructions[func];
        (0..function.code.len()).filter(|&pc| covered[pc]).map(move |pc| Site { func, pc: pc as u32 })
    });
    let (distance, site) = executed.filter_map(|site| Some((near.from_site(site)?, site))).min()?;
    let function = &engine.program.functions[site.func];
    let needed = needed(engine, near, function, site);
    Some(Closest { distance, at: engine.condition_at(site), needed, site })
}

/// Which way a branch never went, of those that lead nearer.
fn needed(engine: &Engine<'_>, near: &Distances, function: &Function, site: Site) -> Option<bool> {
    let Inst::CondBr { then, otherwise, .. } = function.code[site.pc as usize] else { return None };
    let to = |edge: EdgeId| behind(near, function, site.func, edge);
    let taken = |edge: EdgeId| engine.coverage.edges[site.func][edge.index()];
    match (to(then), to(otherwise)) {
        (Some(a), b) if !taken(then) && b.is_none_or(|b| a <= b || taken(otherwise)) => Some(true),
        (_, Some(_)) if !taken(otherwise) => Some(false),
        _ => None,
    }
}

fn behind(near: &Distances, function: &Function, func: FuncId, edge: EdgeId) -> Option<u64> {
    near.from_site(Site { func, pc: function.blocks[function.edges[edge].to].start })
}
