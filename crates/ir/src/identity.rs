//! What a type and a function are, as text that does not depend on the rest of the program: who keeps results of them asks whether they are still the same.
//!
//! Boundary: lines, names of variables and other functions do not matter; layout, code and whatever it calls and reads does.

use std::collections::BTreeSet;

use cranelift_entity::EntityRef;

use crate::function::Callee;
use crate::inst::Inst;
use crate::program::{ConstValue, FuncId, GlobalId, Program, Symbol};
use crate::text::bare_text;
use crate::types::{Type, TypeId};

/// What a function executes, with all that it calls.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CodeIdentity {
    /// The code, as text.
    pub text: String,
    /// Variables that are not constant and that it names.
    pub variables: BTreeSet<GlobalId>,
    /// Whether it calls through a pointer: then this is not all.
    pub calls_through_pointers: bool,
}

impl CodeIdentity {
    /// That of a function of the program.
    pub fn of(program: &Program, func: FuncId) -> Self {
        let mut identity = CodeIdentity::default();
        let (mut todo, mut seen) = (vec![func], BTreeSet::from([func]));
        while let Some(func) = todo.pop() {
            let function = &program.functions[func];
            identity.text.push_str(&bare_text(program, function));
            let addresses = function.consts.values().map(|constant| &constant.value);
            addresses.for_each(|value| identity.note_variables(program, value));
            for inst in &function.code {
                let Inst::Call { call } = inst else { continue };
                match function.calls[*call].callee {
                    Callee::Direct(called) if seen.insert(called) => todo.push(called),
                    Callee::Direct(_) => {}
                    Callee::Indirect(_) => identity.calls_through_pointers = true,
                }
            }
        }
        for &id in &identity.variables {
            let global = &program.globals[id];
            let bytes = global.init.as_ref().map(|init| init.bytes.escape_ascii().to_string());
            identity.text.push_str(&format!("{} {:?}\n", global.name, bytes));
        }
        identity
    }

    fn note_variables(&mut self, program: &Program, value: &ConstValue) {
        match value {
            ConstValue::Address(Symbol::Global(id), _) if !program.globals[*id].constant => {
                self.variables.insert(*id);
            }
            ConstValue::Add(a, b) | ConstValue::Sub(a, b) => {
                self.note_variables(program, a);
                self.note_variables(program, b);
            }
            ConstValue::Address(..) | ConstValue::Bits(_) | ConstValue::Undef => {}
        }
    }
}

/// How a type lies in memory, with all that pointers in it lead to.
pub fn layout_text(program: &Program, ty: TypeId) -> String {
    let layout = &program.layout;
    let mut text = format!("{} bits {}\n", layout.pointer_bits, if layout.big_endian { "big" } else { "little" });
    let mut known: Vec<TypeId> = vec![program.types.plain(ty)];
    let mut at = 0;
    while let Some(&ty) = known.get(at) {
        let line = written(program, ty, &mut known);
        text.push_str(&format!("{at}: {line}\n"));
        at += 1;
    }
    text
}

/// One type; others, which lie behind pointers, by number.
fn written(program: &Program, ty: TypeId, known: &mut Vec<TypeId>) -> String {
    let types = &program.types;
    match &types.all[types.plain(ty)] {
        Type::Pointer { to } => {
            let to = types.plain(*to);
            let is_same = |other: &TypeId| *other == to || is_same_record(program, *other, to);
            let number = known.iter().position(is_same).unwrap_or_else(|| {
                known.push(to);
                known.len() - 1
            });
            format!("pointer to {number}")
        }
        Type::Array { of, count } => format!("{:?} of ({})", count, written(program, *of, known)),
        Type::Record(record) => {
            let Some(body) = &record.body else { return format!("{} {}", record.kind.word(), record.name) };
            let member = |member: &crate::types::Member, known: &mut Vec<TypeId>| {
                let inner = written(program, member.ty, known);
                format!("{} at {} {:?} is {inner}", member.name, member.offset, member.width)
            };
            let members: Vec<String> = body.members.iter().map(|m| member(m, known)).collect();
            format!("{} {} of {} bits: {}", record.kind.word(), record.name, body.bits, members.join("; "))
        }
        Type::Function { .. } => "function".to_owned(),
        Type::Enum { name, signed, bits, enumerators } => format!("enum {name} {signed} {bits} {enumerators:?}"),
        Type::Integer { name, signed, bits } => format!("{name} {signed} {bits}"),
        Type::Float { name, bits } | Type::Other { name, bits } => format!("{name} {bits}"),
        Type::Void => "void".to_owned(),
        Type::Typedef { .. } => unreachable!("`plain` goes behind typedefs"),
    }
}

/// One structure has several numbers if several files use it.
fn is_same_record(program: &Program, a: TypeId, b: TypeId) -> bool {
    let (Type::Record(a_record), Type::Record(b_record)) = (&program.types.all[a], &program.types.all[b]) else {
        return false;
    };
    !a_record.name.is_empty()
        && (a_record.kind, &a_record.name) == (b_record.kind, &b_record.name)
        && program.types.bits(a, &program.layout) == program.types.bits(b, &program.layout)
        && a.index() != b.index()
}
