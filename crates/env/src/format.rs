//! `printf`'s formatting language, on concrete values.
//!
//! Boundary: text in, text out; where arguments come from is `stdio`'s. Not done: positional arguments (`%1$d`), wide
//! characters, and `long double` beyond the precision of `double`.

/// An argument as a conversion wants it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Want {
    /// An integer of so many bits.
    Int(u32),
    /// A `double`.
    Double,
    /// A `long double`.
    LongDouble,
    /// A pointer.
    Pointer,
    /// A pointer to a string.
    Text,
}

/// Where arguments come from. Integers are sign- or zero-extended as they lie in memory; the formatter reduces them.
pub(crate) trait Arguments {
    /// What goes wrong when an argument cannot be had.
    type Error;
    /// The next integer, pointer or float (as the bits of a `double`).
    fn next(&mut self, want: Want) -> Result<u64, Self::Error>;
    /// The string at an address, at most `limit` bytes of it.
    fn text(&mut self, address: u64, limit: Option<usize>) -> Result<Vec<u8>, Self::Error>;
    /// `%n`: stores the count so far.
    fn store_count(&mut self, address: u64, count: usize) -> Result<(), Self::Error>;
}

#[derive(Clone, Copy, Default)]
struct Spec {
    left: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    zero: bool,
    width: usize,
    precision: Option<usize>,
    /// Bits of an integer argument; 0 for `long double`'s `L`.
    size: u32,
    long_double: bool,
}

/// Formats.
pub(crate) fn format<A: Arguments>(template: &[u8], args: &mut A, long: u32) -> Result<Vec<u8>, A::Error> {
    let mut out = Vec::new();
    let mut rest = template;
    while let Some((&byte, tail)) = rest.split_first() {
        rest = tail;
        if byte != b'%' {
            out.push(byte);
            continue;
        }
        let (spec, conversion) = parse(&mut rest, args, long)?;
        convert(&mut out, spec, conversion, args)?;
    }
    Ok(out)
}

fn parse<A: Arguments>(rest: &mut &[u8], args: &mut A, long: u32) -> Result<(Spec, u8), A::Error> {
    let mut spec = Spec { size: 32, ..Spec::default() };
    while let Some(&flag) = rest.first() {
        match flag {
            b'-' => spec.left = true,
            b'+' => spec.plus = true,
            b' ' => spec.space = true,
            b'#' => spec.alternate = true,
            b'0' => spec.zero = true,
            b'\'' => {}
            _ => break,
        }
        *rest = &rest[1..];
    }
    if let Some(width) = number(rest, args)? {
        spec.left |= width < 0;
        spec.width = width.unsigned_abs() as usize;
    }
    if rest.first() == Some(&b'.') {
        *rest = &rest[1..];
        let precision = number(rest, args)?.unwrap_or(0);
        spec.precision = usize::try_from(precision).ok();
    }
    while let Some(&modifier) = rest.first() {
        match modifier {
            b'h' => spec.size = if spec.size == 16 { 8 } else { 16 },
            b'l' => spec.size = long,
            b'q' | b'j' => spec.size = 64,
            b'z' | b't' => spec.size = long,
            b'L' => spec.long_double = true,
            _ => break,
        }
        if modifier == b'l' && rest.get(1) == Some(&b'l') {
            spec.size = 64;
            *rest = &rest[1..];
        }
        *rest = &rest[1..];
    }
    let conversion = rest.first().copied().unwrap_or(b'%');
    *rest = rest.get(1..).unwrap_or_default();
    Ok((spec, conversion))
}

/// A number written out, or `*` for an argument.
fn number<A: Arguments>(rest: &mut &[u8], args: &mut A) -> Result<Option<i64>, A::Error> {
    if rest.first() == Some(&b'*') {
        *rest = &rest[1..];
        return args.next(Want::Int(32)).map(|n| Some(i64::from(n as u32 as i32)));
    }
    let mut value = None;
    while let Some(digit) = rest.first().filter(|b| b.is_ascii_digit()) {
        value = Some(value.unwrap_or(0) * 10 + i64::from(digit - b'0'));
        *rest = &rest[1..];
    }
    Ok(value)
}

fn convert<A: Arguments>(out: &mut Vec<u8>, spec: Spec, conversion: u8, args: &mut A) -> Result<(), A::Error> {
    match conversion {
        b'%' => out.push(b'%'),
        b'c' => {
            let byte = args.next(Want::Int(32))? as u8;
            pad(out, spec, "", &[byte], false);
        }
        b's' => {
            let address = args.next(Want::Text)?;
            let text = if address == 0 { b"(null)".to_vec() } else { args.text(address, spec.precision)? };
            let shown = &text[..text.len().min(spec.precision.unwrap_or(usize::MAX))];
            pad(out, spec, "", shown, false);
        }
        b'p' => match args.next(Want::Pointer)? {
            0 => pad(out, spec, "", b"(nil)", false),
            address => pad(out, spec, "0x", format!("{address:x}").as_bytes(), false),
        },
        b'n' => {
            let address = args.next(Want::Pointer)?;
            args.store_count(address, out.len())?;
        }
        b'd' | b'i' | b'u' | b'x' | b'X' | b'o' | b'b' => {
            let word = args.next(Want::Int(spec.size))?;
            integer(out, spec, conversion, word);
        }
        b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => {
            let want = if spec.long_double { Want::LongDouble } else { Want::Double };
            let value = f64::from_bits(args.next(want)?);
            float(out, spec, conversion, value);
        }
        other => out.extend([b'%', other]),
    }
    Ok(())
}

fn sign(spec: Spec, negative: bool) -> &'static str {
    match (negative, spec.plus, spec.space) {
        (true, ..) => "-",
        (_, true, _) => "+",
        (_, _, true) => " ",
        _ => "",
    }
}

fn integer(out: &mut Vec<u8>, spec: Spec, conversion: u8, word: u64) {
    let word = word & taw_engine::mask(spec.size);
    let (prefix, mut digits) = match conversion {
        b'd' | b'i' => {
            let value = taw_engine::signed(word, spec.size);
            (sign(spec, value < 0), value.unsigned_abs().to_string())
        }
        b'u' => ("", word.to_string()),
        b'x' => (if spec.alternate && word != 0 { "0x" } else { "" }, format!("{word:x}")),
        b'X' => (if spec.alternate && word != 0 { "0X" } else { "" }, format!("{word:X}")),
        b'b' => (if spec.alternate && word != 0 { "0b" } else { "" }, format!("{word:b}")),
        _ => (if spec.alternate && word != 0 { "0" } else { "" }, format!("{word:o}")),
    };
    if let Some(precision) = spec.precision {
        if precision == 0 && word == 0 {
            digits.clear();
        }
        digits.insert_str(0, &"0".repeat(precision.saturating_sub(digits.len())));
    }
    pad(out, spec, prefix, digits.as_bytes(), spec.precision.is_none());
}

fn float(out: &mut Vec<u8>, spec: Spec, conversion: u8, value: f64) {
    let upper = conversion.is_ascii_uppercase();
    let magnitude = value.abs();
    let precision = spec.precision.unwrap_or(6);
    let text = if value.is_nan() {
        "nan".to_owned()
    } else if value.is_infinite() {
        "inf".to_owned()
    } else {
        match conversion.to_ascii_lowercase() {
            b'f' => format!("{magnitude:.precision$}") + if spec.alternate && precision == 0 { "." } else { "" },
            b'e' => exponential(magnitude, precision),
            b'g' => general(magnitude, precision.max(1), spec.alternate),
            _ => hexadecimal(magnitude, spec.precision),
        }
    };
    let text = if upper { text.to_uppercase() } else { text };
    pad(out, spec, sign(spec, value.is_sign_negative()), text.as_bytes(), value.is_finite());
}

/// As `%e`: the exponent has at least two digits.
fn exponential(value: f64, precision: usize) -> String {
    let text = format!("{value:.precision$e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let (sign, digits) = exponent.strip_prefix('-').map_or(('+', exponent), |digits| ('-', digits));
    format!("{mantissa}e{sign}{digits:0>2}")
}

/// As `%g`: the shorter of the two, without trailing zeros.
fn general(value: f64, precision: usize, alternate: bool) -> String {
    let text = format!("{value:.*e}", precision - 1);
    let exponent: i32 = text.split_once('e').and_then(|(_, e)| e.parse().ok()).unwrap_or(0);
    if exponent < -4 || exponent >= precision as i32 {
        let text = exponential(value, precision - 1);
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "+00"));
        return format!("{}e{exponent}", trimmed(mantissa, alternate));
    }
    let digits = (precision as i32 - 1 - exponent).max(0) as usize;
    trimmed(&format!("{value:.digits$}"), alternate).to_owned()
}

fn trimmed(text: &str, alternate: bool) -> &str {
    if alternate || !text.contains('.') { text } else { text.trim_end_matches('0').trim_end_matches('.') }
}

/// As `%a`.
fn hexadecimal(value: f64, precision: Option<usize>) -> String {
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
    let point = if digits.is_empty() { "" } else { "." };
    format!("0x{lead}{point}{digits}p{exponent:+}")
}

/// Writes with padding to the width; zeros go between prefix and digits.
fn pad(out: &mut Vec<u8>, spec: Spec, prefix: &str, body: &[u8], zeros_allowed: bool) {
    let fill = spec.width.saturating_sub(prefix.len() + body.len());
    let zeros = spec.zero && !spec.left && zeros_allowed;
    if !spec.left && !zeros {
        out.extend(std::iter::repeat_n(b' ', fill));
    }
    out.extend(prefix.as_bytes());
    if zeros {
        out.extend(std::iter::repeat_n(b'0', fill));
    }
    out.extend(body);
    if spec.left {
        out.extend(std::iter::repeat_n(b' ', fill));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Words<'a>(std::slice::Iter<'a, u64>);

    impl Arguments for Words<'_> {
        type Error = ();
        fn next(&mut self, _: Want) -> Result<u64, ()> {
            self.0.next().copied().ok_or(())
        }
        fn text(&mut self, _: u64, _: Option<usize>) -> Result<Vec<u8>, ()> {
            Ok(b"text".to_vec())
        }
        fn store_count(&mut self, _: u64, _: usize) -> Result<(), ()> {
            Ok(())
        }
    }

    fn show(template: &str, args: &[u64]) -> String {
        let mut words = Words(args.iter());
        String::from_utf8(format(template.as_bytes(), &mut words, 64).expect("enough arguments")).expect("text")
    }

    #[test]
    fn integers_look_as_in_c() {
        assert_eq!(show("%d|%5d|%-5d|%05d|%+d|% d", &[1, 2, 3, 4, 5, 6]), "1|    2|3    |00004|+5| 6");
        assert_eq!(show("%d %u %ld", &[u64::MAX, u64::MAX, u64::MAX]), "-1 4294967295 -1");
        assert_eq!(show("%#x %#o %.3d %hhd", &[255, 8, 7, 0x1ff]), "0xff 010 007 -1");
        assert_eq!(show("%lld %zu %*d", &[5, 6, 4, 7]), "5 6    7");
        assert_eq!(show("%c%s%.2s%%%5s", &[65, 1, 1, 1]), "Atextte% text");
        assert_eq!(show("%p %p", &[0, 255]), "(nil) 0xff");
    }

    #[test]
    fn floats_look_as_in_c() {
        let f = |x: f64| x.to_bits();
        assert_eq!(show("%f %.2f %10.3f|", &[f(1.5), f(2.345), f(-1.0)]), "1.500000 2.35     -1.000|");
        assert_eq!(show("%e %.0e %E", &[f(12345.678), f(5e-7), f(0.0)]), "1.234568e+04 5e-07 0.000000E+00");
        assert_eq!(show("%g %g %g %g", &[f(100000.0), f(1e6), f(0.0001), f(0.5)]), "100000 1e+06 0.0001 0.5");
        assert_eq!(show("%f %F %g", &[f(f64::INFINITY), f(f64::NAN), f(-0.0)]), "inf NAN -0");
        assert_eq!(show("%a %a %.1a", &[f(1.0), f(0.1), f(1.97)]), "0x1p+0 0x1.999999999999ap-4 0x2.0p+0");
    }
}
