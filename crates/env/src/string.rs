//! The copies of `string.h` that are better done at once; the rest of that header is C in `runtime/`.

use taw_engine::{Cx, ModelArgument, ModelDef, Stop, Value};

/// Rows of this header.
pub(super) const MODELS: &[ModelDef] = &[
    ModelDef::new("memcpy", "p wpz", copy),
    ModelDef::new("memmove", "p wpz", copy),
    ModelDef::new("__memcpy_chk", "p wpzz", copy),
    ModelDef::new("__memmove_chk", "p wpzz", copy),
    ModelDef::new("mempcpy", "p wpz", copy_to_end),
    ModelDef::new("memset", "p wiz", set),
    ModelDef::new("__memset_chk", "p wizz", set),
];

/// `void *memcpy(void *to, const void *from, size_t n)`
fn copy(cx: &mut Cx<'_, '_>, args: &[ModelArgument]) -> Result<Value, Stop> {
    cx.mem_copy(args[0].value, args[1].value, args[2].value, args[2].width)?;
    Ok(args[0].value)
}

/// `void *mempcpy(void *to, const void *from, size_t n)`: returns the end.
fn copy_to_end(cx: &mut Cx<'_, '_>, args: &[ModelArgument]) -> Result<Value, Stop> {
    copy(cx, args)?;
    let (to, len) =
        (args[0].value.to_term(cx.terms(), args[0].width), args[2].value.to_term(cx.terms(), args[2].width));
    let end = cx.terms().add(to, len);
    let provenance = cx.provenance_of_sum(args[0].value, args[2].value);
    Ok(cx.value(end).with_provenance(provenance))
}

/// `void *memset(void *to, int byte, size_t n)`
fn set(cx: &mut Cx<'_, '_>, args: &[ModelArgument]) -> Result<Value, Stop> {
    let byte = args[1].value.to_term(cx.terms(), args[1].width);
    let byte = cx.terms().extract(byte, 0, 8);
    let byte = cx.value(byte);
    cx.mem_set(args[0].value, byte, args[2].value, args[2].width)?;
    Ok(args[0].value)
}
