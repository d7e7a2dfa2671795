//! The output half of `stdio.h`. What is written is kept with the path (standard output and error together).
//!
//! Output does not constrain the path: a symbolic value is shown as the witness has it. Where the text goes back into the
//! program (`sprintf`, or a `printf` whose result is used), values are made concrete by splitting the path.

use std::rc::Rc;

use taw_engine::{Argument, Cx, ModelDef, Stop, Value};
use taw_expr::FloatFormat;

use crate::format::{Arguments, Want, format};

/// Rows of this header.
pub(super) const MODELS: &[ModelDef] = &[
    ModelDef { name: "printf", call: |cx, args| print(cx, args[0], Source::Direct(&args[1..])) },
    ModelDef { name: "vprintf", call: |cx, args| print(cx, args[0], Source::List(args[1].value)) },
    ModelDef { name: "fprintf", call: |cx, args| print(cx, args[1], Source::Direct(&args[2..])) },
    ModelDef { name: "vfprintf", call: |cx, args| print(cx, args[1], Source::List(args[2].value)) },
    ModelDef { name: "__printf_chk", call: |cx, args| print(cx, args[1], Source::Direct(&args[2..])) },
    ModelDef { name: "__fprintf_chk", call: |cx, args| print(cx, args[2], Source::Direct(&args[3..])) },
    ModelDef { name: "dprintf", call: |cx, args| print(cx, args[1], Source::Direct(&args[2..])) },
    ModelDef { name: "sprintf", call: |cx, args| into(cx, args[0], None, args[1], Source::Direct(&args[2..])) },
    ModelDef { name: "vsprintf", call: |cx, args| into(cx, args[0], None, args[1], Source::List(args[2].value)) },
    ModelDef {
        name: "snprintf",
        call: |cx, args| into(cx, args[0], Some(args[1]), args[2], Source::Direct(&args[3..])),
    },
    ModelDef {
        name: "vsnprintf",
        call: |cx, args| into(cx, args[0], Some(args[1]), args[2], Source::List(args[3].value)),
    },
    ModelDef { name: "puts", call: puts },
    ModelDef { name: "fputs", call: |cx, args| put_text(cx, args[0].value) },
    ModelDef { name: "fputs_unlocked", call: |cx, args| put_text(cx, args[0].value) },
    ModelDef { name: "putchar", call: |cx, args| put_byte(cx, args[0]) },
    ModelDef { name: "fputc", call: |cx, args| put_byte(cx, args[0]) },
    ModelDef { name: "putc", call: |cx, args| put_byte(cx, args[0]) },
    ModelDef { name: "fwrite", call: write },
    ModelDef { name: "fflush", call: |_, _| Ok(Value::word(0)) },
];

/// Where variadic arguments are.
enum Source<'a> {
    Direct(&'a [Argument]),
    List(Value),
}

/// Whether symbolic arguments may be shown as the witness has them.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Show {
    Witness,
    Concrete,
}

struct Reader<'c, 'a, 'p, 's> {
    cx: &'c mut Cx<'a, 'p>,
    source: Source<'s>,
    show: Show,
}

impl Reader<'_, '_, '_, '_> {
    fn word(&mut self, value: Value, width: u32) -> u64 {
        match (value.as_term(), self.show) {
            (None, _) => value.as_word().unwrap_or_default(),
            (Some(t), Show::Witness) => self.cx.witness_word(t),
            (Some(_), Show::Concrete) => self.cx.concretise(value, width),
        }
    }

    /// The next argument of a `va_list`, from the area that `va_start` filled.
    fn next_of_list(&mut self, list: Value, width: u32) -> Result<Value, Stop> {
        let bits = self.cx.engine.program.layout.pointer_bits;
        let list = self.cx.concretise(list, bits);
        let field = Value::word(if bits == 64 { list + 8 } else { list });
        let area = self.cx.load(field, bits)?;
        let area = self.cx.concretise(area, bits);
        let slot = u64::from(bits / 8);
        let (size, align) = match width {
            80 if bits == 64 => (16, 16),
            80 => (12, 4),
            _ => (u64::from(width / 8).max(slot), slot),
        };
        let at = area.next_multiple_of(align);
        let value = self.cx.load(Value::word(at), width)?;
        self.cx.store(field, Value::word(at + size), bits)?;
        Ok(value)
    }
}

impl Arguments for Reader<'_, '_, '_, '_> {
    type Error = Stop;

    fn next(&mut self, want: Want) -> Result<u64, Stop> {
        let bits = self.cx.engine.program.layout.pointer_bits;
        let width = match want {
            Want::Int(w) => w.max(32),
            Want::Double => 64,
            Want::LongDouble => 80,
            Want::Pointer | Want::Text => bits,
        };
        let (value, width) = match &mut self.source {
            Source::Direct(args) => {
                let Some((first, rest)) = args.split_first() else { return Ok(0) };
                *args = rest;
                (first.value, first.width)
            }
            Source::List(list) => {
                let list = *list;
                (self.next_of_list(list, width)?, width)
            }
        };
        if want == Want::LongDouble {
            let t = value.to_term(self.cx.terms(), 80);
            let t = self.cx.terms().float_to_float(FloatFormat::F80, FloatFormat::F64, t);
            let value = self.cx.value(t);
            return Ok(self.word(value, 64));
        }
        Ok(self.word(value, width))
    }

    fn text(&mut self, address: u64, limit: Option<usize>) -> Result<Vec<u8>, Stop> {
        let mut bytes = Vec::new();
        while limit.is_none_or(|limit| bytes.len() < limit) {
            let byte = self.cx.load(Value::word(address + bytes.len() as u64), 8)?;
            match self.word(byte, 8) as u8 {
                0 => break,
                byte => bytes.push(byte),
            }
        }
        Ok(bytes)
    }

    fn store_count(&mut self, address: u64, count: usize) -> Result<(), Stop> {
        self.cx.store(Value::word(address), Value::word(count as u64), 32)
    }
}

fn text_of(cx: &mut Cx<'_, '_>, template: Argument, source: Source<'_>, show: Show) -> Result<Vec<u8>, Stop> {
    let template = cx.read_bytes_until_zero(template.value)?;
    let long = cx.engine.program.layout.pointer_bits;
    format(&template, &mut Reader { cx, source, show }, long)
}

fn print(cx: &mut Cx<'_, '_>, template: Argument, source: Source<'_>) -> Result<Value, Stop> {
    let show = if cx.result_is_used() { Show::Concrete } else { Show::Witness };
    let text = text_of(cx, template, source, show)?;
    Ok(emit(cx, &text))
}

/// Writes to the path's output; the number of bytes.
fn emit(cx: &mut Cx<'_, '_>, text: &[u8]) -> Value {
    Rc::make_mut(&mut cx.state.output).extend(text);
    Value::word(text.len() as u64)
}

/// `sprintf` and `snprintf`: the text goes to memory, cut to the size if there is one.
fn into(
    cx: &mut Cx<'_, '_>,
    buffer: Argument,
    size: Option<Argument>,
    template: Argument,
    source: Source<'_>,
) -> Result<Value, Stop> {
    let room = size.map(|s| cx.concretise(s.value, s.width));
    let address = cx.concretise(buffer.value, buffer.width);
    let text = text_of(cx, template, source, Show::Concrete)?;
    let length = text.len();
    let kept = match room {
        Some(0) => return Ok(Value::word(length as u64)),
        Some(room) => length.min(room as usize - 1),
        None => length,
    };
    for (i, byte) in text[..kept].iter().chain(&[0]).enumerate() {
        cx.store(Value::word(address + i as u64), Value::word(u64::from(*byte)), 8)?;
    }
    Ok(Value::word(length as u64))
}

fn put_text(cx: &mut Cx<'_, '_>, text: Value) -> Result<Value, Stop> {
    let text = cx.read_bytes_until_zero(text)?;
    emit(cx, &text);
    Ok(Value::word(1))
}

/// `int puts(const char *text)`
fn puts(cx: &mut Cx<'_, '_>, args: &[Argument]) -> Result<Value, Stop> {
    let result = put_text(cx, args[0].value)?;
    emit(cx, b"\n");
    Ok(result)
}

/// `int putchar(int byte)`: returns the byte.
fn put_byte(cx: &mut Cx<'_, '_>, arg: Argument) -> Result<Value, Stop> {
    let word = match arg.value.as_term() {
        None => arg.value.as_word().unwrap_or_default(),
        Some(t) => cx.witness_word(t),
    };
    emit(cx, &[word as u8]);
    let t = arg.value.to_term(cx.terms(), arg.width);
    let t = cx.terms().extract(t, 0, 8);
    let t = cx.terms().zext(t, 32);
    Ok(cx.value(t))
}

/// `size_t fwrite(const void *data, size_t size, size_t n, FILE *file)`
fn write(cx: &mut Cx<'_, '_>, args: &[Argument]) -> Result<Value, Stop> {
    let (size, count) = (cx.concretise(args[1].value, args[1].width), cx.concretise(args[2].value, args[2].width));
    let address = cx.concretise(args[0].value, args[0].width);
    let mut bytes = Vec::new();
    for i in 0..size.saturating_mul(count) {
        let byte = cx.load(Value::word(address + i), 8)?;
        bytes.push(match byte.as_term() {
            None => byte.as_word().unwrap_or_default() as u8,
            Some(t) => cx.witness_word(t) as u8,
        });
    }
    emit(cx, &bytes);
    Ok(Value::word(count))
}
