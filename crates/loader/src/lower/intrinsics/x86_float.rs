//! Vectors of floats of x86: minimum and maximum as the machine has them, conversions, comparisons, rounding, neighbours.

use taw_ir::{Beyond, CastOp, FloatBinOp, FloatCmpOp, FloatTy, FloatUnOp, Inst, Operand, Ty};

use super::IntrinsicResult;
use super::x86::operation;
use crate::llvm::LlvmValue;
use crate::lower::body::{FunctionBody, Parts, Unsupported};

impl<'m> FunctionBody<'_, 'm> {
    pub(super) fn x86_float_intrinsic(&mut self, i: LlvmValue<'m>, name: &str) -> IntrinsicResult {
        let Some(name) = operation(name) else { return Ok(None) };
        let (word, kind) = name.split_once('.').unwrap_or((name, ""));
        Ok(Some(match (word, kind) {
            ("min", "ps" | "pd" | "ss" | "sd") => self.extremum(i, FloatCmpOp::Olt, kind)?,
            ("max", "ps" | "pd" | "ss" | "sd") => self.extremum(i, FloatCmpOp::Ogt, kind)?,
            ("hadd", "ps" | "pd") => self.neighbours(i, FloatBinOp::Add)?,
            ("hsub", "ps" | "pd") => self.neighbours(i, FloatBinOp::Sub)?,
            ("addsub", "ps" | "pd") => self.alternately(i)?,
            ("round", "ps" | "pd") => self.rounded(i, 0, 1)?,
            ("round", "ss" | "sd") => self.rounded(i, 1, 2)?,
            ("cvttps2dq" | "cvttpd2dq" | "cvtt", "" | "ps2dq" | "pd2dq") => self.whole_lanes(i, None)?,
            ("cvtps2dq" | "cvtpd2dq" | "cvt", "" | "ps2dq" | "pd2dq") => {
                self.whole_lanes(i, Some(FloatUnOp::RoundEven))?
            }
            ("cvttsd2si" | "cvttsd2si64" | "cvttss2si" | "cvttss2si64", "") => self.first_whole(i, None)?,
            ("cvtsd2si" | "cvtsd2si64" | "cvtss2si" | "cvtss2si64", "") => {
                self.first_whole(i, Some(FloatUnOp::RoundEven))?
            }
            ("cvtpd2ps", "") => self.singles(i),
            (_, "ss" | "sd") => match comparison(word) {
                Some(op) => self.compared(i, op)?,
                None => return Ok(None),
            },
            _ => return Ok(None),
        }))
    }

    /// The second operand unless the first is less (or greater): also if one is a NaN or both are zeros. Of scalars the other
    /// lanes are the first operand's.
    fn extremum(&mut self, i: LlvmValue<'m>, op: FloatCmpOp, kind: &str) -> Result<Parts, Unsupported> {
        let ty = self.float_of(i.operand(0))?;
        let count = if kind.starts_with('s') { 1 } else { usize::MAX };
        let (a, b) = (self.value(i.operand(0)), self.value(i.operand(1)));
        let lanes = a.into_iter().zip(b).enumerate();
        let lanes = lanes.map(|(lane, (a, b))| match lane < count {
            true => {
                let cond = self.compute(Ty::Int(1), |dst| Inst::FloatCmp { op, ty, dst, a, b });
                self.choose(cond, Ty::Float(ty), a, b)
            }
            false => a,
        });
        Ok(lanes.collect())
    }

    /// In each block of 128 bits the pairs of the first operand, then those of the second.
    fn neighbours(&mut self, i: LlvmValue<'m>, op: FloatBinOp) -> Result<Parts, Unsupported> {
        let ty = self.float_of(i.operand(0))?;
        let (a, b) = (self.value(i.operand(0)), self.value(i.operand(1)));
        let block = (128 / ty.bits()) as usize;
        let lanes: Vec<Operand> = a.chunks(block).zip(b.chunks(block)).flat_map(|(a, b)| [a, b].concat()).collect();
        Ok(lanes.chunks_exact(2).map(|pair| self.float_op(op, ty, pair[0], pair[1])).collect())
    }

    /// Differences and sums in turn.
    fn alternately(&mut self, i: LlvmValue<'m>) -> Result<Parts, Unsupported> {
        let ty = self.float_of(i.operand(0))?;
        let (a, b) = (self.value(i.operand(0)), self.value(i.operand(1)));
        let lanes = a.into_iter().zip(b).enumerate();
        let op = |lane: usize| if lane.is_multiple_of(2) { FloatBinOp::Sub } else { FloatBinOp::Add };
        Ok(lanes.map(|(lane, (a, b))| self.float_op(op(lane), ty, a, b)).collect())
    }

    /// Lanes of operand `of` rounded as operand `mode` says; a scalar takes its other lanes from the first operand.
    fn rounded(&mut self, i: LlvmValue<'m>, of: u32, mode: u32) -> Result<Parts, Unsupported> {
        let ty = self.float_of(i.operand(0))?;
        let op = match i.operand(mode).as_u64().unwrap_or(0) & 7 {
            1 => FloatUnOp::Floor,
            2 => FloatUnOp::Ceil,
            3 => FloatUnOp::Trunc,
            // To nearest, or as the environment says: changing that is not modelled.
            _ => FloatUnOp::RoundEven,
        };
        let mut lanes = self.value(i.operand(0));
        let from = self.value(i.operand(of));
        let count = if of == 0 { lanes.len() } else { 1 };
        for (lane, a) in from.into_iter().enumerate().take(count) {
            lanes[lane] = self.compute(Ty::Float(ty), |dst| Inst::FloatUn { op, ty, dst, a });
        }
        Ok(lanes)
    }

    /// A lane as an integer, after rounding if it is not to be truncated.
    fn whole(&mut self, from: FloatTy, a: Operand, round: Option<FloatUnOp>, to: Ty) -> Operand {
        let ty = Ty::Float(from);
        let src = round.map_or(a, |op| self.compute(ty, |dst| Inst::FloatUn { op, ty: from, dst, a }));
        let width = self.width(to);
        let beyond = if width == 32 { Beyond::Low32 } else { Beyond::Low64 };
        self.compute(to, |dst| Inst::FloatToInt { from, to: width, signed: true, beyond, dst, src })
    }

    /// All lanes; those that the result has more are zeros.
    fn whole_lanes(&mut self, i: LlvmValue<'m>, round: Option<FloatUnOp>) -> Result<Parts, Unsupported> {
        let from = self.float_of(i.operand(0))?;
        let count = self.shape(i).scalars.len();
        let lanes = self.value(i.operand(0));
        let mut result: Parts = lanes.into_iter().map(|a| self.whole(from, a, round, Ty::Int(32))).collect();
        let zero = self.number(Ty::Int(32), 0);
        result.resize(count, zero);
        Ok(result)
    }

    fn first_whole(&mut self, i: LlvmValue<'m>, round: Option<FloatUnOp>) -> Result<Parts, Unsupported> {
        let from = self.float_of(i.operand(0))?;
        let to = self.shape(i).scalars[0];
        let first = self.value(i.operand(0))[0];
        Ok(Parts::from_elem(self.whole(from, first, round, to), 1))
    }

    fn singles(&mut self, i: LlvmValue<'m>) -> Parts {
        let count = self.shape(i).scalars.len();
        let (from, to) = (FloatTy::F64, FloatTy::F32);
        let mut lanes = self.lanes1(i.operand(0), |body, src| {
            body.compute(Ty::Float(to), |dst| Inst::FloatToFloat { from, to, dst, src })
        });
        let zero = self.number(Ty::Float(to), 0);
        lanes.resize(count, zero);
        lanes
    }

    fn compared(&mut self, i: LlvmValue<'m>, op: FloatCmpOp) -> Result<Parts, Unsupported> {
        let ty = self.float_of(i.operand(0))?;
        let (a, b) = (self.value(i.operand(0))[0], self.value(i.operand(1))[0]);
        let answer = self.compute(Ty::Int(1), |dst| Inst::FloatCmp { op, ty, dst, a, b });
        Ok(Parts::from_elem(self.resize(CastOp::ZExt, answer, Ty::Int(32)), 1))
    }
}

/// `comieq`, `ucomilt`…
fn comparison(word: &str) -> Option<FloatCmpOp> {
    let word = word.strip_prefix('u').unwrap_or(word);
    Some(match word.strip_prefix("comi")? {
        "eq" => FloatCmpOp::Oeq,
        "lt" => FloatCmpOp::Olt,
        "le" => FloatCmpOp::Ole,
        "gt" => FloatCmpOp::Ogt,
        "ge" => FloatCmpOp::Oge,
        "neq" => FloatCmpOp::Une,
        _ => return None,
    })
}
