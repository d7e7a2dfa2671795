//! Stage 1: the structures of which an invariant holds (`taw stage`), and what they are of.
//!
//! Boundary: how they are found is the engine's (`unknown/staged/`), the file `report`'s (`stage_file.rs`).

use taw_engine::{Alias, Cut, Reason, Sink, Staging, StructureSet, TestCase};
use taw_explore::Snapshot;
use taw_ir::{CodeIdentity, FuncId, Function, Origin, Passing, Program, Ty, TypeId, layout_text};
use taw_report::{StageFile, StageHead, identity_hash, sentences};
use taw_targets::nearest;

use crate::Error;
use crate::preconditions::defined;
use crate::session::Session;
use crate::ties::guess;

/// Which structures are wanted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StageRequest {
    /// The function that holds of them.
    pub invariant: String,
    /// What its parameter leads to (`struct tree`, `char[16]`), if that is not what its type says.
    pub ty: Option<String>,
    /// The most objects of one type.
    pub nodes: u64,
    /// Members whose values are part of the shape.
    pub split: Vec<String>,
}

/// What a parameter leads to, as the user says it.
fn said_type(text: &str) -> Result<(String, Option<u64>), String> {
    let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    match text.trim().strip_suffix(']').and_then(|rest| rest.rsplit_once('[')) {
        None => Ok((plain(text), None)),
        Some((of, count)) => match count.trim().parse() {
            Ok(count) if (1..=4096).contains(&count) => Ok((plain(of), Some(count))),
            _ => Err("say a number from 1 to 4096 between the brackets".to_owned()),
        },
    }
}

/// What is counted while an invariant is explored.
#[derive(Default)]
struct Explored(u64);

impl Sink for Explored {
    fn path(&mut self, _: &TestCase) {
        self.0 += 1;
    }
}

impl Session {
    /// Finds the structures of which an invariant of the program holds, within bounds, each once.
    ///
    /// # Errors
    /// If there is no such function, it changes something or fails itself, or never holds.
    pub fn stage(
        mut self,
        request: &StageRequest,
        progress: &mut (dyn FnMut(&Snapshot) + Send),
    ) -> Result<StageFile, Error> {
        let fail = |why: String| Error::Stage { what: request.invariant.clone(), why };
        let (ty, count) = request.ty.as_deref().map(said_type).transpose().map_err(fail)?.unzip();
        let count = count.flatten();
        let mut head = stage_head(self.program.code(), &request.invariant, count).map_err(fail)?;
        if let Some(ty) = ty.filter(|ty| head.types.iter().all(|known| known != ty)) {
            let takes = head.types.join("` and `");
            return Err(fail(format!("it takes a pointer to `{takes}`, not to `{ty}`")));
        }
        self.entries = vec![request.invariant.clone()];
        self.staging = Some(Staging { nodes: request.nodes, count, split: request.split.clone() });
        self.shapes.alias = Alias::Nodes;
        self.shapes.nesting = u32::MAX;
        if self.search.is_none() {
            self.search = Some("dfs".to_owned());
        }
        let mut explored = Explored::default();
        let summary = self.prepared(|prepared| prepared.explore(&mut explored, progress))?;
        let unsupported = summary.incomplete.iter().find_map(|reason| match reason {
            Reason::Cut(Cut::Unsupported { what, .. }) => Some(what.to_string()),
            _ => None,
        });
        if let Some(what) = unsupported {
            return Err(fail(what));
        }
        let func = self.program.code().function_named(&request.invariant);
        if func.is_some_and(|func| CodeIdentity::of(self.program.code(), func).calls_through_pointers) {
            return Err(fail("it calls through a pointer, so nobody could see whether it has changed".to_owned()));
        }
        head.not_tried = sentences(&summary.incomplete, self.program.code());
        if summary.structures.is_empty() {
            let bounds = match &head.not_tried[..] {
                [] => String::new(),
                cut => format!(" ({})", cut.join("; ")),
            };
            return Err(fail(format!("there is no structure of which it holds{bounds}")));
        }
        head.program = self.program.file_names();
        head.max_nodes = request.nodes;
        head.explored = explored.0;
        let stage = StructureSet {
            name: String::new(),
            invariant: head.invariant.clone(),
            decides_alone: head.decides_alone,
            cut: head.not_tried.clone(),
            structures: summary.structures,
        };
        Ok(StageFile { head, stage })
    }
}

/// What the parameters of a function lead to; an error if one is no pointer.
pub(crate) fn pointees(program: &Program, function: &Function) -> Result<Vec<TypeId>, String> {
    let parameters = function.params.iter().filter(|param| param.passing != Passing::Result);
    let pointee = |param: &taw_ir::Param| {
        let to = param.source.and_then(|source| program.types.pointee(source));
        to.filter(|_| param.ty == Ty::Ptr && param.byval.is_none())
    };
    let all: Option<Vec<TypeId>> = parameters.map(pointee).collect();
    all.filter(|all| !all.is_empty()).ok_or_else(|| "it takes something else than pointers".to_owned())
}

/// A hash of how what parameters lead to lies in memory.
pub(crate) fn layout_hash(program: &Program, types: &[TypeId]) -> String {
    identity_hash(&types.iter().map(|ty| layout_text(program, *ty)).collect::<String>())
}

/// A hash of what an invariant executes.
pub(crate) fn code_hash(program: &Program, func: FuncId) -> String {
    identity_hash(&CodeIdentity::of(program, func).text)
}

fn stage_head(program: &Program, invariant: &str, count: Option<u64>) -> Result<StageHead, String> {
    let Some(function) = defined(program, invariant) else {
        let users = program.functions.values().filter(|f| f.is_defined() && f.origin == Origin::User);
        let near = guess(nearest(invariant, users.map(|f| f.name.as_str())));
        return Err(format!("the program defines no such function{near}"));
    };
    let types = pointees(program, function)?;
    if count.is_some() && types.len() > 1 {
        return Err("it takes several pointers, and only one may lead to an array".to_owned());
    }
    match function.returns[..] {
        [Ty::Int(bits)] if bits <= 64 && !function.variadic => {}
        _ => return Err("it returns no truth value".to_owned()),
    }
    let func = program.function_named(invariant).ok_or("it is not there")?;
    let identity = CodeIdentity::of(program, func);
    Ok(StageHead {
        taw: env!("CARGO_PKG_VERSION").to_owned(),
        types: types.iter().map(|ty| program.types.spelled(*ty)).collect(),
        count,
        invariant: invariant.to_owned(),
        parameters: function.params.iter().map(|param| param.name.clone()).collect(),
        layout: layout_hash(program, &types),
        code: identity_hash(&identity.text),
        decides_alone: identity.variables.is_empty(),
        ..StageHead::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_type_may_be_an_array() {
        assert_eq!(said_type("struct  tree"), Ok(("struct tree".to_owned(), None)));
        assert_eq!(said_type("char[16]"), Ok(("char".to_owned(), Some(16))));
        assert_eq!(said_type("char [ 16 ]"), Ok(("char".to_owned(), Some(16))));
        assert!(["char[]", "char[0]", "char[x]", "char[5000]"].iter().all(|text| said_type(text).is_err()));
    }
}
