//! What calls without code do to pointers, for the analysis of the whole program: a model's signature says it.
//!
//! Boundary: the analysis is `ir`'s; what is made of it where paths start in the middle is in `unknown/may_point.rs`. Invariant: a model moves no
//! pointers in other ways than are said here. It writes into the objects of `w` and `x` what objects of its arguments hold, or an address that it
//! allocates (then it may set `errno`: there may be no memory); it keeps none, unless its effect says so; `taw_syscall` is the kernel.

use taw_ir::{Effect, FuncId, MovedResult, Origin, PointerConduct, PointerConducts, PointerMoves, PointsTo, Program};

use crate::cx::Engine;
use crate::image::{Binding, Image};
use crate::model::ModelDef;
use crate::stub::Stub;

/// Functions of the C library that are one system call and give back the address which the kernel does, by way of an integer.
const MAPPING: [&str; 3] = ["mmap", "__mmap", "mmap64"];

/// Who answers calls, to the analysis.
pub(crate) struct Answering<'a>(pub(crate) &'a Image, pub(crate) &'a Program);

impl Answering<'_> {
    /// Whether a function is one of those that map memory.
    pub(crate) fn is_mapping(&self, func: FuncId) -> bool {
        let function = &self.1.functions[func];
        function.origin != Origin::User && MAPPING.contains(&function.name.as_str())
    }
}

impl PointerConducts for Answering<'_> {
    fn conduct(&self, func: FuncId) -> PointerConduct {
        match self.0.bindings[func] {
            Binding::Code if self.is_mapping(func) => PointerConduct::HandsOut,
            Binding::Code => PointerConduct::Runs,
            // They are given numbers and labels.
            Binding::Own(_) | Binding::Marker => PointerConduct::Nothing,
            Binding::Model(model) => moves(model),
            Binding::Stub(Stub::Never | Stub::Fail) => PointerConduct::Nothing,
            Binding::Stub(Stub::Return | Stub::Havoc) | Binding::Undefined => PointerConduct::Unknown,
        }
    }

    fn keeps(&self, func: FuncId) -> bool {
        matches!(self.0.effects[func], Effect::KeepsForExit | Effect::KeepsForSignals)
    }
}

fn moves(model: &ModelDef) -> PointerConduct {
    let signature = model.signature;
    match model.effect {
        Effect::Ends | Effect::Exits | Effect::Jumps => return PointerConduct::Nothing,
        Effect::CallsBack | Effect::Anything => return PointerConduct::Unknown,
        Effect::Returns | Effect::Lands | Effect::KeepsForExit | Effect::KeepsForSignals => {}
    }
    let result = match signature.result() {
        // It stands for what no path goes through.
        b'a' => return PointerConduct::Unknown,
        b'm' => MovedResult::Fresh,
        b'p' | b'w' | b'x' => MovedResult::Argument,
        b'z' if signature.is_variadic() => return PointerConduct::HandsOut,
        _ => MovedResult::Number,
    };
    let writes: Vec<usize> = signature.changes().collect();
    let writes_fresh = signature.sets_errno() && result == MovedResult::Number && !writes.is_empty();
    PointerConduct::Moves(PointerMoves { writes, writes_fresh, result })
}

impl Engine<'_> {
    /// Where pointers may point, in the whole program.
    pub fn points_to(&self) -> PointsTo {
        PointsTo::new(self.program, &Answering(&self.image, self.program))
    }

    /// The same where entries are called by somebody who is not seen; see [`PointsTo::from_entries`].
    pub fn points_to_from(&self, entries: &[FuncId], globals_are_unknown: bool) -> PointsTo {
        PointsTo::from_entries(self.program, &Answering(&self.image, self.program), entries, globals_are_unknown)
    }
}
