//! Arithmetic and comparisons, lane by lane.

use taw_ir::{CmpOp, FloatBinOp, FloatCmpOp, FloatTy, FloatUnOp, Inst, IntFlags, IntOp, Operand, Ty};

use super::body::{FunctionBody, Parts, Unsupported};
use crate::llvm::{FloatPredicate, IntPredicate, LlvmValue, Opcode};

/// The format of a float; none for those that can only be moved.
pub fn float(ty: Ty) -> Result<FloatTy, Unsupported> {
    match ty {
        Ty::Float(f) => Ok(f),
        _ => Err("arithmetic on a float format other than half, single, double, x87 and quadruple".to_string()),
    }
}

impl<'m> FunctionBody<'_, 'm> {
    /// Applies `make` to each lane of two values.
    pub(super) fn lanes2(
        &mut self,
        a: LlvmValue<'m>,
        b: LlvmValue<'m>,
        mut make: impl FnMut(&mut Self, Operand, Operand) -> Operand,
    ) -> Parts {
        let (a, b) = (self.value(a), self.value(b));
        a.into_iter().zip(b).map(|(a, b)| make(self, a, b)).collect()
    }

    /// Applies `make` to each lane of a value.
    pub(super) fn lanes1(&mut self, a: LlvmValue<'m>, mut make: impl FnMut(&mut Self, Operand) -> Operand) -> Parts {
        self.value(a).into_iter().map(|a| make(self, a)).collect()
    }

    /// An integer operation.
    pub(super) fn binary(&mut self, op: IntOp, ty: Ty, a: Operand, b: Operand) -> Operand {
        let width = self.width(ty);
        self.compute(ty, |dst| Inst::Bin { op, flags: IntFlags::default(), width, dst, a, b })
    }

    /// A float operation.
    pub(super) fn float_op(&mut self, op: FloatBinOp, ty: FloatTy, a: Operand, b: Operand) -> Operand {
        self.compute(Ty::Float(ty), |dst| Inst::FloatBin { op, ty, dst, a, b })
    }

    /// An integer comparison.
    pub(super) fn compare(&mut self, op: CmpOp, a: Operand, b: Operand) -> Operand {
        let width = self.width(self.type_of(a));
        self.compute(Ty::Int(1), |dst| Inst::Cmp { op, width, dst, a, b })
    }

    /// `a` if `cond`, else `b`.
    pub(super) fn choose(&mut self, cond: Operand, ty: Ty, a: Operand, b: Operand) -> Operand {
        let width = self.width(ty);
        self.compute(ty, |dst| Inst::Select { dst, cond, a, b, width })
    }

    pub(super) fn int_binary(&mut self, opcode: Opcode, i: LlvmValue<'m>) -> Parts {
        let op = int_op(opcode);
        let (nsw, nuw) = i.no_wrap();
        let flags = IntFlags { nsw, nuw };
        let shape = self.shape(i);
        let Some(&ty) = shape.scalars.first() else { return Parts::new() };
        let width = self.width(ty);
        self.lanes2(i.operand(0), i.operand(1), |body, a, b| {
            body.compute(ty, |dst| Inst::Bin { op, flags, width, dst, a, b })
        })
    }

    pub(super) fn float_binary(&mut self, opcode: Opcode, i: LlvmValue<'m>) -> Result<Parts, Unsupported> {
        let op = match opcode {
            Opcode::LLVMFAdd => FloatBinOp::Add,
            Opcode::LLVMFSub => FloatBinOp::Sub,
            Opcode::LLVMFMul => FloatBinOp::Mul,
            Opcode::LLVMFDiv => FloatBinOp::Div,
            _ => FloatBinOp::Rem,
        };
        self.float_binary_of(op, i.operand(0), i.operand(1))
    }

    pub(super) fn float_binary_of(
        &mut self,
        op: FloatBinOp,
        a: LlvmValue<'m>,
        b: LlvmValue<'m>,
    ) -> Result<Parts, Unsupported> {
        let ty = self.float_of(a)?;
        Ok(self.lanes2(a, b, |body, a, b| body.float_op(op, ty, a, b)))
    }

    /// The format of a value's lanes.
    pub(super) fn float_of(&mut self, v: LlvmValue<'m>) -> Result<FloatTy, Unsupported> {
        float(self.shape(v).scalars.first().copied().unwrap_or(Ty::Ptr))
    }

    pub(super) fn float_negate(&mut self, i: LlvmValue<'m>) -> Result<Parts, Unsupported> {
        self.float_unary(FloatUnOp::Neg, i.operand(0))
    }

    pub(super) fn float_unary(&mut self, op: FloatUnOp, a: LlvmValue<'m>) -> Result<Parts, Unsupported> {
        let ty = self.float_of(a)?;
        Ok(self.lanes1(a, |body, a| body.compute(Ty::Float(ty), |dst| Inst::FloatUn { op, ty, dst, a })))
    }

    pub(super) fn int_compare(&mut self, i: LlvmValue<'m>) -> Parts {
        let op = match i.int_predicate() {
            IntPredicate::LLVMIntEQ => CmpOp::Eq,
            IntPredicate::LLVMIntNE => CmpOp::Ne,
            IntPredicate::LLVMIntUGT => CmpOp::Ugt,
            IntPredicate::LLVMIntUGE => CmpOp::Uge,
            IntPredicate::LLVMIntULT => CmpOp::Ult,
            IntPredicate::LLVMIntULE => CmpOp::Ule,
            IntPredicate::LLVMIntSGT => CmpOp::Sgt,
            IntPredicate::LLVMIntSGE => CmpOp::Sge,
            IntPredicate::LLVMIntSLT => CmpOp::Slt,
            IntPredicate::LLVMIntSLE => CmpOp::Sle,
        };
        self.lanes2(i.operand(0), i.operand(1), |body, a, b| body.compare(op, a, b))
    }

    pub(super) fn float_compare(&mut self, i: LlvmValue<'m>) -> Result<Parts, Unsupported> {
        use FloatPredicate::*;
        let op = match i.float_predicate() {
            LLVMRealPredicateFalse => FloatCmpOp::False,
            LLVMRealOEQ => FloatCmpOp::Oeq,
            LLVMRealOGT => FloatCmpOp::Ogt,
            LLVMRealOGE => FloatCmpOp::Oge,
            LLVMRealOLT => FloatCmpOp::Olt,
            LLVMRealOLE => FloatCmpOp::Ole,
            LLVMRealONE => FloatCmpOp::One,
            LLVMRealORD => FloatCmpOp::Ord,
            LLVMRealUNO => FloatCmpOp::Uno,
            LLVMRealUEQ => FloatCmpOp::Ueq,
            LLVMRealUGT => FloatCmpOp::Ugt,
            LLVMRealUGE => FloatCmpOp::Uge,
            LLVMRealULT => FloatCmpOp::Ult,
            LLVMRealULE => FloatCmpOp::Ule,
            LLVMRealUNE => FloatCmpOp::Une,
            LLVMRealPredicateTrue => FloatCmpOp::True,
        };
        self.float_compare_of(op, i.operand(0), i.operand(1))
    }

    pub(super) fn float_compare_of(
        &mut self,
        op: FloatCmpOp,
        a: LlvmValue<'m>,
        b: LlvmValue<'m>,
    ) -> Result<Parts, Unsupported> {
        let ty = self.float_of(a)?;
        Ok(self.lanes2(a, b, |body, a, b| body.compute(Ty::Int(1), |dst| Inst::FloatCmp { op, ty, dst, a, b })))
    }

    /// One condition for all parts of a value, or one for each lane.
    pub(super) fn select(&mut self, i: LlvmValue<'m>) -> Parts {
        let conds = self.value(i.operand(0));
        if let [cond] = conds[..] {
            self.condition(cond, false);
        }
        let shape = self.shape(i);
        let (a, b) = (self.value(i.operand(1)), self.value(i.operand(2)));
        let parts = a.into_iter().zip(b).zip(&shape.scalars).enumerate();
        parts
            .map(|(lane, ((a, b), &ty))| {
                let cond = *conds.get(lane).unwrap_or(&conds[0]);
                self.choose(cond, ty, a, b)
            })
            .collect()
    }

    /// A copy even of a constant: all uses must see the same value, also if it is no particular one.
    pub(super) fn freeze(&mut self, i: LlvmValue<'m>) -> Parts {
        self.lanes1(i.operand(0), |body, src| {
            let ty = body.type_of(src);
            body.compute(ty, |dst| Inst::Copy { dst, src })
        })
    }
}

fn int_op(opcode: Opcode) -> IntOp {
    match opcode {
        Opcode::LLVMAdd => IntOp::Add,
        Opcode::LLVMSub => IntOp::Sub,
        Opcode::LLVMMul => IntOp::Mul,
        Opcode::LLVMUDiv => IntOp::UDiv,
        Opcode::LLVMSDiv => IntOp::SDiv,
        Opcode::LLVMURem => IntOp::URem,
        Opcode::LLVMSRem => IntOp::SRem,
        Opcode::LLVMShl => IntOp::Shl,
        Opcode::LLVMLShr => IntOp::LShr,
        Opcode::LLVMAShr => IntOp::AShr,
        Opcode::LLVMAnd => IntOp::And,
        Opcode::LLVMOr => IntOp::Or,
        Opcode::LLVMXor => IntOp::Xor,
        other => unreachable!("{other:?} is no integer operation"),
    }
}
