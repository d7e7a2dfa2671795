//! How nearly a state that went the wrong way at a guard of a goal went the right one.
//!
//! How near a comparison of two known numbers is to the other outcome is Korel's branch distance (B. Korel, "Automated software test data
//! generation", 1990). Conditions that depend on inputs are not looked at: their other side is a state of its own.

use taw_ir::{CmpOp, Comparison, Guard};

use crate::cx::Cx;
use crate::value::mask;

impl Cx<'_, '_> {
    /// How nearly the state, which is at a guard, goes the right way: `None` if it does, or if that depends on inputs. Nearer
    /// guards count more than any distance.
    pub(crate) fn near_miss(&self, guard: &Guard) -> Option<u64> {
        let side = self.read(guard.cond).plain_word()? != 0;
        if side == guard.needed {
            return None;
        }
        let distance = guard.comparison.and_then(|c| {
            let (a, b) = (self.read(c.a).plain_word()?, self.read(c.b).plain_word()?);
            Some(distance(c, guard.needed, a, b))
        });
        let distance = distance.unwrap_or(1).min(u64::from(u32::MAX));
        Some(u64::from(guard.level) << 32 | distance)
    }
}

/// By how much operands would have to change for the comparison to come out as needed, which it does not.
fn distance(Comparison { op, width, .. }: Comparison, needed: bool, a: u64, b: u64) -> u64 {
    let number = |word: u64| match op {
        CmpOp::Slt | CmpOp::Sle | CmpOp::Sgt | CmpOp::Sge => {
            i128::from(((word << (64 - width)) as i64) >> (64 - width))
        }
        _ => i128::from(word & mask(width)),
    };
    // Equality has no sign: the shorter way round.
    let around = a.wrapping_sub(b) & mask(width);
    let apart = match op {
        CmpOp::Eq | CmpOp::Ne => u128::from(around.min(around.wrapping_neg() & mask(width))),
        _ => number(a).abs_diff(number(b)),
    };
    // `<` that shall be and is not misses by one more than `<=` does.
    let is_strict = match op {
        CmpOp::Ult | CmpOp::Ugt | CmpOp::Slt | CmpOp::Sgt => needed,
        CmpOp::Ule | CmpOp::Uge | CmpOp::Sle | CmpOp::Sge => !needed,
        CmpOp::Eq => !needed,
        CmpOp::Ne => needed,
    };
    u64::try_from(apart).unwrap_or(u64::MAX).saturating_add(u64::from(is_strict))
}

#[cfg(test)]
mod tests {
    use taw_ir::{EntityRef, Operand};

    use super::*;

    #[test]
    fn a_distance_is_what_is_missing() {
        let operand = Operand::reg(taw_ir::Reg::new(0));
        let of = |op, needed, a: i32, b: i32| {
            let comparison = Comparison { op, width: 32, a: operand, b: operand };
            distance(comparison, needed, u64::from(a as u32), u64::from(b as u32))
        };
        assert_eq!(of(CmpOp::Eq, true, 3, 9), 6);
        assert_eq!(of(CmpOp::Eq, true, -1, 1), 2, "the shorter way round");
        assert_eq!(of(CmpOp::Eq, false, 4, 4), 1);
        assert_eq!(of(CmpOp::Slt, true, 4, 4), 1);
        assert_eq!(of(CmpOp::Slt, true, 4, -6), 11);
        assert_eq!(of(CmpOp::Sle, true, 4, -6), 10);
        assert_eq!(of(CmpOp::Slt, false, -6, 4), 10);
        assert_eq!(of(CmpOp::Uge, false, 7, 3), 5);
    }
}
