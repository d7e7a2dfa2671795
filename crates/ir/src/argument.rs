//! What a caller in C passes and gets, where the machine passes parts of it: a structure comes in several registers, floats of it two to a register.
//!
//! Boundary: the rule is that of x86: a register has the next eight bytes (four where addresses have 32 bits) of a structure, from its beginning; where two floats
//! share one, the types tell. Invariant: every parameter belongs to exactly one argument, in order.

use std::ops::Range;

use crate::function::{Function, Param, Passing};
use crate::program::{Layout, Ty};
use crate::types::{Type, TypeId, Types};

/// An argument as C passes it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceArgument {
    /// The numbers of the parameters that it is passed as.
    pub params: Range<usize>,
    /// Of a structure, union, complex number or vector that is passed in registers: its type.
    pub whole: Option<TypeId>,
    /// For each of the parameters, where it lies in the whole.
    pub offsets: Vec<u64>,
}

impl Function {
    /// The arguments that a caller in C passes, with the room for a large result.
    pub fn arguments(&self, types: &Types, layout: &Layout) -> Vec<SourceArgument> {
        let mut arguments = Vec::new();
        let mut next = 0;
        while let Some(first) = self.params.get(next) {
            let whole = whole_in_registers(first, types).or_else(|| self.vector_at(next, types, layout));
            let is_same = |param: &&Param| param.name == first.name && param.source == first.source;
            let count = match whole {
                Some(whole) => {
                    let room = types.bytes(whole, layout).unwrap_or(0);
                    let same = self.params[next..].iter().take_while(is_same).map(|param| param.ty);
                    let same: Vec<Ty> = same.collect();
                    // Two arguments of one name and type: only of parameters without names.
                    let offsets = part_offsets(&same, whole, types, layout);
                    offsets.iter().take_while(|offset| **offset < room.max(1)).count().max(1)
                }
                None => 1,
            };
            let parts: Vec<Ty> = self.params[next..next + count].iter().map(|param| param.ty).collect();
            let offsets = whole.map_or_else(|| vec![0], |whole| part_offsets(&parts, whole, types, layout));
            arguments.push(SourceArgument { params: next..next + count, whole, offsets });
            next += count;
        }
        arguments
    }

    /// The type of a vector of 16 bytes that comes in one register, of which each element is a parameter from that number on. C passes no arrays.
    fn vector_at(&self, number: usize, types: &Types, layout: &Layout) -> Option<TypeId> {
        let first = &self.params[number];
        let whole = first.source.filter(|_| first.byval.is_none() && matches!(first.ty, Ty::Int(_) | Ty::Float(_)))?;
        let Type::Array { of, .. } = types.all[types.plain(whole)] else { return None };
        let each = types.bytes(of, layout).filter(|each| first.ty.bits(layout) == 8 * *each as u32)?;
        let is_lane = |p: &&Param| p.name == first.name && p.source == first.source && p.ty == first.ty;
        let lanes = self.params[number..].iter().take_while(is_lane).count() as u64;
        (types.bytes(whole, layout) == Some(16) && lanes >= 16 / each).then_some(whole)
    }

    /// The type of its result in the source; nothing if that is not known or there is none.
    pub fn result_type(&self, types: &Types) -> Option<TypeId> {
        match &types.all[types.plain(self.source?)] {
            Type::Function { returns, .. } if types.all[types.plain(*returns)] != Type::Void => Some(*returns),
            _ => None,
        }
    }

    /// For each of its results where it lies in what C gets.
    pub fn result_offsets(&self, types: &Types, layout: &Layout) -> Vec<u64> {
        match self.result_type(types) {
            Some(whole) => part_offsets(&self.returns, whole, types, layout),
            None => (0..self.returns.len() as u64).map(|i| i * u64::from(layout.pointer_bytes())).collect(),
        }
    }
}

/// The type of a parameter that has parts and comes in registers.
fn whole_in_registers(param: &Param, types: &Types) -> Option<TypeId> {
    let whole = param.source.filter(|_| param.byval.is_none() && param.passing != Passing::Result)?;
    matches!(types.all[types.plain(whole)], Type::Record(_) | Type::Other { .. }).then_some(whole)
}

/// Where the parts lie that a value comes in.
fn part_offsets(parts: &[Ty], whole: TypeId, types: &Types, layout: &Layout) -> Vec<u64> {
    let mut end: u64 = 0;
    let mut offsets = Vec::new();
    if let Type::Array { .. } = types.all[types.plain(whole)] {
        // A vector, whose elements lie beside each other.
        let each = |part: &Ty| u64::from(part.bits(layout).div_ceil(8));
        return parts.iter().enumerate().map(|(i, part)| i as u64 * each(part)).collect();
    }
    for part in parts {
        let bytes = match part {
            Ty::Float(crate::FloatTy::F80) => 16,
            other => u64::from(other.bits(layout).div_ceil(8)),
        };
        let word = u64::from(layout.pointer_bytes()).max(if bytes == 16 { 16 } else { 1 });
        let beside = end.next_multiple_of(bytes.max(1));
        let shares = part.is_float() && beside % word != 0 && bytes < word && types.has_float_at(whole, beside, layout);
        let at = if shares { beside } else { end.next_multiple_of(word) };
        offsets.push(at);
        end = at + bytes;
    }
    offsets
}

impl Types {
    /// Whether a float begins at an offset of a type, in one of its members at least.
    fn has_float_at(&self, id: TypeId, at: u64, layout: &Layout) -> bool {
        match &self.all[self.plain(id)] {
            Type::Float { .. } => at == 0,
            // A complex number has two.
            Type::Other { bits, .. } => at == 0 || at == bits / 16,
            Type::Array { of, .. } => {
                let each = self.bytes(*of, layout).unwrap_or(1).max(1);
                self.has_float_at(*of, at % each, layout)
            }
            Type::Record(_) => self.members(id).unwrap_or_default().iter().any(|member| {
                let (start, bytes) = (member.offset / 8, self.bytes(member.ty, layout).unwrap_or(0));
                (start..start + bytes).contains(&at) && self.has_float_at(member.ty, at - start, layout)
            }),
            _ => false,
        }
    }
}
