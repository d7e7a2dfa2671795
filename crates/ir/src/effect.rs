//! What a call does to the flow of control where no code shows it.
//!
//! Boundary: who answers calls knows the effects (a model has its own in its row) and tells the call graph; no list of names is here.

/// What a function does to the flow of control, beside what its code shows if it has any.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Effect {
    /// Nothing of the kind: it comes back. A function that it is handed by name it may call before.
    #[default]
    Returns,
    /// It never comes back.
    Ends,
    /// It runs what was registered for the end of the program, and never comes back.
    Exits,
    /// It may call any function whose address is taken, and comes back.
    CallsBack,
    /// It comes back, and the functions that it is handed run at the end of the program.
    KeepsForExit,
    /// It comes back, and the functions that it is handed may run at any time: when a signal comes.
    KeepsForSignals,
    /// It comes back, and may come back again when somebody jumps there.
    Lands,
    /// It goes to where a function that [lands](Effect::Lands) was called.
    Jumps,
    /// Nobody knows: it may call, exit, jump and come back.
    Anything,
}

impl Effect {
    /// Whether a call may come back to where it was made.
    pub fn returns(self) -> bool {
        !matches!(self, Effect::Ends | Effect::Exits | Effect::Jumps)
    }

    /// Whether it keeps functions that it is handed for later, and calls none now.
    pub(crate) fn keeps(self) -> bool {
        matches!(self, Effect::KeepsForExit | Effect::KeepsForSignals)
    }
}

/// What happens when a function is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Conduct {
    /// Whether its code runs; if not, it is a step.
    pub runs_code: bool,
    /// What else happens.
    pub effect: Effect,
}
