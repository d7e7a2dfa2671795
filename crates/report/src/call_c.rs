//! A call with its objects as a C programmer writes it: `struct buf b = {.data = b_data, .len = 2};` … `parse(&b, &out);`.

use std::collections::BTreeSet;

use taw_engine::{GraphArgument, GraphObject, GraphPointer, Input, InputType, ObjectGraph};
use taw_ir::{Program, RecordKind, Type, TypeId};

use crate::value;

/// The lines.
pub(crate) fn lines(graph: &ObjectGraph, entry: &str, inputs: &[Input], program: &Program) -> Vec<String> {
    let mut text = Text { graph, program, names: Vec::new(), written: BTreeSet::new(), late: Vec::new() };
    text.names = text.choose_names();
    let mut lines = Vec::new();
    // What is behind others was made later: it comes first.
    for number in (0..graph.objects.len()).rev() {
        lines.extend(text.declaration(number, inputs));
        text.written.insert(number);
    }
    lines.append(&mut text.late);
    let argument = |argument: &GraphArgument| match argument {
        GraphArgument::Number(name) => {
            let input = inputs.iter().find(|input| input.name == *name);
            input.map_or_else(|| "0".to_owned(), |input| value::in_c(input, &program.layout))
        }
        GraphArgument::Pointer(_, to) => text.pointer(*to),
        GraphArgument::Copy(of) => text.names[of.object].clone(),
        GraphArgument::Result => String::new(),
    };
    let is_written = |argument: &&GraphArgument| **argument != GraphArgument::Result;
    let arguments: Vec<String> = graph.arguments.iter().filter(is_written).map(argument).collect();
    lines.push(format!("{entry}({});", arguments.join(", ")));
    lines
}

struct Text<'a> {
    graph: &'a ObjectGraph,
    program: &'a Program,
    /// Of the objects.
    names: Vec<String>,
    /// Objects that are declared.
    written: BTreeSet<usize>,
    /// Pointers to objects that were not declared yet.
    late: Vec<String>,
}

impl Text<'_> {
    /// A name for each object: that of its pointer, as far as that is a word.
    fn choose_names(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for object in &self.graph.objects {
            let word: String = object.name.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
            let word = word.split('_').filter(|part| !part.is_empty()).collect::<Vec<_>>().join("_");
            let same = names.iter().filter(|name| **name == word).count();
            names.push(if same == 0 { word } else { format!("{word}_{same}") });
        }
        names
    }

    /// What is said of an object before the call; nothing of a function of the program.
    fn declaration(&mut self, number: usize, inputs: &[Input]) -> Option<String> {
        match &self.graph.objects[number] {
            GraphObject { code: Some(symbol), name, .. } if symbol == name => None,
            GraphObject { code: Some(_), .. } => Some(self.callback(number, inputs)),
            _ => Some(self.data(number)),
        }
    }

    /// A function of the caller's, and what it gives back.
    fn callback(&self, number: usize, inputs: &[Input]) -> String {
        let (object, name) = (&self.graph.objects[number], &self.names[number]);
        let declared = object
            .element
            .map_or_else(|| name.clone(), |ty| self.program.types.declared(self.program.types.plain(ty), name.clone()));
        let given = format!("{}()", object.name);
        let is_given = |input: &&Input| {
            input.name.strip_prefix(&given).is_some_and(|rest| rest.is_empty() || rest.starts_with('_'))
        };
        let values: Vec<String> =
            inputs.iter().filter(is_given).map(|input| value::in_c(input, &self.program.layout)).collect();
        match values.is_empty() {
            true => format!("{declared} {{ /* … */ }}"),
            false => format!("{declared} {{ /* gives back {} */ }}", values.join(", then ")),
        }
    }

    fn data(&mut self, number: usize) -> String {
        let (object, name) = (&self.graph.objects[number], self.names[number].clone());
        let Some(ty) = object.element else {
            let list: Vec<String> = object.bytes.iter().map(|byte| format!("0x{byte:02x}")).collect();
            return format!("unsigned char {name}[{}] = {{{}}};", object.bytes.len(), list.join(", "));
        };
        if !object.array {
            let declared = self.program.types.declared(ty, name.clone());
            let value = self.value(object, ty, 0, &name);
            return format!("{declared} = {value};");
        }
        let declared = self.program.types.declared(ty, format!("{name}[{}]", object.count));
        format!("{declared} = {};", self.elements(object, ty, object.count, 0, &name))
    }

    /// An array's initialiser; text as text.
    fn elements(&mut self, object: &GraphObject, of: TypeId, count: u64, at: u64, place: &str) -> String {
        let each = self.program.types.bytes(of, &self.program.layout).unwrap_or(1);
        let bytes = &object.bytes[at as usize..(at + each * count) as usize];
        let is_char = matches!(&self.program.types.all[self.program.types.plain(of)], Type::Integer { name, .. } if name == "char");
        if let Some(text) = is_char.then(|| text_of(bytes)).flatten() {
            return text;
        }
        let last = bytes.chunks(each as usize).rposition(|chunk| chunk.iter().any(|byte| *byte != 0));
        let has_pointer = self.program.types.has_pointer(of);
        let shown = if has_pointer { count } else { last.map_or(0, |last| last as u64 + 1) };
        if shown == 0 {
            return "{0}".to_owned();
        }
        let values: Vec<String> =
            (0..shown).map(|i| self.value(object, of, at + i * each, &format!("{place}[{i}]"))).collect();
        format!("{{{}}}", values.join(", "))
    }

    /// The initialiser of what lies at an offset; `place` is what C calls it.
    fn value(&mut self, object: &GraphObject, ty: TypeId, at: u64, place: &str) -> String {
        let types = &self.program.types;
        let bytes = types.bytes(ty, &self.program.layout).unwrap_or(0);
        let raw = object.bytes.get(at as usize..(at + bytes) as usize).unwrap_or_default().to_vec();
        match &types.all[types.plain(ty)] {
            Type::Pointer { .. } => {
                let to = object.pointers.iter().find(|(offset, _)| *offset == at).and_then(|(_, to)| *to);
                match to {
                    Some(to) if !self.written.contains(&to.object) => {
                        let line = format!("{place} = {};", self.pointer(Some(to)));
                        self.late.push(line);
                        "0".to_owned()
                    }
                    to => self.pointer(to),
                }
            }
            Type::Array { of, count } => self.elements(object, *of, count.unwrap_or(0), at, place),
            Type::Record(record) if record.kind == RecordKind::Struct => self.structure(object, ty, at, place),
            Type::Record(_) => "{0}".to_owned(),
            _ => {
                let ty = InputType::Scalar(types.spelled(ty));
                value::in_c(&Input { name: String::new(), ty, bytes: raw }, &self.program.layout)
            }
        }
    }

    fn structure(&mut self, object: &GraphObject, ty: TypeId, at: u64, place: &str) -> String {
        let members = self.program.types.members(ty).unwrap_or_default().to_vec();
        let mut shown = Vec::new();
        for member in members {
            let offset = at + member.offset / 8;
            let bytes = self.program.types.bytes(member.ty, &self.program.layout).unwrap_or(0);
            let range = offset as usize..(offset + bytes) as usize;
            let has_pointer = object.pointers.iter().any(|(at, to)| range.contains(&(*at as usize)) && to.is_some());
            let has_value = object.bytes.get(range).is_some_and(|part| part.iter().any(|byte| *byte != 0));
            if member.name.is_empty() || !(has_pointer || has_value) {
                continue;
            }
            let value = match member.width {
                Some(width) => bit_field(&object.bytes, at * 8 + member.offset, width),
                None => self.value(object, member.ty, offset, &format!("{place}.{}", member.name)),
            };
            shown.push(format!(".{} = {value}", member.name));
        }
        if shown.is_empty() { "{0}".to_owned() } else { format!("{{{}}}", shown.join(", ")) }
    }

    /// A pointer as an expression.
    fn pointer(&self, to: Option<GraphPointer>) -> String {
        let Some(GraphPointer { object: number, plus }) = to else { return "NULL".to_owned() };
        let (object, name) = (&self.graph.objects[number], &self.names[number]);
        if object.code.is_some() {
            return name.clone();
        }
        let each = object.bytes.len() as u64 / object.count.max(1);
        let is_array = object.array || object.element.is_none();
        match (is_array, plus / each.max(1)) {
            (true, 0) => name.clone(),
            (true, n) => format!("{name} + {n}"),
            (false, 0) => format!("&{name}"),
            (false, n) => format!("&{name} + {n}"),
        }
    }
}

/// The number that a bit field holds; little-endian, without a sign.
fn bit_field(bytes: &[u8], from: u64, width: u32) -> String {
    let bit = |at: u64| u64::from(bytes.get(at as usize / 8).copied().unwrap_or(0) >> (at % 8) & 1);
    (0..u64::from(width)).map(|i| bit(from + i) << i.min(63)).fold(0, |all, bit| all | bit).to_string()
}

/// Characters as a string, if they are text that ends in the last of them.
fn text_of(bytes: &[u8]) -> Option<String> {
    let (last, text) = bytes.split_last()?;
    let plain = |byte: &u8| byte.is_ascii_graphic() || matches!(byte, b' ' | b'\n' | b'\t');
    let escaped = |byte: &u8| match byte {
        b'\n' => "\\n".to_owned(),
        b'\t' => "\\t".to_owned(),
        b'"' | b'\\' => format!("\\{}", char::from(*byte)),
        byte => char::from(*byte).to_string(),
    };
    (*last == 0 && text.iter().all(plain)).then(|| format!("\"{}\"", text.iter().map(escaped).collect::<String>()))
}
