//! Whether what a function was to make may be used, by what it gives back.
//!
//! Nobody writes down whether 0 means that all went well. Where a function gives back negative constants, these mean that it did not; where it
//! gives back one constant only, it tells nothing; elsewhere it is not clear, and no guess is made.

use std::collections::BTreeSet;

use taw_ir::{ConstValue, Function, Inst, Operand, Reg, Type};

/// When what a function makes may be used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Success {
    /// Always.
    Always,
    /// If it gives back true, or a pointer that is not null.
    True,
    /// If it gives back no negative number.
    NotNegative,
    /// Nobody knows.
    Unclear,
}

/// What a result of that type says.
pub(super) fn success(function: &Function, returns: &Type) -> Success {
    match returns {
        Type::Void => Success::Always,
        Type::Pointer { .. } => Success::True,
        Type::Integer { name, .. } if name == "_Bool" || name == "bool" => Success::True,
        Type::Integer { bits, signed: true, .. } | Type::Enum { bits, signed: true, .. } => {
            let Returned { constants, others } = returned(function);
            let is_negative = |word: &u64| *bits <= 64 && (word >> (bits - 1)) & 1 == 1;
            match constants.len() {
                1 if !others => Success::Always,
                _ if constants.iter().any(is_negative) => Success::NotNegative,
                _ => Success::Unclear,
            }
        }
        _ => Success::Unclear,
    }
}

/// What a function gives back.
#[derive(Debug, Default)]
struct Returned {
    constants: BTreeSet<u64>,
    /// Whether there is something else.
    others: bool,
}

fn returned(function: &Function) -> Returned {
    let ends = function.code.iter().filter_map(|inst| match inst {
        Inst::Ret { values } => function.lists[*values].first().copied(),
        _ => None,
    });
    let (mut todo, mut seen): (Vec<Operand>, _) = (ends.collect(), BTreeSet::new());
    let mut returned = Returned::default();
    while let Some(operand) = todo.pop() {
        let constant = operand.as_const().map(|constant| &function.consts[constant].value);
        match (constant, operand.as_reg()) {
            (Some(ConstValue::Bits(words)), _) => returned.constants.extend(words.first()),
            (None, Some(reg)) if !seen.insert(reg) => {}
            (None, Some(reg)) => match assigned(function, reg) {
                Some(more) => todo.extend(more),
                None => returned.others = true,
            },
            _ => returned.others = true,
        }
    }
    returned
}

/// All that a register is made equal to; nothing if it is computed.
fn assigned(function: &Function, reg: Reg) -> Option<Vec<Operand>> {
    if function.params.iter().any(|param| param.reg == reg) {
        return None;
    }
    let mut all = Vec::new();
    for inst in &function.code {
        let mut is_written = false;
        inst.for_each_dst(function, |dst| is_written |= dst == reg);
        match inst {
            Inst::Copy { src, .. } if is_written => all.push(*src),
            Inst::Undef { .. } => {}
            _ if is_written => return None,
            _ => {}
        }
    }
    let moves = function.edges.values().flat_map(|edge| &edge.moves);
    all.extend(moves.filter(|(dst, _)| *dst == reg).map(|(_, src)| *src));
    Some(all)
}
