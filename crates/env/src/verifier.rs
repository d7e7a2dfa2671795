//! The intrinsics of the software-verification competitions (SV-COMP, Test-Comp).

use taw_engine::{Cx, FindingKind, ModelArgument, ModelDef, Stop, Value};

use crate::taw;

/// Makers of one scalar: name, C type, width in bits (0: the pointer's), letter of the signature.
macro_rules! makers {
    ($($name:literal $ty:literal $width:literal $letter:literal)*) => {
        &[
            $(ModelDef::new(
                concat!("__VERIFIER_nondet_", $name),
                concat!($letter, " "),
                |cx, _| make(cx, $ty, $width),
            ),)*
            ModelDef::new("__VERIFIER_nondet_bool", "o ", boolean),
            ModelDef::new("__VERIFIER_nondet__Bool", "o ", boolean),
            ModelDef::new("__VERIFIER_nondet_memory", "v wz", memory),
            ModelDef::new("__VERIFIER_assume", "v i", taw::assume),
            ModelDef::new("__VERIFIER_assert", "v i", taw::assert),
            ModelDef::new("__VERIFIER_error", "v .", error),
            ModelDef::new("reach_error", "v .", error),
        ]
    };
}

/// Rows of this header.
pub(super) const MODELS: &[ModelDef] = makers! {
    "char" "char" 8 "c" "schar" "signed char" 8 "c" "uchar" "unsigned char" 8 "c" "unsigned_char" "unsigned char" 8 "c"
    "short" "short" 16 "h" "ushort" "unsigned short" 16 "h" "int" "int" 32 "i" "uint" "unsigned int" 32 "i"
    "unsigned" "unsigned int" 32 "i" "unsigned_int" "unsigned int" 32 "i" "long" "long" 0 "z" "ulong" "unsigned long" 0 "z"
    "longlong" "long long" 64 "l" "ulonglong" "unsigned long long" 64 "l" "size_t" "size_t" 0 "z"
    "loff_t" "long long" 64 "l" "sector_t" "unsigned long" 0 "z" "pthread_t" "unsigned long" 0 "z"
    "pchar" "char *" 0 "p" "pointer" "void *" 0 "p" "float" "float" 32 "f" "double" "double" 64 "d"
    "u8" "uint8_t" 8 "c" "u16" "uint16_t" 16 "h" "u32" "uint32_t" 32 "i" "u64" "uint64_t" 64 "l"
    "int128" "__int128" 128 "q" "uint128" "unsigned __int128" 128 "q"
};

fn make(cx: &mut Cx<'_, '_>, ty: &str, width: u32) -> Result<Value, Stop> {
    let width = if width == 0 { cx.engine.program.layout.pointer_bits } else { width };
    Ok(cx.scalar_input("nondet", ty, width))
}

/// `void __VERIFIER_nondet_memory(void *memory, size_t size)`
fn memory(cx: &mut Cx<'_, '_>, args: &[ModelArgument]) -> Result<Value, Stop> {
    let size = cx.concretise(args[1].value, args[1].width);
    cx.symbolic_memory(args[0].value, size, "nondet")?;
    Ok(Value::word(0))
}

/// `_Bool __VERIFIER_nondet_bool(void)`
fn boolean(cx: &mut Cx<'_, '_>, _: &[ModelArgument]) -> Result<Value, Stop> {
    let value = cx.scalar_input("nondet", "_Bool", 8);
    let (v, two) = (value.to_term(cx.terms(), 8), cx.terms().bv(8, 2));
    let less = cx.terms().ult(v, two);
    let less = cx.value(less);
    cx.assume(less)?;
    let bit = cx.terms().extract(v, 0, 1);
    Ok(cx.value(bit))
}

fn error(_: &mut Cx<'_, '_>, _: &[ModelArgument]) -> Result<Value, Stop> {
    Err(Stop::Bug(FindingKind::ReportedError, "the error function is called".to_owned()))
}
