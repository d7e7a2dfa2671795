//! Printing numbers that depend on inputs: their text is made when the path is over, because every digit would be a path.
//!
//! Boundary: the C library (`runtime/musl/print.c`) reads the format and its arguments, decides all else on the path, and asks here for
//! one number at a time. Invariant: nothing is late whose length the program can come to know.

use std::rc::Rc;

use taw_engine::{Cx, HoldsTerms, LateOutput, ModelArgument, ModelDef, Status, Stop, Stream, Value, Witness, Writer};
use taw_expr::{FloatFormat, Marks, Term, Terms};

use crate::kernel::Kernel;
use crate::kernel::inode::InodeKind;
use crate::number::{Conversion, float, integer};

/// Rows of this file.
pub(super) const MODELS: &[ModelDef] = &[
    ModelDef::new("taw_prints_late", "i ip", prints_late),
    ModelDef::new("taw_late_integer", "i wiiiil", late_integer),
    ModelDef::new("taw_late_float", "i wiiiiei", late_float),
    ModelDef::new("taw_stream_writes", "v pi", stream_writes),
];

/// `int taw_prints_late(int fd, const char *format)`: whether the text leaves the process, and nobody learns its length: the result
/// is not used, and `%n` is not in the format.
fn prints_late(cx: &mut Cx<'_, '_>, args: &[ModelArgument]) -> Result<Value, Stop> {
    let late = console(cx, args[0]).is_some() && !cx.users_result_is_used();
    let late = late && known_text(cx, args[1].value).is_some_and(|format| !counts(&format));
    Ok(Value::word(u64::from(late)))
}

/// The stream that a file descriptor is, unless it has been made another file.
fn console(cx: &Cx<'_, '_>, fd: ModelArgument) -> Option<Stream> {
    let kernel = cx.state.surroundings.get::<Kernel>()?;
    match kernel.inode_of(i32::try_from(fd.value.as_word()?).ok()?).ok()?.kind {
        InodeKind::Stream(stream) => Some(stream),
        _ => None,
    }
}

/// A string that does not depend on inputs and can be read.
fn known_text(cx: &mut Cx<'_, '_>, address: Value) -> Option<Vec<u8>> {
    let mut address = address.as_word()?;
    let mut text = Vec::new();
    loop {
        let object = cx.state.memory.object(address).filter(|object| object.status == Status::Live)?;
        let at = address.checked_sub(object.base).filter(|at| *at < object.size)?;
        match object.concrete_bytes(at as usize, 1)?.first() {
            Some(0) | None => return Some(text),
            Some(byte) => text.push(*byte),
        }
        address += 1;
    }
}

/// Whether a format has `%n`.
fn counts(mut rest: &[u8]) -> bool {
    while let Some(at) = rest.iter().position(|b| *b == b'%') {
        rest = &rest[at + 1..];
        let Some(end) = rest.iter().position(|b| !b"0123456789 #+-'.*$hlLqjzt".contains(b)) else { break };
        if rest[end] == b'n' {
            return true;
        }
        rest = &rest[end + 1..];
    }
    false
}

/// The largest width and precision of a late number.
const WIDEST: i32 = 1000;

/// Flags, width and precision as musl has them.
fn spec(args: &[ModelArgument]) -> Option<Conversion> {
    let word = |i: usize| args.get(i).and_then(|arg: &ModelArgument| arg.value.as_word());
    let flags = word(2)? as u32;
    let flag = |c: u8| flags & (1 << (c - b' ')) != 0;
    let (width, precision) = (word(3)? as u32 as i32, word(4)? as u32 as i32);
    if !(0..=WIDEST).contains(&width) || precision > WIDEST {
        return None;
    }
    Some(Conversion {
        left: flag(b'-'),
        plus: flag(b'+'),
        space: flag(b' '),
        alternate: flag(b'#'),
        zero: flag(b'0'),
        width: width as usize,
        precision: usize::try_from(precision).ok(),
    })
}

/// A number to be printed.
#[derive(Debug)]
struct Late {
    spec: Conversion,
    conversion: u8,
    number: Number,
}

#[derive(Debug)]
enum Number {
    Integer(Term),
    Float {
        /// As a `double`.
        double: Term,
        /// Whether that is the same number.
        exact: Term,
        /// Whether it is a `long double`.
        is_long: bool,
    },
}

impl HoldsTerms for Late {
    fn mark(&self, marks: &mut Marks) {
        match self.number {
            Number::Integer(value) => value.mark(marks),
            Number::Float { double, exact, is_long: _ } => {
                double.mark(marks);
                exact.mark(marks);
            }
        }
    }
}

impl LateOutput for Late {
    fn bytes(&self, terms: &Terms, witness: &mut Witness) -> Option<Vec<u8>> {
        match self.number {
            Number::Integer(value) => Some(integer(self.spec, self.conversion, witness.word(terms, value))),
            Number::Float { double, exact, is_long } => {
                let real = f64::from_bits(witness.word(terms, double));
                if !real.is_nan() && !witness.holds(terms, exact) {
                    return None;
                }
                // C leaves open how the digits of `%a` are cut where the leading one is not 1.
                let hexadecimal = self.conversion.eq_ignore_ascii_case(&b'a');
                let open = hexadecimal && (is_long || real.is_subnormal());
                (!open).then(|| float(self.spec, self.conversion, real))
            }
        }
    }
}

/// Stores what stands in for a text of at most so many bytes.
fn keep_room(cx: &mut Cx<'_, '_>, at: ModelArgument, room: usize, late: Late) -> Result<Value, Stop> {
    let Some(address) = at.value.as_word() else { return Ok(Value::word(0)) };
    let (text, nothing) = (cx.stand_in(Rc::new(late)), cx.stand_in_for_nothing());
    cx.store(Value::word(address), text, 8)?;
    cx.store(Value::word(address + 1), nothing, 8)?;
    Ok(Value::word(room as u64))
}

/// `int taw_late_integer(unsigned char stand_in[2], int conversion, unsigned flags, int width, int precision, uintmax_t value)`
fn late_integer(cx: &mut Cx<'_, '_>, args: &[ModelArgument]) -> Result<Value, Stop> {
    // 64 bits have 22 octal digits; two bytes of prefix.
    const MOST: usize = 24;
    let (conversion, value) = (args[1].value.as_word(), args[5].value.as_term());
    let (Some(conversion), Some(spec), Some(value)) = (conversion, spec(args), value) else {
        return Ok(Value::word(0));
    };
    let room = spec.width.max(MOST).max(spec.precision.unwrap_or(0) + 2);
    keep_room(cx, args[0], room, Late { spec, conversion: conversion as u8, number: Number::Integer(value) })
}

/// `int taw_late_float(unsigned char stand_in[2], int conversion, unsigned flags, int width, int precision, long double value,
/// int is_long)`: what no `double` is has no text, and so the path no output.
fn late_float(cx: &mut Cx<'_, '_>, args: &[ModelArgument]) -> Result<Value, Stop> {
    // Wider than a word, a constant is a term.
    let value = args[5].value.as_term().filter(|t| cx.terms().as_const(*t).is_none());
    let (Some(conversion), Some(spec), Some(value)) = (args[1].value.as_word(), spec(args), value) else {
        return Ok(Value::word(0));
    };
    let (conversion, is_long) = (conversion as u8, args[6].value != Value::word(0));
    // Digits before the point of the largest number, the sign, the point, an exponent.
    let whole = if is_long { 4933 } else { 309 };
    let room = spec.width.max(whole + 10 + spec.precision.unwrap_or(13));
    let (double, exact) = as_double(cx, value);
    keep_room(cx, args[0], room, Late { spec, conversion, number: Number::Float { double, exact, is_long } })
}

/// A `long double` as a `double`, and whether that is the same number.
fn as_double(cx: &mut Cx<'_, '_>, value: Term) -> (Term, Term) {
    let terms = cx.terms();
    let double = terms.float_to_float(FloatFormat::F80, FloatFormat::F64, value);
    let back = terms.float_to_float(FloatFormat::F64, FloatFormat::F80, double);
    (double, terms.eq(back, value))
}

/// `void taw_stream_writes(FILE *f, int spills)`
fn stream_writes(cx: &mut Cx<'_, '_>, args: &[ModelArgument]) -> Result<Value, Stop> {
    let file = args[0].value.as_word().unwrap_or_default();
    let writer = match args[1].value.as_word() {
        _ if file == 0 => None,
        Some(0) => Some(Writer::Flush(file)),
        _ => Some(Writer::Spill(file)),
    };
    cx.state.output.announce(writer);
    Ok(Value::word(0))
}

#[cfg(test)]
mod tests {
    use super::counts;

    #[test]
    fn a_format_that_counts_is_seen() {
        for counting in ["%n", "a%d%-3hhn", "%%%n", "%1$n", "%*.*ln"] {
            assert!(counts(counting.as_bytes()), "{counting}");
        }
        for other in ["", "n", "%dn", "100%", "%%n", "% 5dn"] {
            assert!(!counts(other.as_bytes()), "{other}");
        }
    }
}
