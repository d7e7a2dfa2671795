//! Atomic instructions: there is one thread, so they are plain reads and writes.

use taw_ir::{AtomicOp, Operand, Reg};

use crate::cx::Cx;
use crate::stop::Stop;

impl Cx<'_, '_> {
    pub(super) fn cmp_xchg(
        &mut self,
        dst: Reg,
        ptr: Operand,
        expected: Operand,
        new: Operand,
        width: u32,
    ) -> Result<(), Stop> {
        let ptr = self.read(ptr);
        let old = self.load(ptr, width)?;
        let (old_term, expected) = (old.to_term(self.terms(), width), self.read_term(expected, width));
        let same = self.terms().eq(old_term, expected);
        let new = self.read_term(new, width);
        let stored = self.terms().ite(same, new, old_term);
        let stored = self.value(stored);
        self.store(ptr, stored, width)?;
        self.set(dst, old);
        self.set_term(Reg::from_u32(dst.as_u32() + 1), same);
        Ok(())
    }

    pub(super) fn atomic_rmw(
        &mut self,
        op: AtomicOp,
        dst: Reg,
        ptr: Operand,
        value: Operand,
        width: u32,
    ) -> Result<(), Stop> {
        let ptr = self.read(ptr);
        let old = self.load(ptr, width)?;
        let a = old.to_term(self.terms(), width);
        let b = self.read_term(value, width);
        let new = match op {
            AtomicOp::Xchg => b,
            AtomicOp::Nand => {
                let both = self.terms().and(a, b);
                self.terms().not(both)
            }
            AtomicOp::Int(op) => self.bin_term(op, width, a, b),
            AtomicOp::Float(op, ty) => self.float_bin_term(op, ty, a, b),
        };
        let new = self.value(new);
        self.store(ptr, new, width)?;
        self.set(dst, old);
        Ok(())
    }
}
