//! The output half of `stdio.h`. What is written is kept with the path (standard output and error together).
//!
//! Output does not constrain the path: what depends on inputs is made into text when the path is over. Where the text goes back into the
//! program (`sprintf`, or a `printf` whose result is used), values are made concrete by splitting the path.

use std::rc::Rc;

use taw_engine::{Argument, Cx, ModelDef, Stop, Stream, Value, Witness};
use taw_expr::{FloatFormat, Terms};
use taw_ir::{FloatTy, Ty};

use crate::format::{Arguments, Want, format};
use crate::kernel::Kernel;
use crate::kernel::inode::InodeKind;

/// What the whole library calls to print what depends on inputs (`runtime/musl/print.c`).
pub(super) const LATE: &[ModelDef] =
    &[ModelDef::new("taw_prints_late", "i ipp", prints_late), ModelDef::new("taw_print_late", "i ipp", print_late)];

/// Rows of this header, for targets without the whole library.
pub(super) const MODELS: &[ModelDef] = &[
    ModelDef::new("printf", "i p.", |cx, args| print(cx, args[0], Source::Direct(&args[1..]))),
    ModelDef::new("vprintf", "i pp", |cx, args| print(cx, args[0], Source::List(args[1].value))),
    ModelDef::new("fprintf", "i pp.", |cx, args| print(cx, args[1], Source::Direct(&args[2..]))),
    ModelDef::new("vfprintf", "i ppp", |cx, args| print(cx, args[1], Source::List(args[2].value))),
    ModelDef::new("__printf_chk", "i ip.", |cx, args| print(cx, args[1], Source::Direct(&args[2..]))),
    ModelDef::new("__fprintf_chk", "i pip.", |cx, args| print(cx, args[2], Source::Direct(&args[3..]))),
    ModelDef::new("dprintf", "i ip.", |cx, args| print(cx, args[1], Source::Direct(&args[2..]))),
    ModelDef::new("sprintf", "i pp.", |cx, args| into(cx, args[0], None, args[1], Source::Direct(&args[2..]))),
    ModelDef::new("vsprintf", "i ppp", |cx, args| into(cx, args[0], None, args[1], Source::List(args[2].value))),
    ModelDef::new("snprintf", "i pzp.", |cx, args| {
        into(cx, args[0], Some(args[1]), args[2], Source::Direct(&args[3..]))
    }),
    ModelDef::new("vsnprintf", "i pzpp", |cx, args| {
        into(cx, args[0], Some(args[1]), args[2], Source::List(args[3].value))
    }),
    ModelDef::new("puts", "i p", puts),
    ModelDef::new("fputs", "i pp", |cx, args| put_text(cx, args[0].value)),
    ModelDef::new("fputs_unlocked", "i pp", |cx, args| put_text(cx, args[0].value)),
    ModelDef::new("putchar", "i i", |cx, args| put_byte(cx, args[0])),
    ModelDef::new("fputc", "i ip", |cx, args| put_byte(cx, args[0])),
    ModelDef::new("putc", "i ip", |cx, args| put_byte(cx, args[0])),
    ModelDef::new("fwrite", "z pzzp", write),
    ModelDef::new("fflush", "i p", |_, _| Ok(Value::word(0))),
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
    /// What was read, to be shown again under another witness.
    read: Vec<Read>,
}

/// An argument as it was read.
#[derive(Clone)]
enum Read {
    Word(Value),
    /// Bytes up to the first that is surely zero.
    Text(Vec<Value>),
}

impl Read {
    fn is_symbolic(&self) -> bool {
        match self {
            Read::Word(value) => value.as_term().is_some(),
            Read::Text(bytes) => bytes.iter().any(|b| b.as_term().is_some()),
        }
    }
}

impl Reader<'_, '_, '_, '_> {
    fn word(&mut self, value: Value, width: u32) -> u64 {
        match (value.as_term(), self.show) {
            (None, _) => value.as_word().unwrap_or_default(),
            (Some(t), Show::Witness) => self.cx.witness_word(t),
            (Some(_), Show::Concrete) => self.cx.concretise(value, width),
        }
    }
}

impl Arguments for Reader<'_, '_, '_, '_> {
    type Error = Stop;

    fn next(&mut self, want: Want) -> Result<u64, Stop> {
        let bits = self.cx.engine.program.layout.pointer_bits;
        let ty = match want {
            Want::Int(w) => Ty::Int(w.max(32)),
            Want::Double => Ty::Float(FloatTy::F64),
            Want::LongDouble => Ty::Float(FloatTy::F80),
            Want::Pointer | Want::Text => Ty::Int(bits),
        };
        let (value, width) = match &mut self.source {
            Source::Direct(args) => {
                let Some((first, rest)) = args.split_first() else { return Ok(0) };
                *args = rest;
                (first.value, first.width)
            }
            Source::List(list) => {
                let list = *list;
                (self.cx.next_variadic(list, ty)?, ty.bits(&self.cx.engine.program.layout))
            }
        };
        let value = if want == Want::LongDouble {
            let t = value.to_term(self.cx.terms(), 80);
            let t = self.cx.terms().float_to_float(FloatFormat::F80, FloatFormat::F64, t);
            self.cx.value(t)
        } else {
            value
        };
        self.read.push(Read::Word(value));
        Ok(self.word(value, width.min(64)))
    }

    fn text(&mut self, address: u64, limit: Option<usize>) -> Result<Vec<u8>, Stop> {
        let bytes = text_at(self.cx, address, limit)?;
        let shown = bytes.iter().map(|b| self.word(*b, 8) as u8).take_while(|b| *b != 0).collect();
        self.read.push(Read::Text(bytes));
        Ok(shown)
    }

    fn store_count(&mut self, address: u64, count: usize) -> Result<(), Stop> {
        self.cx.store(Value::word(address), Value::word(count as u64), 32)
    }
}

/// The bytes of a string: up to one that is surely zero, to the limit, or, where the witness ends it, to the end of its object.
fn text_at(cx: &mut Cx<'_, '_>, address: u64, limit: Option<usize>) -> Result<Vec<Value>, Stop> {
    let mut bytes = Vec::new();
    let mut ended = false;
    while limit.is_none_or(|limit| bytes.len() < limit) {
        let byte = match cx.load(Value::word(address + bytes.len() as u64), 8) {
            Ok(byte) => byte,
            Err(_) if ended => break,
            Err(stop) => return Err(stop),
        };
        if byte == Value::word(0) {
            break;
        }
        ended |= byte.as_term().is_some_and(|t| cx.witness_word(t) == 0);
        bytes.push(byte);
    }
    Ok(bytes)
}

fn evaluated(value: Value, terms: &Terms, witness: &mut Witness) -> u64 {
    match value.as_term() {
        None => value.as_word().unwrap_or_default(),
        Some(t) => witness.word(terms, t),
    }
}

/// Arguments read before, under a witness.
struct Again<'a> {
    read: std::slice::Iter<'a, Read>,
    terms: &'a Terms,
    witness: &'a mut Witness,
}

impl Arguments for Again<'_> {
    type Error = std::convert::Infallible;

    fn next(&mut self, _: Want) -> Result<u64, Self::Error> {
        Ok(match self.read.next() {
            Some(Read::Word(value)) => evaluated(*value, self.terms, self.witness),
            _ => 0,
        })
    }

    fn text(&mut self, _: u64, _: Option<usize>) -> Result<Vec<u8>, Self::Error> {
        let Some(Read::Text(bytes)) = self.read.next() else { return Ok(Vec::new()) };
        let bytes = bytes.iter().map(|b| evaluated(*b, self.terms, self.witness) as u8);
        Ok(bytes.take_while(|b| *b != 0).collect())
    }

    fn store_count(&mut self, _: u64, _: usize) -> Result<(), Self::Error> {
        Ok(())
    }
}

fn text_of(cx: &mut Cx<'_, '_>, template: Argument, source: Source<'_>) -> Result<Vec<u8>, Stop> {
    let template = cx.read_bytes_until_zero(template.value)?;
    let long = cx.engine.program.layout.pointer_bits;
    format(&template, &mut Reader { cx, source, show: Show::Concrete, read: Vec::new() }, long)
}

/// `int taw_prints_late(int fd, const char *format, va_list args)`: whether the text depends on inputs, leaves the process, and
/// its length is of no interest to the program.
fn prints_late(cx: &mut Cx<'_, '_>, args: &[Argument]) -> Result<Value, Stop> {
    if console(cx, args[0]).is_none() || cx.users_result_is_used() {
        return Ok(Value::word(0));
    }
    let template = cx.read_bytes_until_zero(args[1].value)?;
    let long = cx.engine.program.layout.pointer_bits;
    let source = Source::List(args[2].value);
    let mut reader = Reader { cx, source, show: Show::Witness, read: Vec::new() };
    format(&template, &mut reader, long)?;
    Ok(Value::word(u64::from(reader.read.iter().any(Read::is_symbolic))))
}

/// `int taw_print_late(int fd, const char *format, va_list args)`
fn print_late(cx: &mut Cx<'_, '_>, args: &[Argument]) -> Result<Value, Stop> {
    let stream = console(cx, args[0]).unwrap_or(Stream::Out);
    print_to(cx, stream, args[1], Source::List(args[2].value))
}

/// The stream that a file descriptor is, unless it has been made another file.
fn console(cx: &Cx<'_, '_>, fd: Argument) -> Option<Stream> {
    let kernel = cx.state.surroundings.get::<Kernel>()?;
    match kernel.inode_of(i32::try_from(fd.value.as_word()?).ok()?).ok()?.kind {
        InodeKind::Stream(stream) => Some(stream),
        _ => None,
    }
}

fn print(cx: &mut Cx<'_, '_>, template: Argument, source: Source<'_>) -> Result<Value, Stop> {
    if cx.result_is_used() {
        let text = text_of(cx, template, source)?;
        return Ok(emit(cx, &text));
    }
    print_to(cx, Stream::Out, template, source)
}

/// Prints; what depends on inputs is made into text when the path is over. The result is right only for the witness.
fn print_to(cx: &mut Cx<'_, '_>, stream: Stream, template: Argument, source: Source<'_>) -> Result<Value, Stop> {
    let template = cx.read_bytes_until_zero(template.value)?;
    let long = cx.engine.program.layout.pointer_bits;
    let mut reader = Reader { cx, source, show: Show::Witness, read: Vec::new() };
    let text = format(&template, &mut reader, long)?;
    let read = std::mem::take(&mut reader.read);
    if read.iter().any(Read::is_symbolic) {
        cx.state.write_late(
            stream,
            Rc::new(move |terms, witness| {
                let Ok(text) = format(&template, &mut Again { read: read.iter(), terms, witness }, long);
                text
            }),
        );
    } else {
        cx.state.write(stream, &text);
    }
    Ok(Value::word(text.len() as u64))
}

/// Writes to the path's output; the number of bytes.
fn emit(cx: &mut Cx<'_, '_>, text: &[u8]) -> Value {
    cx.state.write(Stream::Out, text);
    Value::word(text.len() as u64)
}

/// Writes bytes that may depend on inputs.
fn emit_values(cx: &mut Cx<'_, '_>, bytes: Vec<Value>) {
    let concrete: Option<Vec<u8>> = bytes.iter().map(|b| b.as_word().map(|w| w as u8)).collect();
    match concrete {
        Some(bytes) => cx.state.write(Stream::Out, &bytes),
        None => cx.state.write_late(
            Stream::Out,
            Rc::new(move |terms, witness| bytes.iter().map(|b| evaluated(*b, terms, witness) as u8).collect()),
        ),
    }
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
    let text = text_of(cx, template, source)?;
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
    let bits = cx.engine.program.layout.pointer_bits;
    let address = cx.concretise(text, bits);
    let bytes = text_at(cx, address, None)?;
    let concrete = bytes.iter().all(|b| b.as_term().is_none());
    if concrete {
        emit_values(cx, bytes);
    } else {
        cx.state.write_late(
            Stream::Out,
            Rc::new(move |terms, witness| {
                bytes.iter().map(|b| evaluated(*b, terms, witness) as u8).take_while(|b| *b != 0).collect()
            }),
        );
    }
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
    emit_values(cx, vec![arg.value]);
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
        bytes.push(cx.load(Value::word(address + i), 8)?);
    }
    emit_values(cx, bytes);
    Ok(Value::word(count))
}
