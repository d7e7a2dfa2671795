//! Otter's built-ins (dissertation, section 2.2; the authors' BuiltinFunctions.ml).

use taw_engine::{Cx, FindingKind, ModelArgument, ModelDef, Stop, Value};

use crate::taw;

/// Rows of this header.
pub(super) const MODELS: &[ModelDef] = &[
    ModelDef::new("__SYMBOLIC", "v w", symbolic),
    ModelDef::new("__ASSUME", "v .", assume),
    ModelDef::new("__ASSERT", "v .", assert),
    ModelDef::new("__FAILURE", "v .", failure),
];

/// `void __SYMBOLIC(void *variable)`: the whole variable, under its own name.
fn symbolic(cx: &mut Cx<'_, '_>, args: &[ModelArgument]) -> Result<Value, Stop> {
    let address = cx.concretise(args[0].value, args[0].width);
    cx.resolve(Value::word(address), 1, taw_engine::Access::Write)?;
    let (base, size, name) = cx.variable_at(address);
    cx.symbolic_memory(Value::word(base), size, &name)?;
    Ok(Value::word(0))
}

/// `void __ASSUME(int condition, ...)`: all of them.
fn assume(cx: &mut Cx<'_, '_>, args: &[ModelArgument]) -> Result<Value, Stop> {
    for arg in args {
        taw::assume(cx, std::slice::from_ref(arg))?;
    }
    Ok(Value::word(0))
}

/// `void __ASSERT(int condition, ...)`
fn assert(cx: &mut Cx<'_, '_>, args: &[ModelArgument]) -> Result<Value, Stop> {
    for arg in args {
        taw::assert(cx, std::slice::from_ref(arg))?;
    }
    Ok(Value::word(0))
}

fn failure(_: &mut Cx<'_, '_>, _: &[ModelArgument]) -> Result<Value, Stop> {
    Err(Stop::Bug(FindingKind::ReportedError, "__FAILURE is called".to_owned()))
}
