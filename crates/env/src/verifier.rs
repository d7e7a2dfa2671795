//! The intrinsics of the software-verification competitions (SV-COMP, Test-Comp).

use taw_engine::{Argument, Cx, FindingKind, ModelDef, Stop, Value};

use crate::taw;

/// Makers of one scalar: name, C type, width in bits (0: the pointer's).
macro_rules! makers {
    ($($name:literal $ty:literal $width:literal)*) => {
        &[
            $(ModelDef { name: concat!("__VERIFIER_nondet_", $name), call: |cx, _| make(cx, $ty, $width) },)*
            ModelDef { name: "__VERIFIER_nondet_bool", call: boolean },
            ModelDef { name: "__VERIFIER_nondet__Bool", call: boolean },
            ModelDef { name: "__VERIFIER_assume", call: taw::assume },
            ModelDef { name: "__VERIFIER_assert", call: taw::assert },
            ModelDef { name: "__VERIFIER_error", call: error },
            ModelDef { name: "reach_error", call: error },
        ]
    };
}

/// Rows of this header.
pub(super) const MODELS: &[ModelDef] = makers! {
    "char" "char" 8 "schar" "signed char" 8 "uchar" "unsigned char" 8 "unsigned_char" "unsigned char" 8
    "short" "short" 16 "ushort" "unsigned short" 16 "int" "int" 32 "uint" "unsigned int" 32 "unsigned" "unsigned int" 32
    "unsigned_int" "unsigned int" 32 "long" "long" 0 "ulong" "unsigned long" 0 "longlong" "long long" 64
    "ulonglong" "unsigned long long" 64 "size_t" "size_t" 0 "float" "float" 32 "double" "double" 64
    "u8" "uint8_t" 8 "u16" "uint16_t" 16 "u32" "uint32_t" 32 "u64" "uint64_t" 64 "int128" "__int128" 128
    "uint128" "unsigned __int128" 128
};

fn make(cx: &mut Cx<'_, '_>, ty: &str, width: u32) -> Result<Value, Stop> {
    let width = if width == 0 { cx.engine.program.layout.pointer_bits } else { width };
    Ok(cx.scalar_input("nondet", ty, width))
}

/// `_Bool __VERIFIER_nondet_bool(void)`
fn boolean(cx: &mut Cx<'_, '_>, _: &[Argument]) -> Result<Value, Stop> {
    let value = cx.scalar_input("nondet", "_Bool", 8);
    let (v, two) = (value.to_term(cx.terms(), 8), cx.terms().bv(8, 2));
    let less = cx.terms().ult(v, two);
    let less = cx.value(less);
    cx.assume(less)?;
    let bit = cx.terms().extract(v, 0, 1);
    Ok(cx.value(bit))
}

fn error(_: &mut Cx<'_, '_>, _: &[Argument]) -> Result<Value, Stop> {
    Err(Stop::Bug(FindingKind::ReportedError, "the error function is called".to_owned()))
}
