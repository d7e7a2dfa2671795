//! Memory: allocas, loads and stores (one per scalar), addresses, atomics.

use taw_ir::{Alloca, AtomicOp, CastOp, FloatBinOp, Inst, IntOp, Operand, Ty};

use super::body::{FunctionBody, Parts, Unsupported};
use super::constants::signed;
use super::scalar::float;
use super::types::{MemorySlot, OPAQUE, Shape, UNSIZED};
use crate::llvm::{LlvmType, LlvmTypeKind, LlvmValue, RmwOp};

impl<'m> FunctionBody<'_, 'm> {
    pub(super) fn alloca(&mut self, i: LlvmValue<'m>) -> Result<Parts, Unsupported> {
        let ty = i.allocated_type();
        let size = self.cx.types.bytes(ty).ok_or_else(|| format!("a local of {UNSIZED}"))?;
        let count = self.scalar(i.operand(0));
        let (name, node) = self.names.alloca(i);
        let alloca = Alloca {
            dst: self.register(Ty::Ptr),
            size,
            count,
            count_width: self.width(self.type_of(count)),
            align: i.alignment().max(1),
            element: self.cx.types.element(ty),
            name,
            source: self.cx.source_type(node),
        };
        Ok(self.allocate(alloca))
    }

    pub(super) fn allocate(&mut self, alloca: Alloca) -> Parts {
        let dst = alloca.dst;
        let alloca = self.f.allocas.push(alloca);
        self.emit(Inst::Alloca { alloca });
        Parts::from_elem(Operand::reg(dst), 1)
    }

    pub(super) fn load(&mut self, i: LlvmValue<'m>) -> Result<Parts, Unsupported> {
        let shape = self.shape(i);
        let ptr = self.scalar(i.operand(0));
        Ok(self.load_parts(ptr, &shape))
    }

    /// Loads every scalar of a type.
    pub(super) fn load_parts(&mut self, ptr: Operand, shape: &Shape) -> Parts {
        let mut parts = Parts::new();
        for &slot in &shape.slots {
            let at = self.displaced(ptr, slot.offset as i64);
            let types = &shape.scalars[slot.first..][..slot.count];
            let ty = self.slot_type(types);
            let width = self.width(ty);
            let whole = self.compute(ty, |dst| Inst::Load { dst, ptr: at, width });
            match slot {
                MemorySlot { count: 1, .. } => parts.push(whole),
                _ => parts.extend(self.regroup(Parts::from_elem(whole, 1), types)),
            }
        }
        parts
    }

    pub(super) fn store(&mut self, i: LlvmValue<'m>) -> Result<Parts, Unsupported> {
        let shape = self.shape(i.operand(0));
        if shape.opaque {
            return Err(format!("a store of {OPAQUE}"));
        }
        let parts = self.value(i.operand(0));
        let ptr = self.scalar(i.operand(1));
        self.store_parts(ptr, &shape, &parts);
        Ok(Parts::new())
    }

    /// Stores every scalar of a type.
    pub(super) fn store_parts(&mut self, ptr: Operand, shape: &Shape, parts: &Parts) {
        for &MemorySlot { offset, first, count } in &shape.slots {
            let ty = self.slot_type(&shape.scalars[first..][..count]);
            let value = match count {
                1 => parts[first],
                _ => self.regroup(parts[first..][..count].into(), &[ty])[0],
            };
            let at = self.displaced(ptr, offset as i64);
            let width = self.width(ty);
            self.emit(Inst::Store { ptr: at, value, width });
        }
    }

    /// What is read or written at once.
    fn slot_type(&self, types: &[Ty]) -> Ty {
        match types {
            [ty] => *ty,
            many => Ty::Int(many.iter().map(|&ty| self.width(ty)).sum()),
        }
    }

    /// An address so many bytes further on.
    pub(super) fn displaced(&mut self, base: Operand, disp: i64) -> Operand {
        if disp == 0 {
            return base;
        }
        self.compute(Ty::Ptr, |dst| Inst::PtrAdd { dst, base, disp })
    }

    /// `getelementptr`: variable indices in turn, constant ones summed up.
    pub(super) fn address(&mut self, i: LlvmValue<'m>) -> Result<Parts, Unsupported> {
        if self.cx.types.bytes(i.gep_type()).is_none() {
            return Err(format!("an address in {UNSIZED}"));
        }
        let lanes = self.shape(i).scalars.len();
        let base = self.value(i.operand(0));
        Ok((0..lanes).map(|lane| self.address_of_lane(i, pick(&base, lane), lane)).collect())
    }

    fn address_of_lane(&mut self, i: LlvmValue<'m>, base: Operand, lane: usize) -> Operand {
        let mut at = i.gep_type();
        let (mut pointer, mut disp) = (base, 0i64);
        for (n, index) in i.operands().skip(1).enumerate() {
            match lane_constant(index, lane) {
                Some(number) => disp = disp.wrapping_add(self.cx.step(&mut at, n, number)),
                None => {
                    let index = pick(&self.value(index), lane);
                    pointer = self.indexed(pointer, index, &mut at, n);
                }
            }
        }
        // At 32 bits a sum of offsets may have left the range of addresses.
        let shift = 64 - self.cx.program.layout.pointer_bits;
        self.displaced(pointer, (disp << shift) >> shift)
    }

    fn indexed(&mut self, base: Operand, index: Operand, at: &mut LlvmType<'m>, n: usize) -> Operand {
        let stride = self.cx.stride(at, n);
        if stride == 0 {
            return base;
        }
        let pointer = Ty::Int(self.width(Ty::Ptr));
        let ty = self.type_of(index);
        let index = if self.width(ty) > self.width(pointer) { self.fit(index, pointer) } else { index };
        let (index, scale) = match u32::try_from(stride) {
            Ok(scale) => (index, scale),
            Err(_) => {
                let wide = if ty == pointer { index } else { self.resize(CastOp::SExt, index, pointer) };
                let stride = self.number(pointer, stride);
                (self.binary(IntOp::Mul, pointer, wide, stride), 1)
            }
        };
        let width = self.width(self.type_of(index));
        self.compute(Ty::Ptr, |dst| Inst::PtrIndex { dst, base, index, width, scale })
    }

    pub(super) fn compare_exchange(&mut self, i: LlvmValue<'m>) -> Parts {
        let ptr = self.scalar(i.operand(0));
        let (expected, new) = (self.scalar(i.operand(1)), self.scalar(i.operand(2)));
        let ty = self.type_of(expected);
        let dst = self.register(ty);
        let replaced = self.register(Ty::Int(1));
        let width = self.width(ty);
        self.emit(Inst::CmpXchg { dst, ptr, expected, new, width });
        [Operand::reg(dst), Operand::reg(replaced)].into_iter().collect()
    }

    pub(super) fn read_modify_write(&mut self, i: LlvmValue<'m>) -> Result<Parts, Unsupported> {
        let shape = self.shape(i);
        let [ty] = shape.scalars[..] else { return Err("an atomic operation on a vector".to_string()) };
        let op = match rmw(i.rmw_op()) {
            Some(Rmw::Int(op)) => op,
            Some(Rmw::Float(op)) => AtomicOp::Float(op, float(ty)?),
            None => return Err(format!("the atomic operation {:?}", i.rmw_op())),
        };
        let ptr = self.scalar(i.operand(0));
        let value = self.scalar(i.operand(1));
        let width = self.width(ty);
        let old = self.compute(ty, |dst| Inst::AtomicRmw { op, dst, ptr, value, width });
        Ok(Parts::from_elem(old, 1))
    }

    pub(super) fn variadic_argument(&mut self, i: LlvmValue<'m>) -> Result<Parts, Unsupported> {
        let shape = self.shape(i);
        let [ty] = shape.scalars[..] else { return Err("`va_arg` of an aggregate".to_string()) };
        let list = self.scalar(i.operand(0));
        Ok(Parts::from_elem(self.compute(ty, |dst| Inst::VaArg { dst, list, ty }), 1))
    }
}

/// The part of a lane; scalars are the same for all lanes.
fn pick(parts: &Parts, lane: usize) -> Operand {
    parts[if parts.len() == 1 { 0 } else { lane }]
}

/// An index that is constant in a lane.
fn lane_constant(index: LlvmValue<'_>, lane: usize) -> Option<i64> {
    if !index.is_constant() {
        return None;
    }
    match index.ty().kind() {
        LlvmTypeKind::Vector => signed(index).or_else(|| signed(index.aggregate_element(lane as u32)?)),
        _ => signed(index),
    }
}

enum Rmw {
    Int(AtomicOp),
    Float(FloatBinOp),
}

fn rmw(op: RmwOp) -> Option<Rmw> {
    use RmwOp::*;
    let int = |op| Some(Rmw::Int(AtomicOp::Int(op)));
    match op {
        LLVMAtomicRMWBinOpXchg => Some(Rmw::Int(AtomicOp::Xchg)),
        LLVMAtomicRMWBinOpNand => Some(Rmw::Int(AtomicOp::Nand)),
        LLVMAtomicRMWBinOpAdd => int(IntOp::Add),
        LLVMAtomicRMWBinOpSub => int(IntOp::Sub),
        LLVMAtomicRMWBinOpAnd => int(IntOp::And),
        LLVMAtomicRMWBinOpOr => int(IntOp::Or),
        LLVMAtomicRMWBinOpXor => int(IntOp::Xor),
        LLVMAtomicRMWBinOpMax => int(IntOp::SMax),
        LLVMAtomicRMWBinOpMin => int(IntOp::SMin),
        LLVMAtomicRMWBinOpUMax => int(IntOp::UMax),
        LLVMAtomicRMWBinOpUMin => int(IntOp::UMin),
        LLVMAtomicRMWBinOpUSubSat => int(IntOp::USubSat),
        LLVMAtomicRMWBinOpFAdd => Some(Rmw::Float(FloatBinOp::Add)),
        LLVMAtomicRMWBinOpFSub => Some(Rmw::Float(FloatBinOp::Sub)),
        LLVMAtomicRMWBinOpFMax => Some(Rmw::Float(FloatBinOp::MaxNum)),
        LLVMAtomicRMWBinOpFMin => Some(Rmw::Float(FloatBinOp::MinNum)),
        LLVMAtomicRMWBinOpFMaximum => Some(Rmw::Float(FloatBinOp::Maximum)),
        LLVMAtomicRMWBinOpFMinimum => Some(Rmw::Float(FloatBinOp::Minimum)),
        LLVMAtomicRMWBinOpUIncWrap | LLVMAtomicRMWBinOpUDecWrap | LLVMAtomicRMWBinOpUSubCond => None,
    }
}
