//! Values of inputs in the words of the source: `-1`, `'a'`, `"text"`, `{1, 2}`, `0.5`.

use taw_engine::{Input, InputType};
use taw_ir::Layout;

/// What the bytes of a scalar mean.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Meaning {
    Signed,
    Unsigned,
    Char,
    Float,
    X87,
}

/// Bytes of value of an extended float: parameters have no more.
const X87_BYTES: usize = 10;

/// The value of an input as C would spell it. Bytes of unknown type are shown as what they most probably are.
pub fn in_c(input: &Input, layout: &Layout) -> String {
    let bytes = &input.bytes;
    if let InputType::Choice(words) = &input.ty {
        let word = bytes.first().and_then(|way| words.get(usize::from(*way)));
        return word.cloned().unwrap_or_default();
    }
    if let InputType::Scalar(name) = &input.ty
        && let Some((meaning, size)) = meaning(name, layout)
        && !bytes.is_empty()
        && (bytes.len().is_multiple_of(size) || meaning == Meaning::X87 && bytes.len() == X87_BYTES)
    {
        let size = if bytes.len() == X87_BYTES && meaning == Meaning::X87 { X87_BYTES } else { size };
        return typed(bytes, name.starts_with("char["), meaning, size, layout);
    }
    untyped(bytes, layout)
}

/// The value of an input that is one scalar, as a number that C libraries read back exactly (but for NaN's payload).
pub(crate) fn number(input: &Input, layout: &Layout) -> Option<String> {
    let InputType::Scalar(name) = &input.ty else { return None };
    let (meaning, size) = meaning(name, layout).filter(|&(_, size)| size == input.bytes.len())?;
    let bits = bits(&input.bytes, layout);
    Some(match meaning {
        Meaning::Char if name.trim() == "unsigned char" => bits.to_string(),
        Meaning::Char => signed(bits, size).to_string(),
        Meaning::X87 => hexadecimal_float(bits),
        _ => scalar(&input.bytes, meaning, layout),
    })
}

pub(crate) fn hexadecimal_float(bits: u128) -> String {
    let (mantissa, exponent) = (bits as u64, (bits >> 64) as i32 & 0x7fff);
    let sign = if bits >> 79 & 1 == 1 { "-" } else { "" };
    match (exponent, mantissa << 1) {
        (0x7fff, 0) => format!("{sign}inf"),
        (0x7fff, _) => format!("{sign}nan"),
        _ => format!("{sign}0x{mantissa:x}p{}", exponent.max(1) - 16383 - 63),
    }
}

/// The bytes (little-endian; integers in 16 bytes) of a value of type `ty` as C and other tools spell it.
pub(crate) fn parse(text: &str, ty: &str) -> Option<Vec<u8>> {
    let text = text.trim();
    match ty {
        "float" => return text.parse::<f32>().ok().map(|value| value.to_le_bytes().to_vec()),
        "long double" => return parse_x87(text),
        "double" => return text.parse::<f64>().ok().map(|value| value.to_le_bytes().to_vec()),
        _ => {}
    }
    let (negative, digits) = text.strip_prefix('-').map_or((false, text), |digits| (true, digits));
    let digits = digits.trim_end_matches(['u', 'U', 'l', 'L']);
    let magnitude = match digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
        Some(hexadecimal) => u128::from_str_radix(hexadecimal, 16).ok(),
        None => digits.parse().ok(),
    };
    if let Some(magnitude) = magnitude {
        let value = if negative { magnitude.wrapping_neg() } else { magnitude };
        return Some(value.to_le_bytes().to_vec());
    }
    let mut quoted = text.strip_prefix('\'')?.strip_suffix('\'')?.bytes();
    match (quoted.next(), quoted.next()) {
        (Some(byte), None) => Some(u128::from(byte).to_le_bytes().to_vec()),
        _ => None,
    }
}

/// A long double in the form of [`hexadecimal_float`], or a decimal number as precise as a double.
fn parse_x87(text: &str) -> Option<Vec<u8>> {
    let (sign, magnitude) = text.strip_prefix('-').map_or((0, text), |magnitude| (1u128, magnitude));
    let (mantissa, exponent) = match magnitude.strip_prefix("0x").and_then(|rest| rest.split_once('p')) {
        Some((mantissa, power)) => {
            let power: i32 = power.parse().ok()?;
            (u64::from_str_radix(mantissa, 16).ok()?, power.checked_add(16383 + 63)?)
        }
        None => of_double(magnitude.parse().ok()?),
    };
    // A number without its integer bit is denormal: its exponent is written as 0.
    let exponent = if mantissa >> 63 == 0 && exponent <= 1 { 0 } else { exponent };
    let exponent = u128::try_from(exponent).ok().filter(|&exponent| exponent <= 0x7fff)?;
    Some((sign << 79 | exponent << 64 | u128::from(mantissa)).to_le_bytes().to_vec())
}

/// Mantissa and exponent, as an 80-bit float has them, of a double.
fn of_double(value: f64) -> (u64, i32) {
    if value == 0.0 {
        return (0, 0);
    }
    if !value.is_finite() {
        return (if value.is_nan() { 3 << 62 } else { 1 << 63 }, 0x7fff);
    }
    let bits = value.abs().to_bits();
    let (exponent, fraction) = ((bits >> 52) as i32, bits & ((1 << 52) - 1));
    let (mantissa, power) = if exponent == 0 { (fraction, -1074) } else { (fraction | 1 << 52, exponent - 1075) };
    let shift = mantissa.leading_zeros();
    (mantissa << shift, power - shift as i32 + 63 + 16383)
}

/// The meaning and size of a C type by name; `None` for names that are not of a scalar.
fn meaning(name: &str, layout: &Layout) -> Option<(Meaning, usize)> {
    use Meaning::*;
    let word = layout.pointer_bytes().max(4) as usize;
    let element = name.split('[').next().unwrap_or(name).trim();
    Some(match element {
        "char" | "signed char" | "unsigned char" => (Char, 1),
        "int8_t" => (Signed, 1),
        "uint8_t" | "_Bool" | "bool" => (Unsigned, 1),
        "short" | "int16_t" => (Signed, 2),
        "unsigned short" | "uint16_t" => (Unsigned, 2),
        "int" | "int32_t" => (Signed, 4),
        "unsigned int" | "unsigned" | "uint32_t" => (Unsigned, 4),
        "long" | "ssize_t" | "intptr_t" | "ptrdiff_t" => (Signed, word),
        "unsigned long" | "size_t" | "uintptr_t" => (Unsigned, word),
        "long long" | "int64_t" => (Signed, 8),
        "unsigned long long" | "uint64_t" => (Unsigned, 8),
        "__int128" => (Signed, 16),
        "unsigned __int128" => (Unsigned, 16),
        "float" => (Float, 4),
        "double" => (Float, 8),
        "long double" => (X87, if word == 4 { 12 } else { 16 }),
        _ => return None,
    })
}

fn typed(bytes: &[u8], is_string: bool, meaning: Meaning, size: usize, layout: &Layout) -> String {
    if meaning == Meaning::Char && bytes.len() > 1 {
        // An array of characters is a string, and this is the empty one.
        let empty = is_string && bytes.iter().all(|byte| *byte == 0);
        return if empty { "\"\"".to_owned() } else { text(bytes) };
    }
    let values: Vec<String> = bytes.chunks(size).map(|chunk| scalar(chunk, meaning, layout)).collect();
    match values.as_slice() {
        [one] => one.clone(),
        many => format!("{{{}}}", many.join(", ")),
    }
}

fn scalar(bytes: &[u8], meaning: Meaning, layout: &Layout) -> String {
    let bits = bits(bytes, layout);
    match meaning {
        Meaning::Signed => signed(bits, bytes.len()).to_string(),
        Meaning::Unsigned => bits.to_string(),
        Meaning::Char => match bytes[0] {
            c if c.is_ascii_graphic() || c == b' ' => format!("'{}'", escape(c)),
            c => c.to_string(),
        },
        Meaning::Float if bytes.len() == 4 => format!("{:?}", f32::from_bits(bits as u32)),
        Meaning::Float => format!("{:?}", f64::from_bits(bits as u64)),
        Meaning::X87 => x87(bits),
    }
}

/// The unsigned number that lies in memory as `bytes` (at most 16).
pub(crate) fn bits(bytes: &[u8], layout: &Layout) -> u128 {
    let join = |bits: u128, &byte: &u8| bits << 8 | u128::from(byte);
    if layout.big_endian { bytes.iter().fold(0, join) } else { bytes.iter().rev().fold(0, join) }
}

pub(crate) fn signed(bits: u128, size: usize) -> i128 {
    let unused = 128 - 8 * size;
    (bits << unused).cast_signed() >> unused
}

/// An 80-bit float, by way of a double; `~` says that the double is not exact.
fn x87(bits: u128) -> String {
    let (mantissa, exponent) = (bits as u64, (bits >> 64) as i32 & 0x7fff);
    if exponent == 0x7fff {
        let infinite = mantissa << 1 == 0;
        return format!("{:?}", if infinite { sign_of(bits) * f64::INFINITY } else { f64::NAN });
    }
    let exact = if exact_double(bits).is_some() { "" } else { "~" };
    format!("{exact}{:?}", near_double(bits))
}

fn sign_of(bits: u128) -> f64 {
    if bits >> 79 & 1 == 1 { -1.0 } else { 1.0 }
}

fn near_double(bits: u128) -> f64 {
    // In two steps, because the scale alone may overflow where the product does not.
    let power = ((bits >> 64) as i32 & 0x7fff).max(1) - 16383 - 63;
    sign_of(bits) * (bits as u64) as f64 * 2f64.powi(power / 2) * 2f64.powi(power - power / 2)
}

/// The double that a finite 80-bit float is, if it is one.
pub(crate) fn exact_double(bits: u128) -> Option<f64> {
    let (mantissa, exponent) = (bits as u64, (bits >> 64) as i32 & 0x7fff);
    let whole = mantissa.trailing_zeros() + mantissa.leading_zeros() >= 11;
    let exact = whole && (-1022..=1023).contains(&(exponent - 16383)) || mantissa == 0;
    exact.then(|| near_double(bits))
}

/// Bytes of unknown type: a number if they have the size of one, else text, else bytes.
fn untyped(bytes: &[u8], layout: &Layout) -> String {
    if !matches!(bytes.len(), 1 | 2 | 4 | 8) {
        return text(bytes);
    }
    let (bits, size) = (bits(bytes, layout), bytes.len());
    let number = signed(bits, size);
    let mut words = number.to_string();
    if number < 0 {
        words.push_str(&format!(" (unsigned {bits})"));
    }
    if bytes.iter().all(|&byte| byte.is_ascii_graphic() || byte == b' ') {
        words.push_str(&format!(" ({})", text(bytes)));
    }
    words
}

/// A string if at least a quarter of it can be read, else a list of bytes. Trailing zeros are left out of a string, as C
/// leaves them out of an array's initialiser.
fn text(bytes: &[u8]) -> String {
    let length = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
    let (string, padding) = bytes.split_at(length);
    let readable = string.iter().filter(|byte| byte.is_ascii_graphic() || byte.is_ascii_whitespace()).count();
    if 4 * readable >= string.len() && (readable > 0 || padding.len() == 1) {
        let escaped: String = string.iter().map(|&byte| escape(byte)).collect();
        return format!("\"{escaped}\"");
    }
    if string.is_empty() {
        return format!("{{0}} ({} bytes)", bytes.len());
    }
    let list: Vec<String> = bytes.iter().map(|byte| format!("0x{byte:02x}")).collect();
    format!("{{{}}}", list.join(", "))
}

pub(crate) fn escape(byte: u8) -> String {
    match byte {
        b'\n' => "\\n".into(),
        b'\t' => "\\t".into(),
        b'\r' => "\\r".into(),
        0 => "\\0".into(),
        b'"' | b'\\' | b'\'' => format!("\\{}", char::from(byte)),
        b' '..=b'~' => char::from(byte).to_string(),
        _ => format!("\\x{byte:02x}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(ty: &str, bytes: &[u8]) -> String {
        let ty = if ty.is_empty() { InputType::Bytes } else { InputType::Scalar(ty.into()) };
        let layout = Layout { pointer_bits: 64, ..Default::default() };
        in_c(&Input { name: "x".into(), ty, bytes: bytes.into() }, &layout)
    }

    #[test]
    fn scalars_are_shown_as_c_spells_them() {
        assert_eq!(show("int", &(-7i32).to_le_bytes()), "-7");
        assert_eq!(show("unsigned int", &u32::MAX.to_le_bytes()), "4294967295");
        assert_eq!(show("long", &i64::MIN.to_le_bytes()), "-9223372036854775808");
        assert_eq!(show("char", b"a"), "'a'");
        assert_eq!(show("char", &[200]), "200");
        assert_eq!(show("double", &0.1f64.to_le_bytes()), "0.1");
        assert_eq!(show("float", &f32::NAN.to_le_bytes()), "NaN");
        assert_eq!(show("int", &[1, 0, 0, 0, 255, 255, 255, 255]), "{1, -1}");
        assert_eq!(show("int[2]", &[1, 0, 0, 0, 2, 0, 0, 0]), "{1, 2}");
    }

    #[test]
    fn long_doubles_are_exact_or_say_so() {
        let mut one = [0u8; 16];
        one[7] = 0x80;
        one[8..10].copy_from_slice(&16383u16.to_le_bytes());
        assert_eq!(show("long double", &one), "1.0");
        one[0] = 1;
        assert_eq!(show("long double", &one), "~1.0");
        assert_eq!(show("long double", &[0; 16]), "0.0");
    }

    #[test]
    fn text_is_shown_as_text() {
        assert_eq!(show("char", b"ab\0\0"), "\"ab\"");
        assert_eq!(show("char", b"a\"\n\x01\0z"), "\"a\\\"\\n\\x01\\0z\"");
        assert_eq!(show("", b"hello"), "\"hello\"");
        assert_eq!(show("", b"\x01\x01%\0\0"), "\"\\x01\\x01%\"");
        assert_eq!(show("", &[0xff, 0xfe, 0x80]), "{0xff, 0xfe, 0x80}");
        assert_eq!(show("", &[0; 3]), "{0} (3 bytes)");
        assert_eq!(show("char", &[0, 0]), "{0} (2 bytes)");
    }

    #[test]
    fn bytes_of_the_size_of_a_number_are_a_number() {
        assert_eq!(show("", &(-2i32).to_le_bytes()), "-2 (unsigned 4294967294)");
        assert_eq!(show("", b"abcd"), "1684234849 (\"abcd\")");
        assert_eq!(show("int", &[1, 2, 3]), "{0x01, 0x02, 0x03}", "the size does not fit the type");
    }

    #[test]
    fn numbers_are_read_back() {
        let layout = Layout { pointer_bits: 64, ..Default::default() };
        let mut odd = 1.1f64.to_le_bytes().to_vec();
        odd.extend([0x3f, 0x80, 0, 0, 0, 0, 0, 0]);
        odd[7] |= 0x80;
        let values: [(&str, &[u8]); 10] = [
            ("int", &[0xfe, 0xff, 0xff, 0xff]),
            ("unsigned char", &[0xff]),
            ("char", &[0x80]),
            ("unsigned __int128", &[0xff; 16]),
            ("float", &0.1f32.to_le_bytes()),
            ("float", &f32::NEG_INFINITY.to_le_bytes()),
            ("double", &(-5e-324f64).to_le_bytes()),
            ("long double", &odd),
            ("long double", &[0; 16]),
            ("long double", &[1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
        ];
        for (ty, bytes) in values {
            let input = Input { name: "x".into(), ty: InputType::Scalar(ty.into()), bytes: bytes.into() };
            let text = number(&input, &layout).unwrap();
            let read = parse(&text, ty).unwrap_or_else(|| panic!("{ty} {text}"));
            let size = if ty == "long double" { 10 } else { bytes.len() };
            assert_eq!(read[..size], bytes[..size], "{ty} {text}");
        }
        assert_eq!(parse("1.5", "long double").unwrap(), parse("0xc000000000000000p-63", "long double").unwrap());
        assert_eq!(parse("0x10UL", "").unwrap()[0], 16);
        assert_eq!(parse("'a'", "char").unwrap()[0], b'a');
        assert_eq!(parse("a", "int"), None);
        assert_eq!(parse("", ""), None);
    }

    #[test]
    fn byte_order_is_the_layouts() {
        let layout = Layout { big_endian: true, pointer_bits: 32, triple: String::new() };
        let input = Input { name: "x".into(), ty: InputType::Scalar("long".into()), bytes: vec![0, 0, 1, 0] };
        assert_eq!(in_c(&input, &layout), "256");
    }
}
