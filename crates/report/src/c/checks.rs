//! What a call gives, as C: for people (`returns 3`, `out.kind = 2`) and as conditions that a test asserts (`result == 3`).
//!
//! Of objects that were there before, only what has changed is said. Nothing is said of what the masks leave out (padding, memory that nobody
//! wrote, numbers made of addresses). Invariant: each condition reads only what the call has left valid.

use taw_engine::{CallOutcome, ChangedGlobal, FoundBy, ObjectFate, OutcomeContent, OutcomeObject, OutcomePointer};
use taw_ir::{Member, RecordKind, Type, TypeId};

use super::Text;
use super::initialiser::{Initialiser, bit_field, dotted, is_char, quoted, text_of};
use super::literal::literal;

/// What a call gives.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Afterwards {
    /// For people.
    pub shown: Vec<String>,
    /// The declaration of the variable that gets the result; nothing if there is no result.
    pub result: Option<String>,
    /// Conditions that hold.
    pub checks: Vec<String>,
}

/// Elements that are checked one by one, at most.
const FEW: usize = 8;

impl Text<'_> {
    /// What the call gives.
    pub(crate) fn afterwards(&self, outcome: &CallOutcome) -> Afterwards {
        let mut saying = Saying { text: self, outcome, result: self.result_name(), said: Afterwards::default() };
        if let Some(content) = &outcome.result {
            saying.result(content);
        }
        for (number, object) in outcome.objects.iter().enumerate() {
            saying.object(number, object);
        }
        for global in outcome.globals.iter().filter(|global| self.is_in_sight(global.id)) {
            saying.global(global);
        }
        if outcome.more {
            saying.said.shown.push("more objects than are shown".to_owned());
        }
        saying.said
    }
}

struct Saying<'a, 't> {
    text: &'a Text<'t>,
    outcome: &'a CallOutcome,
    /// The name of the result.
    result: String,
    said: Afterwards,
}

/// Content that is said something of.
struct Part<'c> {
    content: &'c OutcomeContent,
    before: Option<Before<'c>>,
}

/// What was there before the call.
struct Before<'c> {
    bytes: &'c [u8],
    /// As C writes them, by offset.
    pointers: Vec<(u64, String)>,
}

impl Saying<'_, '_> {
    fn types(&self) -> &taw_ir::Types {
        &self.text.program.types
    }

    fn bytes_of(&self, ty: TypeId) -> u64 {
        self.types().bytes(ty, &self.text.program.layout).unwrap_or(0)
    }

    fn result(&mut self, content: &OutcomeContent) {
        let declared = content.element.map(|ty| match &self.types().all[self.types().plain(ty)] {
            // Whether it points at something constant is not known.
            Type::Pointer { .. } => format!("__auto_type {}", self.result),
            _ => self.types().declared(ty, self.result.clone()),
        });
        let declared = declared.filter(|declared| !declared.contains("(anonymous)"));
        self.said.result = Some(declared.unwrap_or_else(|| format!("__auto_type {}", self.result)));
        let Some(ty) = content.element else { return };
        let is_claimed = content.mask.iter().any(|byte| *byte != 0) || !content.pointers.is_empty();
        let made_of = content.pointers.first().filter(|_| self.types().is_number(ty));
        if is_claimed {
            let value = made_of.map_or_else(|| self.initialiser(content, ty), |(_, to)| self.pointer(to));
            self.said.shown.push(format!("returns {value}"));
        }
        let shown = self.said.shown.len();
        self.part(&Part { content, before: None }, ty, 0, &self.result.clone());
        self.said.shown.truncate(shown);
    }

    /// Content as C initialises it.
    fn initialiser(&self, content: &OutcomeContent, ty: TypeId) -> String {
        let mut pointer = |at: u64, _: TypeId, _: &str| {
            let to = content.pointers.iter().find(|(offset, _)| *offset == at);
            to.map_or_else(|| "?".to_owned(), |(_, to)| self.pointer(to))
        };
        let program = self.text.program;
        let mut making =
            Initialiser { program, bytes: &content.bytes, held: &[], pointer: &mut pointer, raw: Vec::new() };
        match content.count {
            1 => making.value(ty, 0, ""),
            count => making.elements(ty, count, 0, ""),
        }
    }

    fn object(&mut self, number: usize, object: &OutcomeObject) {
        let graph = self.text.graph;
        match (&object.fate, &object.found) {
            (ObjectFate::Unseen, _) => {}
            (ObjectFate::Freed, _) => {
                let name = self.text.names.get(number).cloned().unwrap_or_default();
                self.said.shown.push(format!("frees {name}"));
            }
            (ObjectFate::Holds(content), None) => {
                let Some(known) = graph.objects.get(number) else { return };
                let pointers = known.pointers.iter().map(|(at, to)| (*at, self.text.pointer(*to, None))).collect();
                let part = Part { content, before: Some(Before { bytes: &known.bytes, pointers }) };
                let name = self.text.names[number].clone();
                match known.element {
                    _ if self.text.is_array(number) => self.elements(&part, known.element, content.count, 0, &name),
                    Some(ty) => self.part(&part, ty, 0, &self.text.place(number)),
                    None => {}
                }
            }
            (ObjectFate::Holds(content), Some(found)) => self.found(content, found),
        }
    }

    /// A variable that the call has changed; its place is not that of a local name.
    fn global(&mut self, global: &ChangedGlobal) {
        let name = self.text.program.globals[global.id].name.clone();
        let before = Some(Before { bytes: &global.before, pointers: Vec::new() });
        let part = Part { content: &global.content, before };
        if let Some(ty) = global.content.element.filter(|_| !self.text.names.contains(&name) && name != self.result) {
            self.part(&part, ty, 0, &name);
        }
    }

    /// An object that was not there before, behind the pointer that leads to it.
    fn found(&mut self, content: &OutcomeContent, found: &FoundBy) {
        let Some((pointer, to)) = self.pointer_at(found.holder, found.at) else { return };
        let pointer = match found.plus {
            0 => pointer,
            plus => format!("({pointer} - {})", plus / content.element.map_or(1, |ty| self.bytes_of(ty).max(1))),
        };
        let known = content.element.filter(|ty| to.is_some_and(|to| self.types().plain(to) == self.types().plain(*ty)));
        let part = Part { content, before: None };
        let shown = self.said.shown.len();
        match known {
            Some(ty) if content.count == 1 => self.part(&part, ty, 0, &format!("(*{pointer})")),
            Some(ty) => self.elements(&part, Some(ty), content.count, 0, &pointer),
            None if found.plus == 0 => {
                let bytes = format!("((const unsigned char *){pointer})");
                self.elements(&part, None, content.count, 0, &bytes);
            }
            None => {}
        }
        // People see the whole at once.
        self.said.shown.truncate(shown);
        if let Some(ty) = known.filter(|_| content.mask.iter().any(|byte| *byte != 0)) {
            let star = if content.count == 1 { "*" } else { "" };
            self.said.shown.push(format!("{star}{pointer} = {}", self.initialiser(content, ty)));
        }
    }

    /// How C reads the pointer at an offset of an object or the result, and the type that it points at.
    fn pointer_at(&self, holder: Option<usize>, at: u64) -> Option<(String, Option<TypeId>)> {
        let (place, content) = match holder {
            None => (self.result.clone(), self.outcome.result.as_ref()?),
            Some(number) => {
                let object = &self.outcome.objects[number];
                let ObjectFate::Holds(content) = &object.fate else { return None };
                let place = match &object.found {
                    None if self.text.is_array(number) => self.text.names[number].clone(),
                    None => self.text.place(number),
                    Some(found) if found.plus == 0 => {
                        let (pointer, to) = self.pointer_at(found.holder, found.at)?;
                        let is_same =
                            content.element.map(|ty| self.types().plain(ty)) == to.map(|to| self.types().plain(to));
                        // Several elements are an array.
                        is_same.then(|| if content.count == 1 { format!("(*{pointer})") } else { pointer })?
                    }
                    Some(_) => return None,
                };
                (place, content)
            }
        };
        let (ty, each) = (content.element?, self.bytes_of(content.element?).max(1));
        let is_array = content.count > 1 || holder.is_some_and(|n| n < self.text.names.len() && self.text.is_array(n));
        match is_array {
            true => self.path_to(ty, at % each, format!("{place}[{}]", at / each)),
            false => self.path_to(ty, at, place),
        }
    }

    /// The place of the pointer at an offset of a type.
    fn path_to(&self, ty: TypeId, at: u64, place: String) -> Option<(String, Option<TypeId>)> {
        match &self.types().all[self.types().plain(ty)] {
            Type::Pointer { to } => (at == 0).then_some((place, Some(*to))),
            Type::Array { of, .. } => {
                let each = self.bytes_of(*of).max(1);
                self.path_to(*of, at % each, format!("{place}[{}]", at / each))
            }
            Type::Record(record) if record.kind == RecordKind::Struct => {
                let flexible = self.types().flexible(ty, &self.text.program.layout);
                let has = |member: &&Member| {
                    let start = member.offset / 8;
                    let is_flexible = flexible.is_some_and(|flexible| flexible.at == start && at >= start);
                    let has_it = is_flexible || (start..start + self.bytes_of(member.ty)).contains(&at);
                    member.width.is_none() && has_it
                };
                let member = self.types().members(ty)?.iter().rev().find(has)?;
                let inner = if member.name.is_empty() { place } else { format!("{}{}", dotted(&place), member.name) };
                self.path_to(member.ty, at - member.offset / 8, inner)
            }
            _ => None,
        }
    }

    /// What lies at an offset, if it is said.
    fn part(&mut self, part: &Part<'_>, ty: TypeId, at: u64, place: &str) {
        match self.types().all[self.types().plain(ty)].clone() {
            Type::Pointer { .. } => self.pointer_part(part, at, place),
            Type::Array { of, count: Some(1..) } => {
                self.elements(part, Some(of), self.bytes_of(ty) / self.bytes_of(of).max(1), at, place);
            }
            Type::Array { of, .. } => {
                let behind = part.content.bytes.len() as u64 - at;
                self.elements(part, Some(of), behind / self.bytes_of(of).max(1), at, place);
            }
            Type::Record(record) if record.kind == RecordKind::Struct => {
                for member in self.types().members(ty).unwrap_or_default().to_vec() {
                    self.member(part, &member, at, place);
                }
            }
            Type::Record(_) => self.raw(part, ty, at, place),
            _ => self.number(part, ty, at, place),
        }
    }

    fn member(&mut self, part: &Part<'_>, member: &Member, at: u64, place: &str) {
        let inner = if member.name.is_empty() { place.to_owned() } else { format!("{}{}", dotted(place), member.name) };
        match (member.name.is_empty(), member.width) {
            (_, None) => {
                // What has no name is a structure or union whose members C takes for those of the one around it.
                let is_union = matches!(&self.types().all[self.types().plain(member.ty)], Type::Record(r) if r.kind == RecordKind::Union);
                if !(member.name.is_empty() && is_union) {
                    self.part(part, member.ty, at + member.offset / 8, &inner);
                }
            }
            (true, Some(_)) => {}
            (false, Some(width)) => {
                let program = self.text.program;
                let bits = (at * 8 + member.offset)..(at * 8 + member.offset + u64::from(width));
                let is_claimed = bits.clone().all(|bit| part.content.mask[bit as usize / 8] >> (bit % 8) & 1 == 1);
                let value = bit_field(program, member, &part.content.bytes, at);
                let is_new =
                    part.before.as_ref().is_none_or(|before| bit_field(program, member, before.bytes, at) != value);
                if is_claimed && is_new {
                    self.say(&inner, &value.to_string(), format!("{inner} == {value}"));
                }
            }
        }
    }

    fn say(&mut self, place: &str, value: &str, check: String) {
        self.said.shown.push(format!("{place} = {value}"));
        self.said.checks.push(check);
    }

    /// Whether bytes are a claim and not what was there before.
    fn is_said(&self, part: &Part<'_>, ty: Option<TypeId>, at: u64, bytes: u64) -> bool {
        let range = at as usize..(at + bytes) as usize;
        let defined = ty
            .map_or_else(|| vec![0xff; bytes as usize], |ty| self.types().defined_bits(ty, &self.text.program.layout));
        let Some(mask) = part.content.mask.get(range.clone()) else { return false };
        let is_claimed =
            !mask.is_empty() && mask.iter().zip(defined.iter().cycle()).all(|(mask, defined)| mask == defined);
        let is_new =
            part.before.as_ref().is_none_or(|before| before.bytes.get(range.clone()) != part.content.bytes.get(range));
        is_claimed && is_new
    }

    fn number(&mut self, part: &Part<'_>, ty: TypeId, at: u64, place: &str) {
        let bytes = self.bytes_of(ty);
        if !self.is_said(part, Some(ty), at, bytes) {
            return;
        }
        let raw = &part.content.bytes[at as usize..(at + bytes) as usize];
        match literal(self.types(), ty, raw, &self.text.program.layout) {
            // What is no number is equal to nothing; which of them it is, C leaves open.
            Some(value) if value.contains("_nan") && !value.contains("complex") => {
                self.say(place, &value, format!("__builtin_isnan({place})"));
            }
            Some(value) if value.contains("_nan") => {
                let check =
                    same_bytes(&format!("&{place}"), raw, &self.types().defined_bits(ty, &self.text.program.layout));
                self.say(place, &value, check);
            }
            // It is equal to the other zero.
            Some(value) if value.starts_with("-0.0") => {
                self.say(place, &value, format!("{place} == {value}"));
                self.said.checks.push(format!("__builtin_signbit({place}) != 0"));
            }
            Some(value) => self.say(place, &value, format!("{place} == {value}")),
            None => self.raw(part, ty, at, place),
        }
    }

    /// A union, or a number that C cannot write: by its bytes.
    fn raw(&mut self, part: &Part<'_>, ty: TypeId, at: u64, place: &str) {
        let bytes = self.bytes_of(ty);
        if self.is_said(part, Some(ty), at, bytes) {
            let raw = &part.content.bytes[at as usize..(at + bytes) as usize];
            let defined = self.types().defined_bits(ty, &self.text.program.layout);
            if defined.iter().all(|byte| matches!(byte, 0 | 0xff)) {
                let list: Vec<String> = raw.iter().map(|byte| format!("{byte:02x}")).collect();
                self.say(place, &format!("bytes {}", list.join(" ")), same_bytes(&format!("&{place}"), raw, &defined));
            }
        }
    }

    fn pointer_part(&mut self, part: &Part<'_>, at: u64, place: &str) {
        let Some((_, to)) = part.content.pointers.iter().find(|(offset, _)| *offset == at) else { return };
        let text = self.pointer(to);
        let before = part.before.as_ref().map(|before| {
            before.pointers.iter().find(|(offset, _)| *offset == at).map_or("NULL", |(_, text)| text.as_str())
        });
        if before == Some(text.as_str()) {
            return;
        }
        let check = match to {
            OutcomePointer::Null => format!("{place} == NULL"),
            OutcomePointer::Function(name) => format!("{place} == {name}"),
            OutcomePointer::Object(number, _) if *number < self.text.names.len() => {
                format!("(const void *){place} == (const void *)({text})")
            }
            OutcomePointer::Object(number, plus) => {
                let first = self.outcome.objects[*number].found.as_ref();
                let known = first.and_then(|found| Some((self.pointer_at(found.holder, found.at)?.0, found.plus)));
                match known {
                    Some((known, _)) if known == place => format!("{place} != NULL"),
                    Some((known, known_plus)) if known_plus == *plus => {
                        format!("(const void *){place} == (const void *){known}")
                    }
                    _ => format!("{place} != NULL"),
                }
            }
        };
        self.say(place, &text, check);
    }

    /// A pointer as an expression.
    fn pointer(&self, to: &OutcomePointer) -> String {
        match to {
            OutcomePointer::Null => "NULL".to_owned(),
            OutcomePointer::Function(name) => name.clone(),
            OutcomePointer::Object(number, plus) if *number < self.text.names.len() => {
                self.text.pointer(Some(taw_engine::GraphPointer { object: *number, plus: *plus }), None)
            }
            OutcomePointer::Object(number, plus) => {
                let found = self.outcome.objects[*number].found.as_ref();
                let global = found.and_then(|found| found.global.as_deref()).filter(|name| !name.starts_with('.'));
                let name = match global {
                    Some(name) => format!("&{name}"),
                    None if found.is_some_and(|found| found.global.is_some()) => "a constant".to_owned(),
                    None => "a new object".to_owned(),
                };
                if *plus == 0 { name } else { format!("{name} + {plus} bytes") }
            }
        }
    }

    /// Elements of an array at an offset: text and long lists at once.
    fn elements(&mut self, part: &Part<'_>, of: Option<TypeId>, count: u64, at: u64, place: &str) {
        let each = of.map_or(1, |ty| self.bytes_of(ty)).max(1);
        let Some(bytes) = part.content.bytes.get(at as usize..(at + each * count) as usize) else { return };
        let is_number = of.is_none_or(|ty| self.types().is_number(ty));
        let new = |i: &u64| self.is_said(part, of, at + i * each, each);
        let changed = if is_number { (0..count).filter(new).count() } else { 0 };
        let is_text = of.is_some_and(|ty| is_char(self.text.program, ty));
        let text = if is_text { text_of(bytes) } else { None };
        let at_once = changed > 0 && (text.is_some() || changed > FEW);
        if at_once && self.is_whole(part, of, at, each * count) {
            let value = text.unwrap_or_else(|| quoted(bytes));
            return self.say(place, &value, format!("memcmp({place}, {value}, {}) == 0", bytes.len()));
        }
        for i in 0..count {
            let place = format!("{place}[{i}]");
            match of {
                Some(ty) => self.part(part, ty, at + i * each, &place),
                None if self.is_said(part, None, at + i, 1) => {
                    let byte = part.content.bytes[(at + i) as usize];
                    self.say(&place, &byte.to_string(), format!("{place} == {byte}"));
                }
                None => {}
            }
        }
    }

    /// Whether all bytes are a claim, and all bits of their type.
    fn is_whole(&self, part: &Part<'_>, of: Option<TypeId>, at: u64, bytes: u64) -> bool {
        let defined =
            of.is_none_or(|ty| self.types().defined_bits(ty, &self.text.program.layout).iter().all(|b| *b == 0xff));
        defined && part.content.mask[at as usize..(at + bytes) as usize].iter().all(|byte| *byte == 0xff)
    }
}

/// That those bytes lie there which have a meaning.
fn same_bytes(address: &str, bytes: &[u8], defined: &[u8]) -> String {
    let len = defined.iter().take_while(|byte| **byte == 0xff).count();
    match defined[len..].iter().all(|byte| *byte == 0) {
        true => format!("memcmp({address}, {}, {len}) == 0", quoted(&bytes[..len])),
        // Two that are padded.
        false => {
            let half = bytes.len() / 2;
            let second = format!("(const char *){address} + {half}");
            let (a, b) = (quoted(&bytes[..len]), quoted(&bytes[half..half + len]));
            format!("memcmp({address}, {a}, {len}) == 0 && memcmp({second}, {b}, {len}) == 0")
        }
    }
}
