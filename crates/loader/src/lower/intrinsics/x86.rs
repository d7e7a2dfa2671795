//! Integer vectors of x86 (SSE2 to AVX2) whose operations LLVM has no words of its own for. Most work on blocks of 128 bits, of
//! which AVX2 has two.
//!
//! A name is `x86.ISA.OPERATION[.LANES][.128|.256]`; the width of lanes is that of the operands.

use taw_ir::{CastOp, CmpOp, IntOp, Operand, Ty};

use super::IntrinsicResult;
use crate::llvm::LlvmValue;
use crate::lower::body::{FunctionBody, Parts};

/// The bits that most operations keep to.
const BLOCK: u32 = 128;

/// The operation in the name of an intrinsic of x86's.
pub(super) fn operation(name: &str) -> Option<&str> {
    let name = name.strip_prefix("x86.")?;
    let name = name.strip_suffix(".128").or_else(|| name.strip_suffix(".256")).unwrap_or(name);
    let Some((isa, rest)) = name.split_once('.') else { return Some(name) };
    let is_isa = isa.starts_with("sse") || isa.starts_with("ssse") || isa.starts_with("avx") || isa == "bmi";
    Some(if is_isa { rest } else { name })
}

impl<'m> FunctionBody<'_, 'm> {
    pub(super) fn x86_intrinsic(&mut self, i: LlvmValue<'m>, name: &str) -> IntrinsicResult {
        let Some(name) = operation(name) else { return Ok(None) };
        let two = |body: &mut Self| (body.value(i.operand(0)), body.value(i.operand(1)));
        Ok(Some(match name {
            "pavg.b" | "pavg.w" => self.lanes2(i.operand(0), i.operand(1), |body, a, b| body.average(a, b)),
            "psad.bw" => self.sums_of_differences(i),
            "pmadd.wd" => self.pairs(i, 32, |body, a, b| body.product_sum(a, b, CastOp::SExt, None)),
            "pmadd.ub.sw" => self.pairs(i, 16, |body, a, b| body.product_sum(a, b, CastOp::ZExt, Some(16))),
            "pmulh.w" => self.lanes2(i.operand(0), i.operand(1), |body, a, b| body.high_half(a, b, CastOp::SExt, 16)),
            "pmulhu.w" => self.lanes2(i.operand(0), i.operand(1), |body, a, b| body.high_half(a, b, CastOp::ZExt, 16)),
            "pmul.hr.sw" => self.lanes2(i.operand(0), i.operand(1), |body, a, b| body.rounded_high_half(a, b)),
            "packsswb" | "packssdw" => self.pack(i, true),
            "packuswb" | "packusdw" => self.pack(i, false),
            "psign.b" | "psign.w" | "psign.d" => {
                self.lanes2(i.operand(0), i.operand(1), |body, a, b| body.with_sign(a, b))
            }
            "phadd.w" | "phadd.d" => self.horizontal(i, IntOp::Add),
            "phadd.sw" => self.horizontal(i, IntOp::SAddSat),
            "phsub.w" | "phsub.d" => self.horizontal(i, IntOp::Sub),
            "phsub.sw" => self.horizontal(i, IntOp::SSubSat),
            "pmovmskb" | "movmsk.ps" | "movmsk.pd" => self.signs(i),
            "pblendvb" | "blendvps" | "blendvpd" | "blendv.ps" | "blendv.pd" => self.blend(i),
            "pshuf.b" => self.shuffle_bytes(i),
            "permd" | "permps" => {
                let (lanes, indices) = two(self);
                indices.into_iter().map(|index| self.lane_at(&lanes, index, 0)).collect()
            }
            "vpermilvar.ps" => self.permute_within_blocks(i, 0),
            "vpermilvar.pd" => self.permute_within_blocks(i, 1),
            "ptestz" | "ptestc" | "ptestnzc" => self.test(i, name),
            "phminposuw" => self.least_and_place(i),
            "mpsadbw" => self.sums_of_runs(i),
            _ => match shift(name) {
                Some((op, Count::Each)) => {
                    self.lanes2(i.operand(0), i.operand(1), |body, a, b| body.shift_by(op, a, b))
                }
                Some((op, Count::One)) => {
                    let count = self.value(i.operand(1));
                    let count = self.regroup(count, &[Ty::Int(64), Ty::Int(64)])[0];
                    self.lanes1(i.operand(0), |body, a| body.shift_by(op, a, count))
                }
                Some((op, Count::Number)) => {
                    let count = self.scalar(i.operand(1));
                    self.lanes1(i.operand(0), |body, a| body.shift_by(op, a, count))
                }
                None => return Ok(None),
            },
        }))
    }

    fn widened(&mut self, op: CastOp, a: Operand, width: u32) -> Operand {
        self.resize(op, a, Ty::Int(width))
    }

    /// An operation on integers of the first operand's type.
    pub(super) fn op(&mut self, op: IntOp, a: Operand, b: Operand) -> Operand {
        let ty = self.type_of(a);
        self.binary(op, ty, a, b)
    }

    /// An operation with a number.
    pub(super) fn op_number(&mut self, op: IntOp, a: Operand, number: u64) -> Operand {
        let ty = self.type_of(a);
        let number = self.number(ty, number);
        self.binary(op, ty, a, number)
    }

    /// Rounded up, without overflow.
    fn average(&mut self, a: Operand, b: Operand) -> Operand {
        let ty = self.type_of(a);
        let (a, b) = (self.widened(CastOp::ZExt, a, 32), self.widened(CastOp::ZExt, b, 32));
        let sum = self.op(IntOp::Add, a, b);
        let sum = self.op_number(IntOp::Add, sum, 1);
        let half = self.op_number(IntOp::LShr, sum, 1);
        self.fit(half, ty)
    }

    fn difference(&mut self, a: Operand, b: Operand) -> Operand {
        let (greater, less) = (self.op(IntOp::UMax, a, b), self.op(IntOp::UMin, a, b));
        self.op(IntOp::Sub, greater, less)
    }

    /// The sum of the differences of the bytes, as an integer of a type.
    fn sum_of_differences(&mut self, pairs: impl Iterator<Item = (Operand, Operand)>, ty: Ty) -> Operand {
        let mut sum = self.number(ty, 0);
        for (a, b) in pairs {
            let difference = self.difference(a, b);
            let difference = self.resize(CastOp::ZExt, difference, ty);
            sum = self.op(IntOp::Add, sum, difference);
        }
        sum
    }

    fn sums_of_differences(&mut self, i: LlvmValue<'m>) -> Parts {
        let (a, b) = (self.value(i.operand(0)), self.value(i.operand(1)));
        let groups = a.chunks(8).zip(b.chunks(8));
        groups.map(|(a, b)| self.sum_of_differences(a.iter().copied().zip(b.iter().copied()), Ty::Int(64))).collect()
    }

    /// `mpsadbw`: four bytes of the second operand against eight runs of the first.
    fn sums_of_runs(&mut self, i: LlvmValue<'m>) -> Parts {
        let (a, b) = (self.value(i.operand(0)), self.value(i.operand(1)));
        let control = i.operand(2).as_u64().unwrap_or(0) as usize;
        let mut sums = Parts::new();
        for (block, (a, b)) in a.chunks(16).zip(b.chunks(16)).enumerate() {
            let control = control >> (3 * block);
            let (from, four) = ((control >> 2 & 1) * 4, (control & 3) * 4);
            for run in from..from + 8 {
                let pairs = (0..4).map(|k| (a[run + k], b[four + k]));
                sums.push(self.sum_of_differences(pairs, Ty::Int(16)));
            }
        }
        sums
    }

    /// One result of every two neighbours of each operand.
    fn pairs(
        &mut self,
        i: LlvmValue<'m>,
        width: u32,
        mut make: impl FnMut(&mut Self, [Operand; 2], [Operand; 2]) -> Operand,
    ) -> Parts {
        let (a, b) = (self.value(i.operand(0)), self.value(i.operand(1)));
        let results = a.chunks_exact(2).zip(b.chunks_exact(2)).map(|(a, b)| make(self, [a[0], a[1]], [b[0], b[1]]));
        let results: Parts = results.collect();
        results.into_iter().map(|result| self.fit(result, Ty::Int(width))).collect()
    }

    /// The sum of two products in 32 bits; the first operands are extended as `op` says, the second by their sign.
    fn product_sum(&mut self, a: [Operand; 2], b: [Operand; 2], op: CastOp, clamp: Option<u32>) -> Operand {
        let [x, y] = [0, 1].map(|k| {
            let (a, b) = (self.widened(op, a[k], 32), self.widened(CastOp::SExt, b[k], 32));
            self.op(IntOp::Mul, a, b)
        });
        let sum = self.op(IntOp::Add, x, y);
        clamp.map_or(sum, |width| self.clamped(sum, width, true))
    }

    /// A signed number, clamped to a narrower type.
    fn clamped(&mut self, a: Operand, width: u32, signed: bool) -> Operand {
        let (least, greatest) = match signed {
            true => ((-1i64 << (width - 1)) as u64, (1 << (width - 1)) - 1),
            false => (0, (1 << width) - 1),
        };
        let a = self.op_number(IntOp::SMax, a, least);
        self.op_number(IntOp::SMin, a, greatest)
    }

    fn high_half(&mut self, a: Operand, b: Operand, op: CastOp, from: u64) -> Operand {
        let (a, b) = (self.widened(op, a, 32), self.widened(op, b, 32));
        let product = self.op(IntOp::Mul, a, b);
        let high = self.op_number(IntOp::LShr, product, from);
        self.fit(high, Ty::Int(16))
    }

    fn rounded_high_half(&mut self, a: Operand, b: Operand) -> Operand {
        let (a, b) = (self.widened(CastOp::SExt, a, 32), self.widened(CastOp::SExt, b, 32));
        let product = self.op(IntOp::Mul, a, b);
        let high = self.op_number(IntOp::AShr, product, 14);
        let high = self.op_number(IntOp::Add, high, 1);
        let high = self.op_number(IntOp::LShr, high, 1);
        self.fit(high, Ty::Int(16))
    }

    /// Signed lanes clamped to half their width: in each block those of the first operand, then those of the second.
    fn pack(&mut self, i: LlvmValue<'m>, signed: bool) -> Parts {
        let (a, b) = (self.value(i.operand(0)), self.value(i.operand(1)));
        let width = self.width(self.type_of(a[0]));
        let block = (BLOCK / width) as usize;
        let lanes: Vec<Operand> = a.chunks(block).zip(b.chunks(block)).flat_map(|(a, b)| [a, b].concat()).collect();
        let narrow = lanes.into_iter().map(|lane| {
            let lane = self.clamped(lane, width / 2, signed);
            self.fit(lane, Ty::Int(width / 2))
        });
        narrow.collect()
    }

    fn with_sign(&mut self, a: Operand, b: Operand) -> Operand {
        let ty = self.type_of(a);
        let zero = self.number(ty, 0);
        let negated = self.binary(IntOp::Sub, ty, zero, a);
        let (is_negative, is_zero) = (self.compare(CmpOp::Slt, b, zero), self.compare(CmpOp::Eq, b, zero));
        let rest = self.choose(is_zero, ty, zero, a);
        self.choose(is_negative, ty, negated, rest)
    }

    fn horizontal(&mut self, i: LlvmValue<'m>, op: IntOp) -> Parts {
        let (a, b) = (self.value(i.operand(0)), self.value(i.operand(1)));
        let block = (BLOCK / self.width(self.type_of(a[0]))) as usize;
        let lanes: Vec<Operand> = a.chunks(block).zip(b.chunks(block)).flat_map(|(a, b)| [a, b].concat()).collect();
        lanes.chunks_exact(2).map(|pair| self.op(op, pair[0], pair[1])).collect()
    }

    /// A shift whose count may be as large as it likes.
    fn shift_by(&mut self, op: IntOp, a: Operand, count: Operand) -> Operand {
        let ty = self.type_of(a);
        let width = self.width(ty);
        let count_ty = self.type_of(count);
        let limit = self.number(count_ty, u64::from(width));
        let fits = self.compare(CmpOp::Ult, count, limit);
        let last = self.number(count_ty, u64::from(width) - 1);
        let within = self.choose(fits, count_ty, count, last);
        let within = self.fit(within, ty);
        let shifted = self.binary(op, ty, a, within);
        if op == IntOp::AShr {
            return shifted;
        }
        let zero = self.number(ty, 0);
        self.choose(fits, ty, shifted, zero)
    }

    pub(super) fn sign_of(&mut self, a: Operand) -> Operand {
        let ty = Ty::Int(self.width(self.type_of(a)));
        let a = self.fit(a, ty);
        let zero = self.number(ty, 0);
        self.compare(CmpOp::Slt, a, zero)
    }

    fn signs(&mut self, i: LlvmValue<'m>) -> Parts {
        let mut all = self.number(Ty::Int(32), 0);
        for (at, lane) in self.value(i.operand(0)).into_iter().enumerate() {
            let bit = self.sign_of(lane);
            let bit = self.widened(CastOp::ZExt, bit, 32);
            let bit = self.op_number(IntOp::Shl, bit, at as u64);
            all = self.op(IntOp::Or, all, bit);
        }
        Parts::from_elem(all, 1)
    }

    fn blend(&mut self, i: LlvmValue<'m>) -> Parts {
        let mask = self.value(i.operand(2));
        let (a, b) = (self.value(i.operand(0)), self.value(i.operand(1)));
        let lanes = a.into_iter().zip(b).zip(mask);
        lanes
            .map(|((a, b), mask)| {
                let (cond, ty) = (self.sign_of(mask), self.type_of(a));
                self.choose(cond, ty, b, a)
            })
            .collect()
    }

    /// The lane that the bits of an index from `lowest` on select; as many as there are lanes for.
    fn lane_at(&mut self, lanes: &[Operand], index: Operand, lowest: u64) -> Operand {
        let ty = self.type_of(lanes[0]);
        let index = self.op_number(IntOp::LShr, index, lowest);
        let index = self.op_number(IntOp::And, index, lanes.len() as u64 - 1);
        let mut found = lanes[0];
        for (lane, &part) in lanes.iter().enumerate().skip(1) {
            let number = self.number(self.type_of(index), lane as u64);
            let here = self.compare(CmpOp::Eq, index, number);
            found = self.choose(here, ty, part, found);
        }
        found
    }

    fn shuffle_bytes(&mut self, i: LlvmValue<'m>) -> Parts {
        let (a, indices) = (self.value(i.operand(0)), self.value(i.operand(1)));
        let zero = self.number(Ty::Int(8), 0);
        let mut result = Parts::new();
        for (block, indices) in a.chunks(16).zip(indices.chunks(16)) {
            for &index in indices {
                let byte = self.lane_at(block, index, 0);
                let is_none = self.sign_of(index);
                result.push(self.choose(is_none, Ty::Int(8), zero, byte));
            }
        }
        result
    }

    fn permute_within_blocks(&mut self, i: LlvmValue<'m>, lowest: u64) -> Parts {
        let (a, indices) = (self.value(i.operand(0)), self.value(i.operand(1)));
        let block = (BLOCK / self.width(self.type_of(a[0]))) as usize;
        let mut result = Parts::new();
        for (block, indices) in a.chunks(block).zip(indices.chunks(block)) {
            result.extend(indices.iter().map(|&index| self.lane_at(block, index, lowest)).collect::<Parts>());
        }
        result
    }

    /// Whether all bits of `a & b` (z), of `b & !a` (c), or of neither (nzc) are zero.
    fn test(&mut self, i: LlvmValue<'m>, name: &str) -> Parts {
        let (a, b) = (self.value(i.operand(0)), self.value(i.operand(1)));
        let ty = self.type_of(a[0]);
        let zero = self.number(ty, 0);
        let (mut both, mut only) = (zero, zero);
        for (a, b) in a.into_iter().zip(b) {
            let common = self.op(IntOp::And, a, b);
            let not = self.op_number(IntOp::Xor, a, u64::MAX);
            let rest = self.op(IntOp::And, not, b);
            (both, only) = (self.op(IntOp::Or, both, common), self.op(IntOp::Or, only, rest));
        }
        let answer = match name {
            "ptestz" => self.compare(CmpOp::Eq, both, zero),
            "ptestc" => self.compare(CmpOp::Eq, only, zero),
            _ => {
                let (x, y) = (self.compare(CmpOp::Ne, both, zero), self.compare(CmpOp::Ne, only, zero));
                self.op(IntOp::And, x, y)
            }
        };
        Parts::from_elem(self.widened(CastOp::ZExt, answer, 32), 1)
    }

    /// `phminposuw`: the least of eight lanes, the first place it is at, zeros.
    fn least_and_place(&mut self, i: LlvmValue<'m>) -> Parts {
        let lanes = self.value(i.operand(0));
        let ty = self.type_of(lanes[0]);
        let zero = self.number(ty, 0);
        let (mut least, mut place) = (lanes[0], zero);
        for (at, &lane) in lanes.iter().enumerate().skip(1) {
            let is_less = self.compare(CmpOp::Ult, lane, least);
            let here = self.number(ty, at as u64);
            (least, place) = (self.choose(is_less, ty, lane, least), self.choose(is_less, ty, here, place));
        }
        let mut result = Parts::from_elem(zero, lanes.len());
        (result[0], result[1]) = (least, place);
        result
    }
}

/// Where the count of a shift is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Count {
    /// One for each lane.
    Each,
    /// The low half of a vector, for all lanes.
    One,
    /// A number, for all lanes.
    Number,
}

/// `psll.w`, `psrai.d`, `psrlv.q`…
fn shift(name: &str) -> Option<(IntOp, Count)> {
    let (word, lanes) = name.split_once('.')?;
    if !matches!(lanes, "w" | "d" | "q") {
        return None;
    }
    let (op, rest) = if let Some(rest) = word.strip_prefix("psll") {
        (IntOp::Shl, rest)
    } else if let Some(rest) = word.strip_prefix("psrl") {
        (IntOp::LShr, rest)
    } else {
        (IntOp::AShr, word.strip_prefix("psra")?)
    };
    let count = match rest {
        "" => Count::One,
        "i" => Count::Number,
        "v" => Count::Each,
        _ => return None,
    };
    Some((op, count))
}
