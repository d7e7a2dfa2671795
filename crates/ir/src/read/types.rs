//! Source types of the text form: `type type3 = struct "node" bits 128 { "next" at 0: type2, "low" at 64: type1 width 3 }`.

use cranelift_entity::EntityRef;

use super::Read;
use super::cursor::{Cursor, Token, numbered};
use crate::types::{Member, Record, RecordBody, RecordKind, Type, TypeId};

impl Cursor {
    /// `type3`.
    fn type_id(&mut self) -> Read<TypeId> {
        self.eat_type().ok_or_else(|| format!("the number of a type is missing before {:?}", self.peek()))
    }

    /// `type3`, if it is there.
    pub(super) fn eat_type(&mut self) -> Option<TypeId> {
        let Some(Token::Word(word)) = self.peek() else { return None };
        let number = numbered(word, "type")?;
        self.skip();
        Some(TypeId::new(number))
    }

    fn sign(&mut self) -> Read<bool> {
        match self.word()?.as_str() {
            "signed" => Ok(true),
            "unsigned" => Ok(false),
            other => Err(format!("a number is `signed` or `unsigned`, not `{other}`")),
        }
    }
}

/// The number of a type and what it is; the word `type` has been read.
pub(super) fn read(c: &mut Cursor) -> Read<(TypeId, Type)> {
    let id = c.type_id()?;
    c.expect('=')?;
    let ty = match c.word()?.as_str() {
        "void" => Type::Void,
        "integer" => Type::Integer { name: c.string()?, signed: c.sign()?, bits: c.number()? },
        "float" => Type::Float { name: c.string()?, bits: c.number()? },
        "other" => Type::Other { name: c.string()?, bits: c.number()? },
        "pointer" => Type::Pointer { to: c.type_id()? },
        "array" => {
            let of = c.type_id()?;
            Type::Array { of, count: if c.peek().is_some() { Some(c.number()?) } else { None } }
        }
        "struct" => record(c, RecordKind::Struct)?,
        "union" => record(c, RecordKind::Union)?,
        "enum" => Type::Enum {
            name: c.string()?,
            signed: c.sign()?,
            bits: c.number()?,
            enumerators: list(c, |c| {
                let name = c.string()?;
                c.expect('=')?;
                Ok((name, c.signed()?))
            })?,
        },
        "typedef" => Type::Typedef { name: c.string()?, of: c.type_id()? },
        "function" => function(c)?,
        other => return Err(format!("`{other}` is no kind of type")),
    };
    c.end()?;
    Ok((id, ty))
}

fn record(c: &mut Cursor, kind: RecordKind) -> Read<Type> {
    let name = c.string()?;
    let body =
        if c.eat_word("bits") { Some(RecordBody { bits: c.number()?, members: list(c, member)? }) } else { None };
    Ok(Type::Record(Record { kind, name, body }))
}

fn member(c: &mut Cursor) -> Read<Member> {
    let name = c.string()?;
    c.keyword("at")?;
    let offset = c.number()?;
    c.expect(':')?;
    let ty = c.type_id()?;
    let width = if c.eat_word("width") { Some(c.number()?) } else { None };
    Ok(Member { name, offset, ty, width })
}

fn function(c: &mut Cursor) -> Read<Type> {
    let returns = c.type_id()?;
    c.expect('(')?;
    let (mut params, mut variadic) = (Vec::new(), false);
    while !c.eat(')') {
        if c.eat_word("...") {
            variadic = true;
        } else {
            params.push(c.type_id()?);
        }
        c.eat(',');
    }
    Ok(Type::Function { returns, params, variadic })
}

/// `{ one, two }`.
fn list<T>(c: &mut Cursor, one: impl Fn(&mut Cursor) -> Read<T>) -> Read<Vec<T>> {
    c.expect('{')?;
    let mut all = Vec::new();
    while !c.eat('}') {
        all.push(one(c)?);
        if !c.eat(',') {
            c.expect('}')?;
            break;
        }
    }
    Ok(all)
}
