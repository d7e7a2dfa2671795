//! Vector accesses of which a mask says the lanes: each lane on its own, in a block that is entered if its bit is set.

use taw_ir::{CastOp, Inst, IntOp, Operand, Ty};

use super::body::{FunctionBody, Parts};
use crate::llvm::LlvmValue;

/// Arguments of a masked access; alignments, which come between them in older bitcode, are no vectors and are left out.
struct Masked<'m> {
    vectors: Vec<LlvmValue<'m>>,
}

impl<'m> Masked<'m> {
    fn of(i: LlvmValue<'m>) -> Self {
        Masked {
            vectors: i
                .call_arguments()
                .filter(|a| !matches!(a.ty().kind(), crate::llvm::LlvmTypeKind::Int(_)))
                .collect(),
        }
    }
}

impl<'m> FunctionBody<'_, 'm> {
    pub(super) fn masked_load(&mut self, i: LlvmValue<'m>) -> Parts {
        let [ptr, mask, passthru] = Masked::of(i).vectors[..] else { return self.results(i) };
        let ptr = self.scalar(ptr);
        self.lane_loads(i, mask, passthru, |body, lane, stride| body.displaced(ptr, lane as i64 * stride))
    }

    pub(super) fn masked_gather(&mut self, i: LlvmValue<'m>) -> Parts {
        let [ptrs, mask, passthru] = Masked::of(i).vectors[..] else { return self.results(i) };
        let ptrs = self.value(ptrs);
        self.lane_loads(i, mask, passthru, |_, lane, _| ptrs[lane])
    }

    fn lane_loads(
        &mut self,
        i: LlvmValue<'m>,
        mask: LlvmValue<'m>,
        passthru: LlvmValue<'m>,
        address: impl Fn(&mut Self, usize, i64) -> Operand,
    ) -> Parts {
        let mask = self.value(mask);
        let otherwise = self.value(passthru);
        let ty = self.type_of(otherwise[0]);
        let (width, stride) = (self.width(ty), self.lane_bytes(i));
        let mut parts = Parts::new();
        for (lane, (&cond, &src)) in mask.iter().zip(&otherwise).enumerate() {
            let dst = self.register(ty);
            self.emit(Inst::Copy { dst, src });
            self.guarded(cond, |body| {
                let ptr = address(body, lane, stride);
                body.emit(Inst::Load { dst, ptr, width });
            });
            parts.push(Operand::reg(dst));
        }
        parts
    }

    pub(super) fn masked_store(&mut self, i: LlvmValue<'m>) {
        let [value, ptr, mask] = Masked::of(i).vectors[..] else { return };
        let ptr = self.scalar(ptr);
        self.lane_stores(value, mask, |body, lane, stride| body.displaced(ptr, lane as i64 * stride));
    }

    pub(super) fn masked_scatter(&mut self, i: LlvmValue<'m>) {
        let [value, ptrs, mask] = Masked::of(i).vectors[..] else { return };
        let ptrs = self.value(ptrs);
        self.lane_stores(value, mask, |_, lane, _| ptrs[lane]);
    }

    fn lane_stores(
        &mut self,
        value: LlvmValue<'m>,
        mask: LlvmValue<'m>,
        address: impl Fn(&mut Self, usize, i64) -> Operand,
    ) {
        let (values, mask) = (self.value(value), self.value(mask));
        let stride = self.lane_bytes(value);
        for (lane, (&value, &cond)) in values.iter().zip(&mask).enumerate() {
            let width = self.width(self.type_of(value));
            self.guarded(cond, |body| {
                let ptr = address(body, lane, stride);
                body.emit(Inst::Store { ptr, value, width });
            });
        }
    }

    /// Reads consecutive elements into the lanes whose bit is set.
    pub(super) fn expand_load(&mut self, i: LlvmValue<'m>) -> Parts {
        let [ptr, mask, passthru] = Masked::of(i).vectors[..] else { return self.results(i) };
        let mut ptr = self.scalar(ptr);
        let mask = self.value(mask);
        let otherwise = self.value(passthru);
        let ty = self.type_of(otherwise[0]);
        let (width, stride) = (self.width(ty), self.lane_bytes(i));
        let mut parts = Parts::new();
        for (&cond, &src) in mask.iter().zip(&otherwise) {
            let dst = self.register(ty);
            self.emit(Inst::Copy { dst, src });
            self.guarded(cond, |body| body.emit(Inst::Load { dst, ptr, width }));
            ptr = self.advanced(ptr, cond, stride);
            parts.push(Operand::reg(dst));
        }
        parts
    }

    /// Writes the lanes whose bit is set one after the other.
    pub(super) fn compress_store(&mut self, i: LlvmValue<'m>) {
        let [value, ptr, mask] = Masked::of(i).vectors[..] else { return };
        let mut ptr = self.scalar(ptr);
        let (values, mask) = (self.value(value), self.value(mask));
        let stride = self.lane_bytes(value);
        for (&value, &cond) in values.iter().zip(&mask) {
            let width = self.width(self.type_of(value));
            self.guarded(cond, |body| body.emit(Inst::Store { ptr, value, width }));
            ptr = self.advanced(ptr, cond, stride);
        }
    }

    /// The next element if `cond` holds, else the same.
    fn advanced(&mut self, base: Operand, cond: Operand, stride: i64) -> Operand {
        let bits = Ty::Int(self.width(Ty::Ptr));
        let index = self.resize(CastOp::ZExt, cond, bits);
        let (width, scale) = (self.width(bits), stride as u32);
        self.compute(Ty::Ptr, |dst| Inst::PtrIndex { dst, base, index, width, scale })
    }

    /// Size of a lane in memory.
    fn lane_bytes(&mut self, vector: LlvmValue<'m>) -> i64 {
        self.cx.layout.bits(vector.ty().element(0)).div_ceil(8) as i64
    }

    fn guarded(&mut self, cond: Operand, then: impl FnOnce(&mut Self)) {
        match self.known_bit(cond) {
            Some(true) => then(self),
            Some(false) => {}
            None => self.only_if(cond, then),
        }
    }

    /// Whether all bits are set, or any.
    pub(super) fn fold(&mut self, op: IntOp, parts: &[Operand]) -> Operand {
        let mut parts = parts.iter().copied();
        let first = parts.next().unwrap_or_else(|| self.undef(Ty::Int(1)));
        let ty = self.type_of(first);
        parts.fold(first, |sum, part| self.binary(op, ty, sum, part))
    }
}
