//! Conditions on the inputs of a test: `x == 4 && s[1] != 0`, in C's syntax, over unbounded integers.
//!
//! A name is an input; `name[i]` is byte `i` of one. Division truncates as in C. Wide enough (128 bits) that no
//! condition on 64-bit inputs wraps unnoticed: overflow is an error.

use crate::taw::JsonInput;

/// Whether `condition` holds for `inputs`.
///
/// # Errors
/// If the condition is malformed, names no input, or divides by zero.
pub fn holds(condition: &str, inputs: &[JsonInput]) -> Result<bool, String> {
    let tokens = tokens(condition)?;
    let mut parser = Parser { tokens: &tokens, inputs };
    let value = parser.binary(0)?;
    match parser.tokens {
        [] => Ok(value != 0),
        [stray, ..] => Err(format!("`{stray}` is too much in `{condition}`")),
    }
}

/// Binary operators, loosest first; each row binds tighter than the one before.
const LEVELS: &[&[&str]] = &[
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<", ">", "<=", ">="],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];

fn tokens(text: &str) -> Result<Vec<String>, String> {
    let mut rest = text.trim_start();
    let mut out = Vec::new();
    while let Some(first) = rest.chars().next() {
        let word = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        let length = match first {
            _ if word > 0 => word,
            _ if ["||", "&&", "==", "!=", "<=", ">=", "<<", ">>"].iter().any(|op| rest.starts_with(op)) => 2,
            '|' | '&' | '^' | '<' | '>' | '+' | '-' | '*' | '/' | '%' | '!' | '~' | '(' | ')' | '[' | ']' => 1,
            _ => return Err(format!("`{first}` is not understood in `{text}`")),
        };
        out.push(rest[..length].to_owned());
        rest = rest[length..].trim_start();
    }
    Ok(out)
}

struct Parser<'a> {
    tokens: &'a [String],
    inputs: &'a [JsonInput],
}

impl Parser<'_> {
    fn peek(&self) -> &str {
        self.tokens.first().map_or("", String::as_str)
    }

    fn take(&mut self) -> Result<String, String> {
        let (first, rest) = self.tokens.split_first().ok_or("the condition ends too early")?;
        self.tokens = rest;
        Ok(first.clone())
    }

    fn expect(&mut self, wanted: &str) -> Result<(), String> {
        let found = self.take()?;
        if found == wanted { Ok(()) } else { Err(format!("`{wanted}` expected, `{found}` found")) }
    }

    fn binary(&mut self, level: usize) -> Result<i128, String> {
        let Some(operators) = LEVELS.get(level) else { return self.unary() };
        let mut left = self.binary(level + 1)?;
        while operators.contains(&self.peek()) {
            let operator = self.take()?;
            let right = self.binary(level + 1)?;
            left = apply(&operator, left, right).ok_or_else(|| format!("{left} {operator} {right} has no value"))?;
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<i128, String> {
        let token = self.take()?;
        match token.as_str() {
            "-" => Ok(-self.unary()?),
            "!" => Ok(i128::from(self.unary()? == 0)),
            "~" => Ok(!self.unary()?),
            "(" => {
                let value = self.binary(0)?;
                self.expect(")")?;
                Ok(value)
            }
            word if word.starts_with(|c: char| c.is_ascii_digit()) => number(word),
            word => self.input(word),
        }
    }

    fn input(&mut self, name: &str) -> Result<i128, String> {
        let input = self.inputs.iter().find(|input| input.name == name);
        let input = input.ok_or_else(|| format!("the test has no input `{name}`"))?;
        if self.peek() != "[" {
            return input.integer();
        }
        self.expect("[")?;
        let index = self.binary(0)?;
        self.expect("]")?;
        let byte = usize::try_from(index).ok().and_then(|at| input.bytes().ok()?.get(at).copied());
        byte.map(i128::from).ok_or_else(|| format!("`{name}` has no byte {index}"))
    }
}

fn number(word: &str) -> Result<i128, String> {
    let parsed = match word.strip_prefix("0x") {
        Some(hex) => i128::from_str_radix(hex, 16),
        None => word.parse(),
    };
    parsed.map_err(|_| format!("not a number: {word}"))
}

fn apply(operator: &str, a: i128, b: i128) -> Option<i128> {
    let truth = |value: bool| Some(i128::from(value));
    match operator {
        "||" => truth(a != 0 || b != 0),
        "&&" => truth(a != 0 && b != 0),
        "|" => Some(a | b),
        "^" => Some(a ^ b),
        "&" => Some(a & b),
        "==" => truth(a == b),
        "!=" => truth(a != b),
        "<" => truth(a < b),
        ">" => truth(a > b),
        "<=" => truth(a <= b),
        ">=" => truth(a >= b),
        "<<" => a.checked_shl(u32::try_from(b).ok()?),
        ">>" => a.checked_shr(u32::try_from(b).ok()?),
        "+" => a.checked_add(b),
        "-" => a.checked_sub(b),
        "*" => a.checked_mul(b),
        "/" => a.checked_div(b),
        "%" => a.checked_rem(b),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inputs() -> Vec<JsonInput> {
        let input =
            |name: &str, ty: &str, bytes: &str| JsonInput { name: name.into(), ty: ty.into(), bytes: bytes.into() };
        vec![input("x", "int", "feffffff"), input("u", "unsigned char", "ff"), input("s", "bytes", "610062")]
    }

    #[test]
    fn conditions_follow_c() {
        for yes in [
            "x == -2",
            "u == 255",
            "s[0] == 97 && s[1] == 0",
            "1 + 2 * 3 == 7",
            "!(x > 0) || u < 3",
            "x * 2654435761 % 4294967296 != 0",
            "0xff == u",
            "1 << 4 == 16",
        ] {
            assert_eq!(holds(yes, &inputs()), Ok(true), "{yes}");
        }
        for no in ["x == 2", "u < 255", "s[2] == 97", "1 - 1"] {
            assert_eq!(holds(no, &inputs()), Ok(false), "{no}");
        }
    }

    #[test]
    fn malformed_conditions_are_errors() {
        for wrong in ["", "x ==", "y == 1", "x == 1 1", "s[9] == 0", "1 / 0", "(x", "x $ 1"] {
            assert!(holds(wrong, &inputs()).is_err(), "{wrong}");
        }
    }
}
