//! The text of a number as `printf` makes it, by flags, width, precision and conversion.
//!
//! Boundary: one number in, its bytes out. Who asks, and when, is `late`'s.

/// Flags, width and precision of a conversion.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Conversion {
    /// `-`: to the left.
    pub left: bool,
    /// `+`: a sign always.
    pub plus: bool,
    /// A space where a sign would be.
    pub space: bool,
    /// `#`: prefixes, and a point always.
    pub alternate: bool,
    /// `0`: padding with zeros.
    pub zero: bool,
    /// The least number of bytes.
    pub width: usize,
    /// Digits, if it says how many.
    pub precision: Option<usize>,
}

fn sign(spec: Conversion, negative: bool) -> &'static str {
    match (negative, spec.plus, spec.space) {
        (true, ..) => "-",
        (_, true, _) => "+",
        (_, _, true) => " ",
        _ => "",
    }
}

/// An integer, extended to 64 bits as its type says.
pub(crate) fn integer(spec: Conversion, conversion: u8, word: u64) -> Vec<u8> {
    let prefixed = |prefix| if spec.alternate && word != 0 { prefix } else { "" };
    let (prefix, mut digits) = match conversion {
        b'd' | b'i' => {
            let value = word as i64;
            (sign(spec, value < 0), value.unsigned_abs().to_string())
        }
        b'u' => ("", word.to_string()),
        b'x' => (prefixed("0x"), format!("{word:x}")),
        b'X' => (prefixed("0X"), format!("{word:X}")),
        _ => ("", format!("{word:o}")),
    };
    if let Some(precision) = spec.precision {
        if precision == 0 && word == 0 {
            digits.clear();
        }
        digits.insert_str(0, &"0".repeat(precision.saturating_sub(digits.len())));
    }
    if conversion == b'o' && spec.alternate && !digits.starts_with('0') {
        digits.insert(0, '0');
    }
    padded(spec, prefix, digits.as_bytes(), spec.precision.is_none())
}

/// A floating-point number.
pub(crate) fn float(spec: Conversion, conversion: u8, value: f64) -> Vec<u8> {
    let upper = conversion.is_ascii_uppercase();
    let magnitude = value.abs();
    let precision = spec.precision.unwrap_or(6);
    let text = if value.is_nan() {
        "nan".to_owned()
    } else if value.is_infinite() {
        "inf".to_owned()
    } else {
        match conversion.to_ascii_lowercase() {
            b'f' => pointed(format!("{magnitude:.precision$}"), spec.alternate),
            b'e' => exponential(magnitude, precision, spec.alternate),
            b'g' => general(magnitude, precision.max(1), spec.alternate),
            _ => hexadecimal(magnitude, spec.precision, spec.alternate),
        }
    };
    let text = if upper { text.to_uppercase() } else { text };
    padded(spec, sign(spec, value.is_sign_negative()), text.as_bytes(), value.is_finite())
}

/// With a point, if it must have one.
fn pointed(digits: String, always: bool) -> String {
    if always && !digits.contains('.') { digits + "." } else { digits }
}

/// As `%e`: the exponent has at least two digits.
fn exponential(value: f64, precision: usize, alternate: bool) -> String {
    let text = format!("{value:.precision$e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let (sign, digits) = exponent.strip_prefix('-').map_or(('+', exponent), |digits| ('-', digits));
    format!("{}e{sign}{digits:0>2}", pointed(mantissa.to_owned(), alternate))
}

/// As `%g`: the shorter of the two, without trailing zeros.
fn general(value: f64, precision: usize, alternate: bool) -> String {
    let text = format!("{value:.*e}", precision - 1);
    let exponent: i32 = text.split_once('e').and_then(|(_, e)| e.parse().ok()).unwrap_or(0);
    if exponent < -4 || exponent >= precision as i32 {
        let text = exponential(value, precision - 1, alternate);
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "+00"));
        return format!("{}e{exponent}", trimmed(mantissa, alternate));
    }
    let digits = (precision as i32 - 1 - exponent).max(0) as usize;
    trimmed(&pointed(format!("{value:.digits$}"), alternate), alternate).to_owned()
}

fn trimmed(text: &str, alternate: bool) -> &str {
    if alternate || !text.contains('.') { text } else { text.trim_end_matches('0').trim_end_matches('.') }
}

/// As `%a`.
fn hexadecimal(value: f64, precision: Option<usize>, alternate: bool) -> String {
    let bits = value.to_bits();
    let exponent = ((bits >> 52) & 0x7ff) as i32;
    let mut fraction = bits & ((1 << 52) - 1);
    let (mut lead, exponent) = match (exponent, fraction) {
        (0, 0) => (0, 0),
        (0, _) => (0, -1022),
        _ => (1, exponent - 1023),
    };
    if let Some(digits) = precision.filter(|p| *p < 13) {
        let drop = 52 - 4 * digits as u32;
        let (half, rest) = (1u64 << (drop - 1), fraction & ((1 << drop) - 1));
        let mut kept = (lead << (52 - drop)) | (fraction >> drop);
        kept += u64::from(rest > half || (rest == half && kept & 1 == 1));
        lead = kept >> (52 - drop);
        fraction = (kept & ((1 << (52 - drop)) - 1)) << drop;
    }
    let digits = format!("{fraction:013x}");
    let digits = match precision {
        Some(p) => format!("{:0<1$}", &digits[..p.min(13)], p),
        None => digits.trim_end_matches('0').to_owned(),
    };
    let point = if digits.is_empty() && !alternate { "" } else { "." };
    format!("0x{lead}{point}{digits}p{exponent:+}")
}

/// With padding to the width; zeros go between prefix and digits.
fn padded(spec: Conversion, prefix: &str, digits: &[u8], zeros_allowed: bool) -> Vec<u8> {
    let fill = spec.width.saturating_sub(prefix.len() + digits.len());
    let zeros = spec.zero && !spec.left && zeros_allowed;
    let part = |byte: u8, there: bool| std::iter::repeat_n(byte, if there { fill } else { 0 });
    let mut out: Vec<u8> = part(b' ', !spec.left && !zeros).collect();
    out.extend(prefix.as_bytes());
    // Before the digits, but behind the `0x` of `%a`.
    let lead = if zeros && digits.get(..2).is_some_and(|d| d.eq_ignore_ascii_case(b"0x")) { 2 } else { 0 };
    out.extend(&digits[..lead]);
    out.extend(part(b'0', zeros));
    out.extend(&digits[lead..]);
    out.extend(part(b' ', spec.left));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the host's `printf` makes of each conversion and number, a line each.
    fn native(lines: &[(String, String)]) -> String {
        let script: String = lines.iter().map(|(format, word)| format!("printf '{format}\\n' '{word}'\n")).collect();
        let out = std::process::Command::new("bash").args(["-c", &script]).env("LC_ALL", "C").output();
        String::from_utf8(out.expect("there is a shell").stdout).expect("text")
    }

    fn specs() -> Vec<(String, Conversion)> {
        let mut all = Vec::new();
        for flags in 0..32u32 {
            for (width, precision) in [(0, None), (9, None), (0, Some(0)), (0, Some(3)), (12, Some(1)), (3, Some(20))] {
                let flag = |i: u32| flags & (1 << i) != 0;
                let text: String =
                    (0..5).filter(|i| flag(*i)).map(|i| "-+ #0".as_bytes()[i as usize] as char).collect();
                let width_text = if width == 0 { String::new() } else { width.to_string() };
                let precision_text = precision.map_or(String::new(), |p: usize| format!(".{p}"));
                let spec = Conversion {
                    left: flag(0),
                    plus: flag(1),
                    space: flag(2),
                    alternate: flag(3),
                    zero: flag(4),
                    width,
                    precision,
                };
                all.push((format!("{text}{width_text}{precision_text}"), spec));
            }
        }
        all
    }

    fn compare(conversions: &[u8], word: &str, show: &dyn Fn(Conversion, u8) -> Vec<u8>) {
        let (mut asked, mut made) = (Vec::new(), String::new());
        for (text, spec) in specs() {
            for conversion in conversions {
                asked.push((format!("%{text}{}", *conversion as char), word.to_owned()));
                made += &format!("{}\n", String::from_utf8(show(spec, *conversion)).expect("text"));
            }
        }
        let native = native(&asked);
        for (((format, word), ours), theirs) in asked.iter().zip(made.lines()).zip(native.lines()) {
            assert_eq!(ours, theirs, "{format} of {word}");
        }
        assert_eq!(made.lines().count(), native.lines().count());
    }

    #[test]
    fn integers_look_as_in_c() {
        for value in [0i64, 7, 8, -1, i64::MAX, i64::MIN] {
            compare(b"duxXo", &value.to_string(), &|spec, conversion| integer(spec, conversion, value as u64));
        }
    }

    #[test]
    fn floats_look_as_in_c() {
        // Numbers that a shell, which calculates with `long double`, reads as they are.
        for (value, word) in [
            (0.0, "0"),
            (-1.5, "-1.5"),
            (2.5, "2.5"),
            (12_345.678_710_937_5, "12345.6787109375"),
            (1_048_576.0, "1048576"),
            (0.000_030_517_578_125, "0.000030517578125"),
            (f64::INFINITY, "inf"),
            (f64::MAX, "0x1.fffffffffffffp1023"),
            (f64::from_bits(1), "0x1p-1074"),
        ] {
            compare(b"feEgG", word, &|spec, conversion| float(spec, conversion, value));
        }
    }

    #[test]
    fn hexadecimal_floats_look_as_in_c() {
        let show = |precision, alternate, value| {
            String::from_utf8(float(Conversion { precision, alternate, ..Conversion::default() }, b'a', value))
                .expect("text")
        };
        assert_eq!(show(None, false, 1.0), "0x1p+0");
        assert_eq!(show(None, true, -1.0), "-0x1.p+0");
        assert_eq!(show(None, false, 0.1), "0x1.999999999999ap-4");
        assert_eq!(show(Some(1), false, 1.97), "0x2.0p+0");
        assert_eq!(float(Conversion { zero: true, width: 9, ..Conversion::default() }, b'A', 1.0), b"0X0001P+0");
    }
}
