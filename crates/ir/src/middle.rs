//! A function that begins where a block of another one does.
//!
//! Its code is that of the other, one instruction later, behind a jump to the block; its parameters are the registers that matter there. Where the block
//! would be begun again, it returns. So whoever can start at any function can start at any block: what is possible from there until the next time, whatever
//! was before, is what some call of this function does.
//!
//! Boundary: nothing is decided here about what the parameters may be. Invariant: an instruction at `pc` of the other function is at
//! [`shifted_site`] of this one, with the same registers, constants and source place.

use cranelift_entity::EntityRef;

use crate::callgraph::Site;
use crate::function::{Block, ConstData, Edge, Function, Param, Passing};
use crate::inst::{Inst, Operand};
use crate::liveness::Liveness;
use crate::program::{BlockId, ConstValue, FuncId, Layout, LocId, Program, Reg, Ty};
use crate::types::{Type, TypeId, Types};

/// The function as it is from a block on; nothing if a register that matters there is a pointer to nobody knows what, or blocks have addresses.
///
/// An address of a local variable is a parameter, too: a pointer to the type of the variable, with all of it behind.
pub fn from_block(program: &mut Program, function: &Function, block: BlockId) -> Option<Function> {
    if !function.edge_lists.is_empty() {
        return None;
    }
    let live: Vec<Reg> = Liveness::of(function).at_start(block).collect();
    let (types, layout) = (&mut program.types, &program.layout);
    let params = live.into_iter().map(|reg| parameter(function, reg, types, layout)).collect::<Option<Vec<_>>>()?;
    let mut middle = Function {
        name: format!("{}@{}", function.name, block.index()),
        params,
        variadic: false,
        source: None,
        is_static: true,
        ..function.clone()
    };
    let place = function.locs.get(function.blocks[block].start as usize).copied().flatten();
    middle.locs.insert(0, place);
    for block in middle.blocks.values_mut() {
        (block.start, block.end) = (shifted(block.start), shifted(block.end));
    }
    // The first block is where a function begins.
    let first = BlockId::new(0);
    let before = std::mem::replace(&mut middle.blocks[first], Block { start: 0, end: 1 });
    let moved = middle.blocks.push(before);
    let here = |at: BlockId| if at == first { moved } else { at };
    middle.edges.values_mut().for_each(|edge| edge.to = here(edge.to));
    let edge = middle.edges.push(Edge { to: here(block), moves: Vec::new() });
    middle.code.insert(0, Inst::Br { edge });
    let over = ends(&mut middle, place);
    for (id, other) in middle.edges.iter_mut().filter(|(_, other)| other.to == here(block)) {
        if id != edge {
            *other = Edge { to: over, moves: Vec::new() };
        }
    }
    Some(middle)
}

/// A block that returns, whatever.
fn ends(function: &mut Function, place: Option<LocId>) -> BlockId {
    let nothing = |ty: &Ty| ConstData { ty: *ty, value: ConstValue::Undef };
    let constants: Vec<ConstData> = function.returns.iter().map(nothing).collect();
    let values = constants.into_iter().map(|constant| Operand::constant(function.consts.push(constant))).collect();
    let values = function.lists.push(values);
    let start = function.code.len() as u32;
    function.code.push(Inst::Ret { values });
    function.locs.push(place);
    function.blocks.push(Block { start, end: start + 1 })
}

/// Where an instruction of the other function is.
fn shifted(pc: u32) -> u32 {
    pc + 1
}

/// The same place, in the function that begins in the middle.
pub fn shifted_site(site: Site, middle: FuncId) -> Site {
    Site { func: middle, pc: shifted(site.pc) }
}

/// A register as a parameter.
fn parameter(function: &Function, reg: Reg, types: &mut Types, layout: &Layout) -> Option<Param> {
    let data = &function.regs[reg];
    let local = function.allocas.values().find(|alloca| alloca.dst == reg);
    let passed = function.params.iter().find(|param| param.reg == reg);
    let (source, at_least) = match (local, passed) {
        (Some(local), _) => {
            let room = types.bytes(local.source?, layout)?;
            (Some(pointer_to(types, local.source?)), room)
        }
        // A copy that the caller has made: there is one.
        (None, Some(Param { byval: Some(copy), source: Some(source), .. })) => {
            (Some(pointer_to(types, *source)), copy.size)
        }
        _ => (data.source.filter(|source| fits(data.ty, *source, types, layout)), 0),
    };
    if data.ty == Ty::Ptr && source.and_then(|source| types.pointee(source)).is_none() {
        return None;
    }
    let name = match local {
        Some(local) if !local.name.is_empty() => format!("&{}", local.name),
        _ if data.name.is_empty() => format!("v{}", reg.index()),
        _ => data.name.clone(),
    };
    Some(Param { reg, ty: data.ty, name, source, byval: None, passing: Passing::Plain, read_only: false, at_least })
}

/// Whether a register holds all of a variable of that type, and not a part.
fn fits(ty: Ty, source: TypeId, types: &Types, layout: &Layout) -> bool {
    let plain = &types.all[types.plain(source)];
    match ty {
        Ty::Ptr => matches!(plain, Type::Pointer { .. }),
        _ => {
            !matches!(plain, Type::Record(_) | Type::Array { .. } | Type::Pointer { .. })
                && types.bytes(source, layout) == Some(u64::from(ty.bits(layout).div_ceil(8)))
        }
    }
}

fn pointer_to(types: &mut Types, to: TypeId) -> TypeId {
    let known = types.all.iter().find(|(_, ty)| **ty == Type::Pointer { to }).map(|(id, _)| id);
    known.unwrap_or_else(|| types.all.push(Type::Pointer { to }))
}
