//! Reductions of vectors to a scalar, in the order of the lanes.

use taw_ir::{FloatBinOp, IntOp, Operand, Ty};

use super::IntrinsicResult;
use crate::llvm::{LlvmTypeKind, LlvmValue};
use crate::lower::body::{FunctionBody, Parts, Unsupported};

impl<'m> FunctionBody<'_, 'm> {
    pub(super) fn reduction(&mut self, i: LlvmValue<'m>, name: &str) -> IntrinsicResult {
        if name.starts_with("experimental.cttz.elts") {
            return self.first_set(i);
        }
        let Some(short) = name.strip_prefix("vector.reduce.") else { return Ok(None) };
        if let Some(op) = integer(short) {
            let lanes = self.value(i.operand(0));
            return Ok(Some(Parts::from_elem(self.fold(op, &lanes), 1)));
        }
        Ok(Some(match short {
            "fadd" => self.float_fold(FloatBinOp::Add, Some(i.operand(0)), i.operand(1))?,
            "fmul" => self.float_fold(FloatBinOp::Mul, Some(i.operand(0)), i.operand(1))?,
            "fmax" => self.float_fold(FloatBinOp::MaxNum, None, i.operand(0))?,
            "fmin" => self.float_fold(FloatBinOp::MinNum, None, i.operand(0))?,
            "fmaximum" => self.float_fold(FloatBinOp::Maximum, None, i.operand(0))?,
            "fminimum" => self.float_fold(FloatBinOp::Minimum, None, i.operand(0))?,
            _ => return Ok(None),
        }))
    }

    /// The number of the first lane that is set, or of lanes if none is.
    fn first_set(&mut self, i: LlvmValue<'m>) -> IntrinsicResult {
        let lanes = self.value(i.operand(0));
        let LlvmTypeKind::Int(width) = i.ty().kind() else { return Ok(None) };
        let ty = Ty::Int(width);
        let mut first = self.number(ty, lanes.len() as u64);
        for (number, lane) in lanes.iter().enumerate().rev() {
            let here = self.number(ty, number as u64);
            first = self.choose(*lane, ty, here, first);
        }
        Ok(Some(Parts::from_elem(first, 1)))
    }

    fn float_fold(
        &mut self,
        op: FloatBinOp,
        start: Option<LlvmValue<'m>>,
        vector: LlvmValue<'m>,
    ) -> Result<Parts, Unsupported> {
        let ty = self.float_of(vector)?;
        let mut lanes: Vec<Operand> = start.map(|start| self.scalar(start)).into_iter().collect();
        lanes.extend(self.value(vector));
        let mut lanes = lanes.into_iter();
        let first = lanes.next().ok_or("a reduction of an empty vector")?;
        let all = lanes.fold(first, |sum, lane| self.float_op(op, ty, sum, lane));
        Ok(Parts::from_elem(all, 1))
    }
}

fn integer(name: &str) -> Option<IntOp> {
    Some(match name {
        "add" => IntOp::Add,
        "mul" => IntOp::Mul,
        "and" => IntOp::And,
        "or" => IntOp::Or,
        "xor" => IntOp::Xor,
        "smax" => IntOp::SMax,
        "smin" => IntOp::SMin,
        "umax" => IntOp::UMax,
        "umin" => IntOp::UMin,
        _ => return None,
    })
}
