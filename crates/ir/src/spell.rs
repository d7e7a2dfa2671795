//! Types of the source as C writes them: `int (*)[4]`, `struct node *`.
//!
//! A typedef of a number (`size_t`) is written as that number (`unsigned long`): who reads it wants to know size and sign. Other typedefs keep
//! their name.

use crate::types::{Type, TypeId, Types};

impl Types {
    /// A type as C writes it.
    pub fn spelled(&self, id: TypeId) -> String {
        self.declared(id, String::new())
    }

    /// The declaration of `name` with that type; inside out: `name` is `*p` where `p` is a pointer to it.
    pub fn declared(&self, id: TypeId, name: String) -> String {
        match &self.all[id] {
            Type::Void => join("void", &name),
            Type::Integer { name: own, .. } | Type::Float { name: own, .. } | Type::Other { name: own, .. } => {
                join(own, &name)
            }
            Type::Pointer { to } => match self.all[*to] {
                Type::Array { .. } | Type::Function { .. } => self.declared(*to, format!("(*{name})")),
                _ => self.declared(*to, format!("*{name}")),
            },
            Type::Array { of, count } => {
                let count = count.map(|n| n.to_string()).unwrap_or_default();
                self.declared(*of, format!("{name}[{count}]"))
            }
            Type::Record(record) => join(&tagged(record.kind.word(), &record.name), &name),
            Type::Enum { name: own, .. } => join(&tagged("enum", own), &name),
            Type::Typedef { name: own, .. } => match &self.all[self.plain(id)] {
                Type::Integer { name: number, .. } | Type::Float { name: number, .. } => join(number, &name),
                _ => join(own, &name),
            },
            Type::Function { returns, params, variadic } => {
                let mut all: Vec<String> = params.iter().map(|&param| self.spelled(param)).collect();
                if *variadic {
                    all.push("...".to_owned());
                }
                let all = if all.is_empty() { "void".to_owned() } else { all.join(", ") };
                self.declared(*returns, format!("{name}({all})"))
            }
        }
    }
}

fn join(ty: &str, name: &str) -> String {
    if name.is_empty() { ty.to_owned() } else { format!("{ty} {name}") }
}

fn tagged(word: &str, name: &str) -> String {
    format!("{word} {}", if name.is_empty() { "(anonymous)" } else { name })
}
