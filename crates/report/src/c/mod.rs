//! A call with its objects as a C programmer writes it: `struct buf b = {.data = b_data, .len = 2};` … `parse(&b, &out);`, and what it gives.
//!
//! People read it, and a compiler takes it without a word (`--emit ctest`): it has the program's own types and functions in scope, `NULL`,
//! `malloc`, `alloca`, `memcpy` and `memcmp`. What the function frees is made with `malloc`, a structure with elements in its flexible member
//! with `alloca`. Pointers of several levels go through `void *`,
//! because qualifiers are not known. What C cannot write is said ([`CallText::unwritable`]).

mod checks;
mod global;
mod initialiser;
mod literal;

use std::collections::BTreeSet;

use taw_engine::{GraphArgument, GraphObject, GraphPointer, Input, ObjectGraph, opened_with};
use taw_ir::{Function, Program, SourceArgument, Type, TypeId};

pub(crate) use checks::Afterwards;
use initialiser::{Initialiser, Raw, dotted};

use crate::value;

/// What follows the declaration of a function of the caller's.
pub(crate) const CALLBACK: &str = " { /* ";

/// The parts of the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct CallText {
    /// The objects.
    pub before: Vec<String>,
    /// The call, as an expression.
    pub call: String,
    /// Why a compiler could not take it, if it could not.
    pub unwritable: Option<String>,
}

/// What is needed to write about a call.
pub(crate) struct Text<'a> {
    graph: &'a ObjectGraph,
    program: &'a Program,
    entry: &'a str,
    /// Of the objects.
    names: Vec<String>,
}

impl<'a> Text<'a> {
    pub(crate) fn new(graph: &'a ObjectGraph, program: &'a Program, entry: &'a str) -> Self {
        let mut text = Text { graph, program, entry, names: Vec::new() };
        text.names = text.choose_names();
        text
    }

    /// The objects and the call.
    pub(crate) fn call(&self, inputs: &[Input]) -> CallText {
        let (mut before, mut late) = (Vec::new(), Vec::new());
        let mut written = BTreeSet::new();
        // What is behind others was made later: it comes first.
        for number in (0..self.graph.objects.len()).rev() {
            before.extend(match &self.graph.objects[number] {
                GraphObject { code: Some(symbol), name, .. } if symbol == name => opening(symbol).into_iter().collect(),
                GraphObject { code: Some(_), .. } => vec![self.callback(number, inputs)],
                GraphObject { global: Some(global), .. } => self.settings(number, global, &mut late),
                _ => self.declaration(number, &written, &mut late),
            });
            written.insert(number);
        }
        before.append(&mut late);
        let arguments: Vec<String> = self.arguments(inputs);
        let call = format!("{}({})", self.entry, arguments.join(", "));
        let unnamed = |line: &&String| line.contains("(anonymous)");
        let unwritable = before.iter().find(unnamed).map(|_| "an object has a type without a name".to_owned());
        let unwritable = unwritable.or_else(|| self.nameless_vector()).or_else(|| self.out_of_sight());
        CallText { before, call, unwritable }
    }

    /// Why a vector cannot be declared, if one cannot: what is known of its type is that it is an array.
    fn nameless_vector(&self) -> Option<String> {
        let is_array = |ty: TypeId| matches!(self.program.types.all[ty], Type::Array { .. });
        let is_nameless = |argument: &GraphArgument| match argument {
            GraphArgument::Copy(of) => self.graph.objects[of.object].element.is_some_and(is_array),
            _ => false,
        };
        let found = self.graph.arguments.iter().any(is_nameless);
        found.then(|| "a parameter is a vector of a type without a name".to_owned())
    }

    fn function(&self) -> Option<&'a Function> {
        self.program.function_named(self.entry).map(|id| &self.program.functions[id])
    }

    fn arguments(&self, inputs: &[Input]) -> Vec<String> {
        let function = self.function();
        let passed = function.map(|f| f.arguments(&self.program.types, &self.program.layout)).unwrap_or_default();
        let mut texts = Vec::new();
        for (i, argument) in self.graph.arguments.iter().enumerate() {
            let source = passed.get(i).zip(function).and_then(|(SourceArgument { params, .. }, function)| {
                function.params.get(params.start).and_then(|param| param.source)
            });
            texts.push(match argument {
                GraphArgument::Number(name) => {
                    let input = inputs.iter().find(|input| input.name == *name);
                    input.map_or_else(|| "0".to_owned(), |input| self.number(input, source))
                }
                GraphArgument::Pointer(_, to) => {
                    self.pointer(*to, source.and_then(|source| self.program.types.pointee(source)))
                }
                GraphArgument::Copy(of) => self.names[of.object].clone(),
                GraphArgument::Result => continue,
            });
        }
        texts
    }

    /// An argument that is a number.
    fn number(&self, input: &Input, source: Option<TypeId>) -> String {
        let (types, layout) = (&self.program.types, &self.program.layout);
        let written = source.and_then(|ty| {
            let size = types.bytes(ty, layout)? as usize;
            match input.bytes.len() == size || size > 8 {
                true => literal::literal(types, ty, &input.bytes, layout),
                false => literal::promoted(types, ty, &input.bytes, layout),
            }
        });
        written.unwrap_or_else(|| value::in_c(input, layout))
    }

    /// A name for each object: that of its pointer, as far as that is a word and nothing else is called so.
    fn choose_names(&self) -> Vec<String> {
        let types = self.program.types.all.values();
        let mut taken: BTreeSet<String> = types.filter_map(name_of).chain([self.entry.to_owned()]).collect();
        taken.extend(self.graph.objects.iter().filter(|o| o.global.is_some()).map(|o| o.name.clone()));
        let mut names: Vec<String> = Vec::new();
        for object in &self.graph.objects {
            if object.code.as_ref() == Some(&object.name) || object.global.is_some() {
                names.push(object.name.clone());
                continue;
            }
            // Bytes are taken for pointers by a cast, which is no name.
            let plain = object.name.replace("(void **)", "");
            let word: String = plain.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
            let word = word.split('_').filter(|part| !part.is_empty()).collect::<Vec<_>>().join("_");
            let word = if word.is_empty() { "object".to_owned() } else { word };
            let numbered = (1..).map(|number| format!("{word}_{number}"));
            let name = std::iter::once(word.clone()).chain(numbered).find(|name| !taken.contains(name));
            let name = name.unwrap_or(word);
            taken.insert(name.clone());
            names.push(name);
        }
        names
    }

    /// A name that no object has.
    fn result_name(&self) -> String {
        let numbered = (1..).map(|number| format!("result_{number}"));
        let mut names = std::iter::once("result".to_owned()).chain(numbered);
        names.find(|name| !self.names.contains(name) && name != self.entry).unwrap_or_default()
    }

    /// Bytes of an object beyond its type, where a flexible member has elements.
    fn flexible(&self, number: usize) -> u64 {
        let object = &self.graph.objects[number];
        let (types, layout) = (&self.program.types, &self.program.layout);
        let ty = object.element.filter(|ty| types.flexible(*ty, layout).is_some());
        ty.and_then(|ty| types.bytes(ty, layout)).map_or(0, |size| (object.bytes.len() as u64).saturating_sub(size))
    }

    /// Whether C calls an object by a pointer to it.
    fn is_allocated(&self, number: usize) -> bool {
        self.graph.objects[number].freed || self.flexible(number) > 0
    }

    fn is_array(&self, number: usize) -> bool {
        let object = &self.graph.objects[number];
        object.array || object.element.is_none() && object.global.is_none()
    }

    /// A function of the caller's, and what it gives back.
    fn callback(&self, number: usize, inputs: &[Input]) -> String {
        let (object, name) = (&self.graph.objects[number], &self.names[number]);
        let types = &self.program.types;
        let declared = object.element.map_or_else(|| name.clone(), |ty| types.declared(types.plain(ty), name.clone()));
        let given = format!("{}()", object.name);
        let is_given = |input: &&Input| {
            input.name.strip_prefix(&given).is_some_and(|rest| rest.is_empty() || rest.starts_with('_'))
        };
        let values: Vec<String> =
            inputs.iter().filter(is_given).map(|input| value::in_c(input, &self.program.layout)).collect();
        match values.is_empty() {
            true => format!("{declared}{CALLBACK}… */ }}"),
            false => format!("{declared}{CALLBACK}gives back {} */ }}", values.join(", then ")),
        }
    }

    /// The lines that make an object; pointers to objects that are not there yet come later.
    fn declaration(&self, number: usize, written: &BTreeSet<usize>, late: &mut Vec<String>) -> Vec<String> {
        let (object, name) = (&self.graph.objects[number], &self.names[number]);
        let types = &self.program.types;
        let is_heap = object.freed;
        if object.bytes.is_empty() {
            return vec![self.without_elements(object, name)];
        }
        if object.element.is_none() {
            late.extend(self.pointers_in_bytes(number));
        }
        let mut pointer = |at: u64, to: TypeId, place: &str| {
            let target = object.pointers.iter().find(|(offset, _)| *offset == at).and_then(|(_, to)| *to);
            match target {
                Some(target) if !written.contains(&target.object) => {
                    late.push(format!("{place} = {};", self.pointer(Some(target), Some(to))));
                    "0".to_owned()
                }
                target => self.pointer(target, Some(to)),
            }
        };
        let mut making = Initialiser {
            program: self.program,
            bytes: &object.bytes,
            held: &object.held,
            pointer: &mut pointer,
            raw: Vec::new(),
        };
        let count = object.count;
        let mut lines = match object.element {
            None => {
                let value = making.plain_bytes();
                let size = object.bytes.len();
                match is_heap {
                    true => vec![
                        format!("unsigned char *{name} = malloc({size});"),
                        format!("memcpy({name}, (unsigned char[{size}]){value}, {size});"),
                    ],
                    false => vec![format!("_Alignas(16) unsigned char {name}[{size}] = {value};")],
                }
            }
            Some(ty) if self.is_array(number) => {
                let value = making.elements(ty, count, 0, name);
                let of = types.declared(ty, format!("[{count}]"));
                match is_heap {
                    true => vec![
                        format!("{} = malloc({count} * sizeof *{name});", types.declared(ty, format!("*{name}"))),
                        match value.starts_with('"') {
                            true => format!("memcpy({name}, {value}, {count});"),
                            false => format!("memcpy({name}, ({of}){value}, {count} * sizeof *{name});"),
                        },
                    ],
                    false => vec![format!("{} = {value};", types.declared(ty, format!("{name}[{count}]")))],
                }
            }
            Some(ty) => {
                let place = self.place(number);
                let value = making.value(ty, 0, &place);
                let (more, elements) = self.flexible_elements(number, &mut making, &place);
                let mut lines = match self.is_allocated(number) {
                    true => {
                        let of =
                            if value.starts_with('{') { format!("({})", types.spelled(ty)) } else { String::new() };
                        let made = types.declared(ty, format!("*{name}"));
                        let how = if is_heap { "malloc" } else { "alloca" };
                        vec![format!("{made} = {how}(sizeof *{name}{more});"), format!("*{name} = {of}{value};")]
                    }
                    false => vec![format!("{} = {value};", types.declared(ty, name.clone()))],
                };
                lines.extend(elements);
                lines
            }
        };
        lines.extend(making.raw.iter().map(Raw::line));
        lines
    }

    /// The lines that put pointers into bytes.
    fn pointers_in_bytes(&self, number: usize) -> Vec<String> {
        let name = &self.names[number];
        let line = |&(at, to): &(u64, Option<GraphPointer>)| {
            let to = self.pointer(Some(to?), None);
            Some(format!("memcpy({name} + {at}, (void *[]){{(void *)({to})}}, sizeof(void *));"))
        };
        self.graph.objects[number].pointers.iter().filter_map(line).collect()
    }

    /// An array without elements: C has none, so it is what lies behind the only element of one.
    fn without_elements(&self, object: &GraphObject, name: &str) -> String {
        let declared = |name: String| match object.element {
            Some(ty) => self.program.types.declared(ty, name),
            None => format!("unsigned char {name}"),
        };
        match object.freed {
            true => format!("{} = malloc(0);", declared(format!("*{name}"))),
            false => format!("{} = {{0}};", declared(format!("{name}[1]"))),
        }
    }

    /// What the elements of a flexible member add to the size of an object, and the line that writes them; a few may lie in its padding.
    fn flexible_elements(&self, number: usize, making: &mut Initialiser<'_>, place: &str) -> (String, Option<String>) {
        let (object, types) = (&self.graph.objects[number], &self.program.types);
        let member = object.element.and_then(|ty| types.flexible(ty, &self.program.layout));
        let Some(member) = member else { return (String::new(), None) };
        let (count, extra) = ((object.bytes.len() as u64 - member.at) / member.each, self.flexible(number));
        if count == 0 {
            return (String::new(), None);
        }
        let row = format!("{}{}", dotted(place), member.name);
        let value = making.elements(member.of, count, member.at, &row);
        let from = match value.starts_with('"') {
            true => value,
            false => format!("({}){value}", types.declared(member.of, format!("[{count}]"))),
        };
        let more = if extra == 0 { String::new() } else { format!(" + {} * sizeof {row}[0]", extra / member.each) };
        (more, Some(format!("memcpy({row}, {from}, {count} * sizeof {row}[0]);")))
    }

    /// What an object is called where it is one, and where its first element is.
    fn place(&self, number: usize) -> String {
        let name = &self.names[number];
        match (self.is_array(number), self.is_allocated(number)) {
            (true, _) => format!("{name}[0]"),
            (false, true) => format!("(*{name})"),
            (false, false) => name.clone(),
        }
    }

    /// A pointer as an expression, for what wants one to that type.
    fn pointer(&self, to: Option<GraphPointer>, wanted: Option<TypeId>) -> String {
        let Some(GraphPointer { object: number, plus }) = to else { return "NULL".to_owned() };
        let (object, name) = (&self.graph.objects[number], &self.names[number]);
        if object.code.is_some() {
            return name.clone();
        }
        if let Some(inner) = wanted.and_then(|wanted| self.inner(number, plus, wanted)) {
            return inner;
        }
        let types = &self.program.types;
        let each = (object.bytes.len() as u64 / object.count.max(1)).max(1);
        let each = if object.element.is_none() { 1 } else { each };
        let is_address = self.is_array(number) || self.is_allocated(number);
        let base = if is_address { name.clone() } else { format!("&{name}") };
        if !plus.is_multiple_of(each) {
            return format!("(void *)((char *){base} + {plus})");
        }
        let before = u64::from(object.bytes.is_empty() && !object.freed);
        let text = match plus / each + before {
            0 => base,
            elements => format!("{base} + {elements}"),
        };
        let Some(wanted) = wanted else { return text };
        let plain = |ty: TypeId| types.spelled(types.plain(ty));
        let is_void = types.all[types.plain(wanted)] == Type::Void;
        let has_levels = matches!(types.all[types.plain(wanted)], Type::Pointer { .. } | Type::Array { .. });
        match object.element {
            _ if is_void => text,
            Some(ty) if plain(ty) == plain(wanted) && !has_levels => text,
            _ if plus + before == 0 => format!("(void *){text}"),
            _ => format!("(void *)({text})"),
        }
    }
}

impl Text<'_> {
    /// The address of something inside of an object, or just past it, if it is of that type: `&s.x`, `&table[2]`.
    fn inner(&self, number: usize, plus: u64, wanted: TypeId) -> Option<String> {
        let (types, layout) = (&self.program.types, &self.program.layout);
        let object = &self.graph.objects[number];
        let ty = object.element?;
        let (each, bytes) = (types.bytes(ty, layout)?.max(1), types.bytes(wanted, layout)?.max(1));
        let plain = |ty: TypeId| types.spelled(types.plain(ty));
        if plain(ty) == plain(wanted) {
            return None;
        }
        let is_wanted = |ty: TypeId| plain(ty) == plain(wanted);
        let place = |at: u64| match self.is_array(number) {
            true => format!("{}[{}]", self.names[number], at / each),
            false => self.place(number),
        };
        let path = |at: u64| {
            let inside = at < object.bytes.len() as u64;
            let path = inside.then(|| types.path_to(ty, at % each, layout, &is_wanted))??;
            let place = place(at);
            Some(
                path.strip_prefix('.').map_or_else(|| format!("&{place}{path}"), |m| format!("&{}{m}", dotted(&place))),
            )
        };
        let has_levels = matches!(types.all[types.plain(wanted)], Type::Pointer { .. } | Type::Array { .. });
        let text = path(plus).or_else(|| Some(format!("{} + 1", path(plus.checked_sub(bytes)?)?)))?;
        Some(if has_levels { format!("(void *)({text})") } else { text })
    }
}

/// The line that opens a file as the caller has, if it is one.
fn opening(name: &str) -> Option<String> {
    opened_with(name).map(|mode| format!("FILE *{name} = fopen(\"{name}\", \"{mode}\");"))
}

/// The word by which C knows a type.
fn name_of(ty: &Type) -> Option<String> {
    match ty {
        Type::Typedef { name, .. } => Some(name.clone()),
        _ => None,
    }
}
