//! What a library function written in Rust looks like to the engine.

use std::fmt;

use taw_ir::Effect;

use crate::cx::Cx;
use crate::reason::Doubt;
use crate::signature::Signature;
use crate::stop::Stop;
use crate::value::Value;

/// An argument as a model sees it.
#[derive(Clone, Copy, Debug)]
pub struct ModelArgument {
    /// The value.
    pub value: Value,
    /// Its width in bits.
    pub width: u32,
    /// Its type.
    pub ty: taw_ir::Ty,
}

/// A model: does what the function does to the state, and returns its result (ignored if the function returns nothing).
///
/// It is given the arguments that its signature has, however it was called.
///
/// A model may be run again from its start when it forks: it decides first and changes the state afterwards.
pub type ModelFn = fn(&mut Cx<'_, '_>, &[ModelArgument]) -> Result<Value, Stop>;

/// The library functions written in Rust, by when they are used.
#[derive(Clone, Copy, Debug)]
pub struct Models {
    /// In any case, unless the user defines the function.
    pub always: &'static [&'static [ModelDef]],
    /// Only if nobody defines the function: the C library of the program's target may be missing.
    pub stand_ins: &'static [&'static [ModelDef]],
    /// Functions whose code runs, and what they do to the flow of control beyond what it shows.
    pub code: &'static [(&'static str, Effect)],
}

/// A row of a table of models.
#[derive(Clone, Copy, Debug)]
pub struct ModelDef {
    /// Link name.
    pub name: &'static str,
    /// What it takes and gives back.
    pub signature: Signature,
    /// What it does to the flow of control.
    pub effect: Effect,
    /// What it does.
    pub call: ModelFn,
}

impl ModelDef {
    /// A row of a function that returns; [`Signature`] says how to read its text.
    pub const fn new(name: &'static str, signature: &'static str, call: ModelFn) -> Self {
        ModelDef { name, signature: Signature(signature), effect: Effect::Returns, call }
    }

    /// The row of a function that does something else to the flow of control.
    pub const fn with(self, effect: Effect) -> Self {
        ModelDef { effect, ..self }
    }
}

/// A model of one function of the program under test, made for this run.
pub trait OwnModel: fmt::Debug {
    /// Link name of the function. It answers whatever else defines it.
    fn name(&self) -> &str;

    /// As [`ModelFn`].
    ///
    /// # Errors
    /// Why the path does not go on.
    fn call(&self, cx: &mut Cx<'_, '_>, args: &[ModelArgument]) -> Result<Value, Stop>;

    /// Why nothing may be concluded from what was not found, if anything happened that forbids it; asked at the end.
    fn doubt(&self) -> Option<Doubt>;
}
