//! What stands behind the `=` of a declaration: `{.data = b_data, .len = 2}`, `"text"`, `3`.
//!
//! Only what is not zero is written. What no initialiser can say (a union whose bytes are no member's value, a number without a literal) is left
//! zero and written byte by byte afterwards ([`Raw`]).

use taw_ir::{HeldUnion, Member, Program, RecordKind, Type, TypeId};

use super::literal::literal;
use crate::value;

/// Writes the initialiser of an object.
pub(crate) struct Initialiser<'a> {
    pub program: &'a Program,
    /// The object's.
    pub bytes: &'a [u8],
    /// What its unions hold, where that is known.
    pub held: &'a [HeldUnion],
    /// The pointer at an offset, to that type, as an expression; its place as C calls it.
    pub pointer: &'a mut dyn FnMut(u64, TypeId, &str) -> String,
    /// What is written afterwards.
    pub raw: Vec<Raw>,
}

/// Bytes that are written into a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Raw {
    place: String,
    bytes: Vec<u8>,
}

impl Raw {
    pub(crate) fn line(&self) -> String {
        format!("memcpy(&{}, {}, {});", self.place, quoted(&self.bytes), self.bytes.len())
    }
}

impl Initialiser<'_> {
    /// The whole as bytes without a type.
    pub(crate) fn plain_bytes(&self) -> String {
        let Some(last) = self.bytes.iter().rposition(|byte| *byte != 0) else { return "{0}".to_owned() };
        let list: Vec<String> = self.bytes[..=last].iter().map(|byte| format!("0x{byte:02x}")).collect();
        format!("{{{}}}", list.join(", "))
    }

    /// An array's initialiser; text as text.
    pub(crate) fn elements(&mut self, of: TypeId, count: u64, at: u64, place: &str) -> String {
        let types = &self.program.types;
        let each = types.bytes(of, &self.program.layout).unwrap_or(1).max(1);
        let Some(bytes) = self.bytes.get(at as usize..(at + each * count) as usize) else { return "{0}".to_owned() };
        if let Some(text) = is_char(self.program, of).then(|| text_of(bytes)).flatten() {
            return text;
        }
        let last = bytes.chunks(each as usize).rposition(|chunk| chunk.iter().any(|byte| *byte != 0));
        let shown = if types.has_pointer(of) { count } else { last.map_or(0, |last| last as u64 + 1) };
        if shown == 0 {
            return "{0}".to_owned();
        }
        let values: Vec<String> = (0..shown).map(|i| self.value(of, at + i * each, &format!("{place}[{i}]"))).collect();
        format!("{{{}}}", values.join(", "))
    }

    /// The initialiser of what lies at an offset; `place` is what C calls it.
    pub(crate) fn value(&mut self, ty: TypeId, at: u64, place: &str) -> String {
        let types = &self.program.types;
        let bytes = types.bytes(ty, &self.program.layout).unwrap_or(0);
        let own = self.bytes;
        let raw = own.get(at as usize..(at + bytes) as usize).unwrap_or_default();
        match &types.all[types.plain(ty)] {
            Type::Pointer { to } => (self.pointer)(at, *to, place),
            Type::Array { of, count } => self.elements(*of, count.unwrap_or(0), at, place),
            Type::Record(record) if record.kind == RecordKind::Struct => self.structure(ty, at, place),
            Type::Record(_) => self.union_value(ty, at, place),
            _ => literal(types, ty, raw, &self.program.layout).unwrap_or_else(|| {
                self.raw.push(Raw { place: place.to_owned(), bytes: raw.to_vec() });
                "0".to_owned()
            }),
        }
    }

    fn structure(&mut self, ty: TypeId, at: u64, place: &str) -> String {
        let shown = self.members(ty, at, place);
        if shown.is_empty() { "{0}".to_owned() } else { format!("{{{}}}", shown.join(", ")) }
    }

    /// Those that are not zero, with those of members without a name, which C takes for its own.
    fn members(&mut self, ty: TypeId, at: u64, place: &str) -> Vec<String> {
        let types = &self.program.types;
        let mut shown = Vec::new();
        for member in types.members(ty).unwrap_or_default() {
            let offset = at + member.offset / 8;
            let bytes = types.bytes(member.ty, &self.program.layout).unwrap_or(0);
            let part = self.bytes.get(offset as usize..(offset + bytes) as usize).unwrap_or_default();
            let is_zero = part.iter().all(|byte| *byte == 0);
            if is_zero && !types.has_pointer(member.ty) {
                continue;
            }
            let inner = format!("{}{}", dotted(place), member.name);
            let value = match (member.name.is_empty(), member.width) {
                (true, _) if is_struct(self.program, member.ty) => {
                    shown.extend(self.members(member.ty, offset, place));
                    continue;
                }
                (true, None) => {
                    shown.extend(self.union_members(member.ty, offset, place).unwrap_or_default());
                    continue;
                }
                (true, Some(_)) => continue,
                (false, Some(_)) => bit_field(self.program, member, self.bytes, at).to_string(),
                (false, None) => self.value(member.ty, offset, &inner),
            };
            shown.extend(shown_member(&member.name, value));
        }
        shown
    }

    /// A union by the member that it holds, or one that has all its bytes.
    fn union_value(&mut self, ty: TypeId, at: u64, place: &str) -> String {
        match self.union_members(ty, at, place) {
            Some(members) if !members.is_empty() => format!("{{{}}}", members.join(", ")),
            Some(_) => "{0}".to_owned(),
            None => {
                let bytes = self.program.types.bytes(ty, &self.program.layout).unwrap_or(0);
                self.write_raw(place, at, bytes);
                "{0}".to_owned()
            }
        }
    }

    /// Bytes that no initialiser can say, unless they are zero.
    fn write_raw(&mut self, place: &str, at: u64, bytes: u64) {
        let part = self.bytes.get(at as usize..(at + bytes) as usize).unwrap_or_default();
        if part.iter().any(|byte| *byte != 0) {
            self.raw.push(Raw { place: place.to_owned(), bytes: part.to_vec() });
        }
    }

    /// What a union is as the initialisers of members that are not zero: of the one that it holds, or of one that has all its bytes.
    fn union_members(&mut self, ty: TypeId, at: u64, place: &str) -> Option<Vec<String>> {
        let types = &self.program.types;
        let own = types.plain(ty);
        let held = self.held.iter().find(|held| (held.at, held.of) == (at, own)).and_then(|held| held.member);
        let Some(member) = held.and_then(|held| types.members(ty)?.get(held)).filter(|member| member.width.is_none())
        else {
            return self
                .union_member(ty, at, place)
                .map(|(name, value)| shown_member(&name, value).into_iter().collect());
        };
        let bytes = |ty: TypeId| types.bytes(ty, &self.program.layout).unwrap_or(0);
        let (inner, whole) = (bytes(member.ty), bytes(ty));
        if inner < whole {
            self.write_raw(&format!("((char *)&{place})[{inner}]"), at + inner, whole - inner);
        }
        Some(match member.name.is_empty() {
            true if is_struct(self.program, member.ty) => self.members(member.ty, at, place),
            true => self.union_members(member.ty, at, place)?,
            false => {
                let value = self.value(member.ty, at, &format!("{}{}", dotted(place), member.name));
                shown_member(&member.name, value).into_iter().collect()
            }
        })
    }

    fn union_member(&mut self, ty: TypeId, at: u64, place: &str) -> Option<(String, String)> {
        let (types, layout) = (&self.program.types, &self.program.layout);
        let whole = types.defined_bits(ty, layout);
        let has_all = |member: &&Member| {
            let is_plain = !member.name.is_empty() && member.width.is_none() && !types.has_pointer(member.ty);
            is_plain && types.defined_bits(member.ty, layout) == whole
        };
        let member = types.members(ty)?.iter().find(has_all)?;
        let before = self.raw.len();
        let value = self.value(member.ty, at, &format!("{}{}", dotted(place), member.name));
        (self.raw.len() == before).then(|| (member.name.clone(), value))
    }
}

/// A member with its value, unless that is zero.
fn shown_member(name: &str, value: String) -> Option<String> {
    (!matches!(value.as_str(), "NULL" | "0" | "{0}")).then(|| format!(".{name} = {value}"))
}

fn is_struct(program: &Program, ty: TypeId) -> bool {
    matches!(&program.types.all[program.types.plain(ty)], Type::Record(record) if record.kind == RecordKind::Struct)
}

/// Whether a type is that of characters.
pub(super) fn is_char(program: &Program, ty: TypeId) -> bool {
    matches!(&program.types.all[program.types.plain(ty)], Type::Integer { name, .. } if name == "char")
}

/// A place with what leads to its members: `b.`, `p->`.
pub(super) fn dotted(place: &str) -> String {
    match place.strip_prefix("(*").and_then(|inner| inner.strip_suffix(')')) {
        Some(inner) if !inner.contains([' ', ')']) => format!("{inner}->"),
        _ => format!("{place}."),
    }
}

/// The number that a bit field of the structure at an offset holds; little-endian.
pub(super) fn bit_field(program: &Program, member: &Member, bytes: &[u8], at: u64) -> i128 {
    let width = u64::from(member.width.unwrap_or(0)).min(64);
    let from = at * 8 + member.offset;
    let bit = |at: u64| i128::from(bytes.get(at as usize / 8).copied().unwrap_or(0) >> (at % 8) & 1);
    let number = (0..width).map(|i| bit(from + i) << i).fold(0, |all, bit| all | bit);
    let types = &program.types;
    let signed = matches!(
        types.all[types.plain(member.ty)],
        Type::Integer { signed: true, .. } | Type::Enum { signed: true, .. }
    );
    if signed && width > 0 && number >> (width - 1) & 1 == 1 { number - (1 << width) } else { number }
}

/// Characters as a string, if they are text that ends in the last of them.
pub(super) fn text_of(bytes: &[u8]) -> Option<String> {
    let (last, text) = bytes.split_last()?;
    let plain = |byte: &u8| byte.is_ascii_graphic() || matches!(byte, b' ' | b'\n' | b'\t');
    (*last == 0 && text.iter().all(plain)).then(|| {
        // A question mark could begin a trigraph, but in a row only.
        let escaped = |byte: &u8| if *byte == b'\'' { "'".to_owned() } else { value::escape(*byte) };
        format!("\"{}\"", text.iter().map(escaped).collect::<String>().replace("??", "?\\?"))
    })
}

/// Bytes as a string of octal numbers.
pub(super) fn quoted(bytes: &[u8]) -> String {
    format!("\"{}\"", bytes.iter().map(|byte| format!("\\{byte:03o}")).collect::<String>())
}
