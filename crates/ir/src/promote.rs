//! Puts scalar locals into registers: unoptimised code keeps every local in memory, and most of them never need it.
//!
//! An allocation is promoted if it is one scalar made once, in the entry block, and its address goes nowhere but into loads
//! and stores of one and the same width. The numbers of instructions and their source places stay: the allocation and
//! the start of its lifetime become `Undef`, loads and stores become `Copy`, the end of its lifetime becomes `Undef`, too
//! (a later load would read a dead local, whose value is as undefined).
//!
//! The register is as the memory was: a function that calls `setjmp` sees after `longjmp` what was stored before it.

use cranelift_entity::SecondaryMap;

use crate::function::Function;
use crate::inst::{Inst, Operand};
use crate::program::{AllocaId, BlockId, ConstValue, Layout, Program, Reg, Ty};

/// Promotes what can be in every function.
pub fn promote(program: &mut Program) {
    let Program { functions, layout, .. } = program;
    for f in functions.values_mut().filter(|f| f.is_defined()) {
        promote_function(f, layout);
    }
}

/// The bytes of the largest scalar. What is larger is an array, however little of it is used, and takes its room on the stack.
const LARGEST: u64 = 1 << 13;

/// What is known of the allocation that a register holds the address of.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum Local {
    /// The register is no address of a local.
    #[default]
    No,
    /// Not accessed yet.
    Untouched(AllocaId),
    /// All accesses so far are of this type's width; the type is that of the first.
    Scalar(AllocaId, Ty),
}

fn promote_function(f: &mut Function, layout: &Layout) {
    let mut locals = candidates(f);
    for inst in &f.code {
        observe(f, inst, &mut locals, layout);
    }
    for edge in f.edges.values() {
        for &(dst, src) in &edge.moves {
            escape(src, &mut locals);
            locals[dst] = Local::No;
        }
    }
    let homes: SecondaryMap<Reg, Option<Reg>> = homes(f, &locals);
    for inst in &mut f.code {
        if let Some(replacement) = rewritten(inst, &homes, &f.allocas) {
            *inst = replacement;
        }
    }
}

/// Allocations of one element in the entry block.
fn candidates(f: &Function) -> SecondaryMap<Reg, Local> {
    let mut locals = SecondaryMap::with_default(Local::No);
    let Some(entry) = f.blocks.get(BlockId::from_u32(0)) else { return locals };
    for inst in &f.code[entry.start as usize..entry.end as usize] {
        if let Inst::Alloca { alloca } = *inst
            && is_one(f, f.allocas[alloca].count)
            && f.allocas[alloca].size <= LARGEST
        {
            locals[f.allocas[alloca].dst] = Local::Untouched(alloca);
        }
    }
    locals
}

fn is_one(f: &Function, count: Operand) -> bool {
    let value = count.as_const().map(|c| &f.consts[c].value);
    matches!(value, Some(ConstValue::Bits(words)) if words[0] == 1 && words[1..].iter().all(|&w| w == 0))
}

fn escape(operand: Operand, locals: &mut SecondaryMap<Reg, Local>) {
    if let Some(reg) = operand.as_reg() {
        locals[reg] = Local::No;
    }
}

fn observe(f: &Function, inst: &Inst, locals: &mut SecondaryMap<Reg, Local>, layout: &Layout) {
    match *inst {
        Inst::Load { dst, ptr, width } => access(f, ptr, f.regs[dst].ty, width, locals, layout),
        Inst::Store { ptr, value, width } => {
            escape(value, locals);
            access(f, ptr, type_of(f, value), width, locals, layout);
        }
        Inst::LifetimeStart { .. } | Inst::LifetimeEnd { .. } => {}
        _ => inst.for_each_use(f, |operand| escape(operand, locals)),
    }
}

fn type_of(f: &Function, operand: Operand) -> Ty {
    match (operand.as_reg(), operand.as_const()) {
        (Some(reg), _) => f.regs[reg].ty,
        (_, Some(constant)) => f.consts[constant].ty,
        _ => unreachable!("an operand is a register or a constant"),
    }
}

/// An access of the whole local keeps it promotable.
fn access(f: &Function, ptr: Operand, ty: Ty, width: u32, locals: &mut SecondaryMap<Reg, Local>, layout: &Layout) {
    let Some(reg) = ptr.as_reg() else { return };
    locals[reg] = match locals[reg] {
        Local::Untouched(alloca) if covers(f, alloca, width) => Local::Scalar(alloca, ty),
        Local::Scalar(alloca, known) if known.bits(layout) == width => Local::Scalar(alloca, known),
        _ => Local::No,
    };
}

/// Whether an access stays inside the local. It need not be as long: an x87 float leaves some bytes out, and bytes that no
/// access touches do not matter.
fn covers(f: &Function, alloca: AllocaId, width: u32) -> bool {
    u64::from(width.div_ceil(8)) <= f.allocas[alloca].size
}

/// A register for each promoted local, by the register of its address.
fn homes(f: &mut Function, locals: &SecondaryMap<Reg, Local>) -> SecondaryMap<Reg, Option<Reg>> {
    let mut homes = SecondaryMap::new();
    for (_, alloca) in f.allocas.iter() {
        homes[alloca.dst] = match locals[alloca.dst] {
            Local::Scalar(_, ty) => {
                Some(f.regs.push(crate::RegData { ty, name: alloca.name.clone(), source: alloca.source }))
            }
            _ => None,
        };
    }
    homes
}

fn rewritten(
    inst: &Inst,
    homes: &SecondaryMap<Reg, Option<Reg>>,
    allocas: &crate::PrimaryMap<AllocaId, crate::Alloca>,
) -> Option<Inst> {
    let home = |ptr: Operand| homes[ptr.as_reg()?];
    match *inst {
        Inst::Alloca { alloca } => Some(Inst::Undef { dst: homes[allocas[alloca].dst]? }),
        Inst::LifetimeStart { ptr } | Inst::LifetimeEnd { ptr } => Some(Inst::Undef { dst: home(ptr)? }),
        Inst::Load { dst, ptr, .. } => Some(Inst::Copy { dst, src: Operand::reg(home(ptr)?) }),
        Inst::Store { ptr, value, .. } => Some(Inst::Copy { dst: home(ptr)?, src: value }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Alloca, Block, ConstData, RegData};

    /// A function whose entry block allocates 4 bytes and then does what `code` says with the address.
    fn function(code: impl FnOnce(&mut Function, Operand) -> Vec<Inst>) -> Program {
        let mut f = Function { name: "f".into(), ..Function::default() };
        let dst = f.regs.push(RegData { ty: Ty::Ptr, name: String::new(), source: None });
        let one = f.consts.push(ConstData { ty: Ty::Int(32), value: ConstValue::Bits([1].into()) });
        let count = Operand::constant(one);
        let name = "x".to_string();
        let alloca =
            f.allocas.push(Alloca { dst, size: 4, count, count_width: 32, align: 4, element: 4, name, source: None });
        let values = f.lists.push(Vec::new());
        f.code = vec![Inst::Alloca { alloca }];
        let rest = code(&mut f, Operand::reg(dst));
        f.code.extend(rest);
        f.code.push(Inst::Ret { values });
        f.locs = vec![None; f.code.len()];
        f.blocks.push(Block { start: 0, end: f.code.len() as u32 });
        let mut program = Program { layout: Layout { pointer_bits: 64, ..Layout::default() }, ..Program::default() };
        program.functions.push(f);
        program
    }

    fn promoted(code: impl FnOnce(&mut Function, Operand) -> Vec<Inst>) -> String {
        let mut program = function(code);
        crate::verify(&program).expect("the test is right");
        promote(&mut program);
        crate::verify(&program).expect("promotion keeps the invariants");
        program.functions.values().map(|f| f.to_string()).collect()
    }

    fn register(f: &mut Function, ty: Ty) -> Reg {
        f.regs.push(RegData { ty, name: String::new(), source: None })
    }

    #[test]
    fn a_scalar_that_stays_home_becomes_a_register() {
        let text = promoted(|f, ptr| {
            let dst = register(f, Ty::Int(32));
            let value = Operand::constant(crate::ConstId::from_u32(0));
            vec![
                Inst::LifetimeStart { ptr },
                Inst::Store { ptr, value, width: 32 },
                Inst::Load { dst, ptr, width: 32 },
                Inst::LifetimeEnd { ptr },
            ]
        });
        let expected = "    v2: i32 \"x\" = undef\n    v2: i32 \"x\" = undef\n    v2: i32 \"x\" = copy i32 1\n    v1: i32 = copy v2\n    v2: i32 \"x\" = undef\n    ret\n";
        assert!(text.contains(expected), "{text}");
    }

    #[test]
    fn an_address_that_gets_out_keeps_its_memory() {
        let stored = promoted(|_, ptr| vec![Inst::Store { ptr, value: ptr, width: 64 }]);
        assert!(stored.contains("alloca"), "{stored}");
        let moved = promoted(|f, base| vec![Inst::PtrAdd { dst: register(f, Ty::Ptr), base, disp: 1 }]);
        assert!(moved.contains("alloca"), "{moved}");
        let marked = promoted(|f, ptr| {
            let dst = register(f, Ty::Int(32));
            vec![Inst::Load { dst, ptr, width: 32 }, Inst::VaStart { list: ptr }]
        });
        assert!(marked.contains("alloca"), "{marked}");
    }

    #[test]
    fn accesses_of_different_widths_or_outside_need_memory() {
        let narrow = promoted(|f, ptr| {
            let (a, b) = (register(f, Ty::Int(32)), register(f, Ty::Int(8)));
            vec![Inst::Load { dst: a, ptr, width: 32 }, Inst::Load { dst: b, ptr, width: 8 }]
        });
        assert!(narrow.contains("alloca"), "{narrow}");
        let outside = promoted(|f, ptr| vec![Inst::Load { dst: register(f, Ty::Int(64)), ptr, width: 64 }]);
        assert!(outside.contains("alloca"), "{outside}");
    }
}
