//! Source types as text, one per line: see `read/types.rs` for the form.

use std::fmt::{self, Display, Formatter};

use crate::types::{Member, Record, Type, Types};

impl Display for Types {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (id, ty) in &self.all {
            writeln!(f, "type {id} = {ty}")?;
        }
        Ok(())
    }
}

impl Display for Type {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Type::Void => f.write_str("void"),
            Type::Integer { name, signed, bits } => write!(f, "integer {name:?} {} {bits}", sign(*signed)),
            Type::Float { name, bits } => write!(f, "float {name:?} {bits}"),
            Type::Other { name, bits } => write!(f, "other {name:?} {bits}"),
            Type::Pointer { to } => write!(f, "pointer {to}"),
            Type::Array { of, count: None } => write!(f, "array {of}"),
            Type::Array { of, count: Some(count) } => write!(f, "array {of} {count}"),
            Type::Record(record) => record.fmt(f),
            Type::Enum { name, signed, bits, enumerators } => {
                let all: Vec<String> = enumerators.iter().map(|(name, value)| format!("{name:?} = {value}")).collect();
                write!(f, "enum {name:?} {} {bits} {}", sign(*signed), braced(&all))
            }
            Type::Typedef { name, of } => write!(f, "typedef {name:?} {of}"),
            Type::Function { returns, params, variadic } => {
                let mut all: Vec<String> = params.iter().map(|param| param.to_string()).collect();
                all.extend(variadic.then(|| "...".to_owned()));
                write!(f, "function {returns} ({})", all.join(", "))
            }
        }
    }
}

impl Display for Record {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:?}", self.kind.word(), self.name)?;
        let Some(body) = &self.body else { return Ok(()) };
        let members: Vec<String> = body.members.iter().map(Member::to_string).collect();
        write!(f, " bits {} {}", body.bits, braced(&members))
    }
}

impl Display for Member {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} at {}: {}", self.name, self.offset, self.ty)?;
        self.width.map_or(Ok(()), |width| write!(f, " width {width}"))
    }
}

fn sign(signed: bool) -> &'static str {
    if signed { "signed" } else { "unsigned" }
}

fn braced(all: &[String]) -> String {
    if all.is_empty() { "{ }".to_owned() } else { format!("{{ {} }}", all.join(", ")) }
}
