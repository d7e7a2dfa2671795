//! Prototypes: what of a declaration can be called, and in which words arguments are shown.

use taw_ir::{ByVal, FloatTy, Function, Layout, Param, Passing, RegData, Ty};

use super::*;

fn function(parameters: &[(Ty, Passing)], returns: &[Ty]) -> Function {
    let mut f = Function { name: "f".into(), returns: returns.to_vec(), ..Function::default() };
    for &(ty, passing) in parameters {
        let reg = f.regs.push(RegData { ty, name: String::new(), source: None });
        f.params.push(Param {
            reg,
            ty,
            name: String::new(),
            source: None,
            byval: None,
            passing,
            read_only: false,
            at_least: 0,
        });
    }
    f
}

fn layout() -> Layout {
    Layout { pointer_bits: 64, ..Layout::default() }
}

#[test]
fn scalars_keep_their_width_and_sign() {
    let f = function(
        &[
            (Ty::Int(8), Passing::SignExtended),
            (Ty::Int(16), Passing::ZeroExtended),
            (Ty::Int(1), Passing::ZeroExtended),
            (Ty::Float(FloatTy::F32), Passing::Plain),
            (Ty::Float(FloatTy::F80), Passing::Plain),
        ],
        &[Ty::Int(64)],
    );
    let prototype = Prototype::of(&f, &layout()).unwrap();
    let types: Vec<&str> = prototype.parameters.iter().map(|p| p.c_type()).collect();
    assert_eq!(types, ["int8_t", "uint16_t", "_Bool", "float", "long double"]);
    assert_eq!(prototype.result.width(), 64);
    let args = [
        Bits::new(8, 0xff),
        Bits::new(16, 0xffff),
        Bits::new(1, 1),
        Bits::new(32, u64::from(0.5f32.to_bits())),
        Bits::from_u128(80, 0x3fff_c000_0000_0000_0000),
    ];
    assert_eq!(prototype.show(&args), "(-1, 65535, 1, 0.5, 1.5)");
}

#[test]
fn what_is_no_scalar_is_named() {
    let plain = Passing::Plain;
    let int = Ty::Int(32);
    for (parameters, returns, said) in [
        (vec![(int, plain), (Ty::Ptr, plain)], vec![int], "parameter 2 is a pointer"),
        (vec![(Ty::Float(FloatTy::F32), Passing::Part)], vec![int], "parameter 1 is a structure"),
        (vec![(Ty::Int(128), plain)], vec![int], "parameter 1 is a number of 128 bits"),
        (vec![], vec![], "returns nothing"),
        (vec![], vec![Ty::Ptr], "result is a pointer"),
        (vec![], vec![int, int], "result is a structure"),
    ] {
        let why = Prototype::of(&function(&parameters, &returns), &layout()).unwrap_err();
        assert!(why.contains(said), "{why} should say: {said}");
    }
    let variadic = Function { variadic: true, ..function(&[(int, plain)], &[int]) };
    assert!(Prototype::of(&variadic, &layout()).unwrap_err().contains("how many arguments"));
    let mut copied = function(&[(Ty::Ptr, plain)], &[int]);
    copied.params[0].byval = Some(ByVal { size: 40, align: 8 });
    assert!(Prototype::of(&copied, &layout()).unwrap_err().contains("is a structure"));
}
