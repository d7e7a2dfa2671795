//! What calls without code do, for slices: a model's signature says most of it.
//!
//! Boundary: slicing is `ir`'s. Invariant: a model that is not the kernel gives back, and writes to the objects that its letters name, what depends on its
//! arguments and on what they lead to, and on nothing else that a slice may leave out; but for those that are named here. Inputs are numbered by their names: a slice
//! that leaves some out gives the others other numbers, so its tests are those of the slice.

use std::rc::Rc;

use taw_ir::{CallActs, CallConduct, CallConducts, CallGraph, Effect, FuncId, PointsTo, SliceObstacle, Slicer};

use crate::cx::Engine;
use crate::image::Binding;
use crate::model::ModelDef;
use crate::points_to::Answering;
use crate::stub::Stub;

/// Says where `errno` is.
const TELLS_ERRNO: &str = "taw_errno_is";

/// Makes an object where its first argument points.
const MAKES_OBJECT: &str = "klee_define_fixed_object";

/// What they give back depends on how their callers are written, or on what is known of a value.
const LOOK_AT_CODE: [&str; 2] = ["taw_prints_late", "klee_is_symbolic"];

impl CallConducts for Answering<'_> {
    fn call_conduct(&self, func: FuncId) -> CallConduct {
        match self.0.bindings[func] {
            Binding::Code if self.is_mapping(func) => {
                CallConduct::Acts(CallActs { is_kernel: true, runs_code: true, ..CallActs::default() })
            }
            Binding::Code => CallConduct::Runs,
            Binding::Own(_) | Binding::Marker => CallConduct::Acts(CallActs::default()),
            Binding::Model(model) => acts(model),
            Binding::Stub(Stub::Never | Stub::Fail) => {
                CallConduct::Acts(CallActs { ends: true, ..CallActs::default() })
            }
            Binding::Stub(Stub::Return | Stub::Havoc) | Binding::Undefined => CallConduct::Unknown,
        }
    }
}

fn acts(model: &ModelDef) -> CallConduct {
    let signature = model.signature;
    let ends = !model.effect.returns();
    if matches!(model.effect, Effect::CallsBack | Effect::Anything) || (signature.result() == b'a' && !ends) {
        return CallConduct::Unknown;
    }
    let makes_object = model.name == MAKES_OBJECT;
    let writes: Vec<usize> = signature.changes().chain(makes_object.then_some(0)).collect();
    let takes_pointers = signature.parameters().bytes().any(|letter| matches!(letter, b'p' | b'w' | b'x'));
    CallConduct::Acts(CallActs {
        frees: signature.frees(),
        allocates: signature.is_fresh() || (signature.sets_errno() && !writes.is_empty()),
        is_kernel: signature.result() == b'z' && signature.is_variadic(),
        sets_errno: signature.sets_errno(),
        tells_errno: model.name == TELLS_ERRNO,
        restricts: signature.result() == b'v' && !takes_pointers && model.effect == Effect::Returns,
        looks_at_code: LOOK_AT_CODE.contains(&model.name),
        ends,
        writes,
        runs_code: false,
    })
}

impl<'p> Engine<'p> {
    /// What makes slices of the program: see [`Slicer`]. The graph is the program's, as the engine's conduct makes it.
    ///
    /// # Errors
    /// If something forbids them.
    pub fn slicer(
        &self,
        graph: &CallGraph,
        points_to: Rc<PointsTo>,
        entries: &[FuncId],
    ) -> Result<Slicer<'p>, SliceObstacle> {
        Slicer::new(self.program, graph, points_to, &Answering(&self.image, self.program), entries)
    }
}
