//! Integers: saturation, overflow, bits, funnel shifts, minimum and maximum.

use taw_ir::{BitOp, CmpOp, Inst, IntOp, Operand, OverflowOp, Ty};

use super::IntrinsicResult;
use crate::llvm::LlvmValue;
use crate::lower::body::{FunctionBody, Parts};

impl<'m> FunctionBody<'_, 'm> {
    pub(super) fn integer_intrinsic(&mut self, i: LlvmValue<'m>, name: &str) -> IntrinsicResult {
        if let Some(op) = binary(name) {
            return Ok(Some(self.lanes2(i.operand(0), i.operand(1), |body, a, b| {
                let ty = body.type_of(a);
                body.binary(op, ty, a, b)
            })));
        }
        if let Some(op) = bit(name) {
            return Ok(Some(self.lanes1(i.operand(0), |body, a| {
                let ty = body.type_of(a);
                let width = body.width(ty);
                body.compute(ty, |dst| Inst::Bit { op, width, dst, a })
            })));
        }
        if let Some(op) = overflow(name) {
            return Ok(Some(self.overflow(op, i)));
        }
        Ok(Some(match name {
            "fshl" => self.funnel(i, true),
            "fshr" => self.funnel(i, false),
            "scmp" => self.three_way(i, CmpOp::Slt, CmpOp::Sgt),
            "ucmp" => self.three_way(i, CmpOp::Ult, CmpOp::Ugt),
            _ => return Ok(None),
        }))
    }

    /// All results, then all flags.
    fn overflow(&mut self, op: OverflowOp, i: LlvmValue<'m>) -> Parts {
        let mut flags = Parts::new();
        let mut parts = self.lanes2(i.operand(0), i.operand(1), |body, a, b| {
            let ty = body.type_of(a);
            let width = body.width(ty);
            let dst = body.register(ty);
            flags.push(Operand::reg(body.register(Ty::Int(1))));
            body.emit(Inst::Overflow { op, width, dst, a, b });
            Operand::reg(dst)
        });
        parts.extend(flags);
        parts
    }

    fn funnel(&mut self, i: LlvmValue<'m>, left: bool) -> Parts {
        let (a, b, c) = (self.value(i.operand(0)), self.value(i.operand(1)), self.value(i.operand(2)));
        let lanes = a.into_iter().zip(b).zip(c);
        lanes
            .map(|((a, b), c)| {
                let ty = self.type_of(a);
                let width = self.width(ty);
                self.compute(ty, |dst| Inst::Funnel { left, width, dst, a, b, c })
            })
            .collect()
    }

    /// -1, 0 or 1.
    fn three_way(&mut self, i: LlvmValue<'m>, less: CmpOp, greater: CmpOp) -> Parts {
        let ty = self.shape(i).scalars[0];
        let (minus, zero, one) = (self.number(ty, u64::MAX), self.number(ty, 0), self.number(ty, 1));
        self.lanes2(i.operand(0), i.operand(1), |body, a, b| {
            let is_greater = body.compare(greater, a, b);
            let is_less = body.compare(less, a, b);
            let rest = body.choose(is_greater, ty, one, zero);
            body.choose(is_less, ty, minus, rest)
        })
    }
}

fn binary(name: &str) -> Option<IntOp> {
    Some(match name {
        "smax" => IntOp::SMax,
        "smin" => IntOp::SMin,
        "umax" => IntOp::UMax,
        "umin" => IntOp::UMin,
        "sadd.sat" => IntOp::SAddSat,
        "uadd.sat" => IntOp::UAddSat,
        "ssub.sat" => IntOp::SSubSat,
        "usub.sat" => IntOp::USubSat,
        "sshl.sat" => IntOp::SShlSat,
        "ushl.sat" => IntOp::UShlSat,
        _ => return None,
    })
}

fn bit(name: &str) -> Option<BitOp> {
    Some(match name {
        "ctpop" => BitOp::Ctpop,
        "ctlz" => BitOp::Ctlz,
        "cttz" => BitOp::Cttz,
        "bswap" => BitOp::Bswap,
        "bitreverse" => BitOp::BitReverse,
        "abs" => BitOp::Abs,
        _ => return None,
    })
}

fn overflow(name: &str) -> Option<OverflowOp> {
    Some(match name {
        "sadd.with.overflow" => OverflowOp::SAdd,
        "uadd.with.overflow" => OverflowOp::UAdd,
        "ssub.with.overflow" => OverflowOp::SSub,
        "usub.with.overflow" => OverflowOp::USub,
        "smul.with.overflow" => OverflowOp::SMul,
        "umul.with.overflow" => OverflowOp::UMul,
        _ => return None,
    })
}
