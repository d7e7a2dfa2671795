//! The invariants of the table of source types: numbers are in range, members lie inside, nothing contains itself, and what refers to itself
//! has a name on the way, so that it can be written.

use cranelift_entity::{EntityRef, SecondaryMap};

use crate::program::Program;
use crate::types::{Member, RecordBody, RecordKind, Type, TypeId};
use crate::verify::{Checked, Violation, ensure, in_range};

/// Checks the types alone.
pub fn verify_types(program: &Program) -> Result<(), Violation> {
    check_types(program).map_err(Violation)
}

/// Checks every type of a program.
pub(crate) fn check_types(program: &Program) -> Checked {
    for (id, ty) in &program.types.all {
        let mut all = Ok(());
        for_each_part(ty, |part, _| {
            if all.is_ok() {
                all = in_range(&program.types.all, part, "type");
            }
        });
        all.map_err(|what| format!("{id}: {what}"))?;
    }
    check_no_circle(program, "it contains itself", |_, has| has == Has::Inside)?;
    check_no_circle(program, "it has no name and refers to itself", |ty, _| {
        matches!(ty, Type::Pointer { .. } | Type::Array { .. } | Type::Function { .. })
    })?;
    for (id, ty) in &program.types.all {
        check_type(program, ty).map_err(|what| format!("{id}: {what}"))?;
    }
    Ok(())
}

/// How a type has another.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Has {
    /// As a part of its memory.
    Inside,
    /// By its address.
    Behind,
}

fn for_each_part(ty: &Type, mut visit: impl FnMut(TypeId, Has)) {
    match ty {
        Type::Pointer { to } => visit(*to, Has::Behind),
        Type::Array { of, .. } | Type::Typedef { of, .. } => visit(*of, Has::Inside),
        Type::Record(record) => {
            let members = record.body.iter().flat_map(|body| &body.members);
            members.for_each(|member| visit(member.ty, Has::Inside));
        }
        Type::Function { returns, params, .. } => {
            visit(*returns, Has::Behind);
            params.iter().for_each(|&param| visit(param, Has::Behind));
        }
        Type::Void | Type::Integer { .. } | Type::Float { .. } | Type::Other { .. } | Type::Enum { .. } => {}
    }
}

/// No type gets back to itself by the parts that `follows` says.
fn check_no_circle(program: &Program, what: &str, follows: impl Fn(&Type, Has) -> bool) -> Checked {
    #[derive(Clone, Copy, PartialEq, Eq, Default)]
    enum Seen {
        #[default]
        Not,
        Around,
        Done,
    }
    let mut seen: SecondaryMap<TypeId, Seen> = SecondaryMap::new();
    for start in program.types.all.keys() {
        // Each type twice: when it is met, and when all of its parts are done.
        let mut waiting = vec![(start, false)];
        while let Some((id, done)) = waiting.pop() {
            if done {
                seen[id] = Seen::Done;
                continue;
            }
            if seen[id] != Seen::Not {
                continue;
            }
            seen[id] = Seen::Around;
            waiting.push((id, true));
            let (ty, mut parts) = (&program.types.all[id], Vec::new());
            for_each_part(ty, |part, has| parts.extend(follows(ty, has).then_some(part)));
            if let Some(again) = parts.iter().find(|&&part| seen[part] == Seen::Around) {
                return Err(format!("{again}: {what}"));
            }
            waiting.extend(parts.into_iter().map(|part| (part, false)));
        }
    }
    Ok(())
}

fn check_type(program: &Program, ty: &Type) -> Checked {
    match ty {
        Type::Integer { bits, .. } | Type::Float { bits, .. } | Type::Enum { bits, .. } => {
            ensure(*bits > 0 && bits.is_multiple_of(8), || "its size is no number of bytes".into())
        }
        Type::Array { of, .. } => {
            let element = program.types.all[program.types.plain(*of)].clone();
            ensure(!matches!(element, Type::Void | Type::Function { .. }), || "an array of what has no size".into())
        }
        Type::Record(record) => {
            let Some(body) = &record.body else { return Ok(()) };
            ensure(body.bits.is_multiple_of(8), || "its size is no number of bytes".into())?;
            body.members.iter().try_for_each(|member| {
                check_member(program, body, record.kind, member)
                    .map_err(|what| format!("member {:?}: {what}", member.name))
            })
        }
        _ => Ok(()),
    }
}

fn check_member(program: &Program, body: &RecordBody, kind: RecordKind, member: &Member) -> Checked {
    let own = program.types.bits(member.ty, &program.layout);
    let plain = &program.types.all[program.types.plain(member.ty)];
    ensure(!matches!(plain, Type::Void | Type::Function { .. }), || "it has no size".into())?;
    ensure(kind == RecordKind::Struct || member.offset == 0, || "a member of a union is not at its start".into())?;
    if let Some(width) = member.width {
        ensure(own.is_some_and(|own| u64::from(width) <= own), || "a bit field is wider than its type".into())?;
    } else {
        ensure(member.offset.is_multiple_of(8), || "it begins inside of a byte".into())?;
    }
    let bits = member.width.map(u64::from).or(own).unwrap_or(0);
    ensure(member.offset.checked_add(bits).is_some_and(|end| end <= body.bits), || "it lies outside".into())
}

/// A type that something refers to is there.
pub(crate) fn check_use(program: &Program, ty: Option<TypeId>) -> Checked {
    ty.map_or(Ok(()), |ty| ensure(ty.index() < program.types.all.len(), || format!("{ty} does not exist")))
}
