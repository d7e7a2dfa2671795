//! How C gets from an object to one inside of it: `.items[2].name`.

use crate::program::Layout;
use crate::types::{RecordKind, Type, TypeId, Types};

impl Types {
    /// The way from an object of type `whole` to what lies at an offset and is of a type that `is` tells; empty if that is the whole.
    pub fn path_to(&self, whole: TypeId, at: u64, layout: &Layout, is: &dyn Fn(TypeId) -> bool) -> Option<String> {
        let plain = self.plain(whole);
        if at == 0 && is(plain) {
            return Some(String::new());
        }
        match &self.all[plain] {
            Type::Array { of, .. } => {
                let each = self.bytes(*of, layout)?.max(1);
                let rest = self.path_to(*of, at % each, layout, is)?;
                (at < self.bytes(plain, layout)?).then(|| format!("[{}]{rest}", at / each))
            }
            Type::Record(record) if record.kind == RecordKind::Struct => {
                self.members(plain)?.iter().filter(|member| member.width.is_none()).find_map(|member| {
                    let (start, bytes) = (member.offset / 8, self.bytes(member.ty, layout)?);
                    let inner = at.checked_sub(start).filter(|inner| *inner < bytes)?;
                    let rest = self.path_to(member.ty, inner, layout, is)?;
                    Some(if member.name.is_empty() { rest } else { format!(".{}{rest}", member.name) })
                })
            }
            _ => None,
        }
    }
}
