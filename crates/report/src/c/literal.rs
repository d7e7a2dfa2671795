//! A number as C writes it, so that a compiler gets exactly that value without a word: `-3`, `'a'`, `4294967295U`, `0.5f`,
//! `0x1.999999999999ap-4`, `RED`.

use taw_ir::{Layout, Type, TypeId, Types};

use crate::value;

/// The value of a number of that type; nothing if C has no way to write it.
pub(crate) fn literal(types: &Types, ty: TypeId, bytes: &[u8], layout: &Layout) -> Option<String> {
    match &types.all[types.plain(ty)] {
        Type::Integer { name, signed, .. } => Some(integer(name, *signed, bytes, layout)),
        Type::Enum { signed, enumerators, .. } => {
            let number = number(*signed, bytes, layout);
            let named = enumerators.iter().find(|(_, value)| i128::from(*value) == number);
            Some(named.map_or_else(|| decimal(number, ""), |(name, _)| name.clone()))
        }
        Type::Float { name, .. } => float(name, bytes, layout),
        Type::Other { name, .. } => {
            let part = name.strip_prefix("_Complex ")?;
            let (real, imaginary) = bytes.split_at(bytes.len() / 2);
            Some(format!("__builtin_complex({}, {})", float(part, real, layout)?, float(part, imaginary, layout)?))
        }
        _ => None,
    }
}

/// A number that is passed as another type than it is declared with, as old-style definitions have it.
pub(crate) fn promoted(types: &Types, ty: TypeId, bytes: &[u8], layout: &Layout) -> Option<String> {
    match &types.all[types.plain(ty)] {
        Type::Float { .. } if bytes.len() == 8 => float("double", bytes, layout),
        Type::Integer { .. } => Some(integer("int", true, bytes, layout)),
        _ => None,
    }
}

fn number(signed: bool, bytes: &[u8], layout: &Layout) -> i128 {
    let bits = value::bits(bytes, layout);
    if signed { value::signed(bits, bytes.len()) } else { bits.cast_signed() }
}

fn integer(name: &str, signed: bool, bytes: &[u8], layout: &Layout) -> String {
    let number = number(signed, bytes, layout);
    if bytes.len() == 1 {
        let is_char = matches!(name, "char" | "signed char" | "unsigned char");
        return match u8::try_from(number) {
            Ok(c) if is_char && (c.is_ascii_graphic() || c == b' ') => format!("'{}'", value::escape(c)),
            _ => number.to_string(),
        };
    }
    if bytes.len() == 16 && i64::try_from(number).is_err() {
        let bits = number.cast_unsigned();
        let (high, low) = ((bits >> 64) as u64, bits as u64);
        return format!("({name})((unsigned __int128)0x{high:x}U << 64 | 0x{low:x}U)");
    }
    decimal(number, if name.contains("long long") { "LL" } else { "L" })
}

/// With the suffix that its size needs.
fn decimal(number: i128, long: &str) -> String {
    let long = if long.is_empty() { "L" } else { long };
    match number {
        n if n == i128::from(i32::MIN) => format!("(-{} - 1)", i32::MAX),
        n if n == i128::from(i64::MIN) => format!("(-{}{long} - 1)", i64::MAX),
        n if i32::try_from(n).is_ok() => n.to_string(),
        n if u32::try_from(n).is_ok() => format!("{n}U"),
        n if i64::try_from(n).is_ok() => format!("{n}{long}"),
        n => format!("{n}U{long}"),
    }
}

fn float(name: &str, bytes: &[u8], layout: &Layout) -> Option<String> {
    let bits = value::bits(bytes, layout);
    match (name, bytes.len()) {
        ("float", 4) => {
            let number = f32::from_bits(bits as u32);
            Some(match number.is_finite() {
                // Every float is a double.
                true => finite(f64::from(number)) + "f",
                false => odd_float(number.is_sign_negative(), number.is_nan(), bits & 0x7f_ffff, 0x40_0000, "f"),
            })
        }
        ("double", 8) => {
            let number = f64::from_bits(bits as u64);
            Some(match number.is_finite() {
                true => finite(number),
                false => odd_float(number.is_sign_negative(), number.is_nan(), bits & ((1 << 52) - 1), 1 << 51, ""),
            })
        }
        ("long double", 10 | 12 | 16) => long_double(bits & ((1 << 80) - 1)),
        _ => None,
    }
}

/// A finite number: short decimals that are exactly it, as people write them, and else hexadecimal.
fn finite(number: f64) -> String {
    short_decimal(number).unwrap_or_else(|| hexadecimal(number))
}

/// The decimal number that is exactly this one, if it is short.
fn short_decimal(number: f64) -> Option<String> {
    const SHORT: usize = 12;
    let shown = format!("{number:?}");
    // More digits than a short number can have: if it is longer, some of them are not zero.
    let exact = format!("{number:.digits$}", digits = 4 * SHORT);
    let is_exact = exact.trim_end_matches('0') == shown.trim_end_matches('0');
    (shown.len() <= SHORT && is_exact).then_some(shown)
}

/// As `%a` writes it.
fn hexadecimal(number: f64) -> String {
    let bits = number.to_bits();
    let (exponent, fraction) = ((bits >> 52) as i32 & 0x7ff, bits & ((1 << 52) - 1));
    let (first, power) = if exponent == 0 { (0, -1022) } else { (1, exponent - 1023) };
    let digits = format!("{fraction:013x}");
    let digits = digits.trim_end_matches('0');
    let point = if digits.is_empty() { "" } else { "." };
    let sign = if number.is_sign_negative() { "-" } else { "" };
    format!("{sign}0x{first}{point}{digits}p{power:+}")
}

/// One that is infinite or no number. `quiet` is the bit that says that it may be computed with.
fn odd_float(negative: bool, is_nan: bool, payload: u128, quiet: u128, suffix: &str) -> String {
    let sign = if negative { "-" } else { "" };
    match (is_nan, payload & quiet != 0, payload & !quiet) {
        (false, ..) => format!("{sign}__builtin_inf{suffix}()"),
        (true, true, 0) => format!("{sign}__builtin_nan{suffix}(\"\")"),
        (true, true, payload) => format!("{sign}__builtin_nan{suffix}(\"0x{payload:x}\")"),
        (true, false, payload) => format!("{sign}__builtin_nans{suffix}(\"0x{payload:x}\")"),
    }
}

/// An extended float of x86; nothing for patterns that no computation gives.
fn long_double(bits: u128) -> Option<String> {
    let (mantissa, exponent) = (bits as u64, (bits >> 64) as u32 & 0x7fff);
    let negative = bits >> 79 & 1 == 1;
    let has_integer_bit = mantissa >> 63 == 1;
    if exponent == 0x7fff {
        let payload = u128::from(mantissa << 1 >> 1);
        return has_integer_bit.then(|| odd_float(negative, payload != 0, payload, 1 << 62, "l"));
    }
    match (has_integer_bit, exponent, mantissa) {
        (false, 0, 0) => Some(if negative { "-0.0L" } else { "0.0L" }.to_owned()),
        (true, 1.., _) | (false, 0, _) => {
            // The nearest double of a decimal is not its nearest long double: only one that is exact is the same.
            let decimal = value::exact_double(bits).and_then(short_decimal);
            Some(decimal.unwrap_or_else(|| value::hexadecimal_float(bits)) + "L")
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(ty: Type, bytes: &[u8]) -> Option<String> {
        let mut types = Types::default();
        let id = types.all.push(ty);
        literal(&types, id, bytes, &Layout { pointer_bits: 64, ..Default::default() })
    }

    fn int(name: &str, signed: bool, bytes: &[u8]) -> String {
        show(Type::Integer { name: name.into(), signed, bits: 8 * bytes.len() as u64 }, bytes).unwrap()
    }

    #[test]
    fn integers_have_the_value_and_type_that_a_compiler_gives_them() {
        assert_eq!(int("int", true, &i32::MIN.to_le_bytes()), "(-2147483647 - 1)");
        assert_eq!(int("unsigned int", false, &u32::MAX.to_le_bytes()), "4294967295U");
        assert_eq!(int("long", true, &i64::MIN.to_le_bytes()), "(-9223372036854775807L - 1)");
        assert_eq!(int("unsigned long long", false, &u64::MAX.to_le_bytes()), "18446744073709551615ULL");
        assert_eq!(int("char", true, &[200]), "-56");
        assert_eq!(int("unsigned char", false, b"'"), "'\\''");
        assert_eq!(int("_Bool", false, &[1]), "1");
        assert_eq!(int("__int128", true, &[0xff; 16]), "-1");
        let wide = int("__int128", true, &(1i128 << 100).to_le_bytes());
        assert_eq!(wide, "(__int128)((unsigned __int128)0x1000000000U << 64 | 0x0U)");
    }

    #[test]
    fn floats_are_exact() {
        let float = |name: &str, bytes: &[u8]| {
            show(Type::Float { name: name.into(), bits: 8 * bytes.len() as u64 }, bytes).unwrap_or_default()
        };
        assert_eq!(float("float", &0.1f32.to_le_bytes()), "0x1.99999ap-4f");
        assert_eq!(float("float", &1e-45f32.to_le_bytes()), "0x1p-149f");
        assert_eq!(float("double", &0.1f64.to_le_bytes()), "0x1.999999999999ap-4");
        assert_eq!(float("double", &(-5e-324f64).to_le_bytes()), "-0x0.0000000000001p-1022");
        assert_eq!(float("double", &f64::MAX.to_le_bytes()), "0x1.fffffffffffffp+1023");
        for (short, number) in [("0.5", 0.5), ("-0.0", -0.0), ("2.0", 2.0), ("-1000.375", -1000.375), ("0.0", 0.0)] {
            assert_eq!(float("double", &f64::to_le_bytes(number)), short);
        }
        assert_eq!(float("double", &f64::NEG_INFINITY.to_le_bytes()), "-__builtin_inf()");
        assert_eq!(float("double", &f64::NAN.to_le_bytes()), "__builtin_nan(\"\")");
        assert_eq!(float("long double", &[0; 16]), "0.0L");
        let mut one = [0u8; 16];
        one[7] = 0x80;
        one[8..10].copy_from_slice(&16383u16.to_le_bytes());
        assert_eq!(float("long double", &one), "1.0L");
        one[0] = 1;
        assert_eq!(float("long double", &one), "0x8000000000000001p-63L");
        // A tenth as a double, which `0.1L` is not.
        one[..8].copy_from_slice(&(((0.1f64.to_bits() & ((1 << 52) - 1)) << 11) | 1 << 63).to_le_bytes());
        one[8..10].copy_from_slice(&16379u16.to_le_bytes());
        assert_eq!(float("long double", &one), "0xccccccccccccd000p-67L");
        one[7] = 0;
        assert_eq!(float("long double", &one), "", "an unnormal number cannot be written");
    }

    #[test]
    fn enumerators_have_names() {
        let colours = |value: i32| {
            let enumerators = vec![("RED".to_owned(), 0), ("BLUE".to_owned(), 7)];
            show(Type::Enum { name: "c".into(), signed: true, bits: 32, enumerators }, &value.to_le_bytes()).unwrap()
        };
        assert_eq!((colours(7), colours(3)), ("BLUE".to_owned(), "3".to_owned()));
    }
}
