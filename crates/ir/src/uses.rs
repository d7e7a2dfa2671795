//! What an instruction reads and writes: one place that knows, for analyses that do not care what it does.

use crate::function::{Callee, Function};
use crate::inst::{Inst, Operand};
use crate::program::Reg;

impl Inst {
    /// The first register it writes. `Overflow` and `CmpXchg` also write the one after it; `Call` may write several.
    pub fn dst(&self, f: &Function) -> Option<Reg> {
        match *self {
            Inst::Copy { dst, .. }
            | Inst::Undef { dst }
            | Inst::Bin { dst, .. }
            | Inst::Overflow { dst, .. }
            | Inst::Bit { dst, .. }
            | Inst::Funnel { dst, .. }
            | Inst::Cmp { dst, .. }
            | Inst::Select { dst, .. }
            | Inst::Cast { dst, .. }
            | Inst::FloatUn { dst, .. }
            | Inst::FloatBin { dst, .. }
            | Inst::Fma { dst, .. }
            | Inst::FloatCmp { dst, .. }
            | Inst::FloatToFloat { dst, .. }
            | Inst::FloatToInt { dst, .. }
            | Inst::IntToFloat { dst, .. }
            | Inst::FloatClass { dst, .. }
            | Inst::Load { dst, .. }
            | Inst::PtrAdd { dst, .. }
            | Inst::PtrIndex { dst, .. }
            | Inst::ObjectSize { dst, .. }
            | Inst::StackSave { dst }
            | Inst::CmpXchg { dst, .. }
            | Inst::AtomicRmw { dst, .. }
            | Inst::VaArg { dst, .. }
            | Inst::FrameAddress { dst }
            | Inst::ReturnAddress { dst, .. } => Some(dst),
            Inst::Alloca { alloca } => Some(f.allocas[alloca].dst),
            Inst::Call { call } => f.calls[call].dsts.first().copied(),
            _ => None,
        }
    }

    /// Calls `visit` for each operand it reads, in the order of its fields. Moves on edges are not part of it.
    pub fn for_each_use(&self, f: &Function, mut visit: impl FnMut(Operand)) {
        let mut all = |operands: &[Operand]| operands.iter().for_each(|&o| visit(o));
        match *self {
            Inst::Copy { src, .. }
            | Inst::Cast { src, .. }
            | Inst::FloatToFloat { src, .. }
            | Inst::FloatToInt { src, .. }
            | Inst::IntToFloat { src, .. } => all(&[src]),
            Inst::Bit { a, .. } | Inst::FloatUn { a, .. } | Inst::FloatClass { a, .. } => all(&[a]),
            Inst::Bin { a, b, .. }
            | Inst::Overflow { a, b, .. }
            | Inst::Cmp { a, b, .. }
            | Inst::FloatBin { a, b, .. }
            | Inst::FloatCmp { a, b, .. } => all(&[a, b]),
            Inst::Funnel { a, b, c, .. } | Inst::Fma { a, b, c, .. } => all(&[a, b, c]),
            Inst::Select { cond, a, b, .. } => all(&[cond, a, b]),
            Inst::Alloca { alloca } => all(&[f.allocas[alloca].count]),
            Inst::Load { ptr, .. }
            | Inst::LifetimeStart { ptr }
            | Inst::LifetimeEnd { ptr }
            | Inst::ObjectSize { ptr, .. } => all(&[ptr]),
            Inst::Store { ptr, value, .. } | Inst::AtomicRmw { ptr, value, .. } => all(&[ptr, value]),
            Inst::PtrAdd { base, .. } => all(&[base]),
            Inst::PtrIndex { base, index, .. } => all(&[base, index]),
            Inst::MemCopy { dst, src, len, .. } => all(&[dst, src, len]),
            Inst::MemSet { dst, byte, len, .. } => all(&[dst, byte, len]),
            Inst::StackRestore { mark } => all(&[mark]),
            Inst::CmpXchg { ptr, expected, new, .. } => all(&[ptr, expected, new]),
            Inst::VaStart { list } | Inst::VaEnd { list } | Inst::VaArg { list, .. } => all(&[list]),
            Inst::VaCopy { dst, src } => all(&[dst, src]),
            Inst::Require { cond, .. } | Inst::Condition { cond, .. } | Inst::CondBr { cond, .. } => all(&[cond]),
            Inst::Call { call } => {
                let call = &f.calls[call];
                if let Callee::Indirect(callee) = call.callee {
                    all(&[callee]);
                }
                call.args.iter().for_each(|arg| all(&[arg.value]));
            }
            Inst::Switch { switch } => all(&[f.switches[switch].value]),
            Inst::IndirectBr { addr, .. } => all(&[addr]),
            Inst::Ret { values } => all(&f.lists[values]),
            Inst::Undef { .. }
            | Inst::StackSave { .. }
            | Inst::FrameAddress { .. }
            | Inst::ReturnAddress { .. }
            | Inst::Trap
            | Inst::Unsupported { .. }
            | Inst::Br { .. }
            | Inst::Unreachable => {}
        }
    }
}
