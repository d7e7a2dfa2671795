//! What a union may hold, where that may be a pointer.
//!
//! Members without pointers are one content: whatever bytes they hold, another of them may hold as well. Each pointer, and each structure with a
//! pointer in it, is another. Invariant: whatever the members may hold, one of the contents has.

use crate::leaf::{Leaf, LeafKind};
use crate::program::Layout;
use crate::types::{Member, RecordKind, Type, TypeId, Types};

/// What a union may hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnionContent {
    /// The member whose type says what lies where; none if nothing but bytes does.
    pub member: Option<usize>,
    /// All members that this is the content of, by name.
    pub names: Vec<String>,
}

/// A union whose content is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HeldUnion {
    /// Where it begins, in bytes.
    pub at: u64,
    /// The union.
    pub of: TypeId,
    /// The member that it holds; none for bytes.
    pub member: Option<usize>,
}

impl Types {
    /// What a union may hold, in the order of its members.
    pub fn union_contents(&self, union: TypeId, layout: &Layout) -> Vec<UnionContent> {
        let members = self.members(union).unwrap_or_default();
        let whole = self.bytes(union, layout).unwrap_or(0);
        let is_plain = |member: &Member| !self.has_pointer(member.ty);
        let plain: Vec<usize> = (0..members.len()).filter(|i| is_plain(&members[*i])).collect();
        let is_whole =
            |i: &&usize| self.is_number(members[**i].ty) && self.bytes(members[**i].ty, layout) == Some(whole);
        let typed = match plain[..] {
            [only] => Some(only),
            _ => plain.iter().find(is_whole).copied(),
        };
        let mut contents: Vec<(UnionContent, Option<TypeId>)> = Vec::new();
        for (i, member) in members.iter().enumerate() {
            let (name, pointee) = (self.member_name(member), self.pointee(member.ty).map(|to| self.plain(to)));
            let has_size = member.width.is_some() || self.bytes(member.ty, layout).is_some_and(|bytes| bytes > 0);
            let known = contents.iter_mut().find(|(content, to)| match is_plain(member) {
                true => content.member == typed && to.is_none(),
                false => pointee.is_some() && *to == pointee,
            });
            match known {
                Some((content, _)) => content.names.push(name),
                None if has_size => {
                    let member = if is_plain(member) { typed } else { Some(i) };
                    contents.push((UnionContent { member, names: vec![name] }, pointee));
                }
                None => {}
            }
        }
        contents.into_iter().map(|(content, _)| content).collect()
    }

    /// The name of a member, or those of the members of one without a name.
    fn member_name(&self, member: &Member) -> String {
        let inner = || self.members(member.ty).unwrap_or_default().iter().map(|inner| self.member_name(inner));
        if member.name.is_empty() { inner().collect::<Vec<_>>().join(", ") } else { member.name.clone() }
    }

    /// The leaf at an offset, where it is known what unions hold.
    pub fn leaf_held(&self, id: TypeId, at: u64, layout: &Layout, held: &[HeldUnion]) -> Leaf {
        let mut leaf = self.leaf_at(id, at, layout);
        while let LeafKind::Union(union) = leaf.what
            && let Some(known) = held.iter().find(|known| (known.at, known.of) == (leaf.start, union))
        {
            let inner = self.in_union(union, known.member, at - leaf.start, layout);
            leaf = inner.within(leaf.start, &leaf.path);
        }
        leaf
    }

    /// The leaf of a union that holds this; behind a member that is smaller than the union, bytes.
    fn in_union(&self, union: TypeId, member: Option<usize>, at: u64, layout: &Layout) -> Leaf {
        let whole = self.bytes(union, layout).unwrap_or(1);
        let member = member.and_then(|member| self.members(union)?.get(member)).filter(|member| member.width.is_none());
        let size = member.and_then(|member| self.bytes(member.ty, layout)).unwrap_or(0).min(whole);
        match member.filter(|_| at < size) {
            Some(member) => {
                let step = if member.name.is_empty() { String::new() } else { format!(".{}", member.name) };
                self.leaf_at(member.ty, at, layout).within(0, &step)
            }
            None if size == 0 => Leaf { path: "[byte 0]".to_owned(), ..Leaf::whole(whole, LeafKind::Bytes) },
            None => Leaf { start: size, path: format!("[byte {size}]"), ..Leaf::whole(whole - size, LeafKind::Bytes) },
        }
    }

    /// Whether a type has a union in it that may hold a pointer.
    pub fn has_unclear_union(&self, id: TypeId) -> bool {
        match &self.all[self.plain(id)] {
            Type::Record(record) if record.kind == RecordKind::Union => self.has_pointer(id),
            Type::Record(_) => {
                self.members(id).unwrap_or_default().iter().any(|member| self.has_unclear_union(member.ty))
            }
            Type::Array { of, .. } => self.has_unclear_union(*of),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{Record, RecordBody};

    /// `union { long n; double d; char *s; const char *t; struct { short a; int *q; } r; }`
    fn value() -> (Types, TypeId, Layout) {
        let mut types = Types::default();
        let layout = Layout { pointer_bits: 64, ..Layout::default() };
        let mut add = |ty: Type| types.all.push(ty);
        let long = add(Type::Integer { name: "long".into(), signed: true, bits: 64 });
        let double = add(Type::Float { name: "double".into(), bits: 64 });
        let short = add(Type::Integer { name: "short".into(), signed: true, bits: 16 });
        let char = add(Type::Integer { name: "char".into(), signed: true, bits: 8 });
        let text = add(Type::Pointer { to: char });
        let other_text = add(Type::Pointer { to: char });
        let row = add(Type::Pointer { to: short });
        let member = |name: &str, ty, offset| Member { name: name.into(), offset, ty, width: None };
        let record = |kind, members| {
            Type::Record(Record { kind, name: String::new(), body: Some(RecordBody { bits: 128, members }) })
        };
        let pair = add(record(RecordKind::Struct, vec![member("a", short, 0), member("q", row, 64)]));
        let members = [("n", long), ("d", double), ("s", text), ("t", other_text), ("r", pair)];
        let members = members.into_iter().map(|(name, ty)| member(name, ty, 0)).collect();
        let union = add(record(RecordKind::Union, members));
        (types, union, layout)
    }

    #[test]
    fn members_without_pointers_are_one_content_and_pointers_of_a_type_another() {
        let (types, union, layout) = value();
        let contents = types.union_contents(union, &layout);
        let shown: Vec<_> = contents.iter().map(|content| (content.member, content.names.join(" "))).collect();
        // No number is as large as the union, so nobody says more of them than bytes.
        assert_eq!(shown, [(None, "n d".to_owned()), (Some(2), "s t".to_owned()), (Some(4), "r".to_owned())]);
    }

    #[test]
    fn what_a_union_holds_says_what_lies_where() {
        let (types, union, layout) = value();
        let leaf = |member: Option<usize>, at: u64| {
            let held = [HeldUnion { at: 0, of: union, member }];
            let leaf = types.leaf_held(union, at, &layout, &held);
            (leaf.path, leaf.start, leaf.bytes)
        };
        assert_eq!(types.leaf_held(union, 3, &layout, &[]).what, LeafKind::Union(union));
        assert_eq!(leaf(None, 9), ("[byte 0]".to_owned(), 0, 16));
        assert_eq!(leaf(Some(2), 7), (".s".to_owned(), 0, 8));
        assert_eq!(leaf(Some(2), 9), ("[byte 8]".to_owned(), 8, 8));
        assert_eq!(leaf(Some(4), 9), (".r.q".to_owned(), 8, 8));
    }
}
