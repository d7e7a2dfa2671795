//! Numbers as they are written in questions and answers: integers with or without sign, floats, bits in hexadecimal.

use taw_expr::Bits;
use taw_ir::{FloatTy, Layout, Ty};

/// The bits of a number of a type.
pub fn bits(text: &str, ty: Ty, layout: &Layout) -> Result<u128, String> {
    let width = ty.bits(layout);
    let no = || format!("`{text}` is no {ty}");
    if let Some(hex) = text.strip_prefix("0x") {
        return u128::from_str_radix(hex, 16).map_err(|_| no());
    }
    match ty {
        Ty::Float(FloatTy::F32) => return text.parse::<f32>().map(|f| u128::from(f.to_bits())).map_err(|_| no()),
        Ty::Float(FloatTy::F64) => return text.parse::<f64>().map(|f| u128::from(f.to_bits())).map_err(|_| no()),
        _ => {}
    }
    let number = match text.strip_prefix('-') {
        Some(digits) => digits.parse::<u128>().map(u128::wrapping_neg),
        None => text.parse::<u128>(),
    };
    Ok(number.map_err(|_| no())? & mask(width))
}

fn mask(width: u32) -> u128 {
    if width >= 128 { u128::MAX } else { (1 << width) - 1 }
}

/// A constant as the text form of programs has it.
pub fn constant(bits: u128, ty: Ty, layout: &Layout) -> String {
    match ty.bits(layout) {
        0..=64 => format!("{ty} {bits}"),
        _ => format!("{ty} 0x{bits:032x}"),
    }
}

/// A value as answers show it: integers with their sign, floats as such; what is no number, and what is wide, by its bits.
pub fn shown(value: &Bits, ty: Ty) -> String {
    let low = value.low_u128();
    match ty {
        Ty::Float(FloatTy::F32) if !f32::from_bits(low as u32).is_nan() => format!("{:?}", f32::from_bits(low as u32)),
        Ty::Float(FloatTy::F64) if !f64::from_bits(low as u64).is_nan() => format!("{:?}", f64::from_bits(low as u64)),
        Ty::Int(1) => low.to_string(),
        Ty::Int(width) if width <= 64 => {
            let low = low as u64;
            (((low << (64 - width)) as i64) >> (64 - width)).to_string()
        }
        _ => format!("{low:#x}"),
    }
}

/// Whether two answers say the same: as texts, or as results that differ only in how numbers are written.
pub fn same_answer(expected: &str, answer: &str) -> bool {
    let (Some(expected), Some(answer)) = (expected.strip_prefix("== "), answer.strip_prefix("== ")) else {
        return expected == answer;
    };
    let (expected, answer): (Vec<_>, Vec<_>) = (expected.split(", ").collect(), answer.split(", ").collect());
    expected.len() == answer.len() && expected.iter().zip(answer).all(|(e, a)| same_number(e, a))
}

/// An answer without the types of its results.
pub fn untyped(answer: &str) -> String {
    let Some(results) = answer.strip_prefix("== ") else { return answer.to_owned() };
    let plain: Vec<&str> = results.split(", ").map(|r| r.split_once(": ").map_or(r, |(number, _)| number)).collect();
    format!("== {}", plain.join(", "))
}

/// Results come with their types, `-1: i8`, which files do not show.
fn same_number(expected: &str, answer: &str) -> bool {
    let (shown, ty) = answer.split_once(": ").unwrap_or((answer, ""));
    if expected == shown {
        return true;
    }
    let ty = match ty {
        "f32" => Ty::Float(FloatTy::F32),
        "f64" => Ty::Float(FloatTy::F64),
        _ => Ty::Int(ty.trim_start_matches(['i', 'f']).parse().unwrap_or(64)),
    };
    let layout = Layout { pointer_bits: 64, ..Layout::default() };
    matches!((bits(expected, ty, &layout), bits(shown, ty, &layout)), (Ok(a), Ok(b)) if a == b)
}
