//! Floats that the theory of floats knows: rounding, minimum and maximum, fused operations, classes, conversions.

use taw_ir::{Beyond, FloatBinOp, FloatCmpOp, FloatTy, FloatUnOp, Inst, Operand, Ty};

use super::IntrinsicResult;
use crate::llvm::LlvmValue;
use crate::lower::body::{FunctionBody, Parts, Unsupported};

impl<'m> FunctionBody<'_, 'm> {
    pub(super) fn float_intrinsic(&mut self, i: LlvmValue<'m>, name: &str) -> IntrinsicResult {
        if let Some(op) = unary(name) {
            return self.float_unary(op, i.operand(0)).map(Some);
        }
        if let Some(op) = binary(name) {
            return self.float_binary_of(op, i.operand(0), i.operand(1)).map(Some);
        }
        Ok(Some(match name {
            "fma" => {
                self.fused(i, |body, ty, a, b, c| body.compute(Ty::Float(ty), |dst| Inst::Fma { ty, dst, a, b, c }))?
            }
            // A machine without a fused instruction multiplies and adds: so does the native program we compare with.
            "fmuladd" => self.fused(i, |body, ty, a, b, c| {
                let product = body.float_op(FloatBinOp::Mul, ty, a, b);
                body.float_op(FloatBinOp::Add, ty, product, c)
            })?,
            "is.fpclass" => self.float_class(i)?,
            "lrint" | "llrint" => self.rounded_to_int(i, FloatUnOp::RoundEven)?,
            "lround" | "llround" => self.rounded_to_int(i, FloatUnOp::RoundAway)?,
            "fptosi.sat" => self.float_to_int_or(i, true, Beyond::Sat)?,
            "fptoui.sat" => self.float_to_int_or(i, false, Beyond::Sat)?,
            "fptosi" => self.float_to_int(i, true)?,
            "fptoui" => self.float_to_int(i, false)?,
            "sitofp" => self.int_to_float(i, true)?,
            "uitofp" => self.int_to_float(i, false)?,
            "fptrunc" | "fpext" => self.float_cast(i)?,
            "fcmp" | "fcmps" => self.strict_compare(i)?,
            "convert.to.fp16" => self.convert(i, FloatTy::F16)?,
            "convert.from.fp16" => self.convert_from_half(i)?,
            _ => return Ok(None),
        }))
    }

    fn fused(
        &mut self,
        i: LlvmValue<'m>,
        mut make: impl FnMut(&mut Self, FloatTy, Operand, Operand, Operand) -> Operand,
    ) -> Result<Parts, Unsupported> {
        let ty = self.float_of(i.operand(0))?;
        let (a, b, c) = (self.value(i.operand(0)), self.value(i.operand(1)), self.value(i.operand(2)));
        Ok(a.into_iter().zip(b).zip(c).map(|((a, b), c)| make(self, ty, a, b, c)).collect())
    }

    fn float_class(&mut self, i: LlvmValue<'m>) -> Result<Parts, Unsupported> {
        let ty = self.float_of(i.operand(0))?;
        let mask = i.operand(1).as_u64().unwrap_or(0) as u16;
        Ok(self.lanes1(i.operand(0), |body, a| body.compute(Ty::Int(1), |dst| Inst::FloatClass { mask, ty, dst, a })))
    }

    fn rounded_to_int(&mut self, i: LlvmValue<'m>, op: FloatUnOp) -> Result<Parts, Unsupported> {
        let from = self.float_of(i.operand(0))?;
        let ty = self.shape(i).scalars[0];
        let to = self.width(ty);
        let beyond = if to <= 32 { Beyond::Low32 } else { Beyond::Low64 };
        Ok(self.lanes1(i.operand(0), |body, a| {
            let src = body.compute(Ty::Float(from), |dst| Inst::FloatUn { op, ty: from, dst, a });
            body.compute(ty, |dst| Inst::FloatToInt { from, to, signed: true, beyond, dst, src })
        }))
    }

    /// The predicate is a metadata string: `oeq`.
    fn strict_compare(&mut self, i: LlvmValue<'m>) -> Result<Parts, Unsupported> {
        let predicate = i.operand(2).metadata_text().unwrap_or_default();
        let op = predicate_named(&predicate).ok_or_else(|| format!("the float comparison `{predicate}`"))?;
        self.float_compare_of(op, i.operand(0), i.operand(1))
    }

    /// The bits of a float in a narrower format.
    fn convert(&mut self, i: LlvmValue<'m>, to: FloatTy) -> Result<Parts, Unsupported> {
        let from = self.float_of(i.operand(0))?;
        Ok(self.lanes1(i.operand(0), |body, src| {
            let narrow = body.compute(Ty::Float(to), |dst| Inst::FloatToFloat { from, to, dst, src });
            body.fit(narrow, Ty::Int(to.bits()))
        }))
    }

    fn convert_from_half(&mut self, i: LlvmValue<'m>) -> Result<Parts, Unsupported> {
        let to = self.float_of(i)?;
        Ok(self.lanes1(i.operand(0), |body, bits| {
            let src = body.fit(bits, Ty::Float(FloatTy::F16));
            body.compute(Ty::Float(to), |dst| Inst::FloatToFloat { from: FloatTy::F16, to, dst, src })
        }))
    }
}

fn unary(name: &str) -> Option<FloatUnOp> {
    Some(match name {
        "fabs" => FloatUnOp::Abs,
        "sqrt" => FloatUnOp::Sqrt,
        "floor" => FloatUnOp::Floor,
        "ceil" => FloatUnOp::Ceil,
        "trunc" => FloatUnOp::Trunc,
        // The rounding mode is the default one: changing it is not modelled.
        "rint" | "nearbyint" | "roundeven" => FloatUnOp::RoundEven,
        "round" => FloatUnOp::RoundAway,
        _ => return None,
    })
}

fn binary(name: &str) -> Option<FloatBinOp> {
    Some(match name {
        // As intrinsics only with strict floating point; else these are instructions.
        "fadd" => FloatBinOp::Add,
        "fsub" => FloatBinOp::Sub,
        "fmul" => FloatBinOp::Mul,
        "fdiv" => FloatBinOp::Div,
        "frem" => FloatBinOp::Rem,
        "minnum" | "minimumnum" => FloatBinOp::MinNum,
        "maxnum" | "maximumnum" => FloatBinOp::MaxNum,
        "minimum" => FloatBinOp::Minimum,
        "maximum" => FloatBinOp::Maximum,
        "copysign" => FloatBinOp::CopySign,
        _ => return None,
    })
}

fn predicate_named(name: &str) -> Option<FloatCmpOp> {
    Some(match name {
        "oeq" => FloatCmpOp::Oeq,
        "ogt" => FloatCmpOp::Ogt,
        "oge" => FloatCmpOp::Oge,
        "olt" => FloatCmpOp::Olt,
        "ole" => FloatCmpOp::Ole,
        "one" => FloatCmpOp::One,
        "ord" => FloatCmpOp::Ord,
        "uno" => FloatCmpOp::Uno,
        "ueq" => FloatCmpOp::Ueq,
        "ugt" => FloatCmpOp::Ugt,
        "uge" => FloatCmpOp::Uge,
        "ult" => FloatCmpOp::Ult,
        "ule" => FloatCmpOp::Ule,
        "une" => FloatCmpOp::Une,
        _ => return None,
    })
}
